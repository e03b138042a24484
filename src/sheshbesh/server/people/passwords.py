"""Passwords: argon2, never in the event loop, never too many at once."""

from __future__ import annotations

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from sheshbesh.i18n import Text
from sheshbesh.server.http.failure import Failure

SHORTEST, LONGEST = 8, 200
"""Characters."""

_AT_ONCE = 2
"""Each takes 64 MiB and a core for some 50 ms."""

_hasher = PasswordHasher()


class Passwords:
    """Makes and checks the hashes."""

    def __init__(self) -> None:
        self._turn = asyncio.Semaphore(_AT_ONCE)
        self._nobodys: str | None = None

    async def hash(self, password: str) -> str:
        """What the database keeps of a password; Failure for one that is too short."""
        if not SHORTEST <= len(password) <= LONGEST:
            text = Text("a password has {least} to {most} characters", least=SHORTEST, most=LONGEST)
            raise Failure(422, text, where="password")
        async with self._turn:
            return await asyncio.to_thread(_hasher.hash, password)

    async def verify(self, kept: str | None, password: str) -> bool:
        """Whether this is the password; takes as long for somebody who has none, or is nobody."""
        if kept is None:
            if self._nobodys is None:
                self._nobodys = await self.hash("nobody's password")
            await self._verify(self._nobodys, password[:LONGEST])
            return False
        return await self._verify(kept, password)

    async def _verify(self, kept: str, password: str) -> bool:
        async with self._turn:
            try:
                return await asyncio.to_thread(_hasher.verify, kept, password)
            except (VerificationError, InvalidHashError):
                return False
