"""Who is connected and who sits at which board, over all processes: each says it of its own, and is believed
while it lives."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import ColumnElement, Select, delete, insert, select, update

from sheshbesh.server.bus import GAP, Bus
from sheshbesh.server.ids import now_ms
from sheshbesh.server.rooms.boards import Boards
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import processes, seeks

_BEAT = 2.0
"""Seconds between two signs of life."""
_SETTLE = 0.2
"""Seconds for which those who sit down and get up are gathered."""
_DEAD = 15_000
"""Milliseconds without one after which a process, its people and its seeks are gone."""

BOARDS = "presence.boards"
"""News that other people sit at the boards of a `process`."""

_log = logging.getLogger(__name__)


class Presence:
    """The people of this process, and what the others have said of theirs."""

    def __init__(self, database: Database, bus: Bus, process: str, boards: Boards) -> None:
        self._database, self._bus, self._process, self._boards = database, bus, process, boards
        self._here: Counter[str] = Counter()
        self._left: dict[str, float] = {}
        self._written: tuple[frozenset[str], dict[str, list[str]]] = frozenset(), {}

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
        row = {"id": self._process, "started": now_ms(), "seen": now_ms(), "people": [], "boards": {}}
        await self._database.write(insert(processes).values(**row))
        self._written = frozenset(), {}

    def listen(self) -> None:
        """Hear at once who sits down in other processes, and ask them where it matters."""
        self._boards.ask = self._hear
        self._bus.subscribe(BOARDS, self._told)
        self._bus.subscribe(GAP, lambda _: self._boards.changed.set())

    def _told(self, news: Mapping[str, Any]) -> None:
        if news["process"] != self._process:
            self._boards.changed.set()

    async def stop(self) -> None:
        """Strike it from the list, with its seeks."""
        await self._database.write(
            delete(seeks).where(seeks.c.process == self._process),
            delete(processes).where(processes.c.id == self._process),
        )

    async def run(self) -> None:
        """Say who is here until cancelled, and clear away what dead processes have left."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_BEAT):
                    await self._boards.changed.wait()
                    await asyncio.sleep(_SETTLE)
            self._boards.changed.clear()
            try:
                await self.beat()
            except Exception:
                _log.exception("the sign of life could not be stored")

    async def beat(self) -> None:
        """One sign of life."""
        said = people, boards = frozenset(self._here), self._boards.to_data()
        row = update(processes).where(processes.c.id == self._process).values(seen=now_ms())
        if people != self._written[0]:
            row = row.values(people=sorted(people))
        if moved := boards != self._written[1]:
            row = row.values(boards=boards)
        dead = select(processes.c.id).where(processes.c.seen < now_ms() - _DEAD)
        written, *_ = await self._database.write(
            row,
            delete(seeks).where(seeks.c.process.in_(dead)),
            delete(processes).where(processes.c.id.in_(dead)),
        )
        if not written.count:  # it was silent for so long that another took it for dead
            await self.start()
            self._boards.changed.set()  # it says all of it anew
        else:
            self._written = said
        if moved:
            self._bus.publish(BOARDS, process=self._process)
        await self._hear()
        for user, left in list(self._left.items()):
            if time.monotonic() - left > _DEAD / 1000:
                del self._left[user]

    async def everybody(self) -> frozenset[str]:
        """The ids of all who are connected anywhere."""
        rows = await self._database.all(self._others(processes.c.people))
        return frozenset(self._here).union(*(row.people for row in rows))

    async def _hear(self) -> None:
        self._boards.hear(row.boards for row in await self._database.all(self._others(processes.c.boards)))

    def _others(self, column: ColumnElement[Any]) -> Select[Any]:
        """What the other processes say that are alive."""
        return select(column).where(processes.c.seen >= now_ms() - _DEAD, processes.c.id != self._process)
