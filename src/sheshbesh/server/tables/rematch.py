"""Once more: a match like the last one with sides changed, when both players have asked for it.

Requests are stored with the seats, so that the two players may be connected to different processes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, select, update

from sheshbesh.rules import Side
from sheshbesh.server.ids import new_id, now_ms
from sheshbesh.server.news.bus import Bus
from sheshbesh.server.people.social import Social
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import matches, seats
from sheshbesh.server.tables.creation import check_dice, seed_for
from sheshbesh.server.tables.match import Match
from sheshbesh.server.tables.registry import MatchTables
from sheshbesh.server.tables.seats import Arrangement
from sheshbesh.server.tables.store import insert_match, refuse_too_many
from sheshbesh.server.tables.wire import Note
from sheshbesh.session import Phase

NEWS = "rematch"


class Rematches:
    """The offers of rematches, over all processes."""

    def __init__(self, database: Database, bus: Bus, social: Social) -> None:
        self._database, self._bus, self._social = database, bus, social

    async def ask(
        self, room: Match, person: str, sides: tuple[Side, ...], *, down: int
    ) -> Arrangement | str | None:
        """Ask as this person, for these sides of theirs; programs of the site are always willing.

        Returns the arrangement of a match that this has begun, the id of one that had begun before, or None
        while the other side has not asked. Failure 409 before the end, 403 if one has blocked the other,
        429 or 409 where one of them has too many matches already.
        """
        if room.session.phase is not Phase.OVER:
            raise Failure(409, "the match is not over yet")
        players = [seat.user for seat in room.agreement.seats.values() if seat.user is not None]
        if len(set(players)) == 2 and await self._social.are_apart(*players):
            raise Failure(403, "you two do not play with each other", code="apart")
        again = _once_more(room.agreement, down)
        check_dice(again)

        def agree(connection: Connection) -> Arrangement | str | None:
            # Locked, so that of two who ask at the same time the second sees the first.
            connection.execute(select(matches.c.id).where(matches.c.id == room.id).with_for_update())
            known = connection.execute(select(matches.c.id).where(matches.c.rematch_of == room.id))
            if (found := known.scalar()) is not None:
                return str(found)
            here = seats.c.match_id == room.id
            mine = seats.c.side.in_([side.value for side in (*sides, *room.agreement.engine_sides())])
            connection.execute(update(seats).where(here, mine).values(again=True))
            willing = connection.execute(select(seats.c.side).where(here, seats.c.again))
            if len(willing.all()) < len(Side):
                return None
            refuse_too_many(connection, again.seats.values(), person)
            for statement in insert_match(again, rematch_of=room.id):
                connection.execute(statement)
            return again

        (outcome,) = await self._database.write(agree)
        self._bus.publish(NEWS, id=room.id)
        return outcome  # type: ignore[no-any-return]

    async def frames(self, match: str) -> list[str]:
        """The messages for viewers of a finished match: the new match, or who has asked for one."""
        row = await self._database.first(select(matches.c.id).where(matches.c.rematch_of == match))
        if row is not None:
            return [Note("rematch", {"id": row.id, "url": f"/m/{row.id}"}).to_text()]
        asked = select(seats.c.side).where(seats.c.match_id == match, seats.c.again)
        return [Note("rematch", {"by": row.side}).to_text() for row in await self._database.all(asked)]

    def listen(self, registry: MatchTables) -> None:
        """Show what was asked for, at whichever process, in the rooms of this one."""

        async def show(room: Match) -> None:
            for frame in await self.frames(room.id):
                room.viewers.send_all(frame)

        def on_news(news: Mapping[str, Any]) -> None:
            if (room := registry.rooms.get(news["id"])) is not None:
                registry.spawn(show(room))

        self._bus.subscribe(NEWS, on_news)


def _once_more(table: Arrangement, down: int) -> Arrangement:
    return replace(
        table,
        id=new_id(),
        seats={side: table.seats[side.other] for side in table.seats},
        created=now_ms(),
        seed=seed_for(table.card, None),
        down=down,
    )
