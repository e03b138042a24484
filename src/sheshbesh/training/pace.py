"""How a run that is bounded by time instead of games spreads that time over its stages."""

from __future__ import annotations

from itertools import accumulate

from sheshbesh.training.progress import Progress
from sheshbesh.training.recipe import Recipe, Stage

_LOOKING_AHEAD = 8.0
"""About how many times as long a game takes whose positions are looked at over all throws."""

_LEARNING, _POLISHING = 0.25, 0.85
"""About how long learning a game once takes, in games played without looking ahead; a polished net learns in
full floats."""


def _cost(stage: Stage) -> float:
    """Of a game."""
    learning = stage.passes * (_POLISHING if stage.polish else _LEARNING)
    return (_LOOKING_AHEAD if stage.plies else 1.0) + stage.keep * learning


class Pace:
    """The time each stage has: by its games, those that look ahead or are learned often counting for more."""

    def __init__(self, recipe: Recipe, seconds: float) -> None:
        self._recipe = recipe
        costs = [stage.games * _cost(stage) for stage in recipe.stages]
        self._ends = [seconds * cost / sum(costs) for cost in accumulate(costs)]

    def left(self, progress: Progress, games: int, seconds: float) -> float:
        """The games with which the present stage ends in time.

        `games` in `seconds` is the speed of the last round. A stage whose time is up gets one round more.
        """
        return games * max(self._ends[progress.stage] - progress.seconds, seconds) / seconds
