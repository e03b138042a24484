"""The tables of one process, matches or chouettes: opened on demand, dropped when nobody needs them."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Coroutine, Iterable
from typing import Any, Generic, TypeVar

from sheshbesh.server.ids import Clock
from sheshbesh.server.tables.table import Table

log = logging.getLogger(__name__)

_TICK = 1.0
"""Seconds between two updates of presence."""

_PARTS = 20
"""Parts of the tables that are looked after one behind the other."""

_IDLE_TICKS, _CROWDED_TICKS = 30, 2
"""Looks after which a table that nobody needs is dropped; the second where there are many such tables."""

MOST_IDLE = 200
"""Tables that nobody needs and that stay all the same, for those who come back soon."""


TableT = TypeVar("TableT", bound=Table[Any, Any, Any, Any])


Result = TypeVar("Result")


class Tables(ABC, Generic[TableT]):
    """The rooms of one process, by the ids of their tables."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.rooms: dict[str, TableT] = {}
        self._opening: dict[str, asyncio.Lock] = {}
        self._idle: dict[str, int] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    @abstractmethod
    async def _load(self, table: str) -> TableT | None:
        """The room of a table as it is stored; None if there is none, Failure 410 if it is damaged."""

    # Lifecycle

    async def run(self) -> None:
        """Look after the rooms until cancelled."""
        while True:
            rooms = list(self.rooms.values())
            # A few at a time: all of thousands at once would hold up every game for a moment.
            for part in range(_PARTS):
                await self.clock.sleep(_TICK / _PARTS)
                self.tick(rooms[part::_PARTS])

    def tick(self, rooms: Iterable[TableT]) -> None:
        """See who is in each of these rooms, let clocks and engines go on that failed, drop idle rooms."""
        # Opening one match after the other must not fill the memory.
        crowded = sum(idle > 0 for idle in self._idle.values()) > MOST_IDLE
        for room in rooms:
            if self.rooms.get(room.id) is not room:
                continue  # dropped since
            try:
                self._look_after(room, crowded=crowded)
            except Exception:
                log.exception("looking after table %s", room.id)

    def _look_after(self, room: TableT, *, crowded: bool) -> None:
        room.viewers.look()
        room.schedule()
        idle = self._idle.get(room.id, 0) + 1 if room.is_idle else 0
        if idle < (_CROWDED_TICKS if crowded else _IDLE_TICKS):
            self._idle[room.id] = idle
        else:
            self.drop(room)

    def drop(self, room: TableT) -> None:
        """Drop a room from memory: it is loaded again when somebody comes, or its time is up."""
        room.stop()
        self._idle.pop(room.id, None)
        self.rooms.pop(room.id, None)

    def _clear(self, room: TableT) -> None:
        """Drop a room whose viewers come again and are sent it anew."""
        for viewer in room.viewers:
            viewer.cut()
        self.drop(room)

    def spawn(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Run something on the side; what goes wrong with it is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a task of the rooms failed", exc_info=error)

    async def close(self) -> None:
        """Stop all clocks and engines; everything that was announced is stored."""
        for room in list(self.rooms.values()):
            self._clear(room)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Tables

    async def room(self, table: str) -> TableT | None:
        """The room of this table, loaded if it must be; None if there is no such table.

        Failure 410 for one that cannot be read.
        """
        if (room := self.rooms.get(table)) is not None:
            # The caller is about to enter.
            self._idle[table] = 0
            return room
        lock = self._opening.setdefault(table, asyncio.Lock())
        try:
            async with lock:
                if (room := self.rooms.get(table)) is not None:
                    return room
                room = await self._load(table)
                if room is None:
                    return None
                await room.perform()
                self.rooms[table] = room
                # While it was read, no news from other processes could reach it.
                await room.catch_up()
                return room
        finally:
            if not lock.locked():
                self._opening.pop(table, None)

    def _gone_on(self, table: str, v: int) -> None:
        """Another process has stored events up to `v` of this table."""
        room = self.rooms.get(table)
        if room is not None and room.version < v:
            self.spawn(room.catch_up(v))

    def _missed(self) -> None:
        """News may have been lost: see what has become of every table."""
        for room in self.rooms.values():
            self.spawn(room.catch_up())
