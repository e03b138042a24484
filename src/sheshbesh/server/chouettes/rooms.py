"""All chouettes of this process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from sheshbesh.server.chouettes.port import ChouetteInPlay
from sheshbesh.server.chouettes.room import ChouetteRoom
from sheshbesh.server.chouettes.store import ChouetteStore
from sheshbesh.server.chouettes.table import ChouetteTable
from sheshbesh.server.ids import steady_ms
from sheshbesh.server.matches.event_log import damaged
from sheshbesh.server.matches.port import EnginePort
from sheshbesh.server.matches.rooms import Rooms
from sheshbesh.server.news.bus import GAP, Bus

GONE_ON, RESEATED, HERE, CHAT = "chouette", "chouette.people", "chouette.here", "chouette.chat"
"""Topics: a chouette has gone on to event `v`, its list of people has changed, the people of `names` are
connected somewhere, a chat message was stored."""


class ChouetteRooms(Rooms[ChouetteRoom]):
    """The rooms of chouettes.

    `pace` scales the time that bots take at least, `down` gives the ms for which no server was up, ever.
    """

    def __init__(
        self,
        store: ChouetteStore,
        engines: EnginePort,
        bus: Bus,
        *,
        pace: float = 1.0,
        down: Callable[[], int] = lambda: 0,
    ) -> None:
        super().__init__()
        self._down = down
        self.store, self.engines, self.pace = store, engines, pace
        self._bus = bus

    async def _load(self, table: str) -> ChouetteRoom | None:
        found = await self.store.table(table)
        if found is None or found.header is None:
            return None
        events, tips = await self.store.log.tail(table, 0), await self.store.log.tips(table)
        try:
            return await asyncio.to_thread(ChouetteRoom, self, found, events, tips)
        except Exception:  # whatever its events say, no other table suffers for it
            raise damaged(table) from None

    def now(self, table: ChouetteTable) -> int:
        """The time of a chouette in ms: that of the world without the time in which no server was up."""
        return steady_ms() - (self._down() - table.down if table.down is not None else 0)

    def announce(self, room: ChouetteInPlay) -> None:
        """Notify other processes that a chouette has new events."""
        self._bus.tell_others(GONE_ON, id=room.id, v=room.version)

    def announce_people(self, room: ChouetteInPlay) -> None:
        """Notify other processes of who is connected here."""
        self._bus.tell_others(HERE, id=room.id, names=sorted(room.here()))

    def reseated(self, table: str) -> None:
        """Notify every process that the list of people of a chouette has changed."""
        self._bus.publish(RESEATED, id=table)

    def listen(self) -> None:
        """Subscribe to the news of other processes, until the bus is closed."""
        self._bus.subscribe(GONE_ON, lambda news: self._gone_on(str(news["id"]), int(news["v"])))
        self._bus.subscribe(RESEATED, lambda news: self._reseat(str(news["id"])))
        self._bus.subscribe(HERE, lambda news: self._people_elsewhere(str(news["id"]), news["names"]))
        self._bus.subscribe(GAP, lambda _news: self._missed())

    def _reseat(self, table: str) -> None:
        if (room := self.rooms.get(table)) is not None:
            self.spawn(room.reseat())

    def _people_elsewhere(self, table: str, names: list[str]) -> None:
        if (room := self.rooms.get(table)) is not None:
            room.presence.note_elsewhere(names)

    def forget(self, user: str) -> None:
        """Show the name of a deleted account no longer; a bot takes its seat."""
        for room in list(self.rooms.values()):
            if room.table.names_of(user):
                self._clear(room)
