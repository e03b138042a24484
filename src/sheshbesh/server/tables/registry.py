"""All matches of this process: opened on demand, dropped when nobody needs them."""

from __future__ import annotations

import asyncio

from sheshbesh.rules import Side
from sheshbesh.server.news.bus import GAP, Bus
from sheshbesh.server.tables.match import Match, MatchKind
from sheshbesh.server.tables.seats import MatchAgreement
from sheshbesh.server.tables.store import Stored, damaged
from sheshbesh.server.tables.table import Table
from sheshbesh.server.tables.tables import Tables
from sheshbesh.server.tables.waiting import Waiting

PARTED = "match.parted"
"""News that the player of a `side` has said goodbye."""


class MatchTables(Tables[Match]):
    """The matches of one process."""

    def __init__(self, kind: MatchKind) -> None:
        super().__init__(kind.clock)
        self.kind = kind
        self.waiting = Waiting()

    def drop(self, room: Match) -> None:
        """Forget a match, and who sits at it."""
        super().drop(room)
        self.kind.seats.sit(room.id, ())

    def forget(self, user: str) -> None:
        """Let nobody act for a deleted account any more, and show its name no longer."""
        for room in list(self.rooms.values()):
            if room.agreement.names_of(user):
                self._clear(room)

    async def _load(self, table: str) -> Match | None:
        stored = await self.kind.store.load(table)
        if stored is None:
            return None
        room = await self._loaded(stored)
        if not stored.has_standing:
            await self.kind.store.stand(room.agreement, room.session)
        return room

    async def _loaded(self, stored: Stored[MatchAgreement]) -> Match:
        try:
            # To replay a long match takes a while.
            return await asyncio.to_thread(self._made, stored) if stored.events else self._made(stored)
        except Exception:  # whatever its events say, no other match suffers for it
            raise damaged(stored.table.id) from None

    def _made(self, stored: Stored[MatchAgreement]) -> Match:
        return Table(self.kind, stored.table, stored.events, stored.tips, self.spawn)

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
