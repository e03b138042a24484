"""A person's cards on disk: which are due, what was answered, when each comes again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from sheshbesh.bounded import read_text
from sheshbesh.errors import RecordError, SheshbeshError, system_reason
from sheshbesh.i18n import Text
from sheshbesh.practice.cards import Answer, PracticeCard

FORMAT = "sheshbesh-practice"
VERSION = 1


@dataclass(slots=True)
class Entry:
    """A card with its schedule: `memory` is FSRS's own state, None before the first answer."""

    card: PracticeCard
    due: datetime
    memory: dict[str, Any] | None = None
    answers: list[dict[str, Any]] = field(default_factory=list)


class Deck:
    """The cards in one file. Every change is written at once, as a whole or not at all.

    RecordError for a file that is no deck, or a damaged one: it is left as it is.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._entries: dict[str, Entry] = {}
        if file.exists():
            self._read()

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def add(self, cards: Iterable[PracticeCard], now: datetime) -> int:
        """Add those that are new; how many were. They are due at once."""
        new = {card.id: Entry(card, now) for card in cards if card.id not in self._entries}
        self._entries.update(new)
        if new:
            self._write()
        return len(new)

    def due(self, now: datetime) -> list[Entry]:
        """The entries to be asked now: those due longest first, and of equal ones the largest loss."""
        waiting = [entry for entry in self._entries.values() if entry.due <= now]
        return sorted(waiting, key=lambda entry: (entry.due, -entry.card.loss, entry.card.id))

    def find(self, name: str) -> Entry:
        """The entry whose id begins so; RecordError if there is none or more than one."""
        found = [entry for key, entry in self._entries.items() if key.startswith(name)]
        if len(found) != 1 or not name:
            raise RecordError(
                Text("{name} is the beginning of {n} cards' ids, not of one", name=repr(name), n=len(found))
            )
        return found[0]

    def remove(self, entry: Entry) -> None:
        """Forget a card and its answers."""
        del self._entries[entry.card.id]
        self._write()

    def answered(self, entry: Entry, answer: Answer, now: datetime) -> None:
        """Note an answer, and when the card comes again; SheshbeshError without the package `fsrs`."""
        memory = scheduled(entry.memory, now, right=answer.right)
        entry.memory, entry.due = memory, datetime.fromisoformat(memory["due"])
        entered = {"at": now.isoformat(), "answer": answer.text, "loss": answer.loss, "right": answer.right}
        entry.answers.append(entered)
        self._write()

    # On disk

    def _read(self) -> None:
        try:
            data = json.loads(read_text(self.file))
            if data["format"] != FORMAT or data["version"] != VERSION:
                raise RecordError(
                    Text("{file} is no deck of version {version}", file=self.file, version=VERSION)
                )
            for kept in data["cards"]:
                card = PracticeCard.from_kept(kept["card"])
                entry = Entry(card, datetime.fromisoformat(kept["due"]), kept["memory"], kept["answers"])
                self._entries[card.id] = entry
        except RecordError:
            raise
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise RecordError(
                Text(
                    "{file} cannot be read as a deck of cards: {why}; move it away to begin anew",
                    file=self.file,
                    why=error,
                )
            ) from error

    def _write(self) -> None:
        cards = [
            {
                "card": entry.card.kept(),
                "due": entry.due.isoformat(),
                "memory": entry.memory,
                "answers": entry.answers,
            }
            for entry in self._entries.values()
        ]
        self.file.parent.mkdir(parents=True, exist_ok=True)
        draft = self.file.with_name(f"{self.file.name}.part")
        try:
            draft.write_text(
                json.dumps({"format": FORMAT, "version": VERSION, "cards": cards}, ensure_ascii=False),
                encoding="utf-8",
            )
            draft.replace(self.file)
        except OSError as error:
            with suppress(OSError):
                draft.unlink()
            raise RecordError(
                Text("{file} cannot be written: {why}", file=self.file, why=system_reason(error))
            ) from error


def need_schedule() -> None:
    """SheshbeshError without the package `fsrs`: asked before the first question, not at its answer."""
    try:
        import fsrs  # noqa: F401 -- whether it is there
    except ImportError as error:
        raise SheshbeshError(
            Text("practice needs the extra `site`: pip install 'sheshbesh[site]' ({why})", why=error)
        ) from error


def scheduled(memory: dict[str, Any] | None, now: datetime, *, right: bool) -> dict[str, Any]:
    """FSRS's state of a card after an answer: `memory` is the one before, None at the first; "due" says when.

    It draws no lots: the same answers give the same days. SheshbeshError without the package `fsrs`.
    """
    need_schedule()
    from fsrs import Card, Rating, Scheduler

    card = Card(due=now) if memory is None else Card.from_dict(memory)  # type: ignore[arg-type]
    rating = Rating.Good if right else Rating.Again
    after, _ = Scheduler(enable_fuzzing=False).review_card(card, rating, now)
    return dict(after.to_dict())
