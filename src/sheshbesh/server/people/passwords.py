"""Passwords: argon2 hashes, and how many wrong ones may be tried.

Browsers that were never signed in to an account share one allowance for its name, wherever they are:
many addresses guess no faster than one. A browser that was signed in to it before keeps a signed cookie that
says so and has an allowance of its own: strangers who guess cannot lock the owner out. The attempts lie in
the database: the allowance holds over all processes, and over a restart.
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Connection, delete, select

from sheshbesh.i18n import Text
from sheshbesh.server.ids import fingerprint, now_ms
from sheshbesh.server.people.person import folded
from sheshbesh.server.people.ratings import insert_for
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import wrong_passwords

SHORTEST, LONGEST = 8, 200
"""Characters."""

_AT_ONCE = 2
"""Each takes 64 MiB and a core for some 50 ms."""

hasher = PasswordHasher()


class Passwords:
    """Makes and checks the hashes."""

    def __init__(self) -> None:
        self._turn = asyncio.Semaphore(_AT_ONCE)
        self._nobodys: str | None = None

    async def hash(self, password: str) -> str:
        """Return what the database keeps of a password; Failure for one that is too short."""
        if not SHORTEST <= len(password) <= LONGEST:
            text = Text("a password has {least} to {most} characters", least=SHORTEST, most=LONGEST)
            raise Failure(422, text, where="password")
        async with self._turn:
            return await asyncio.to_thread(hasher.hash, password)

    async def verify(self, kept: str | None, password: str) -> bool:
        """Return True if this is the password; takes as long for somebody who has none, or is nobody."""
        if kept is None:
            if self._nobodys is None:
                self._nobodys = await self.hash("nobody's password")
            await self._verify(self._nobodys, password[:LONGEST])
            return False
        return await self._verify(kept, password)

    async def _verify(self, kept: str, password: str) -> bool:
        async with self._turn:
            try:
                return await asyncio.to_thread(hasher.verify, kept, password)
            except (VerificationError, InvalidHashError):
                return False


MOST = 20
"""Wrong passwords in `_WITHIN`, for a name over all unknown browsers, and for each known browser."""
_WITHIN = 3600 * 1000
"""Milliseconds."""
_AHEAD = 60 * 1000
"""Milliseconds by which clocks of several machines may differ; what lies further ahead counts no more."""


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

        `browser` is the id of one that has signed in to it before. Of attempts at the same time each counts.
        """
        asker = "anybody" if browser is None else f"browser {browser}"
        key, now = fingerprint(f"{asker} at {folded(name)}"), now_ms()

        def take(connection: Connection) -> Attempt | int:
            old = (wrong_passwords.c.at <= now - _WITHIN) | (wrong_passwords.c.at > now + _AHEAD)
            connection.execute(delete(wrong_passwords).where(old))
            query = select(wrong_passwords.c.slot, wrong_passwords.c.at).where(wrong_passwords.c.name == key)
            used = {row.slot: row.at for row in connection.execute(query).all()}
            for slot in set(range(MOST)) - set(used):
                row = insert_for(connection, wrong_passwords).values(name=key, slot=slot, at=now)
                if connection.execute(row.on_conflict_do_nothing()).rowcount:
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
