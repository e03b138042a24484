"""Who is connected, over all processes: each says it of its own, and is believed while it lives."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import delete, insert, select, update

from sheshbesh.server.ids import now_ms
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import processes, seeks

_BEAT = 2.0
"""Seconds between two signs of life."""
_DEAD = 15_000
"""Milliseconds without one after which a process, its people and its seeks are gone."""

_log = logging.getLogger(__name__)


class Presence:
    """The people of this process, and what the others have said of theirs."""

    def __init__(self, database: Database, process: str) -> None:
        self._database, self._process = database, process
        self._here: Counter[str] = Counter()
        self._left: dict[str, float] = {}
        self._written: frozenset[str] = frozenset()

    @contextmanager
    def here(self, user: str | None) -> Iterator[None]:
        """Somebody is connected to this process for as long as this lasts."""
        if user is None:
            yield
            return
        self._here[user] += 1
        try:
            yield
        finally:
            self._here[user] -= 1
            if not self._here[user]:
                del self._here[user]
                self._left[user] = time.monotonic()

    def gone_for(self, user: str) -> float:
        """Seconds since somebody was connected to this process; infinite if he never was."""
        if user in self._here:
            return 0.0
        left = self._left.get(user)
        return float("inf") if left is None else time.monotonic() - left

    async def start(self) -> None:
        """Enter this process in the list."""
        row = {"id": self._process, "started": now_ms(), "seen": now_ms(), "people": []}
        await self._database.write(insert(processes).values(**row))

    async def stop(self) -> None:
        """Strike it from the list, with its seeks."""
        await self._database.write(
            delete(seeks).where(seeks.c.process == self._process),
            delete(processes).where(processes.c.id == self._process),
        )

    async def run(self) -> None:
        """Say who is here until cancelled, and clear away what dead processes have left."""
        while True:
            await asyncio.sleep(_BEAT)
            try:
                await self.beat()
            except Exception:
                _log.exception("the sign of life could not be stored")

    async def beat(self) -> None:
        """One sign of life."""
        people = frozenset(self._here)
        row = update(processes).where(processes.c.id == self._process).values(seen=now_ms())
        if people != self._written:
            row = row.values(people=sorted(people))
        dead = select(processes.c.id).where(processes.c.seen < now_ms() - _DEAD)
        written, *_ = await self._database.write(
            row,
            delete(seeks).where(seeks.c.process.in_(dead)),
            delete(processes).where(processes.c.id.in_(dead)),
        )
        if not written.count:  # it was silent for so long that another took it for dead
            await self.start()
            people = frozenset()
        self._written = people
        for user, left in list(self._left.items()):
            if time.monotonic() - left > _DEAD / 1000:
                del self._left[user]

    async def everybody(self) -> frozenset[str]:
        """The ids of all who are connected anywhere."""
        alive = select(processes.c.people).where(
            processes.c.seen >= now_ms() - _DEAD, processes.c.id != self._process
        )
        rows = await self._database.all(alive)
        return frozenset(self._here).union(*(row.people for row in rows))
