"""All rooms of this process: opened on demand, dropped when nobody needs them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar

from sheshbesh.rules import Side
from sheshbesh.server.http.limits import Limiter
from sheshbesh.server.ids import steady_ms
from sheshbesh.server.matches.engine_turns import Thinker
from sheshbesh.server.matches.room import Room
from sheshbesh.server.matches.seat_presence import Boards
from sheshbesh.server.matches.seats import Arrangement
from sheshbesh.server.matches.store import Store, Stored, damaged
from sheshbesh.server.matches.waiting import Waiting
from sheshbesh.server.news.bus import GAP, Bus
from sheshbesh.session import Phase, Session

log = logging.getLogger(__name__)

Result = TypeVar("Result")

_TICK = 1.0
"""Seconds between two looks at who is still there."""

_PARTS = 20
"""Parts of the rooms that are looked after one behind the other."""

_IDLE_TICKS, _CROWDED_TICKS = 30, 2
"""Looks after which a room that nobody needs is dropped; the second where there are many such rooms."""

MOST_IDLE = 200
"""Rooms that nobody needs and that stay all the same, for those who come back soon."""

PARTED = "match.parted"
"""News that the player of a `side` has said goodbye."""

_RENEWALS_A_SECOND, _MOST_RENEWALS = 1 / 60, 5
"""How often a player may say that their chain of dice is lost: each time new ones are made and kept."""

_PACE = {Phase.ROLL: 0.5, Phase.MOVE: 0.9}
"""Seconds that an engine takes at least, so that people can follow it."""


class Hall:
    """The rooms of one process.

    `down` gives the ms for which no server was up while a match lasted, `announce` tells other
    processes that a room has gone on, `pace` scales the time that engines take at least; `boards` knows
    who sits at the matches in other processes.
    """

    def __init__(
        self,
        store: Store,
        thinker: Thinker,
        *,
        pace: float = 1.0,
        down: Callable[[Arrangement], int] = lambda _table: 0,
        announce: Callable[[Room], None] = lambda _room: None,
        boards: Boards | None = None,
    ) -> None:
        self.store = store
        self.thinker = thinker
        self.rooms: dict[str, Room] = {}
        self.announce = announce
        self.boards = boards or Boards()
        self.renewals = Limiter(_RENEWALS_A_SECOND, _MOST_RENEWALS, what="renewals")
        self._down = down
        self._pace = pace
        self._opening: dict[str, asyncio.Lock] = {}
        self.waiting = Waiting()
        self._idle: dict[str, int] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    # Life

    async def run(self) -> None:
        """Look after the rooms until cancelled."""
        while True:
            rooms = list(self.rooms.values())
            # A few at a time: all of thousands at once would hold up every game for a moment.
            for part in range(_PARTS):
                await asyncio.sleep(_TICK / _PARTS)
                self.tick(rooms[part::_PARTS])

    def tick(self, rooms: Iterable[Room]) -> None:
        """See who is in each of these rooms, let clocks and engines go on that failed, drop idle rooms."""
        # Whoever asks for one match after the other fills no memory with them.
        crowded = sum(idle > 0 for idle in self._idle.values()) > MOST_IDLE
        for room in rooms:
            if self.rooms.get(room.id) is not room:
                continue  # dropped since
            try:
                self._look_after(room, crowded=crowded)
            except Exception:
                log.exception("looking after match %s", room.id)

    def _look_after(self, room: Room, *, crowded: bool) -> None:
        room.gallery.look()
        room.stir()
        idle = self._idle.get(room.id, 0) + 1 if room.is_idle else 0
        if idle < (_CROWDED_TICKS if crowded else _IDLE_TICKS):
            self._idle[room.id] = idle
        else:
            self._drop(room)

    def _drop(self, room: Room) -> None:
        room.clockwork.stop()
        self._idle.pop(room.id, None)
        self.rooms.pop(room.id, None)
        self.boards.sit(room.id, ())

    def forget(self, user: str) -> None:
        """Somebody's account is gone: nobody acts for it any more, and its name is shown no longer."""
        for room in list(self.rooms.values()):
            if room.table.sides_of(user):
                for viewer in room.gallery.viewers:
                    viewer.cut()  # he comes back, and is shown the room anew
                self._drop(room)

    def spawn(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Run something on the side; what goes wrong with it is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("work of the hall failed", exc_info=error)

    async def close(self) -> None:
        """Stop all clocks and engines; everything that was announced is stored."""
        for room in list(self.rooms.values()):
            for viewer in room.gallery.viewers:
                viewer.cut()
            self._drop(room)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Rooms

    async def open(self, table: Arrangement) -> Room:
        """Begin a match."""
        await self.store.create(table)
        room = await self.room(table.id)
        assert room is not None
        return room

    async def room(self, match: str) -> Room | None:
        """The room of this match, loaded if it must be; None if there is no such match.

        Failure 410 for one that cannot be read.
        """
        if (room := self.rooms.get(match)) is not None:
            # Whoever asks is about to come in.
            self._idle[match] = 0
            return room
        lock = self._opening.setdefault(match, asyncio.Lock())
        try:
            async with lock:
                if (room := self.rooms.get(match)) is not None:
                    return room
                stored = await self.store.load(match)
                if stored is None:
                    return None
                room = await self._loaded(stored)
                await room.perform()
                self.rooms[match] = room
                # Of what another process did since it was read, nobody could tell a room that was not there.
                await room.catch_up()
                return room
        finally:
            if not lock.locked():
                self._opening.pop(match, None)

    async def _loaded(self, stored: Stored) -> Room:
        try:
            # To replay a long match takes a while.
            return await asyncio.to_thread(Room, self, stored) if stored.events else Room(self, stored)
        except Exception:  # whatever its events say, no other match suffers for it
            raise damaged(stored.table.id) from None

    def listen(self, bus: Bus) -> None:
        """Hear what other processes have done, until the bus is closed."""
        bus.subscribe("match", lambda news: self._heard(str(news["id"]), int(news["v"])))
        bus.subscribe("match.begun", lambda news: self.waiting.begun(str(news["id"])))
        bus.subscribe(PARTED, lambda news: self._parted(str(news["id"]), Side.of(news["side"])))
        bus.subscribe(GAP, lambda _news: self._missed())

    def _heard(self, match: str, v: int) -> None:
        room = self.rooms.get(match)
        if room is not None and room.version < v:
            self.spawn(room.catch_up(v))

    def _parted(self, match: str, side: Side) -> None:
        room = self.rooms.get(match)
        if room is not None and side not in room.gallery.presence.sitting:
            room.gallery.presence.goodbye(side)

    def _missed(self) -> None:
        """News may have been lost: see what has become of every match."""
        for room in self.rooms.values():
            self.spawn(room.catch_up())
        self.waiting.wake()

    # Time

    def now(self, table: Arrangement) -> int:
        """Milliseconds of the match's time."""
        return steady_ms() - self._down(table)

    def pace(self, session: Session) -> float:
        """Seconds that an engine lets pass before it acts."""
        turn = session.turn
        forced = turn is not None and turn.forced is not None
        return self._pace * (_PACE.get(session.phase, 0.7) if not forced else _PACE[Phase.MOVE])
