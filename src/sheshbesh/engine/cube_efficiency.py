"""How well a cube can be used: its efficiency by phase of the game, as data.

The numbers lie in `cube_efficiency.toml` with their source. They are what `CubeModel` needs to find
the place between a dead and a live cube.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sheshbesh.rules import Position, Side

_FILE = Path(__file__).with_name("cube_efficiency.toml")
_ENTRY = 25
"""Where a checker on the bar or in hand starts, in own points."""


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
        return self.contact if has_contact(position) else self.race(position.pips(position.turn))


def has_contact(position: Position) -> bool:
    """Whether the sides still have points in common that both must pass."""
    mine, theirs = (_rearmost(position.counts(side)) for side in Side)
    if position.variant.axes["board"]["movement"] == "parallel":
        # Half the board lies between the starts: own 13 and more is where the other one bears off.
        return max(mine, theirs) >= 13 and min(mine, theirs) > 0
    return mine + theirs >= _ENTRY and min(mine, theirs) > 0


def _rearmost(counts: tuple[int, ...]) -> int:
    """The own point of a side's last checker; 0 if all are off."""
    if counts[25] or counts[26]:
        return _ENTRY
    return next((point for point in range(24, 0, -1) if counts[point]), 0)


@cache
def shipped() -> CubeEfficiency:
    """The efficiency that the engine reckons with."""
    numbers = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    numbers.pop("source")
    return CubeEfficiency(**numbers)
