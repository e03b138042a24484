"""Features that a player can count on the board after a play: shots, points, primes, pins, the race.

Counted by the core (`features.h`), for which what matters follows from the axes of the rule set, so a user's
own game is described like a shipped one. What a feature is worth is its shape there times a weight for the
game, which `tools/reasons.py` fits to what the nets say of plays and writes into `weights.json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sheshbesh import _core
from sheshbesh.rules import Position, Side, Variant

Value = float | frozenset[int]
"""A number, or a set of points in the own numbering of the side."""

FEATURES: tuple[str, ...] = _core.FEATURES
"""Their ids, in the order of the core."""

POINTS = frozenset({"home_points", "outside_points", "anchors"})
"""Those that name points."""

weights_file = Path(__file__).with_name("weights.json")
"""The weights by rule fingerprint; "hit", "pin" and "block" stand for rule sets that were not measured."""


class View:
    """A position as one side counts it, in its own numbering, normally after its own play."""

    def __init__(self, position: Position, side: Side | str) -> None:
        self.position = position
        self.side = Side.of(side)
        self.axes = position.variant.axes
        self.mine = position.counts(self.side)
        self.theirs = position.counts(self.side.other)
        self.mirrored = position.variant._geometry.mirrored
        self.contact = self.axes["contact"]["kind"]
        self.is_contrary = self.axes["board"]["movement"] == "contrary"
        own = position.turn is self.side
        self._core = _core.BoardView(position.variant._core, position._core, own)

    @cached_property
    def closed(self) -> frozenset[int]:
        """Own points that are closed to the other side."""
        return frozenset(self._core.closed)

    @property
    def has_contact(self) -> bool:
        """True if the two sides can still meet."""
        return self._core.has_contact

    @cached_property
    def prime(self) -> tuple[int, int]:
        """The longest run of own closed points with enemies still behind it, and how many those are."""
        return self._core.prime

    @property
    def held(self) -> frozenset[int]:
        """The points, in enemy numbers, where an enemy checker lies imprisoned."""
        return self.position.pinned(self.side.other)

    @property
    def suffered(self) -> frozenset[int]:
        """The own points where an own checker lies imprisoned."""
        return self.position.pinned(self.side)

    @property
    def lead(self) -> int:
        """The pips by which the side is ahead in the race."""
        return self._core.lead


@dataclass(frozen=True, slots=True)
class Measured:
    """A feature that was counted, and its value to the side by the weights of the game, in points of
    equity."""

    value: Value
    equity: float


def measure(position: Position, side: Side | str) -> Mapping[str, Measured]:
    """Everything that counts for `side` in a position, by the id of the feature.

    Left out is what the rules or the phase make meaningless, and whatever depends on the next throw
    of the other side where that is not what comes next.
    """
    rules = position.variant
    own = position.turn is Side.of(side)
    weighed = dict(zip(FEATURES, weights(rules), strict=True))
    found = {}
    for name, number, points, worth in _core.measure(rules._core, position._core, own):
        value: Value = frozenset(points) if name in POINTS else number
        found[name] = Measured(value, weighed[name] * worth)
    return MappingProxyType(found)


@cache
def weights(rules: Variant) -> tuple[float, ...]:
    """The weight of each of FEATURES in a game; rule sets that were not measured have those of their kind."""
    known = _read()
    entry = known.get(rules.fingerprint) or known[str(rules.axes["contact"]["kind"])]
    return tuple(entry["weights"].get(name, 1.0) for name in FEATURES)


@cache
def _read() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(weights_file.read_text(encoding="utf-8"))
    return found
