"""How quick a match is, in classes: ratings of quick and of slow play are different things."""

from __future__ import annotations

from enum import StrEnum

from sheshbesh.match.timing import SECOND, ClockKind, ClockSettings

_TURNS_PER_POINT = 15
"""Turns of one player for each point of a match: a game has about 25, and is worth about 1.7 points."""
_SHARE_OF_DELAY = 0.5
"""How much of a delay that does not accumulate is used on average."""
_BLITZ, _RAPID = 90, 300
"""Seconds for a point, below which a match is blitz or rapid."""


class TimeClass(StrEnum):
    """From quick to slow."""

    BLITZ = "blitz"
    RAPID = "rapid"
    SLOW = "slow"
    UNTIMED = "untimed"


def time_class(clock: ClockSettings) -> TimeClass:
    """The class of a clock, by the time that one player has for a point."""
    if clock.kind is ClockKind.NONE:
        return TimeClass.UNTIMED
    share = 1.0 if clock.kind is ClockKind.FISCHER else _SHARE_OF_DELAY
    milliseconds = share * clock.delay * _TURNS_PER_POINT + (clock.bank_per_point if clock.has_bank else 0)
    seconds = milliseconds / SECOND
    if seconds < _BLITZ:
        return TimeClass.BLITZ
    return TimeClass.RAPID if seconds < _RAPID else TimeClass.SLOW
