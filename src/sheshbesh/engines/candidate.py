"""A legal play and what the engine thinks of it."""

from __future__ import annotations

from dataclasses import dataclass

from sheshbesh.engines.outcome import Outcome
from sheshbesh.rules import Play


@dataclass(frozen=True, slots=True)
class Candidate:
    """A legal play with its worth to the player who makes it.

    `outcome` is seen by him, as if he were on roll in the position the play leads to; `equity` is its
    equity. `plies` says how deep this play was looked at: those that a filter left out are less deep
    than the first.
    """

    play: Play
    outcome: Outcome
    plies: int

    @property
    def equity(self) -> float:
        """What the play is worth to the player; see `Outcome.equity`."""
        return self.outcome.equity

    @property
    def approximate(self) -> bool:
        """Whether a net of another rule set judged it."""
        return self.outcome.approximate

    def __str__(self) -> str:
        return f"{self.play.notation} {self.equity:+.3f} ({self.plies}-ply)"
