"""The reviews that one keeps in a folder, and the search for positions in them.

A review is `ID.review.json`, as `Report.save` writes it; beside it `ID.positions.json` has what its decisions
are found by, so that a search reads no whole review. That file is made again where it is missing or older.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from sheshbesh.bounded import read_text
from sheshbesh.errors import RecordError, SheshbeshError, system_reason
from sheshbesh.i18n import Text
from sheshbesh.reviews.judged import Judged
from sheshbesh.reviews.questions import rules_of
from sheshbesh.reviews.report import Report, read_review
from sheshbesh.reviews.search import Outline, Wanted, outline
from sheshbesh.rules import Side

SUFFIX = ".review.json"
"""The suffix of saved reviews."""

_POSITIONS = ".positions.json"
_FORMAT = "sheshbesh-positions"
_VERSION = 1
_DEPTHS = (0, 1, 2, 3, "rollout")
"""The depths at which reviews look, the least deep first."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A review of the folder: what it is of, and how deep it looked ("rollout": close ones rolled out)."""

    id: str
    file: str
    players: tuple[str, str]
    variant: str
    plies: int | str


@dataclass(frozen=True, slots=True)
class Found:
    """Decision `n` of a kept review: where in the match it was, what was done and what was best.

    `board` is the id in the game's own notation; `dice` are None for a cube decision.
    """

    review: Kept
    n: int
    game: int
    number: int
    side: Side
    board: str
    dice: tuple[int, int] | None
    played: str
    best: str
    outline: Outline

    @property
    def player(self) -> str:
        """The name of the player who decided; "" where the file had none."""
        return self.review.players[list(Side).index(self.side)]


class Shelf:
    """The reviews in a folder, which is made when the first one is kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, report: Report) -> Kept:
        """Keep a review, in the place of one of the same match that looked no deeper.

        RecordError where the folder cannot be written.
        """
        name = _identity(report)
        try:
            known = self._read(name)
            if known is not None and _depth(known[0].plies) > _depth(report.plies):
                return known[0]
            self.folder.mkdir(parents=True, exist_ok=True)
            report.save(self._review_file(name))
            return self._index(name, report)[0]
        except OSError as error:
            raise RecordError(
                Text("{file} cannot be written: {why}", file=self.folder, why=system_reason(error))
            ) from error

    def reviews(self) -> list[Kept]:
        """Return what is kept, by the names of the files."""
        return sorted((kept for kept, _ in self._all()), key=lambda kept: (kept.file, kept.id))

    def report(self, kept: Kept) -> Report:
        """The whole of a kept review; RecordError where it cannot be read."""
        try:
            return read_review(self._review_file(kept.id))
        except OSError as error:
            raise RecordError(Text("review {id}: {why}", id=kept.id, why=system_reason(error))) from error

    def remove(self, name: str) -> Kept:
        """Forget the review whose id begins so; RecordError if there is none or more than one."""
        found = [kept for kept in self.reviews() if kept.id.startswith(name)]
        if len(found) != 1 or not name:
            raise RecordError(
                Text("{name} is the beginning of {n} reviews' ids, not of one", name=repr(name), n=len(found))
            )
        self._review_file(found[0].id).unlink(missing_ok=True)
        self._positions_file(found[0].id).unlink(missing_ok=True)
        return found[0]

    def find(self, variant: str, wanted: Wanted, player: str | None = None) -> list[Found]:
        """All decisions of a game that are what is wanted, the largest loss first.

        With `player` only those of a player of this name, whatever its capitals.
        """
        found = []
        for kept, rows in self._all():
            if kept.variant != variant:
                continue
            for n, row in enumerate(rows):
                if row is None:
                    continue
                each = _found(kept, n, row)
                named = player is None or each.player.casefold() == player.casefold()
                if named and wanted.finds(each.outline):
                    found.append(each)
        return sorted(found, key=lambda each: (-each.outline.loss, each.review.id, each.n))

    # Files

    def _review_file(self, name: str) -> Path:
        return self.folder / f"{name}{SUFFIX}"

    def _positions_file(self, name: str) -> Path:
        return self.folder / f"{name}{_POSITIONS}"

    def _all(self) -> Iterator[tuple[Kept, list[Any]]]:
        """Every review that can be read, with the rows of its decisions; damaged ones are left out."""
        for file in sorted(self.folder.glob(f"*{SUFFIX}")):
            name = file.name.removesuffix(SUFFIX)
            try:
                yield self._read(name) or self._index(name, read_review(file))
            except (SheshbeshError, OSError):
                continue

    def _read(self, name: str) -> tuple[Kept, list[Any]] | None:
        """Return what stands beside a review; None where it is missing, damaged or of another version."""
        try:
            data = json.loads(read_text(self._positions_file(name)))
            if (data["format"], data["version"]) != (_FORMAT, _VERSION):
                return None
            white, black = data["players"]
            kept = Kept(name, data["file"], (white, black), data["variant"], data["plies"])
            return kept, list(data["decisions"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def _index(self, name: str, report: Report) -> tuple[Kept, list[Any]]:
        """Write what the decisions of a review are found by."""
        rules = rules_of(report)
        # The place of a row is that of its decision in the report; plays that were taken back are not found.
        rows = [None if each.tried else _row(each, outline(each, rules)) for each in report.decisions]
        kept = Kept(name, report.file, report.players, report.variant, report.plies)
        data = {"format": _FORMAT, "version": _VERSION, "file": report.file, "players": report.players}
        data |= {"variant": report.variant, "plies": report.plies, "decisions": rows}
        file = self._positions_file(name)
        draft = file.with_name(f"{file.name}.part")
        draft.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
        draft.replace(file)
        return kept, rows


def _identity(report: Report) -> str:
    """The id of a match: two files of the same match have the same one, with any names in them.

    Plays that were taken back do not count: few kinds of files have them.
    """
    played = [
        [each.game, each.number, each.decision.kind, each.board, each.played]
        for each in report.decisions
        if not each.tried
    ]
    return sha256(json.dumps([report.variant, report.length, played]).encode()).hexdigest()[:12]


def _depth(plies: int | str) -> int:
    return _DEPTHS.index(plies) if plies in _DEPTHS else -1


def _row(each: Judged, numbers: Outline) -> list[Any]:
    where = [each.game, each.number, each.side.value, each.board, each.dice, each.played, each.best]
    return [*where, *astuple(numbers)]


def _found(kept: Kept, n: int, row: list[Any]) -> Found:
    game, number, side, board, dice, played, best, *numbers = row
    thrown = (dice[0], dice[1]) if dice else None
    return Found(kept, n, game, number, Side.of(side), board, thrown, played, best, Outline(*numbers))
