"""What the coach asks of an engine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from sheshbesh.engine import Candidate, CubeDecision, Outcome
from sheshbesh.match import MatchState
from sheshbesh.rules import Position


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

    def cube(
        self, position: Position, match: MatchState | None = None, *, plies: int | None = None
    ) -> CubeDecision:
        """The decision about the cube; CubeError where there is none."""
