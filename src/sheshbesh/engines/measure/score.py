"""The score of mirrored games, as sums that add up."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from math import inf, sqrt
from typing import Any, Self

from sheshbesh import _core


@dataclass(frozen=True)
class Score:
    """Sums over pairs of games; x is what a player won less what it lost in a pair, s what both won."""

    pairs: int = 0
    points: float = 0.0
    squares: float = 0.0
    staked: float = 0.0
    staked_squares: float = 0.0
    products: float = 0.0
    wins: int = 0
    ties: int = 0

    @classmethod
    def of(cls, found: _core.DuelResult) -> Self:
        """The sums that the core has made."""
        return cls(**{each.name: getattr(found, each.name) for each in fields(cls)})

    def __add__(self, other: Score) -> Score:
        names = [each.name for each in fields(Score)]
        return Score(**{name: getattr(self, name) + getattr(other, name) for name in names})

    def as_dict(self) -> dict[str, Any]:
        """The sums as plain data."""
        return asdict(self)

    def summary(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "pairs": self.pairs,
            "per_game": round(self.per_game, 5),
            "error": round(self.error, 5),
            "share": round(self.share, 5),
            "ties": self.ties,
        }

    @property
    def per_game(self) -> float:
        """Points a game."""
        return self.points / (2 * self.pairs) if self.pairs else 0.0

    @property
    def error(self) -> float:
        """The standard error of `per_game`, from the spread of the pairs."""
        if self.pairs < 2:
            return inf
        spread = self.squares - self.points**2 / self.pairs
        return sqrt(max(spread, 0.0) / (self.pairs - 1) / self.pairs) / 2

    @property
    def share(self) -> float:
        """The share of all points that the player won."""
        return (self.staked + self.points) / (2 * self.staked) if self.staked else 0.5

    @property
    def share_error(self) -> float:
        """The standard error of `share`: that of a ratio of two sums over pairs."""
        if self.pairs < 2 or not self.staked:
            return inf
        ratio = self.points / self.staked
        squares = self.squares - 2 * ratio * self.products + ratio**2 * self.staked_squares
        return sqrt(max(squares, 0.0) * self.pairs / (self.pairs - 1)) / self.staked / 2
