"""Clocks of matches by correspondence whose player is away: they go on when the vacation is over."""

from __future__ import annotations

from contextlib import suppress

from sqlalchemy import select

from sheshbesh.rules import Refused
from sheshbesh.server.people.vacations import Vacations
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import matches, seats
from sheshbesh.server.tables.registry import MatchTables
from sheshbesh.server.tables.seats import LIVE
from sheshbesh.session import SERVER, CreditAction


class Absences:
    """Holds clocks: of all matches of somebody who goes away, and of each turn that begins meanwhile."""

    def __init__(self, database: Database, registry: MatchTables, vacations: Vacations) -> None:
        self._database, self._registry, self._vacations = database, registry, vacations

    async def hold_all(self, person: str) -> None:
        """Hold the clocks that run for a person now."""
        query = (
            select(matches.c.id)
            .join(seats, seats.c.match_id == matches.c.id)
            .where(seats.c.user_id == person, matches.c.state == LIVE, matches.c.due.is_not(None))
        )
        for row in await self._database.all(query):
            await self.hold(row.id)

    async def hold(self, match: str) -> None:
        """Hold the clock of a match whose running player is away; nothing where it is held already."""
        room = await self._registry.room(match)
        if room is None or not room.agreement.card.clock.is_correspondence:
            return
        clock = room.session.clock
        user = room.agreement.seats[clock.running].user if clock.running is not None else None
        until = await self._vacations.until(user) if user is not None else None
        # Vacations are in the time of the world, clocks in that of the match.
        ahead = room.now() - self._registry.clock.steady_ms()
        if until is not None and clock.since < (there := until + ahead):
            with suppress(Refused):
                await room.act(SERVER, CreditAction(0, until=there))
