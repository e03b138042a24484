"""Deleting an account: what was a person's goes, what others played with him stays, under nobody's name.

Matches that are under way with others must be played out, resigned or claimed first, so that nobody is
left alone at a board. Those against the engine and at one screen are nobody else's, and go as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, delete, exists, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from sheshbesh.i18n import Text
from sheshbesh.server.http.failure import Failure
from sheshbesh.server.ids import now_ms
from sheshbesh.server.people.names import KEPT_DAYS, NOBODY, retired
from sheshbesh.server.people.person import Person
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import matches, retired_names, seats, seeks, users

_DAY = 24 * 3600 * 1000


class Leaving:
    """Deletes accounts, bots, and guests who do not want to wait until they are forgotten."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def delete(self, person: Person) -> list[str]:
        """Delete a person and his bots; return their ids.

        Failure 409 while one of them plays with somebody else. Matches, ratings and messages of others
        stay as they are; the name is free again after `KEPT_DAYS`.
        """

        async def leave(connection: AsyncConnection) -> list[str]:
            return await _leave(connection, person)

        (gone,) = await self._database.write(leave)
        return list(gone)


async def _leave(connection: AsyncConnection, person: Person) -> list[str]:
    his = or_(users.c.id == person.id, users.c.owner == person.id)
    ids = select(users.c.id).where(his)
    # First, for whoever takes a seek locks it before its maker.
    await connection.execute(delete(seeks).where(or_(seeks.c.user_id.in_(ids), seeks.c.invited.in_(ids))))
    # No match can begin with somebody who is locked: its seat refers to him.
    rows = (await connection.execute(select(users).where(his).with_for_update())).all()
    gone = [row.id for row in rows]
    await _refuse_players(connection, gone)
    await _empty_seats(connection, gone)
    names = [row for row in rows if row.kind != "guest"]
    await _retire(connection, names)
    # Sign-ins, passkeys, tokens, notes, blocks, ratings and messages hang on these rows, and go with them.
    await connection.execute(delete(users).where(users.c.id.in_(gone)))
    return gone


async def _refuse_players(connection: AsyncConnection, gone: Sequence[str]) -> None:
    playing = (
        select(matches.c.id)
        .where(matches.c.state == "live", _sits(gone), _others_sit(gone))
        .order_by(matches.c.started)
    )
    found = (await connection.execute(playing)).first()
    if found is not None:
        text = Text(
            "a match with somebody else is under way: end it first, by playing, resigning or claiming it"
        )
        raise Failure(409, text, code="still_playing", where=found.id)


async def _empty_seats(connection: AsyncConnection, gone: Sequence[str]) -> None:
    """Take the names out of the matches of others, and remove those that are nobody's now."""
    alone = delete(matches).where(
        or_(_sits(gone), matches.c.owner.in_(gone)), or_(matches.c.state == "open", ~_others_sit(gone))
    )
    await connection.execute(alone)
    query = (
        select(matches.c.id, matches.c.header, seats.c.side)
        .join(seats, seats.c.match_id == matches.c.id)
        .where(seats.c.user_id.in_(gone))
    )
    for row in (await connection.execute(query)).all():
        header = dict(row.header)
        header["players"] = {**header.get("players", {}), row.side: NOBODY}
        await connection.execute(update(matches).where(matches.c.id == row.id).values(header=header))
    await connection.execute(update(seats).where(seats.c.user_id.in_(gone)).values(user_id=None, name=NOBODY))
    await connection.execute(update(matches).where(matches.c.owner.in_(gone)).values(owner=None))


async def _retire(connection: AsyncConnection, rows: Sequence[Row[Any]]) -> None:
    now = now_ms()
    hashes = sorted({found for row in rows for found in retired(row.name)})
    kept = [{"hash": found, "until": now + KEPT_DAYS * _DAY} for found in hashes]
    known = retired_names.c.hash.in_(hashes)
    await connection.execute(delete(retired_names).where(or_(retired_names.c.until <= now, known)))
    if kept:
        await connection.execute(insert(retired_names), kept)


def _sits(people: Sequence[str]) -> Any:
    return exists().where(seats.c.match_id == matches.c.id, seats.c.user_id.in_(people))


def _others_sit(people: Sequence[str]) -> Any:
    """Whether somebody else sits at the match who is still there."""
    others = seats.c.user_id.is_not(None) & seats.c.user_id.not_in(people)
    return exists().where(seats.c.match_id == matches.c.id, others)
