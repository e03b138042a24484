"""Ids and secrets that nobody can guess, and the time."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager


def new_id() -> str:
    """An id for a match or a person: 12 characters, 72 bits, fit for a URL.

    It begins with a letter, so that no tool takes it for an option.
    """
    while not (made := secrets.token_urlsafe(9))[0].isalpha():
        pass
    return made


def new_secret() -> str:
    """A secret for a link, a cookie or a program: 32 characters, 192 bits, fit for a URL."""
    return secrets.token_urlsafe(24)


def fingerprint(secret: str) -> str:
    """Return what the database keeps of a secret: enough to know it again, useless to a reader of the
    database."""
    return hashlib.sha256(secret.encode()).hexdigest()


_STARTED = time.time_ns() - time.monotonic_ns()


def steady_ms() -> int:
    """The time of clocks and deadlines in milliseconds: that of the wall clock as this process started.

    From then on it goes by a clock that nobody sets: a jump of the system's clock costs no player any time.
    """
    return (_STARTED + time.monotonic_ns()) // 1_000_000


def now_ms() -> int:
    """The time of the wall clock in milliseconds."""
    return time.time_ns() // 1_000_000


class Clock:
    """The time by which a site waits, and its timers; tests hand in one that they advance."""

    def now_ms(self) -> int:
        """Return the time of the wall clock in milliseconds."""
        return now_ms()

    def steady_ms(self) -> int:
        """Return the time of clocks and deadlines in milliseconds; see the function of this name."""
        return steady_ms()

    def monotonic(self) -> float:
        """Return seconds since some moment, by a clock that nobody sets."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Return after this many seconds."""
        await asyncio.sleep(seconds)

    def call_later(self, seconds: float, call: Callable[..., object], *args: object) -> asyncio.TimerHandle:
        """Call this after `seconds`, unless the timer that is returned is cancelled."""
        return asyncio.get_running_loop().call_later(seconds, call, *args)

    @asynccontextmanager
    async def timeout(self, seconds: float) -> AsyncIterator[None]:
        """Cancel what is awaited within after this many seconds; TimeoutError then."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(None) as limit:
            timer = self.call_later(seconds, lambda: limit.reschedule(loop.time()))
            try:
                yield
            finally:
                timer.cancel()


CLOCK = Clock()
"""That of the system."""
