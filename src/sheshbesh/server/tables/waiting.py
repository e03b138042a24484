"""Connections that wait for the second player of a match: a bounded number of them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from sheshbesh.i18n import Text
from sheshbesh.server.refusals import Failure

MOST_OF_ONE, MOST = 16, 5_000
"""Sockets at which one person, or one stranger's address, and at which all together may wait."""


class Waiting:
    """The matches of this process that are waited for."""

    def __init__(self) -> None:
        self._begun: dict[str, asyncio.Event] = {}
        self._at: Counter[str] = Counter()
        self._by: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._at.total()

    @contextmanager
    def at(self, match: str, who: str) -> Iterator[asyncio.Event]:
        """Wait at a match; what is given is set when it has begun, or never will.

        Failure 429 where `who`, or everybody together, waits at as many as may be.
        """
        if self._by[who] >= MOST_OF_ONE:
            text = Text("you can wait for an opponent in at most {most} matches at once", most=MOST_OF_ONE)
            raise Failure(429, text, wait=60)
        if len(self) >= MOST:
            raise Failure(429, "too many wait for a match here just now: try again later", wait=60)
        self._at[match] += 1
        self._by[who] += 1
        begun = self._begun.setdefault(match, asyncio.Event())
        try:
            yield begun
        finally:
            for counter, key in ((self._at, match), (self._by, who)):
                counter[key] -= 1
                if not counter[key]:
                    del counter[key]
            if match not in self._at:
                self._begun.pop(match, None)

    def begun(self, match: str) -> None:
        """A match that waited for its second player has begun, or was withdrawn."""
        if (event := self._begun.pop(match, None)) is not None:
            event.set()

    def wake(self) -> None:
        """News may have been lost: let every connection look again."""
        for match in list(self._begun):
            self.begun(match)
