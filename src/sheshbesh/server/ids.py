"""Ids and secrets that nobody can guess, and the time."""

from __future__ import annotations

import hashlib
import secrets
import time


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
    """What the database keeps of a secret: enough to know it again, useless to whoever reads it."""
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
