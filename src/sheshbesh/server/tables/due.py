"""Tables whose time runs out while nobody has them open: any running process loads those that are due."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import Select, Table, select

from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage.database import Database
from sheshbesh.server.storage.tables import matches
from sheshbesh.server.tables.seats import LIVE
from sheshbesh.server.tables.tables import Tables

log = logging.getLogger(__name__)

_POLL = 5.0
"""Seconds between two polls: a game that nobody has open may end by this much later than its time."""

_AT_ONCE = 50
"""Tables that one poll loads at most; the others wait for the next one."""


class DueTables:
    """Loads the `rooms` of what is due by its row in `rows`. `down` gives the ms for which no server was up,
    ever."""

    def __init__(self, database: Database, rooms: Tables[Any], rows: Table, down: Callable[[], int]) -> None:
        self._database = database
        self._rooms = rooms
        self._rows = rows
        self._down = down
        self._damaged: set[str] = set()
        """Tables that cannot be read, which the log has once each."""

    async def run(self) -> None:
        """Poll for due tables until cancelled."""
        while True:
            try:
                await self.poll()
            except Exception:
                log.exception("due %s could not be looked for", self._rows)
            await self._rooms.clock.sleep(_POLL)

    async def poll(self) -> int:
        """Load the tables at which a player's time has run out; return how many. Their rooms do the rest."""
        loaded = 0
        for query in self._queries(self._rooms.clock.steady_ms() - self._down()):
            for row in await self._database.all(query):
                loaded += await self._load(row.id)
        return loaded

    def _queries(self, now: int) -> Iterator[Select[Any]]:
        rows = self._rows.c
        going_on = select(rows.id).where(rows.state == LIVE).limit(_AT_ONCE)
        yield going_on.where(rows.due <= now).order_by(rows.due)

    async def _load(self, table: str) -> bool:
        if table in self._damaged or table in self._rooms.rooms:
            return False
        try:
            return await self._rooms.room(table) is not None
        except Failure:
            self._damaged.add(table)
            return False


class DueMatches(DueTables):
    """The same for matches.

    Those of which the row does not say how they stand, of an earlier version, are loaded once as well.
    """

    def __init__(self, database: Database, rooms: Tables[Any], down: Callable[[], int]) -> None:
        super().__init__(database, rooms, matches, down)

    def _queries(self, now: int) -> Iterator[Select[Any]]:
        yield from super()._queries(now)
        rows = matches.c
        unknown = select(rows.id).where(rows.state == LIVE, rows.standing.is_(None)).limit(_AT_ONCE)
        yield unknown.order_by(rows.started)
