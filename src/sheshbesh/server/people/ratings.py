"""Ratings as they are kept: for each game and time class, and matches with bots apart from others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Table, bindparam, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from sheshbesh.match import Card
from sheshbesh.match.timing import SECOND, ClockKind, ClockSettings
from sheshbesh.server.people.glicko import START, START_DEVIATION, START_VOLATILITY, Rating, rate
from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database, Step
from sheshbesh.server.storage.tables import matches, rated_matches, ratings, users

_BLITZ, _RAPID = 90, 300
"""Seconds for a point, below which a match is blitz or rapid."""


class TimeClass(StrEnum):
    """From quick to slow."""

    BLITZ = "blitz"
    RAPID = "rapid"
    SLOW = "slow"
    CORRESPONDENCE = "correspondence"
    UNTIMED = "untimed"


def time_class(clock: ClockSettings) -> TimeClass:
    """The class of a clock, by the time that one player has for a point."""
    if clock.kind is ClockKind.NONE:
        return TimeClass.UNTIMED
    if clock.is_correspondence:
        return TimeClass.CORRESPONDENCE
    seconds = clock.time_for_a_point / SECOND
    if seconds < _BLITZ:
        return TimeClass.BLITZ
    return TimeClass.RAPID if seconds < _RAPID else TimeClass.SLOW


PERIOD = 5 * 24 * 3600 * 1000
"""Milliseconds of a rating period: how quickly ratings of those who do not play grow uncertain."""
PROVISIONAL = 110.0
"""A deviation above which a rating is shown as a guess."""

PEOPLE, BOTS = "people", "bots"


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool of matches rated together: one rule set, one time class, with or without bots."""

    rules: str
    game: str
    time_class: str
    pool: str

    @classmethod
    def of(cls, card: Card, *, with_bot: bool) -> Pool:
        """The pool of a match by this card. The rules decide; the game's name is for display."""
        kind = time_class(card.clock).value
        return cls(card.rules.fingerprint, card.game, kind, BOTS if with_bot else PEOPLE)


def rating_step(match_id: str, card: Card, *, white: str, black: str, winner: str | None, now: int) -> Step:
    """The step that rates a finished match between two people or programs; `winner` is a side or None.

    To be written together with the event that ends the match. It rates a match once, however often it
    is written, and returns {user id: (before, after)}, empty where that had been done before.
    """

    def step(connection: Connection) -> dict[str, tuple[float, float]]:
        query = select(rated_matches.c.user_id).where(rated_matches.c.match_id == match_id)
        if connection.execute(query).first() is not None:
            return {}
        kinds = connection.execute(select(users.c.kind).where(users.c.id.in_((white, black)))).scalars()
        pool = Pool.of(card, with_bot="bot" in set(kinds))
        # In a fixed order, so that two matches of the same people cannot wait for each other.
        old = {person: _locked(connection, person, pool, now) for person in sorted((white, black))}
        score = {"white": 1.0, "black": 0.0, None: 0.5}[winner]
        new = {
            white: rate(old[white], [(old[black], score)]),
            black: rate(old[black], [(old[white], 1.0 - score)]),
        }
        for person, rating in new.items():
            connection.execute(
                update(ratings)
                .where(*_key(person, pool))
                .values(
                    rating=rating.value,
                    deviation=rating.deviation,
                    volatility=rating.volatility,
                    matches=ratings.c.matches + 1,
                    at=now,
                )
            )
            row = {"match_id": match_id, "user_id": person, "pool": pool.pool, "at": now}
            values = {"before": old[person].value, "after": rating.value}
            connection.execute(rated_matches.insert().values(**row, **values))
        return {person: (old[person].value, rating.value) for person, rating in new.items()}

    return step


def _key(person: str, pool: Pool) -> Sequence[Any]:
    return (
        ratings.c.user_id == person,
        ratings.c.rules == pool.rules,
        ratings.c.time_class == pool.time_class,
        ratings.c.pool == pool.pool,
    )


def _locked(connection: Connection, person: str, pool: Pool, now: int) -> Rating:
    """Somebody's rating as it is now, locked until the commit; made if they have none."""
    first = {
        "user_id": person,
        "rules": pool.rules,
        "time_class": pool.time_class,
        "pool": pool.pool,
        "game": pool.game,
        "rating": START,
        "deviation": START_DEVIATION,
        "volatility": START_VOLATILITY,
        "matches": 0,
        "at": now,
    }
    insert = insert_for(connection, ratings)
    connection.execute(insert.values(**first).on_conflict_do_nothing())
    query = select(ratings).where(*_key(person, pool)).with_for_update()
    row = connection.execute(query).one()
    return Rating(row.rating, row.deviation, row.volatility).after((now - row.at) / PERIOD)


def insert_for(connection: Connection, table: Table) -> Any:
    """An INSERT of the database's dialect, for what to do on conflict."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


async def ratings_of(database: Database, user_id: str) -> list[dict[str, Any]]:
    """All ratings of somebody, the most played first."""
    rows = await database.all(
        select(ratings).where(ratings.c.user_id == user_id).order_by(ratings.c.matches.desc())
    )
    return [_data(row) for row in rows]


_RATINGS = select(ratings.c.user_id, ratings.c.rating).where(
    ratings.c.user_id.in_(bindparam("people", expanding=True)),
    *(ratings.c[name] == bindparam(name) for name in ("rules", "time_class", "pool")),
)


async def ratings_for(database: Database, pool: Pool, people: Collection[str]) -> dict[str, int]:
    """Ratings for a match as they are shown, of those who have one."""
    here = {"rules": pool.rules, "time_class": pool.time_class, "pool": pool.pool}
    found = await database.all(_RATINGS, {"people": list(people), **here})
    return {row.user_id: round(row.rating) for row in found}


class Experience(NamedTuple):
    """The standing of somebody in a pool: rating and deviation now, the highest rating of late, rated
    matches."""

    rating: int | None = None
    deviation: float | None = None
    peak: int | None = None
    matches: int = 0


async def experience_of(database: Database, user_id: str, pool: Pool, *, since: int) -> Experience:
    """Return how somebody stands in a pool; the peak is that of matches since a time, in ms."""
    row = await database.first(select(ratings).where(*_key(user_id, pool)))
    if row is None:
        return Experience()
    highest = (
        select(func.max(rated_matches.c.after))
        .join(matches, matches.c.id == rated_matches.c.match_id)
        .where(rated_matches.c.user_id == user_id, rated_matches.c.at >= since)
        .where(rated_matches.c.pool == pool.pool, matches.c.rules == pool.rules)
        .where(matches.c.time_class == pool.time_class)
    )
    peak = await database.first(highest)
    known = None if peak is None or peak[0] is None else round(peak[0])
    return Experience(round(row.rating), row.deviation, known, row.matches)


def _data(row: Row[Any]) -> dict[str, Any]:
    return {
        "rules": row.rules,
        "game": row.game,
        "time_class": row.time_class,
        "pool": row.pool,
        "rating": round(row.rating),
        "deviation": round(row.deviation),
        "provisional": row.deviation > PROVISIONAL,
        "matches": row.matches,
        "at": row.at,
    }


def may_be_rated(*people: Person) -> None:
    """Failure where one of them has no account: a guest could drop a rating at will."""
    if any(person.kind == "guest" for person in people):
        raise Failure(409, "rated matches are for accounts: claim a name first", code="guest")
