"""What a player gets back for the time of messages under way: from a quota that fills during play.

Each turn, and each answer to the cube, gives back the lag that was measured, but no more than the quota
holds; then the quota grows by `gain`. So a line that is bad all of a sudden wins little, and one that is
made slow on purpose no more than `gain`, a second at most, in a turn. Times are whole milliseconds.
Source: the server of lichess (scalachess, `LagTracker`), whose hundredths of a second these are.
"""

from __future__ import annotations

from dataclasses import dataclass

from sheshbesh.match.timing import SECOND, ClockSettings
from sheshbesh.session.value import Value

LONGEST_GRACE = 2 * SECOND
"""For no longer is a move waited for whose time has run out, however much is left of the quota."""

_MOST_GAIN = SECOND
_LEAST_GAIN = 150
_GAIN_PER_SECOND = 4
"""The gain for each second that a player may have in all."""
_TURNS = 40
"""Turns of which the delay counts towards that."""
_BEYOND_LAG = 140
"""No turn adds more than the lag it had and this."""
_AT_FIRST, _MOST = 3, 7
"""What the quota holds at first and at most, in gains."""


@dataclass(frozen=True)
class LagQuota(Value):
    """One player's quota. `left` can still be given back, `given` was after the last turn, `total` so far."""

    gain: int = 0
    left: int = 0
    given: int = 0
    total: int = 0

    @classmethod
    def fresh(cls, settings: ClockSettings, length: int | None) -> LagQuota:
        """The quota before a match to `length` points (None: money)."""
        seconds = (settings.bank(length) + _TURNS * settings.delay) // SECOND
        gain = min(_MOST_GAIN, _LEAST_GAIN + _GAIN_PER_SECOND * seconds)
        return cls(gain, _AT_FIRST * gain)

    @property
    def grace(self) -> int:
        """For how long after the time has run out a move may still be on its way."""
        return min(self.left, LONGEST_GRACE)

    def after(self, lag: int, elapsed: int) -> LagQuota:
        """The quota after a turn that took `elapsed`, with this lag; `given` says what comes back."""
        given = max(min(lag, elapsed, self.left), 0)
        gain = min(self.gain, given + _BEYOND_LAG)
        left = min(self.left + gain - given, _MOST * gain)
        return self.but(left=left, given=given, total=self.total + given)
