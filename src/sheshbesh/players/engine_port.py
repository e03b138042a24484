"""What the coach asks of an engine."""

from __future__ import annotations

from typing import Protocol

from sheshbesh.engines import CubeDecision
from sheshbesh.engines.explain.verdict import Searching
from sheshbesh.match import MatchState
from sheshbesh.rules import Position


class Judge(Searching, Protocol):
    """An engine for one rule set: it values positions, ranks plays and decides about the cube."""

    def cube(
        self, position: Position, match: MatchState | None = None, *, plies: int | None = None
    ) -> CubeDecision:
        """The decision about the cube; CubeError where there is none."""
