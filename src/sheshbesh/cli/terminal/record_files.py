"""The record of a match while it is played: its file, and beside it the secrets of its dice."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from sheshbesh.cli.terminal.console import UserError
from sheshbesh.errors import SheshbeshError, system_reason
from sheshbesh.i18n import Text
from sheshbesh.rules import Side
from sheshbesh.session import DiceKeeper, Event, Record, RecordFile
from sheshbesh.session.record import TableRecord
from sheshbesh.session.record_header import TableHeader

if TYPE_CHECKING:
    from sheshbesh.reviews import Report

SUFFIX = ".jsonl"
"""The suffix of files of records."""


def data_folder() -> Path:
    """Return where the user's own things are kept, by the customs of the system."""
    data = os.environ.get("XDG_DATA_HOME")
    base = Path(data) if data else Path.home() / ".local" / "share"
    return base / "sheshbesh"


def folder() -> Path:
    """The folder of the matches that were given no file of their own."""
    return data_folder() / "matches"


def reviews_folder() -> Path:
    """The folder of the reviews that are kept to be searched."""
    return data_folder() / "reviews"


def keep_reviews(reports: Iterable[Report]) -> None:
    """Keep reviews to be searched. Where that cannot be, it is left out: something else was asked for."""
    from sheshbesh.reviews.shelf import Shelf

    shelf = Shelf(reviews_folder())
    with suppress(SheshbeshError, OSError, RuntimeError):
        for report in reports:
            shelf.keep(report)


def new_name(game: str) -> str:
    """A name for a match that begins now: date, time and game."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{game}"


class LockedRecord:
    """The record of a match while it is played, locked for other programs.

    The secrets of the dice lie beside it, readable for its owner alone, until the match is over:
    they reveal the throws to come, and without them the match cannot be resumed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = RecordFile(path)
        self._secrets = path.with_name(path.name + ".secret")
        self._kept: frozenset[bytes] = frozenset()
        self._is_new = False
        self.has_plays = False
        """True if anything of the match is in the record; one that is left without a play is not kept."""
        self._lock: IO[bytes] | None = None

    @classmethod
    def begin(cls, path: Path, header: TableHeader[Any]) -> LockedRecord:
        """Begin a record; OSError if it cannot be written, FileExistsError if there is one."""
        path.parent.mkdir(parents=True, exist_ok=True)
        record_file = cls(path)
        record_file._file.create(header)
        record_file._is_new = True
        record_file.lock()
        return record_file

    @classmethod
    def begin_here(cls, header: TableHeader[Any]) -> LockedRecord:
        """Begin a record in the usual folder, under a name that is still free; OSError as above."""
        name = new_name(header.card.game)
        for number in range(1, 1000):
            suffix = f"-{number}" if number > 1 else ""
            try:
                return cls.begin(folder() / f"{name}{suffix}{SUFFIX}", header)
            except FileExistsError:
                continue
        raise FileExistsError(f"{folder()} has a thousand matches of this second")

    def lock(self) -> bool:
        """Keep other programs from going on with the same record; False if one does already."""
        try:
            import fcntl
        except ImportError:  # a system without such locks
            return True
        file = self.path.open("rb")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return False
        self._lock = file
        return True

    def close(self) -> None:
        """Let go of the record; one that was begun here and has no play goes with its secrets."""
        if self._is_new and not self.has_plays:
            self.delete()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # The record

    def load(self) -> Record:
        """Read the record; RecordError if that cannot be done."""
        record = self._file.load()
        self.has_plays = has_plays(record)
        return record

    def mend(self, record: Record) -> None:
        """Cut off what was written in part."""
        if record.damage is not None:
            self._file.mend(record)
            # The mended record is another file under the same name.
            self.close()
            self.lock()

    def append(self, event: Event) -> None:
        """Add an event; it is on the disk when this returns."""
        self._file.append(event)
        self.has_plays = self.has_plays or _is_play(event)

    # The secrets

    def keep(self, tips: frozenset[bytes]) -> None:
        """Store secrets, before anything they promise is recorded."""
        new = tips - self._kept
        if not new:
            return
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        descriptor = os.open(self._secrets, flags, 0o600)
        with os.fdopen(descriptor, "a", encoding="ascii") as file:
            file.writelines(f"{tip.hex()}\n" for tip in sorted(new))
            file.flush()
            os.fsync(file.fileno())
        self._kept |= new

    def secrets(self) -> frozenset[bytes]:
        """The secrets that were stored; none if the file is gone."""
        try:
            lines = self._secrets.read_text("ascii", errors="replace").splitlines()
        except OSError:
            return frozenset()
        self._kept = frozenset(_tips(lines))
        return self._kept

    def forget(self) -> None:
        """Delete the secrets of a match that is over."""
        self._secrets.unlink(missing_ok=True)

    def delete(self) -> None:
        """Remove the record and its secrets."""
        self.path.unlink(missing_ok=True)
        self.forget()


def begin(path: Path | None, header: TableHeader[Any], say: Callable[[str], None]) -> LockedRecord | None:
    """A record, begun at `path` or in the folder of the matches.

    Where a path was asked for, it is a UserError that nothing can be kept there; otherwise `say` is
    printed, and the match is played without a record.
    """
    try:
        return LockedRecord.begin_here(header) if path is None else LockedRecord.begin(path, header)
    except OSError as error:
        if path is not None:
            raise UserError(Text("{file}: {why}", file=path, why=system_reason(error))) from error
        say(
            Text(
                "No record can be kept in {folder}: {why}.",
                folder=str(folder()),
                why=system_reason(error),
            )
        )
        return None


def _tips(lines: Iterable[str]) -> Iterable[bytes]:
    for line in lines:
        try:
            tip = bytes.fromhex(line)
        except ValueError:
            continue
        if len(tip) == 32:
            yield tip


def _is_play(event: Event) -> bool:
    """Return True if an event is a play or a step of one, or ends a game, or the match but by consent."""
    if event.action.type == "step" or "play" in event.then or "game" in event.then:
        return True
    return "match" in event.then and event.then["match"]["reason"] != "draw"


def has_plays(record: TableRecord[Any]) -> bool:
    """Return True if anything was played in a record."""
    return any(_is_play(event) for event in record.events)


def keeper() -> DiceKeeper:
    """The program keeps the chains of all three: its own and those of the players at this terminal."""
    return DiceKeeper(("server", *Side), secrets.token_bytes)
