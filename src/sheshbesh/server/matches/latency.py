"""How long a message takes to a page and back, by the server's own clock.

A pong asks for an echo now and then, and the page sends it at once. What is measured wanders slowly
towards each new measurement, as on lichess, so that no single late packet counts for much.
"""

from __future__ import annotations

from itertools import count
from time import monotonic

_OFTEN, _THEN_EVERY = 4, 4
"""So many pongs ask for an echo at first; afterwards one in so many does."""
_REFRESH = 0.1
"""The weight of each new measurement."""
_LONGEST = 10_000.0
"""Milliseconds; whatever takes longer is a line that was down, and no measure of it."""


class RoundTrip:
    """The round trip of one socket."""

    __slots__ = ("_numbers", "_pings", "_sent", "_waiting", "ms")

    def __init__(self) -> None:
        self.ms: int | None = None
        """The round trip in milliseconds; None while nothing has been measured."""
        self._numbers = count(1)
        self._pings = 0
        self._waiting = 0
        self._sent = 0.0

    def ask(self) -> int | None:
        """The number that the pong to be sent now asks to be echoed, if it asks for any."""
        self._pings += 1
        if self._pings > _OFTEN and self._pings % _THEN_EVERY:
            return None
        self._waiting, self._sent = next(self._numbers), monotonic()
        return self._waiting

    def heard(self, number: int) -> None:
        """An echo has come; one that nobody asked for, or that comes twice, says nothing."""
        if not self._waiting or number != self._waiting:
            return
        self._waiting = 0
        took = (monotonic() - self._sent) * 1000
        if took > _LONGEST:
            return
        self.ms = round(took if self.ms is None else self.ms + _REFRESH * (took - self.ms))
