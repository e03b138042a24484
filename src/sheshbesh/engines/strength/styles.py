"""Styles of play: which play a player prefers of those that their level thinks about equally good.

A style does not see more or less than its level. It counts one thing on the board after each play whose
equity lies within `MARGIN` of the play that the level would make, and takes the play with the most of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sheshbesh import _core
from sheshbesh.engines.outcome import Candidate
from sheshbesh.rules import Position, Side

MARGIN = 0.04
"""In standard deviations of what the game brings: in backgammon some 0.05 points for a single game."""


@dataclass(frozen=True, slots=True)
class Style:
    """A preference: `count` says how much a position after a play of `side` has of what is preferred."""

    name: str
    description: str
    count: Callable[[Position, Side], float]


def lone_checkers(position: Position, side: Side) -> float:
    """Return the number of points that hold one checker of the side."""
    return sum(count == 1 for count in position.counts(side)[1:25])


def company(position: Position, side: Side) -> float:
    """Return the more the fewer points hold one checker of the side: the negative number of them."""
    return -lone_checkers(position, side)


def progress(position: Position, side: Side) -> float:
    """Return how far the rear checkers have come: the negative sum of squares of the pips to go.

    A die is worth the more the further behind the checker is that it moves.
    """
    return -sum(count * pips * pips for pips, count in enumerate(position.counts(side)))


def wall(position: Position, side: Side) -> float:
    """Return the points that are closed to the other side, those of the longest prime twice."""
    view = _core.BoardView(position.variant._core, position._core, position.turn is side)
    return len(view.closed) + view.prime[0]


STYLES: tuple[Style, ...] = (
    Style("bold", "leaves checkers alone where it pays as well", lone_checkers),
    Style("safe", "leaves no checker alone without need", company),
    Style("racer", "brings the rear checkers on first", progress),
    Style("builder", "makes points and walls", wall),
)
"""All styles."""


def preferred(candidates: Sequence[Candidate], chosen: Candidate, style: Style) -> Candidate:
    """Of the candidates that are about as good as the chosen one, that with the most of a style.

    The chosen one is kept where no other has more: the cube may have decided for it.
    """
    margin = MARGIN * chosen.outcome.deviation
    near = [each for each in candidates if abs(each.equity - chosen.equity) <= margin]
    side = chosen.play.position.turn
    return max(
        near, key=lambda each: (style.count(each.play.result, side), each.play == chosen.play, each.equity)
    )
