"""For how long no server was up: time that is nobody's, and is taken off every clock.

While a process is up it says so every second. One that starts after a silence counts the silence,
and a few seconds in which players find their way back, as time that did not pass. So a clock of the system
that was set meanwhile, forward or back, is nobody's time either; within a process none is looked at.
"""

from __future__ import annotations

import logging

from sqlalchemy import bindparam, insert, select, update

from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.storage.database import Conflict, Database, Rows
from sheshbesh.server.storage.tables import uptime

log = logging.getLogger(__name__)

_BEAT = 1.0
"""Seconds between two heartbeats."""

_SILENCE = 4000
"""Milliseconds without a sign after which no process counts as up."""

GRACE = 5000
"""Milliseconds given to players to come back after the server was down."""

_ALIVE = update(uptime).where(uptime.c.id == bindparam("row"))


class Uptime:
    """The time without a server, `down`, in milliseconds; it changes only when the first one starts."""

    def __init__(self, database: Database, clock: Clock = CLOCK) -> None:
        self._database, self._clock = database, clock
        self.down = 0
        self._kept = clock.monotonic()

    @property
    def is_kept(self) -> bool:
        """True if the heartbeat is stored, as it is each second where anything can be."""
        return self._clock.monotonic() - self._kept < _SILENCE / 1000

    async def start(self) -> None:
        """Count the silence before this process, if no other is up."""
        now = self._clock.steady_ms()
        row = await self._database.first(select(uptime.c.alive, uptime.c.down))
        if row is None:
            try:
                await self._database.write(insert(uptime).values(id=1, alive=now, down=0))
            except Conflict:  # another process started at the same time
                return await self.start()
            return None
        self.down = row.down
        # A system clock that was set back while no server was up is a silence, too, of a negative length.
        if abs(now - row.alive) > _SILENCE:
            longer = row.down + now - row.alive + GRACE
            # Of processes that start together one counts the silence, for all.
            await self._database.write(
                update(uptime).where(uptime.c.alive == row.alive).values(alive=now, down=longer)
            )
            found = await self._database.first(select(uptime.c.down))
            assert found is not None
            self.down = found.down
        return None

    async def run(self) -> None:
        """Say that a server is up, until cancelled."""
        while True:
            try:
                await self._database.write(Rows(_ALIVE, [{"row": 1, "alive": self._clock.steady_ms()}]))
                self._kept = self._clock.monotonic()
            except Exception:
                log.exception("the heartbeat could not be stored")
            await self._clock.sleep(_BEAT)
