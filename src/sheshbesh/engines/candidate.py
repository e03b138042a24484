"""A legal play and what the engine thinks of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sheshbesh.engines.outcome import Outcome
from sheshbesh.rules import Play


@dataclass(frozen=True, slots=True)
class Candidate:
    """A legal play with its equity for the player who makes it.

    `outcome` is from the mover's point of view, as if they were on roll in the position the play leads to;
    `equity` is its equity. `plies` says how deep this play was looked at: those that a filter left out are
    less deep than the first. `cubeful` is the equity with the cube, normalised to its present value, where
    it was asked for; then `equity` is that.
    """

    play: Play
    outcome: Outcome
    plies: int
    cubeful: float | None = None

    @property
    def equity(self) -> float:
        """What the play is worth to the player; see `Outcome.equity`."""
        return self.outcome.equity if self.cubeful is None else self.cubeful

    @property
    def approximate(self) -> bool:
        """Whether a net of another rule set evaluated it."""
        return self.outcome.approximate

    def __str__(self) -> str:
        return f"{self.play.notation} {self.equity:+.3f} ({self.plies}-ply)"


def by_double(plays: Sequence[Play]) -> list[list[Play]]:
    """Plays of a double that is to be named, grouped by the double."""
    groups: dict[int, list[Play]] = {}
    for play in plays:
        groups.setdefault(play.dice.first, []).append(play)
    return list(groups.values())
