"""The time of a sitting: the one place of the terminal that looks at a clock."""

from __future__ import annotations

from time import monotonic


class Watch:
    """Milliseconds that pass while a match is being played.

    `start` is where it stood when the match was left: the time in between does not count.
    """

    def __init__(self, start: int = 0) -> None:
        self._start = start
        self._zero = monotonic()

    def now(self) -> int:
        """Milliseconds since the match began."""
        return self._start + int(1000 * (monotonic() - self._zero))
