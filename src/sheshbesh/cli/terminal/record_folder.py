"""The records in the folder of the matches: what each one is, and which can be resumed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from time import time
from typing import Any

from sheshbesh.cli.terminal.console import UserError
from sheshbesh.cli.terminal.record_files import SUFFIX, LockedRecord, folder, has_plays, keeper
from sheshbesh.errors import RecordError, system_reason
from sheshbesh.i18n import Text
from sheshbesh.rules import Refused, Side
from sheshbesh.session import (
    SERVER,
    Chouette,
    ChouetteHeader,
    ChouetteRecord,
    Phase,
    Record,
    RecordFile,
    Session,
    apply,
)
from sheshbesh.session.record import TableRecord

_BEGINNING_S = 60.0
"""The time for which a record without a play is left alone: another program may be about to lock it."""


class Status(Enum):
    """A use that can be made of a record; the value says it in the list."""

    UNFINISHED = "unfinished"
    OVER = "over"
    BUSY = "being played in another terminal"
    STUCK = "cannot be resumed: the secrets of its dice are gone"
    CHOUETTE = "a chouette, which cannot be resumed"
    UNREADABLE = "cannot be read"


@dataclass(frozen=True, slots=True)
class Entry:
    """A record of the folder; without `record` and `state` it cannot be read, and `problem` says why."""

    path: Path
    status: Status
    record: TableRecord[Any] | None = None
    state: Session | Chouette | None = None
    problem: str = ""

    @property
    def name(self) -> str:
        """The name of the record: its file without the ending."""
        return self.path.name.removesuffix(SUFFIX)

    @property
    def played_at(self) -> datetime:
        """The time at which something was last added, by the clock of this place."""
        return datetime.fromtimestamp(self.path.stat().st_mtime, UTC).astimezone()


def paths() -> list[Path]:
    """The records of the folder, those played last first."""
    found = [(path.stat().st_mtime_ns, path) for path in folder().glob(f"*{SUFFIX}")]
    return [path for _, path in sorted(found, reverse=True)]


def entries() -> Iterator[Entry]:
    """The records of the folder, those played last first.

    Those without a play are left out, and removed where a program has left them that is gone.
    """
    for path in paths():
        entry = read_entry(path)
        if entry.record is None or has_plays(entry.record):
            yield entry
        elif entry.status is not Status.BUSY and time() - path.stat().st_mtime > _BEGINNING_S:
            LockedRecord(path).delete()


def read_entry(path: Path) -> Entry:
    """Return what a record says, whatever kind it is."""
    record_file = LockedRecord(path)
    try:
        is_busy = not record_file.lock()
        kind = ChouetteRecord if _format(path) == ChouetteHeader.FORMAT else Record
        record: TableRecord[Any] = RecordFile(path).load_as(kind)
        state = record.replay()
        if is_busy:
            status = Status.BUSY
        elif isinstance(state, Chouette):
            status = Status.CHOUETTE
        elif state.phase is Phase.OVER:
            status = Status.OVER
        else:
            status = Status.UNFINISHED if _can_go_on(state, record_file.secrets()) else Status.STUCK
    except OSError as error:
        return Entry(
            path, Status.UNREADABLE, problem=Text("{file}: {why}", file=path, why=system_reason(error))
        )
    except RecordError as error:
        return Entry(path, Status.UNREADABLE, problem=error.message)
    finally:
        record_file.close()
    return Entry(path, status, record, state)


def _format(path: Path) -> object:
    """Return what the first line of a record says it is; None where that cannot be read."""
    try:
        with path.open("rb") as file:
            data = json.loads(file.readline(1 << 20))
    except (OSError, ValueError, RecursionError):
        return None
    return data.get("format") if isinstance(data, dict) else None


def _can_go_on(state: Session, secret: frozenset[bytes]) -> bool:
    """Return True if the dice of a match can be continued with the secrets that are left."""
    chains = keeper()
    missing = chains.restore(state, secret)
    if SERVER in missing:
        return False
    try:
        for party in missing:
            apply(state, party, chains.renewed(Side.of(party)), state.at)
    except Refused:
        return False
    return True


def find_record(name: str) -> Path:
    """The record of the folder with this name or the only one with this text in its name.

    UserError where there is none, or more than one.
    """
    names = {path.name.removesuffix(SUFFIX): path for path in paths()}
    if not names:
        raise UserError(Text("there are no records in {folder}", folder=str(folder())))
    if name == "newest":
        return next(iter(names.values()))
    exact = names.get(name.removesuffix(SUFFIX))
    found = [exact] if exact is not None else [path for stem, path in names.items() if name in stem]
    if len(found) == 1:
        return found[0]
    if not found:
        raise UserError(
            Text(
                "there is no record {name} in {folder}; `sheshbesh records` lists them",
                name=repr(name),
                folder=str(folder()),
            )
        )
    shown = ", ".join(path.name.removesuffix(SUFFIX) for path in found[:5])
    raise UserError(
        Text(
            "{name} is in the names of {n} records ({shown} ...): say more of it",
            name=repr(name),
            n=len(found),
            shown=shown,
        )
    )


# Taking up


def reopen(path: Path | None) -> tuple[LockedRecord, Record, Session]:
    """The record at `path`, mended and locked; else the match played last that can be resumed.

    RecordError or UserError says why there is none.
    """
    if path is None:
        return _newest()
    if _format(path) == ChouetteHeader.FORMAT:
        raise UserError(Text("{file} is the record of a chouette, which cannot be resumed", file=str(path)))
    record_file = LockedRecord(path)
    if path.exists() and not record_file.lock():
        raise UserError(Text("{file} is being played in another terminal", file=str(path)))
    try:
        record = record_file.load()
        session = record.replay()
    except RecordError:
        record_file.close()
        raise
    record_file.mend(record)
    return record_file, record, session


def _newest() -> tuple[LockedRecord, Record, Session]:
    busy = 0
    for entry in entries():
        if entry.status is Status.UNFINISHED:
            return reopen(entry.path)
        busy += entry.status is Status.BUSY
    if busy:
        raise UserError(
            Text(
                "there is no unfinished match in {folder} that can be resumed that is not being played in "
                "another terminal; name a record: --resume FILE",
                folder=folder(),
            )
        )
    raise UserError(
        Text(
            "there is no unfinished match in {folder} that can be resumed; name a record: --resume FILE",
            folder=folder(),
        )
    )
