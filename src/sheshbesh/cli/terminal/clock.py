"""The time of a match in the terminal, from the clock of the system."""

from __future__ import annotations

from time import monotonic


class Stopwatch:
    """Milliseconds that pass while a match is being played.

    `start` is the time of the match when it was left; the time in between does not count.
    """

    def __init__(self, start: int = 0) -> None:
        self._start = start
        self._zero = monotonic()

    def now(self) -> int:
        """Milliseconds since the match began."""
        return self._start + int(1000 * (monotonic() - self._zero))
