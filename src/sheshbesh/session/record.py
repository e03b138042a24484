"""Match records: a header and one event for each accepted action, as lines of JSON.

    {"format": "sheshbesh-record", "version": 1, "card": "takhte.p5", ...}
    {"n": 1, "at": 0, "actor": "white", "type": "ready", ...}

A match is its list of events: replaying them gives the same state, always. What an event records
about its consequences (`then`) is worked out again and compared, so a record that was tampered
with names the event at which it stops being true. The file is only ever appended to; one that was
cut off at any byte loads up to its last whole event and says so. Format: docs/guide/records.md.

Chouettes are recorded the same way, with a header of their own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, Generic, Self, TypeVar

from sheshbesh.bounded import read_bytes
from sheshbesh.errors import RecordError, SheshbeshError, system_reason
from sheshbesh.i18n import Text
from sheshbesh.notebook import brief
from sheshbesh.rules import Refused
from sheshbesh.session.actions import Event
from sheshbesh.session.record_header import Header, TableHeader
from sheshbesh.session.state import Session
from sheshbesh.session.table_state import State


@dataclass(frozen=True)
class TableRecord(Generic[State]):
    """The record of a table. `damage` says what was lost if the text was cut off."""

    HEADER: ClassVar[type[TableHeader[Any]]]

    header: Any
    events: tuple[Event, ...] = ()
    damage: str | None = None

    def __repr__(self) -> str:
        return brief(type(self).__name__, f"{self.header.card.code}, {len(self.events)} events")

    def replay(self) -> State:
        """The state after all events; RecordError names the first event that cannot have happened."""
        state: State = replay_table(self.header, self.events)
        return state

    def to_text(self) -> str:
        """The whole record as lines of JSON."""
        return "".join(line(data) for data in (self.header.to_data(), *(e.to_data() for e in self.events)))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read a record, cut off or whole; RecordError names the line that cannot be read."""
        *lines, tail = text.split("\n")
        damage = None
        if tail and is_whole(tail):
            lines.append(tail)
            damage = Text("the last line lacks its end; nothing was lost")
        elif tail:
            whole = max(len(lines) - 1, 0)
            damage = Text(
                "the last line was cut off ({n} characters); {whole} events are whole",
                n=len(tail),
                whole=whole,
            )
        if not lines:
            raise RecordError(
                Text("this record was cut off before its first line ended")
                if text
                else Text("this record is empty")
            )
        header = cls.HEADER.from_data(_parse(lines[0], 1))
        events = tuple(_event(cls.HEADER, data, number) for number, data in enumerate(lines[1:], start=2))
        return cls(header, events, damage)


@dataclass(frozen=True, repr=False)
class Record(TableRecord[Session]):
    """A match as it was played: the agreements, and every step.

    Parameters
    ----------
    header : Header
        The card, the players, and the beginning.
    events : tuple[Event, ...]
        The steps.
    damage : str, optional
        What is wrong at the end of a file that was read; None if nothing is.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> record = sb.Game("tavla", dice=[(6, 5)]).to_record()
    >>> record.header.card.game
    'tavla'
    """

    HEADER = Header
    header: Header


def line(data: Mapping[str, Any]) -> str:
    """One line of a record."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def is_whole(text: str) -> bool:
    """Return True if a line that lacks its end is all there: no beginning of an object is JSON."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _parse(text: str, number: int) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        if number == 1:
            raise RecordError(Text("line 1 is not JSON, so this is no match record")) from None
        raise RecordError(Text("line {n} is not JSON", n=number)) from None


def _event(header: type[TableHeader[Any]], text: str, number: int) -> Event:
    data = _parse(text, number)
    try:
        return Event.from_data(data, header.ACTIONS)
    except SheshbeshError as error:
        raise RecordError(Text("line {n}: {what}", n=number, what=error)) from None


def replay(header: Header, events: Iterable[Event]) -> Session:
    """The match after these events, each checked; RecordError names the one that does not follow."""
    return replay_table(header, events)


def replay_table(header: TableHeader[State], events: Iterable[Event]) -> State:
    """The same for a table of any kind."""
    state = header.session()
    count = last = 0
    for event in events:
        if event.n != count + 1:
            raise RecordError(
                Text("event {n} stands where event {expected} belongs", n=event.n, expected=count + 1)
            )
        if event.at < last:
            raise RecordError(
                Text(
                    "event {n} is dated before the one it follows: {at} < {last}",
                    n=event.n,
                    at=event.at,
                    last=last,
                )
            )
        state, count, last = _follow(header, state, event), event.n, event.at
    return state


def _follow(header: TableHeader[State], state: State, event: Event) -> State:
    where = Text("event {n} ({kind})", n=event.n, kind=event.action.type)
    try:
        after, _, happened = header.follow(state, event)
    except Refused as refused:
        raise RecordError(Text("{where} is against the rules: {why}", where=where, why=refused)) from None
    except SheshbeshError as error:
        raise RecordError(Text("{where} cannot be read: {why}", where=where, why=error)) from None
    if happened.lag != event.lag:
        raise RecordError(
            Text(
                "{where} does not tell the truth about lag: {written}, not {true}",
                where=where,
                written=event.lag,
                true=happened.lag,
            )
        )
    if event.then:
        recorded, true = _plain(event.then), _plain(happened.then)
        if recorded != true:
            wrong = sorted(key for key in recorded.keys() | true.keys() if recorded.get(key) != true.get(key))
            raise RecordError(
                Text(
                    "{where} does not tell the truth about {fields}: {written}, not {true}",
                    where=where,
                    fields=", ".join(wrong),
                    written=repr(recorded),
                    true=repr(true),
                )
            )
    return after


def _plain(then: Mapping[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(json.dumps(dict(then)))
    return plain


AnyRecord = TypeVar("AnyRecord", bound=TableRecord[Any])


class RecordFile:
    """The file of one record. Every event is on the disk when `append` returns."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def create(self, header: TableHeader[Any]) -> None:
        """Begin a new record; FileExistsError if there is one already."""
        with self.path.open("xb") as file:
            _write(file, line(header.to_data()))
        # The name of a new file is on the disk once its folder is.
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def append(self, event: Event) -> None:
        """Add an event."""
        with self.path.open("ab") as file:
            _write(file, line(event.to_data()))

    def load(self) -> Record:
        """Read the record of a match; RecordError if it cannot be read at all."""
        return self.load_as(Record)

    def load_as(self, kind: type[AnyRecord]) -> AnyRecord:
        """Read a record of this kind; RecordError if it cannot be read at all."""
        try:
            head, tail = _parts(read_bytes(self.path))
            return kind.from_text(head.decode("utf-8") + tail.decode("utf-8", errors="replace"))
        except OSError as error:
            raise RecordError(Text("{file}: {why}", file=self.path, why=system_reason(error))) from None
        except UnicodeDecodeError:
            raise RecordError(
                Text("{file}: this is not text in UTF-8, so it is no match record", file=self.path)
            ) from None
        except RecordError as error:
            raise RecordError(Text("{file}: {why}", file=self.path, why=error)) from None

    def mend(self, record: TableRecord[Any]) -> None:
        """Put right the end of a damaged record, so that events can be appended again."""
        if record.damage is None:
            return
        head, tail = _parts(self.path.read_bytes())
        if is_whole(tail.decode("utf-8", errors="replace")):
            with self.path.open("ab") as file:
                _write(file, "\n")
            return
        with self.path.open("r+b") as file:
            file.truncate(len(head))
            os.fsync(file.fileno())


def _parts(data: bytes) -> tuple[bytes, bytes]:
    """The whole lines, and what follows them. A cut may fall into the middle of a character."""
    end = data.rfind(b"\n") + 1
    return data[:end], data[end:]


def _write(file: BinaryIO, text: str) -> None:
    file.write(text.encode("utf-8"))
    file.flush()
    os.fsync(file.fileno())
