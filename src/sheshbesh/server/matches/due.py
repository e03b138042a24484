"""Matches whose time runs out while nobody has them open: any running process loads those that are due."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from sqlalchemy import select

from sheshbesh.server.ids import steady_ms
from sheshbesh.server.matches.registry import RoomRegistry
from sheshbesh.server.matches.store import LIVE
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage.database import Database
from sheshbesh.server.storage.tables import matches

log = logging.getLogger(__name__)

_POLL = 5.0
"""Seconds between two polls: a match that nobody has open may end by this much later than its time."""

_AT_ONCE = 50
"""Matches that one poll loads at most; the others wait for the next one."""


class DueMatches:
    """Loads what is due. `down` gives the ms for which no server was up, ever."""

    def __init__(self, database: Database, registry: RoomRegistry, down: Callable[[], int]) -> None:
        self._database = database
        self._registry = registry
        self._down = down
        self._damaged: set[str] = set()
        """Matches that cannot be read, which the log has once each."""

    async def run(self) -> None:
        """Poll for due matches until cancelled."""
        while True:
            try:
                await self.poll()
            except Exception as error:
                # A traceback at each poll would fill what is left of a disk.
                log.error("due matches could not be looked for: %s", str(error).partition("\n")[0])
            await asyncio.sleep(_POLL)

    async def poll(self) -> int:
        """Load the matches in which a player's time has run out; return how many. Their rooms do the rest.

        Those whose rows say nothing of their standing, from an earlier version, are loaded once as well.
        """
        now = steady_ms() - self._down()
        going_on = select(matches.c.id).where(matches.c.state == LIVE).limit(_AT_ONCE)
        due = going_on.where(matches.c.due <= now).order_by(matches.c.due)
        unknown = going_on.where(matches.c.standing.is_(None)).order_by(matches.c.started)
        loaded = 0
        for query in (due, unknown):
            for row in await self._database.all(query):
                loaded += await self._load(row.id)
        return loaded

    async def _load(self, match: str) -> bool:
        if match in self._damaged or match in self._registry.rooms:
            return False
        try:
            return await self._registry.room(match) is not None
        except Failure:
            self._damaged.add(match)
            return False
