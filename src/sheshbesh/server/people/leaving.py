"""Deleting an account: a person's data goes; matches that others played with them stay, without the name.

Matches that are under way with others must be played out, resigned or claimed first, so that nobody is
left alone at a board; at a chouette a program goes on in their seat. Matches against the engine and at one
screen are nobody else's, and go as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, delete, exists, or_, select, update

from sheshbesh.i18n import Text
from sheshbesh.server.people.names import NOBODY, retire
from sheshbesh.server.people.person import Person
from sheshbesh.server.people.played_names import leave_chouettes, rename_in_tournaments
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import matches, moderation_log, seats, seeks, users


class AccountDeletion:
    """Deletes accounts, bots, and guests who do not want to wait until they are forgotten."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def delete(self, person: Person) -> list[str]:
        """Delete a person and their bots; return their ids.

        Failure 409 while one of them plays with somebody else. Matches, ratings and messages of others
        stay as they are; the name is free again after `KEPT_DAYS`.
        """

        def leave(connection: Connection) -> list[str]:
            return delete_account(connection, person)

        (gone,) = await self._database.write(leave)
        return list(gone)


def delete_account(connection: Connection, person: Person) -> list[str]:
    """Delete a person and their bots within a transaction; return their ids, Failure 409 as above."""
    theirs = or_(users.c.id == person.id, users.c.owner == person.id)
    ids = select(users.c.id).where(theirs)
    # First, since taking a seek locks it before its maker.
    connection.execute(delete(seeks).where(or_(seeks.c.user_id.in_(ids), seeks.c.invited.in_(ids))))
    # No match can begin with somebody who is locked: its seat refers to them.
    rows = connection.execute(select(users).where(theirs).with_for_update()).all()
    gone = [row.id for row in rows]
    _refuse_players(connection, gone)
    _empty_seats(connection, gone)
    leave_chouettes(connection, gone)
    rename_in_tournaments(connection, gone, None, NOBODY)
    names = [row for row in rows if row.kind != "guest"]
    retire(connection, [row.name for row in names])
    # Of what moderators did the log keeps everything but the name.
    logged = update(moderation_log).where(moderation_log.c.target.in_(gone))
    connection.execute(logged.values(name=NOBODY, detail={}))
    # Sign-ins, passkeys, tokens, notes, blocks, ratings and messages hang on these rows, and go with them.
    connection.execute(delete(users).where(users.c.id.in_(gone)))
    return gone


def _refuse_players(connection: Connection, gone: Sequence[str]) -> None:
    playing = (
        select(matches.c.id)
        .where(matches.c.state == "live", _sits(gone), _others_sit(gone))
        .order_by(matches.c.started)
    )
    found = connection.execute(playing).first()
    if found is not None:
        text = Text(
            "a match with somebody else is under way: end it first, by playing, resigning or claiming it"
        )
        raise Failure(409, text, code="still_playing", where=found.id)


def _empty_seats(connection: Connection, gone: Sequence[str]) -> None:
    """Take the names out of the matches of others, and remove those that are nobody's now."""
    alone = delete(matches).where(
        or_(_sits(gone), matches.c.owner.in_(gone)), or_(matches.c.state == "open", ~_others_sit(gone))
    )
    connection.execute(alone)
    query = (
        select(matches.c.id, matches.c.header, seats.c.side)
        .join(seats, seats.c.match_id == matches.c.id)
        .where(seats.c.user_id.in_(gone))
    )
    for row in connection.execute(query).all():
        header = dict(row.header)
        header["players"] = {**header.get("players", {}), row.side: NOBODY}
        connection.execute(update(matches).where(matches.c.id == row.id).values(header=header))
    connection.execute(update(seats).where(seats.c.user_id.in_(gone)).values(user_id=None, name=NOBODY))
    connection.execute(update(matches).where(matches.c.owner.in_(gone)).values(owner=None))


def _sits(people: Sequence[str]) -> Any:
    return exists().where(seats.c.match_id == matches.c.id, seats.c.user_id.in_(people))


def _others_sit(people: Sequence[str]) -> Any:
    """Return True if somebody else sits at the match who is still there."""
    others = seats.c.user_id.is_not(None) & seats.c.user_id.not_in(people)
    return exists().where(seats.c.match_id == matches.c.id, others)
