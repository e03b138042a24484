"""The position that stands in place of a play that could not be exported.

`Illegal play (15;0;1;0;0;Morley;Tanguay;0;9;9;1;0;<26 places>;<next dice>;)` is Snowie's position text with
the board *after* the play: place 0 is the bar of the second player named, 1 to 24 the points seen by the
first (its checkers positive), 25 its bar. What was moved is not in it.
"""

from __future__ import annotations

from dataclasses import dataclass

from sheshbesh.records.entry import Counts
from sheshbesh.rules import Side

_BOARD = 12
_PLACES = 26


@dataclass(frozen=True, slots=True)
class IllegalDump:
    """The names of the two sides, the first one's checkers positive, and 26 places."""

    first: str
    second: str
    places: tuple[int, ...]

    def board(self, mover: Side, white: str, black: str) -> Counts:
        """The checkers by side; if the names tell nothing, the first side is the mover's opponent."""
        if self.first == white or self.second == black:
            first = Side.WHITE
        elif self.first == black or self.second == white:
            first = Side.BLACK
        else:
            first = mover.other
        mine, theirs = [0] * 25, [0] * 25
        for place, count in enumerate(self.places):
            if count > 0 and place:
                mine[place - 1] = count
            elif count < 0 and place < _PLACES - 1:
                theirs[24 - place] = -count
        return {first: mine, first.other: theirs}


def parse_dump(text: str) -> IllegalDump | None:
    """Read a dump; None if it is none."""
    fields = [field.strip() for field in text.rstrip("; ").split(";")]
    if len(fields) < _BOARD + _PLACES:
        return None
    try:
        places = tuple(int(field) for field in fields[_BOARD : _BOARD + _PLACES])
    except ValueError:
        return None
    if any(abs(count) > 15 for count in places):
        return None
    return IllegalDump(fields[5], fields[6], places)
