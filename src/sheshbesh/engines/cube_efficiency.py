"""How well a cube can be used: its efficiency by phase of the game, as data.

The numbers lie in `cube_efficiency.toml` with their source. They are what `CubeModel` needs to find
the place between a dead and a live cube.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sheshbesh.engines.explain.features import View
from sheshbesh.rules import Position

_FILE = Path(__file__).with_name("cube_efficiency.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeEfficiency:
    """The efficiency of the cube, between 0 (dead) and 1 (live)."""

    contact: float
    race_base: float
    race_per_pip: float
    race_least: float
    race_most: float

    def race(self, pips: int) -> float:
        """The efficiency in a race in which the side on roll has so many pips to go."""
        return min(max(self.race_base + self.race_per_pip * pips, self.race_least), self.race_most)

    def at(self, position: Position) -> float:
        """The efficiency in a position, by its phase."""
        side = position.turn
        return self.contact if View(position, side).has_contact else self.race(position.pips(side))


@cache
def shipped() -> CubeEfficiency:
    """The efficiency that the engine reckons with."""
    numbers = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    numbers.pop("source")
    return CubeEfficiency(**numbers)
