"""Lines that stay open, sockets and streams, by what those at their other end came with.

A line ends as soon as that is worth nothing any more: a sign-in or a token that was ended, an account that
was deleted, by whichever process.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import select

from sheshbesh.server.bus import GAP, Bus
from sheshbesh.server.people.person import Person
from sheshbesh.server.rooms.hall import Hall
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import sign_ins, tokens

LEFT, SIGNED_OUT = "person.left", "person.signed_out"
"""News that an account (`user`) was deleted, and that sign-ins or tokens of it were ended."""

_AT_ONCE = 1_000
"""Lines that one query asks for."""

_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Line:
    came_with: str
    end: Callable[[], None]


class Lines:
    """The open lines of this process."""

    def __init__(self, database: Database, hall: Hall) -> None:
        self._database, self._hall = database, hall
        self._open: dict[str, set[_Line]] = defaultdict(set)

    def listen(self, bus: Bus) -> None:
        """Hear, from any process, who was signed out or has left."""
        for topic in (LEFT, SIGNED_OUT):
            bus.subscribe(topic, lambda news: self._look(self._open.get(str(news["user"]), ())))
        bus.subscribe(GAP, lambda _: self._look([line for lines in self._open.values() for line in lines]))

    @contextmanager
    def open(self, person: Person | None, end: Callable[[], None]) -> Iterator[None]:
        """A line that is open for as long as this lasts; `end` is called when it must be no longer."""
        if person is None or person.came_with is None:
            yield
            return
        line = _Line(person.came_with, end)
        self._open[person.id].add(line)
        try:
            self._look((line,))  # it may have been ended since he was recognized by it
            yield
        finally:
            self._open[person.id].discard(line)
            if not self._open[person.id]:
                del self._open[person.id]

    def _look(self, lines: Collection[_Line]) -> None:
        if lines:
            self._hall.spawn(self._end_stale(tuple(lines)))

    async def _end_stale(self, lines: Sequence[_Line]) -> None:
        for first in range(0, len(lines), _AT_ONCE):
            some = lines[first : first + _AT_ONCE]
            try:
                good = await self._good({line.came_with for line in some})
            except Exception:
                # Who cannot be looked up comes again, and is looked up then.
                _log.exception("%d lines could not be looked up, and were ended", len(some))
                good = frozenset()
            for line in some:
                if line.came_with not in good:
                    line.end()

    async def _good(self, names: Collection[str]) -> Collection[str]:
        ends = [select(table.c.id).where(table.c.id.in_(names)) for table in (sign_ins, tokens)]
        return frozenset(row.id for row in await self._database.all(ends[0].union_all(ends[1])))
