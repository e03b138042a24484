"""Seeks: open offers to play. A seek lasts while its maker is connected.

A seek for one named person is a challenge: see `challenges`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select

from sheshbesh.i18n import Text
from sheshbesh.match import Card
from sheshbesh.rules import Side
from sheshbesh.server.ids import new_id, now_ms
from sheshbesh.server.people.person import Person
from sheshbesh.server.people.ratings import BOTS, PEOPLE, may_be_rated, time_class
from sheshbesh.server.people.social import Social
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import ratings, seeks, users
from sheshbesh.server.tables.begin import (
    against_engine,
    check_dice,
    insert_match,
    own_side,
    refuse_too_many,
    seat_of,
    seed_for,
)
from sheshbesh.server.tables.presence import Presence
from sheshbesh.server.tables.seats import MatchAgreement

_MOST = 5
"""Seeks of one person."""
_SHOWN = 100
_GONE = Text("another player was quicker, or this seek was withdrawn")
_ANYBODY = Person("", "", "guest")
"""The people who may take a seek."""
_GRACE = 15.0
"""Seconds for which the seeks of somebody whose connection broke are kept."""


@dataclass(frozen=True, slots=True)
class SeekTerms:
    """The terms of a seek or challenge."""

    card: Card
    side: str
    rated: bool


class Seeks:
    """The seeks of the site."""

    def __init__(self, database: Database, process: str, presence: Presence, social: Social) -> None:
        self._database, self._process = database, process
        self._presence, self._social = presence, social

    async def make(self, person: Person, wish: SeekTerms) -> str:
        """Offer to play; return the seek's id. Failure for what cannot be played or rated.

        A seek of the same terms that is open still is the one meant: a button pressed twice offers once.
        """
        row = seek_row(person, wish) | {"process": self._process}

        def put(connection: Connection) -> None:
            mine = seeks.c.user_id == person.id, seeks.c.invited.is_(None)
            terms = (seeks.c[name] == row[name] for name in ("process", "card", "side", "rated"))
            same = connection.execute(select(seeks.c.id).where(*mine, *terms)).scalar()
            if same is not None:
                row["id"] = same
                return
            made = connection.execute(select(func.count()).select_from(seeks).where(*mine))
            if (made.scalar() or 0) >= _MOST:
                raise Failure(
                    409, Text("you can have at most {most} seeks", most=_MOST), code="too_many_seeks"
                )
            connection.execute(insert(seeks).values(row))

        await self._database.write(put)
        return str(row["id"])

    async def withdraw(self, person: Person, seek: str) -> None:
        """Take one's own seek back."""
        mine = seeks.c.id == seek, seeks.c.user_id == person.id, seeks.c.invited.is_(None)
        (written,) = await self._database.write(delete(seeks).where(*mine))
        if not written.count:
            raise Failure(404, "you have no such seek")

    async def accept(self, person: Person, seek: str, *, down: int) -> MatchAgreement:
        """Play against who seeks; the match is made in the same moment in which the seek is gone.

        Failure 404 for all but the first and for whom a challenge does not name, 403 where one of the two
        has blocked the other, 429 or 409 where one of them has too many matches already.
        """
        (row,) = await self.found(seeks.c.id == seek) or (None,)
        if row is None or not _is_open_to(row, person):
            raise Failure(404, _GONE, code="seek_gone")
        if row.user_id == person.id:
            raise Failure(409, "this is your own seek", code="own_seek")
        if await self._social.are_apart(person.id, row.user_id):
            raise Failure(403, "you two do not play with each other", code="apart")
        if row.rated:
            may_be_rated(person)
        seeker = Person(row.user_id, row.name, row.kind)
        card = Card.from_code(row.card)
        if "bot" in (seeker.kind, person.kind):  # its chain is kept here, as the engine's is
            card = against_engine(card)
        wish = SeekTerms(card, row.side, row.rated)
        table = _table(wish, own_side(row.side), seeker, person, down=down)
        check_dice(table)

        def take(connection: Connection) -> None:
            open_still = seeks.c.id == seek, seeks.c.declined.is_(None)
            taken = connection.execute(delete(seeks).where(*open_still))
            if taken.rowcount != 1:
                raise Failure(404, _GONE, code="seek_gone")
            # Both play now, and do not look for others. Whom they have challenged may still answer.
            theirs = seeks.c.user_id.in_((seeker.id, person.id)), seeks.c.invited.is_(None)
            connection.execute(delete(seeks).where(*theirs))
            refuse_too_many(connection, table.seats.values(), person.id)

        await self._database.write(take, *insert_match(table))
        return table

    async def sweep(self) -> bool:
        """Remove the seeks of those who have left this process; whether there were any."""
        mine = select(seeks.c.id, seeks.c.user_id, seeks.c.created).where(seeks.c.process == self._process)
        gone = [
            row.id
            for row in await self._database.all(mine)
            if self._presence.gone_for(row.user_id) > _GRACE
            and self._presence.clock.now_ms() - row.created > _GRACE * 1000
        ]
        if gone:
            await self._database.write(delete(seeks).where(seeks.c.id.in_(gone)))
        return bool(gone)

    async def listed(self) -> list[dict[str, Any]]:
        """All seeks, the oldest first."""
        return await self.described(await self.found(seeks.c.invited.is_(None)))

    async def found(self, *conditions: ColumnElement[bool]) -> Sequence[Row[Any]]:
        """The seeks of which this is true, with their makers' names and kinds, the oldest first."""
        query = (
            select(seeks, users.c.name, users.c.kind)
            .join(users, users.c.id == seeks.c.user_id)
            .where(*conditions)
            .order_by(seeks.c.created)
            .limit(_SHOWN)
        )
        return await self._database.all(query)

    async def described(self, rows: Sequence[Row[Any]]) -> list[dict[str, Any]]:
        """Found seeks as everybody may see them, with their makers' ratings."""
        if not rows:
            return []
        known = await self._ratings(rows)
        return [_data(row, known) for row in rows]

    async def _ratings(self, rows: Sequence[Row[Any]]) -> dict[tuple[str, str, str, str], int]:
        people = ratings.c.user_id.in_({row.user_id for row in rows})
        found = await self._database.all(select(ratings).where(people))
        return {(r.user_id, r.rules, r.time_class, r.pool): round(r.rating) for r in found}


def seek_row(person: Person, wish: SeekTerms) -> dict[str, Any]:
    """The row of a seek that is made, but for the process. Failure for what cannot be played or rated."""
    if wish.side not in ("white", "black", "random"):
        raise Failure(422, "a side is white, black or random", where="side")
    if wish.rated:
        may_be_rated(person)
    check_dice(_table(wish, Side.WHITE, person, _ANYBODY, down=0))
    return {
        "id": new_id(),
        "user_id": person.id,
        "card": wish.card.code,
        "side": wish.side,
        "rated": wish.rated,
        "created": now_ms(),
    }


def _is_open_to(row: Row[Any], person: Person) -> bool:
    """Return True if somebody may take this seek, as far as the seek goes."""
    if row.invited is None:
        return True
    is_theirs = person.id in (row.invited, row.user_id)
    return is_theirs and row.declined is None and row.expires > now_ms()


def _table(wish: SeekTerms, side: Side, seeker: Person, other: Person, *, down: int) -> MatchAgreement:
    seats = {side: seat_of(seeker), side.other: seat_of(other)}
    return MatchAgreement(
        new_id(),
        wish.card,
        {each: seats[each] for each in Side},
        rated=wish.rated,
        created=now_ms(),
        seed=seed_for(wish.card, None),
        down=down,
    )


def _data(row: Row[Any], known: dict[tuple[str, str, str, str], int]) -> dict[str, Any]:
    card = Card.from_code(row.card)
    kind = time_class(card.clock).value
    pool = BOTS if row.kind == "bot" else PEOPLE
    rating = known.get((row.user_id, card.rules.fingerprint, kind, pool))
    return {
        "id": row.id,
        "by": {"id": row.user_id, "name": row.name, "kind": row.kind, "rating": rating},
        "card": card.code,
        "game": card.game,
        "title": card.rules.title,
        "contest": card.contest.value,
        "length": card.length,
        "clock": card.clock.code,
        "time_class": kind,
        "side": row.side,
        "rated": row.rated,
        "created": row.created,
    }
