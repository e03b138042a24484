"""Matches that wait for a second player: made with a secret link, begun by the first to take it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from sheshbesh.rules import Side
from sheshbesh.server.ids import new_secret, now_ms
from sheshbesh.server.storage.database import Database
from sheshbesh.server.storage.tables import matches, seats, users
from sheshbesh.server.tables.seats import Arrangement, Seat
from sheshbesh.server.tables.store import LIVE, OPEN, arrangement_of, match_row, refuse_too_many, seat_row

NOBODY = Seat("guest", "")
"""The free seat of a match that waits for its second player."""


class TooLateError(Exception):
    """Somebody else has taken the invitation, or it was withdrawn."""


async def offer(database: Database, table: Arrangement, side: Side) -> str:
    """Make a match in which only `side` sits so far; return the secret of its link.

    Failure 429 where its player has too many already.
    """
    secret = new_secret()
    owner = table.seats[side]
    row = match_row(table, state=OPEN, invite=secret, owner=owner.user) | {"kind": "people"}

    def check(connection: Connection) -> None:
        refuse_too_many(connection, [owner], owner.user)

    own = insert(seats).values(seat_row(table.id, side, owner))
    await database.write(check, insert(matches).values(row), own)
    return secret


async def find(database: Database, secret: str) -> tuple[Row[object], Arrangement] | None:
    """The match that waits behind a link, with nobody on the free seat."""
    row = await database.first(select(matches).where(matches.c.invite == secret, matches.c.state == OPEN))
    return None if row is None else (row, await waiting(database, row))


async def find_open(database: Database, match: str) -> Arrangement | None:
    """A match that waits for its second player; None where it does not."""
    row = await database.first(select(matches).where(matches.c.id == match, matches.c.state == OPEN))
    return None if row is None else await waiting(database, row)


async def waiting(database: Database, row: Row[object]) -> Arrangement:
    """An open match as it was arranged so far."""
    query = select(seats, users.c.kind).join(users, isouter=True).where(seats.c.match_id == row.id)
    return arrangement_of(row, await database.all(query), nobody=NOBODY)


async def take(database: Database, secret: str, table: Arrangement, seat: Seat) -> Arrangement:
    """Sit down on the free seat and begin; TooLateError for all but the first.

    Failure 429 where the person who sits down has too many matches already.
    """
    free = next(side for side in Side if table.seats[side] is NOBODY)
    full = replace(table, seats={**table.seats, free: seat})

    def begin(connection: Connection) -> None:
        begun = connection.execute(
            update(matches)
            .where(matches.c.invite == secret, matches.c.state == OPEN)
            .values(state=LIVE, invite=None, started=now_ms(), header=full.header.to_data())
        )
        if begun.rowcount != 1:
            raise TooLateError
        refuse_too_many(connection, [seat], seat.user)
        connection.execute(insert(seats).values(seat_row(full.id, free, seat)))

    await database.write(begin)
    return full


async def open_of(database: Database, user: str) -> Sequence[Row[Any]]:
    """The rows of the open matches of a user, the newest first."""
    waits = select(matches).where(matches.c.owner == user, matches.c.state == OPEN)
    return await database.all(waits.order_by(matches.c.created.desc()))


async def withdraw(database: Database, secret: str, user: str) -> str | None:
    """Withdraw an invitation of one's own with its match; return the id of the match.

    None where there is no such invitation, or it was taken.
    """
    mine = delete(matches).where(matches.c.invite == secret, matches.c.owner == user, matches.c.state == OPEN)
    (written,) = await database.write(mine.returning(matches.c.id))
    return str(written.rows[0].id) if written.rows else None
