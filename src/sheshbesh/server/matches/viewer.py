"""One socket that looks at a room: what is on its way to it, and when it was last heard of."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from time import monotonic

from sheshbesh.rules import Side
from sheshbesh.server.matches.latency import RoundTrip

_MOST_WAITING = 128
"""Frames that may wait for a slow line before it is cut; it comes back and is sent the state."""


class Viewer:
    """A player or a watcher at one socket. Sending never waits: a writer empties the outbox."""

    __slots__ = ("is_cut", "lang", "outbox", "seen", "sides", "trip", "user")

    def __init__(self, user: str | None, sides: Sequence[Side], lang: str = "en") -> None:
        self.user = user
        self.sides = tuple(sides)
        self.lang = lang
        self.trip = RoundTrip()
        self.seen = monotonic()
        self.is_cut = False
        """Whether nothing is taken from him any more."""
        self.outbox: asyncio.Queue[str | None] = asyncio.Queue()

    def send(self, frame: str) -> None:
        """Put a frame on its way; a line too slow for it is cut."""
        if self.outbox.qsize() < _MOST_WAITING:
            self.outbox.put_nowait(frame)
        elif self.outbox.qsize() == _MOST_WAITING:
            self.cut()

    def cut(self) -> None:
        """Take nothing any more, and close the socket after what is on its way."""
        self.is_cut = True
        self.outbox.put_nowait(None)

    def heard(self) -> None:
        """Something has come in."""
        self.seen = monotonic()
