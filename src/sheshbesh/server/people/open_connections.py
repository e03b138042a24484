"""Open connections (sockets and streams) by the sign-in or token that opened them.

A connection ends as soon as that is revoked: a sign-in or token was ended, or an account deleted,
by any process.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import defaultdict
from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BindParameter, bindparam, select

from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.news.bus import GAP, Bus
from sheshbesh.server.people.person import Person
from sheshbesh.server.storage import Database, Together
from sheshbesh.server.storage.tables import sign_ins, tokens

LEFT, SIGNED_OUT = "person.left", "person.signed_out"
"""News that an account (`user`) was deleted, and that sign-ins or tokens of it were ended."""

_AT_ONCE = 1_000
"""Lines that are looked up at a time."""

_PAUSES = (0.5, 2.0, 5.0, 10.0)
"""Seconds until a database that cannot be asked is asked again."""

_NAMES: BindParameter[Any] = bindparam("names", expanding=True)
_GOOD = (
    select(sign_ins.c.id)
    .where(sign_ins.c.id.in_(_NAMES))
    .union_all(select(tokens.c.id).where(tokens.c.id.in_(_NAMES)))
)

_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Line:
    came_with: str
    end: Callable[[], None]


class OpenConnections:
    """The open connections of this process."""

    def __init__(
        self,
        database: Database,
        spawn: Callable[[Coroutine[Any, Any, None]], object],
        clock: Clock = CLOCK,
    ) -> None:
        self._database, self._spawn, self._clock = database, spawn, clock
        self._open: dict[str, set[_Line]] = defaultdict(set)
        self._found = Together(self._find)

    def listen(self, bus: Bus) -> None:
        """Subscribe to the news, from any process, of who was signed out or has left."""
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
            self._look((line,))  # it may have been ended since they were recognised by it
            yield
        finally:
            self._open[person.id].discard(line)
            if not self._open[person.id]:
                del self._open[person.id]

    def _look(self, lines: Collection[_Line]) -> None:
        if lines:
            self._spawn(self._end_stale(tuple(lines)))

    async def _end_stale(self, lines: Sequence[_Line]) -> None:
        for first in range(0, len(lines), _AT_ONCE):
            some = lines[first : first + _AT_ONCE]
            good = await self._surely_good({line.came_with for line in some})
            for line in some:
                if line.came_with not in good:
                    line.end()

    async def _surely_good(self, names: Collection[str]) -> Collection[str]:
        """Those of them that are still worth something; a database that is away for a moment is asked again.

        If it stays away none is, and who was cut off comes again and is looked up then.
        """
        for pause in _PAUSES:
            try:
                return await self._good(names)
            except Exception:
                _log.exception("%d lines could not be looked up", len(names))
                # Not all at once when it is there again.
                await self._clock.sleep(pause * random.uniform(0.5, 1.5))
        return ()

    async def _good(self, names: Collection[str]) -> Collection[str]:
        found = await asyncio.gather(*map(self._found.get, names))
        return frozenset(filter(None, found))

    async def _find(self, names: Sequence[str]) -> Mapping[str, str]:
        return {row.id: row.id for row in await self._database.all(_GOOD, {"names": names})}
