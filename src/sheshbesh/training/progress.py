"""The progress of a training run, the time of its stages, and their display on a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Protocol

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as _Bar

from sheshbesh.engines.measure.score import Score
from sheshbesh.training.recipe import Recipe, Stage


@dataclass(slots=True)
class Progress:
    """The progress of a run; plain numbers, kept in the checkpoint.

    `share` (0 to 1) of the whole and `of_stage` of the present stage are done; `stage_games` are the games of
    each stage that has begun.
    """

    share: float = 0.0
    stage: int = 0
    of_stage: float = 0.0
    stage_games: list[int] = field(default_factory=lambda: [0])
    round: int = 0
    games: int = 0
    positions: int = 0
    duels: int = 0
    checks: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    rmse: float = 0.0

    def take_up(self, data: Mapping[str, Any]) -> None:
        """Go on from what a checkpoint holds."""
        for name, value in data.items():
            setattr(self, name, value)


class Watcher(Protocol):
    """An object that receives the progress of a run."""

    def round_done(self, *, share: float, games: int, games_per_s: float, loss: float, stage: int) -> None:
        """A round was played and learned; `share` of the run is done."""

    def measured(self, *, against: str, score: Score, promoted: bool | None) -> None:
        """A duel was played: against random plays, or the net promoted before."""


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


class Screen:
    """Shows how a run goes; plain lines now and then where there is no terminal."""

    def __init__(self, console: Console, title: str) -> None:
        self._console = console
        self._last_percent = -1
        self._bar = _Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>5.1f} %"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[facts]}"),
            console=console,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task(title, total=1.0, facts="")

    def __enter__(self) -> Screen:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def round_done(self, *, share: float, games: int, games_per_s: float, loss: float, stage: int) -> None:
        """Move the bar."""
        facts = f"stage {stage}, {games:,} games, {games_per_s:,.0f}/s, loss {loss:.4f}"
        self._bar.update(self._task, completed=share, facts=facts)
        percent = int(share * 20)
        if not self._console.is_terminal and percent > self._last_percent:
            self._last_percent = percent
            self._console.print(f"{100 * share:5.1f} %  {facts}")

    def measured(self, *, against: str, score: Score, promoted: bool | None) -> None:
        """Say how a duel went."""
        opponent = "random plays" if against == "random" else "the net before"
        verdict = {None: "", True: ": promoted", False: ": not promoted"}[promoted]
        self._console.print(
            f"against {opponent}: {score.per_game:+.4f} ± {score.error:.4f} points a game, "
            f"{100 * score.share:.1f} % of the points ({2 * score.pairs:,} games){verdict}"
        )
