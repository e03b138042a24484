"""What the protocol asks of an engine: `sheshbesh.engine.Engine`, and its cube and its rollouts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from sheshbesh.match import MatchState
from sheshbesh.rules import Play, Position

if TYPE_CHECKING:
    from sheshbesh.engine import Candidate, Outcome
    from sheshbesh.engine.cube import CubeDecision


class RolloutLike(Protocol):
    """What is asked of a rollout, finished or not."""

    @property
    def outcome(self) -> Outcome:
        """The mean so far."""

    @property
    def standard_error(self) -> float:
        """That of the equity."""

    @property
    def trials(self) -> int:
        """The games played so far."""


class Judge(Protocol):
    """An engine for one rule set."""

    def evaluate(
        self, position: Position, match: MatchState | None = None, *, plies: int | None = None
    ) -> Outcome:
        """How the game will end, for the side on roll."""

    def rank(
        self,
        position: Position,
        dice: Iterable[int] | None = None,
        match: MatchState | None = None,
        *,
        plies: int | None = None,
    ) -> Sequence[Candidate]:
        """All legal plays, best first."""

    def choose(
        self, position: Position, dice: Iterable[int] | None = None, match: MatchState | None = None
    ) -> Play:
        """The play it makes at its level."""

    def cube(self, position: Position, match: MatchState | None = None) -> CubeDecision:
        """The decision about the cube; CubeError where there is none."""

    def rollout(
        self,
        position: Position,
        match: MatchState | None = None,
        *,
        trials: int,
        threads: int,
        progress: Callable[[RolloutLike], bool] | None = None,
    ) -> RolloutLike:
        """Games played out; ends early, with what it has, when `progress` returns False."""
