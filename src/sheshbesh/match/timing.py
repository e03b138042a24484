"""The measure of thinking time: the clock of a table as a value. Running clocks are in `session`.

Times are whole milliseconds. Sources: Khalili (004), p. 6 (12 seconds a turn, a bank of 2 minutes
for each point of the match, a break of 5 minutes in matches of 7 to 11 points).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from sheshbesh.errors import MatchError
from sheshbesh.i18n import JoinedText, Text

SECOND = 1000
MINUTE = 60 * SECOND
DAY = 24 * 60 * MINUTE
_TURNS_PER_POINT = 15
"""Turns of one player for each point of a match: a game has about 25, and is worth about 1.7 points."""
_SHARE_OF_DELAY = 0.5
"""The share of a delay that is used on average where it does not accumulate."""
_UNTIMED = 5 * MINUTE + 30 * SECOND
"""The time that a player uses for a point without a clock: 11 minutes for the two (tourneygeek.com)."""
_UNTIMED_POINTS = 1
"""The bank of money play, which has no length, is that of this many points."""


class ClockKind(StrEnum):
    """The ways to measure time."""

    NONE = "none"
    DELAY = "delay"
    """Each turn begins with a delay that costs nothing and does not accumulate."""
    BRONSTEIN = "bronstein"
    """The bank runs at once; after the turn what was used is given back, up to the delay."""
    FISCHER = "fischer"
    """The bank runs at once; after each turn the delay is added to it."""
    PER_TURN = "per_turn"
    """Each turn has the delay and nothing more; there is no bank."""


_LETTERS = {
    ClockKind.NONE: "n",
    ClockKind.DELAY: "d",
    ClockKind.BRONSTEIN: "b",
    ClockKind.FISCHER: "f",
    ClockKind.PER_TURN: "t",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSettings:
    """The clock of a table. `delay` is for each turn and each answer to the cube, `bank_per_point`
    is multiplied by the length of the match, `breaks` are the pauses of `break_length` that each
    player may take between games (None: by the length of the match)."""

    kind: ClockKind = ClockKind.NONE
    delay: int = 12 * SECOND
    bank_per_point: int = 2 * MINUTE
    breaks: int | None = None
    break_length: int = 5 * MINUTE

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", ClockKind(self.kind))
        problems = [
            Text("{name} is a number of milliseconds, 0 or more, not {found}", name=name, found=repr(value))
            for name, value in (
                ("delay", self.delay),
                ("bank_per_point", self.bank_per_point),
                ("break_length", self.break_length),
            )
            if type(value) is not int or value < 0
        ]
        if self.breaks is not None and (type(self.breaks) is not int or self.breaks < 0):
            problems.append(
                Text("breaks is a number, 0 or more, or None, not {found}", found=repr(self.breaks))
            )
        if not problems and self.kind is ClockKind.PER_TURN and self.delay == 0:
            problems.append(Text("a turn of 0 seconds cannot be played"))
        if not problems and self.has_bank and self.bank_per_point == 0 and self.delay == 0:
            problems.append(Text("a clock without delay and bank has run out before it starts"))
        if problems:
            raise MatchError(
                Text("impossible clock: {problems}", problems=JoinedText(*problems, separator="; ")),
                tuple(problems),
            )

    @property
    def has_bank(self) -> bool:
        """True if each player has a store of time for the whole match."""
        return self.kind in (ClockKind.DELAY, ClockKind.BRONSTEIN, ClockKind.FISCHER)

    @property
    def is_correspondence(self) -> bool:
        """True if a turn may take days, so that nobody sits and waits for the other player."""
        return self.kind is ClockKind.PER_TURN and self.delay >= DAY

    def bank(self, length: int | None) -> int:
        """The bank of a match to `length` points, in ms."""
        return self.bank_per_point * (length or _UNTIMED_POINTS) if self.has_bank else 0

    def breaks_allowed(self, length: int | None) -> int:
        """Breaks for each player: the settings', or none below 7 points, one to 11, two above."""
        if self.breaks is not None:
            return self.breaks
        points = length or 0
        return 0 if points < 7 else 1 if points <= 11 else 2

    @property
    def time_for_a_point(self) -> float:
        """The time that one player is likely to think for each point of a match, in ms."""
        if self.kind is ClockKind.NONE:
            return _UNTIMED
        share = 1.0 if self.kind is ClockKind.FISCHER else _SHARE_OF_DELAY
        return share * self.delay * _TURNS_PER_POINT + (self.bank_per_point if self.has_bank else 0)

    # Text

    @property
    def code(self) -> str:
        """The settings as a short text, such as `d12-120`; seconds, with breaks as `-b1x300`."""
        if self.kind is ClockKind.NONE:
            return _LETTERS[self.kind]
        text = f"{_LETTERS[self.kind]}{_seconds(self.delay)}"
        if not self.has_bank:
            return text
        text += f"-{_seconds(self.bank_per_point)}"
        if self.breaks is not None or self.break_length != 5 * MINUTE:
            text += f"-b{'' if self.breaks is None else self.breaks}x{_seconds(self.break_length)}"
        return text

    @classmethod
    def from_code(cls, code: str) -> ClockSettings:
        """Read the short text; MatchError if it is none."""
        match = _CODE.fullmatch(code)
        if match is None:
            raise MatchError(
                Text("{code} is no clock: expected n, d12-120, b12-120, f12-120 or t30", code=repr(code))
            )
        letter = match["kind"] or match["banked"] or match["turn"]
        kind = next(kind for kind, own in _LETTERS.items() if own == letter)
        texts = {
            "delay": match["delay"] or match["turn_delay"],
            "bank_per_point": match["bank_per_point"],
            "break_length": match["break_length"],
        }
        fields = {name: _milliseconds(text) for name, text in texts.items() if text is not None}
        breaks = int(match["breaks"]) if match["breaks"] else None
        return cls(kind=kind, breaks=breaks, **fields)


def _seconds(milliseconds: int) -> str:
    whole, part = divmod(milliseconds, SECOND)
    return f"{whole}.{part:03}".rstrip("0") if part else str(whole)


def _milliseconds(seconds: str) -> int:
    whole, _, part = seconds.partition(".")
    return int(whole) * SECOND + int(f"{part:0<3}" if part else 0)


_NUMBER = r"\d{1,6}(?:\.\d{1,3})?"
_BREAKS = rf"(?:-b(?P<breaks>\d{{1,2}})?x(?P<break_length>{_NUMBER}))?"
_CODE = re.compile(
    rf"(?P<kind>n)|(?P<banked>[dbf])(?P<delay>{_NUMBER})-(?P<bank_per_point>{_NUMBER}){_BREAKS}"
    rf"|(?P<turn>t)(?P<turn_delay>{_NUMBER})"
)
