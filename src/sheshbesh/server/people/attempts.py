"""Wrong passwords: how many may be tried for a name, and which browsers are known to its owner.

Browsers that were never signed in to an account share one allowance for its name, wherever they are: so
many addresses guess no faster than one. A browser that was signed in to it before keeps a signed cookie that
says so and has an allowance of its own: strangers who guess cannot lock the owner out. The attempts lie in
the database: the allowance holds over all processes, and over a restart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Self

from fastapi import Response
from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import HTTPConnection

from sheshbesh.i18n import Text
from sheshbesh.server.http.failure import Failure
from sheshbesh.server.http.security import sign, unsign
from sheshbesh.server.ids import fingerprint, new_id, now_ms
from sheshbesh.server.people.person import folded
from sheshbesh.server.people.ratings import insert_for
from sheshbesh.server.settings import Settings
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import wrong_passwords

MOST = 20
"""Wrong passwords in `_WITHIN`, for a name over all unknown browsers, and for each known browser."""
_WITHIN = 3600 * 1000
"""Milliseconds."""
_AHEAD = 60 * 1000
"""Milliseconds by which clocks of several machines may differ; what lies further ahead counts no more."""
_MOST_KNOWN = 8
_YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser by its own id, and the accounts that were signed in to on it, the latest first."""

    id: str
    accounts: tuple[str, ...] = ()

    @classmethod
    def of(cls, connection: HTTPConnection, settings: Settings) -> Self:
        """The browser of a request; a new one knows nobody."""
        cookie = connection.cookies.get(_cookie_name(settings))
        text = unsign(settings.secret, "known", cookie) if cookie else None
        name, *accounts = text.split(".") if text else [new_id()]
        return cls(name, tuple(accounts))

    def remember(self, response: Response, settings: Settings, user: str) -> None:
        """Let the browser keep that an account was signed in to on it."""
        accounts = [user, *(other for other in self.accounts if other != user)][:_MOST_KNOWN]
        response.set_cookie(
            _cookie_name(settings),
            sign(settings.secret, "known", ".".join([self.id, *accounts])),
            max_age=_YEAR,
            httponly=True,
            secure=settings.is_secure,
            samesite="lax",
        )


def _cookie_name(settings: Settings) -> str:
    return "__Host-sheshbesh-known" if settings.is_secure else "sheshbesh-known"


class Attempt(NamedTuple):
    """One attempt that counts until it is taken back."""

    name: str
    slot: int
    at: int


class Attempts:
    """Counts the wrong passwords."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(self, name: str, browser: str | None = None) -> Attempt:
        """Count an attempt at a name before its password is looked at; Failure 429 where it is one too many.

        `browser` is the id of a browser that the account knows. Of attempts at the same time each counts.
        """
        asker = "anybody" if browser is None else f"browser {browser}"
        key, now = fingerprint(f"{asker} at {folded(name)}"), now_ms()

        async def take(connection: AsyncConnection) -> Attempt | int:
            old = (wrong_passwords.c.at <= now - _WITHIN) | (wrong_passwords.c.at > now + _AHEAD)
            await connection.execute(delete(wrong_passwords).where(old))
            query = select(wrong_passwords.c.slot, wrong_passwords.c.at).where(wrong_passwords.c.name == key)
            used = {row.slot: row.at for row in (await connection.execute(query)).all()}
            for slot in set(range(MOST)) - set(used):
                row = insert_for(connection, wrong_passwords).values(name=key, slot=slot, at=now)
                if (await connection.execute(row.on_conflict_do_nothing())).rowcount:
                    return Attempt(key, slot, now)
            return min(used.values(), default=now) + _WITHIN - now

        (taken,) = await self._database.write(take)
        if isinstance(taken, Attempt):
            return taken
        minutes = max(1, round(taken / 60_000))
        text = Text("too many wrong passwords for this name: try again in {minutes} min", minutes=minutes)
        raise Failure(429, text, code="too_many_passwords", wait=taken / 1000)

    async def forgive(self, attempt: Attempt) -> None:
        """Take back an attempt: its password was right."""
        mine = (wrong_passwords.c.name == attempt.name) & (wrong_passwords.c.slot == attempt.slot)
        await self._database.write(delete(wrong_passwords).where(mine, wrong_passwords.c.at == attempt.at))
