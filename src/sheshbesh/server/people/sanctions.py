"""Bans and mutes: what a moderator has taken from an account, until when, and why.

A ban is a person's: their bots are banned with them. It is looked at where somebody is recognised, so that it
holds at once, whatever cookies and tokens there are; a mute is looked at when somebody says something.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Select, exists, or_, select

from sheshbesh.i18n import Text
from sheshbesh.server.ids import now_ms
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import sanctions, users

BAN, MUTE = "ban", "mute"


class Sanction(NamedTuple):
    """A sanction on an account: `until` in milliseconds, None for ever."""

    kind: str
    until: int | None
    reason: str


def is_banned(now: ColumnElement[int] | None = None) -> ColumnElement[bool]:
    """Of a row of `users`: whether the account, or that of a bot's owner, is banned at a time, by default
    now."""
    theirs = or_(sanctions.c.user_id == users.c.id, sanctions.c.user_id == users.c.owner)
    return exists().where(theirs, sanctions.c.kind == BAN, _holds(now))


def _holds(now: ColumnElement[int] | None = None) -> ColumnElement[bool]:
    return or_(sanctions.c.until.is_(None), sanctions.c.until > (now_ms() if now is None else now))


def date(ms: int) -> str:
    """A time as refusals say it, the same in every language."""
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def _find(kind: str, user_id: str) -> Select[tuple[str, int | None, str]]:
    theirs = or_(sanctions.c.user_id == users.c.id, sanctions.c.user_id == users.c.owner)
    query = select(sanctions.c.kind, sanctions.c.until, sanctions.c.reason).join(users, theirs)
    return query.where(users.c.id == user_id, sanctions.c.kind == kind, _holds()).limit(1)


async def muted(database: Database, user_id: str) -> Sanction | None:
    """Why somebody may not chat now; None where they may."""
    row = await database.first(_find(MUTE, user_id))
    return None if row is None else Sanction(row.kind, row.until, row.reason)


async def check_ban(database: Database, user_id: str) -> None:
    """Failure 403 with the reason, where an account is banned."""
    _refuse(await database.first(_find(BAN, user_id)))


def not_banned(user_id: str) -> Callable[[Connection], None]:
    """The step that refuses a sign-in of somebody who is banned.

    It comes after the one that inserts the sign-in: that waits for a ban made at the same moment.
    """

    def check(connection: Connection) -> None:
        _refuse(connection.execute(_find(BAN, user_id)).first())

    return check


def _refuse(row: Row[tuple[str, int | None, str]] | None) -> None:
    if row is None:
        return
    if row.until is None:
        text = Text("this account is banned: {reason}", reason=row.reason)
    else:
        text = Text(
            "this account is banned until {until}: {reason}", until=date(row.until), reason=row.reason
        )
    raise Failure(403, text, code="banned")
