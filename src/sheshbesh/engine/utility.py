"""What the classes of a game are worth at a score: points turned into equity.

Whatever is played for, equity is normalised to the present cube: +1 is a plain win at this cube, -1 a
plain loss. In money play that makes it points divided by the cube; in a match the chance to win the
match takes the place of points, stretched so that the chances after a plain win and a plain loss
become +1 and -1. Choices between plays are the same on either scale.
"""

from __future__ import annotations

from sheshbesh.engine.outcome import Classes, ResultClass
from sheshbesh.match import MatchState
from sheshbesh.rules import GameResult, Side


def utility(classes: Classes, match: MatchState | None, side: Side) -> tuple[float, ...]:
    """What each class is worth to `side`, with `side` on roll; in the order of `classes.all`.

    Without a match state: money, cube 1, without Jacoby's rule.
    """
    if match is None:
        return classes.money
    return tuple(gain(each, match, side) / match.cube for each in classes.all)


def gain(result: ResultClass, match: MatchState, side: Side) -> int:
    """The points `side` wins or loses by a class of result at this cube, Jacoby's rule included."""
    if result.ending == "tie":
        return 0
    winner = side if result.ending == "win" else side.other
    points = match.points(GameResult(winner, result.points, result.kind))
    return points if winner is side else -points
