"""What the classes of a game are worth at a score: points turned into equity.

Whatever is played for, equity is normalised to the present cube: +1 is a plain win at this cube, -1 a
plain loss. In money play that makes it points divided by the cube; in a match the chance to win the
match takes the place of points, stretched so that the chances after gaining and losing what the cube
shows become +1 and -1. Which of two plays is better is the same on either scale.
"""

from __future__ import annotations

from typing import Protocol

from sheshbesh.engine.outcome import Classes, ResultClass
from sheshbesh.errors import MatchError
from sheshbesh.match import MatchState
from sheshbesh.rules import GameResult, Side


class Equities(Protocol):
    """What a match equity table is asked for."""

    def after(self, match: MatchState, side: Side, gain: int) -> float:
        """The chance of `side` to win the match after a game in which it gains so many points."""


def utility(
    classes: Classes, match: MatchState | None, side: Side, equities: Equities | None = None
) -> tuple[float, ...]:
    """What each class is worth to `side`, with `side` on roll; in the order of `classes.all`.

    Without a match state: money, cube 1, without Jacoby's rule. A match to points needs `equities`.
    MatchError if the match is over.
    """
    if match is None:
        return classes.money
    gains = [gain(each, match, side) for each in classes.all]
    if match.is_money:
        return tuple(points / match.cube for points in gains)
    if match.winner is not None:
        raise MatchError(f"the match is over, {match.winner.value} has won it: {match}")
    if equities is None:
        raise MatchError(f"a match equity table is needed for a match to {match.length} points")
    chances = {points: equities.after(match, side, points) for points in {*gains, match.cube, -match.cube}}
    best, worst = chances[match.cube], chances[-match.cube]
    return tuple((2 * chances[points] - best - worst) / (best - worst) for points in gains)


def gain(result: ResultClass, match: MatchState, side: Side) -> int:
    """The points `side` wins or loses by a class of result at this cube, Jacoby's rule included."""
    if result.ending == "tie":
        return 0
    winner = side if result.ending == "win" else side.other
    points = match.points(GameResult(winner, result.points, result.kind))
    return points if winner is side else -points
