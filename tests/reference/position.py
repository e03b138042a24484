"""Positions of the oracle.

Each side counts its own path: 24 is its start, 1 the last point before it bears off.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from tests.reference.rules import Axes, Rules, read_axes

Colour = Literal["white", "black"]
COLOURS: tuple[Colour, Colour] = ("white", "black")

HAND, BAR, OFF = 26, 25, 0
"""Where a step may begin or end besides the points 1 to 24."""

# Index: my own number of a point; value: the other side's number of the same point.
MIRROR = {
    "contrary": (0, *(25 - point for point in range(1, 25))),
    "parallel": (0, *(point + 12 if point <= 12 else point - 12 for point in range(1, 25))),
}


class Side(NamedTuple):
    """One side's checkers, in its own numbers."""

    points: tuple[int, ...]
    """Checkers on points 1 to 24, the imprisoned ones included; index 0 is not used."""
    bar: int
    hand: int
    off: int
    pinned: frozenset[int]
    """Points where one checker of this side lies under the enemy."""
    turns: int
    """Finished turns, counted no further than the rules can ask."""
    lost: bool
    """Its mother was imprisoned for good (`ending.mother = plays_on` only)."""


@dataclass(frozen=True, slots=True)
class Pending:
    """What the side on roll has to play before anybody throws."""

    by: Colour
    steps: tuple[int, ...] = ()
    rest: tuple[int, ...] = ()
    """Numbers of the elements after this one."""
    then: str | None = None
    """`own_throw`: handed over by the other side, his own throw follows."""
    choose: str | None = None
    """`double`: a double is named first."""
    head: int = 0
    """Checkers that have left 24 in this roll before, where a rule limits them."""


@dataclass(frozen=True, slots=True)
class Position:
    """Everything the rules can ask about."""

    white: Side
    black: Side
    turn: Colour
    starter: Colour | None = None
    pending: Pending | None = None

    def side(self, colour: Colour) -> Side:
        """Return the checkers of one colour."""
        return self.white if colour == "white" else self.black


def other(colour: Colour) -> Colour:
    """Return the other colour."""
    return "black" if colour == "white" else "white"


def with_sides(pos: Position, colour: Colour, mine: Side, theirs: Side) -> Position:
    """Return the position with the sides of `colour` and of his opponent replaced."""
    if colour == "white":
        return replace(pos, white=mine, black=theirs)
    return replace(pos, white=theirs, black=mine)


def mother_is_lost(mine: Side, theirs: Side) -> bool:
    """Whether my last checker on 24 is imprisoned and the enemy has left his own 24."""
    return 24 in mine.pinned and theirs.points[24] == 0


def start(axes: Axes | Rules, turn: Colour) -> Position:
    """Return the position a game begins with."""
    rules = read_axes(axes)
    points = [0] * 25
    for point, count in rules.setup:
        points[point] = count
    side = Side(tuple(points), 0, rules.hand, 0, frozenset(), 0, lost=False)
    return Position(side, side, turn, starter=turn if rules.last_roll_tie else None)
