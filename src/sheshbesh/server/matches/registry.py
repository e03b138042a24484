"""All rooms of this process: opened on demand, dropped when nobody needs them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from sheshbesh.rules import Refusal, Side
from sheshbesh.server.ids import steady_ms
from sheshbesh.server.matches.event_log import damaged
from sheshbesh.server.matches.port import EnginePort
from sheshbesh.server.matches.room import Room
from sheshbesh.server.matches.rooms import Rooms
from sheshbesh.server.matches.seat_presence import SeatPresence
from sheshbesh.server.matches.seats import Arrangement
from sheshbesh.server.matches.store import Store, Stored
from sheshbesh.server.matches.waiting import Waiting
from sheshbesh.server.news.bus import GAP, Bus
from sheshbesh.session import Phase, Session

PARTED = "match.parted"
"""News that the player of a `side` has said goodbye."""

_PACE = {Phase.ROLL: 0.5, Phase.MOVE: 0.9}
"""Seconds that an engine takes at least, so that people can follow it."""


class RoomRegistry(Rooms[Room]):
    """The rooms of one process.

    `down` gives the ms for which no server was up while a match lasted, `announce` notifies other
    processes that a room has gone on, `acted` is called with the seconds of each action, `pace` scales the
    time that engines take at least; `seats` has the players of matches in other processes.
    """

    def __init__(
        self,
        store: Store,
        engines: EnginePort,
        *,
        pace: float = 1.0,
        down: Callable[[Arrangement], int] = lambda _table: 0,
        announce: Callable[[Arrangement, Session], None] = lambda _table, _session: None,
        acted: Callable[[float, Refusal | None], None] = lambda _seconds, _refusal: None,
        seats: SeatPresence | None = None,
    ) -> None:
        super().__init__()
        self.store = store
        self.engines = engines
        self.announce = announce
        self.acted = acted
        self.seats = seats or SeatPresence()
        self._down = down
        self._pace = pace
        self.waiting = Waiting()

    def _drop(self, room: Room) -> None:
        super()._drop(room)
        self.seats.sit(room.id, ())

    def forget(self, user: str) -> None:
        """Let nobody act for a deleted account any more, and show its name no longer."""
        for room in list(self.rooms.values()):
            if room.table.sides_of(user):
                self._clear(room)

    # Rooms

    async def open(self, table: Arrangement) -> Room:
        """Begin a match."""
        await self.store.create(table)
        room = await self.room(table.id)
        assert room is not None
        return room

    async def _load(self, table: str) -> Room | None:
        stored = await self.store.load(table)
        if stored is None:
            return None
        room = await self._loaded(stored)
        if not stored.has_standing:
            await self.store.stand(room.table, room.session)
        return room

    async def _loaded(self, stored: Stored) -> Room:
        try:
            # To replay a long match takes a while.
            return await asyncio.to_thread(Room, self, stored) if stored.events else Room(self, stored)
        except Exception:  # whatever its events say, no other match suffers for it
            raise damaged(stored.table.id) from None

    def listen(self, bus: Bus) -> None:
        """Subscribe to the news of other processes, until the bus is closed."""
        bus.subscribe("match", lambda news: self._gone_on(str(news["id"]), int(news["v"])))
        bus.subscribe("match.begun", lambda news: self.waiting.begun(str(news["id"])))
        bus.subscribe(PARTED, lambda news: self._parted(str(news["id"]), Side.of(news["side"])))
        bus.subscribe(GAP, lambda _news: self._missed())

    def _parted(self, match: str, side: Side) -> None:
        room = self.rooms.get(match)
        if room is not None and side not in room.viewers.presence.sitting:
            room.viewers.presence.goodbye(side)

    def _missed(self) -> None:
        super()._missed()
        self.waiting.wake()

    def holds(self, room: object) -> bool:
        """Whether this is the match's room, and not one that was dropped."""
        return isinstance(room, Room) and self.rooms.get(room.id) is room

    # Time

    def now(self, table: Arrangement) -> int:
        """Milliseconds of the match's time."""
        return steady_ms() - self._down(table)

    def pace(self, session: Session) -> float:
        """Seconds that an engine lets pass before it acts."""
        turn = session.turn
        forced = turn is not None and turn.forced is not None
        return self._pace * (_PACE.get(session.phase, 0.7) if not forced else _PACE[Phase.MOVE])
