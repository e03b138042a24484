"""The efficiency of the cube by phase of the game, as data.

The numbers lie in `efficiency.toml` with their source. The cube model takes them to place a real
cube between a dead and a live one.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sheshbesh.rules import Position

_FILE = Path(__file__).with_name("efficiency.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeEfficiency:
    """The efficiency of the cube, between 0 (dead) and 1 (live)."""

    contact: float
    race_base: float
    race_per_pip: float
    race_least: float
    race_most: float

    def race(self, pips: int) -> float:
        """The efficiency in a race for the pip count of the side on roll."""
        return min(max(self.race_base + self.race_per_pip * pips, self.race_least), self.race_most)

    def at(self, position: Position) -> float:
        """The efficiency in a position, by its phase."""
        return self.contact if position.has_contact else self.race(position.pips(position.turn))


@cache
def shipped() -> CubeEfficiency:
    """The efficiency that the engine uses."""
    numbers = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    numbers.pop("source")
    return CubeEfficiency(**numbers)
