"""All chouettes of this process."""

from __future__ import annotations

import asyncio

from sheshbesh.server.news.bus import GAP, Bus
from sheshbesh.server.tables.chouette import GONE_ON, HERE, ChouetteInPlay, ChouetteKind
from sheshbesh.server.tables.store import damaged
from sheshbesh.server.tables.table import Table
from sheshbesh.server.tables.tables import Tables

RESEATED, CHAT = "chouette.people", "chouette.chat"
"""Topics: the list of people of a chouette has changed, a chat message was stored."""


class ChouetteTables(Tables[ChouetteInPlay]):
    """The chouettes of one process."""

    def __init__(self, kind: ChouetteKind, bus: Bus) -> None:
        super().__init__(kind.clock)
        self.kind = kind
        self._bus = bus

    async def _load(self, table: str) -> ChouetteInPlay | None:
        found = await self.kind.store.table(table)
        if found is None or found.header is None:
            return None
        events, tips = await self.kind.store.tail(table, 0), await self.kind.store.tips(table)
        try:
            return await asyncio.to_thread(Table, self.kind, found, events, tips, self.spawn)
        except Exception:  # whatever its events say, no other table suffers for it
            raise damaged(table) from None

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
            room.viewers.presence.note_elsewhere(names)

    def forget(self, user: str) -> None:
        """Show the name of a deleted account no longer; a bot takes its seat."""
        for room in list(self.rooms.values()):
            if room.agreement.names_of(user):
                self._clear(room)
