"""What a training run has done so far, and who is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from sheshbesh.engines.measure.score import Score


@dataclass(slots=True)
class Progress:
    """What a run has done so far; plain numbers, kept in the checkpoint.

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
    """An object that is told how a run goes."""

    def round_done(self, *, share: float, games: int, games_per_s: float, loss: float, stage: int) -> None:
        """A round was played and learned; `share` of the run is done."""

    def measured(self, *, against: str, score: Score, promoted: bool | None) -> None:
        """A duel was played: against random plays, or the net promoted before."""
