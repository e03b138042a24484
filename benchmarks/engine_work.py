"""What is measured of the engine: values, decisions, rollouts, cube decisions of backgammon.

The net that is shipped decides what is done, so no summary is expected beforehand: every run must
do the same as the first, and values must have the same bits on every instruction set. How fast the
engine is beside gnubg is `benchmarks.strength.speed`'s matter.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from struct import pack

import sheshbesh as sb
from sheshbesh import _core
from sheshbesh.engines import RolloutOptions, registry
from sheshbesh.engines.engine import Engine
from sheshbesh.engines.measure import speed
from sheshbesh.engines.measure.signature import Asked, throws
from sheshbesh.engines.measure.speed import Summary, Work, WorkChangedError, best_rate

GAME = "backgammon"
THROWS = 200
ROUNDS = 4
"""How often the positions after all plays of these throws are valued in one run."""

DECISIONS = {0: 200, 1: 40, 2: 8}
CUBES = {0: 200, 2: 8}
TRIALS = 72


@dataclass(frozen=True)
class EngineWork:
    """The work for one net. Each run begins with an engine that remembers nothing."""

    game: sb.Variant
    found: registry.Found

    @classmethod
    def shipped(cls) -> EngineWork:
        """For the net that is shipped for the game, or stands in for it."""
        game = sb.variant(GAME)
        return cls(game, registry.find(game))

    @property
    def net(self) -> str:
        """The net's name and size, and whether it is the game's own."""
        found = self.found
        stands_in = ", made for other rules" if found.approximate else ""
        return f"{found.manifest.name}, {found.load().parameters:,} parameters{stands_in}"

    @cached_property
    def throws(self) -> list[Asked]:
        """From games of the engine with itself."""
        return throws(self.game, THROWS, seed=1, engine=Engine(self.game, self.found))

    @cached_property
    def states(self) -> list[_core.State]:
        """The positions after all their plays."""
        return [position._core for position in speed.candidates(self.throws)]

    def values(self) -> tuple[int, Summary]:
        """Raw values; on the instruction set in use."""
        return speed.net_values(self.game, self.found, self.states, ROUNDS)

    def decisions(self, plies: int) -> tuple[int, Summary]:
        """Throws ranked from Python: (how many, positions valued, a checksum of the equities)."""
        engine = Engine(self.game, self.found)
        asked = self.throws[: DECISIONS[plies]]
        equities = [engine.rank(position, dice, plies=plies)[0].equity for position, dice in asked]
        return len(asked), (len(asked), engine.nodes, checksum(equities))

    def cubes(self, plies: int) -> tuple[int, Summary]:
        """Cube decisions in the middle of money games."""
        engine = Engine(self.game, self.found)
        asked = self.throws[: CUBES[plies]]
        found = [engine.cube(position, plies=plies) for position, _ in asked]
        equities = [equity for each in found for equity in (each.no_double, each.double_take)]
        return len(asked), (len(asked), engine.nodes, checksum(equities))

    def rollout(self) -> tuple[int, Summary]:
        """Whole games from the start, with variance reduction, one thread."""
        engine = Engine(self.game, self.found)
        done = engine.rollout(self.game.start(), options=RolloutOptions(trials=TRIALS, seed=1))
        return done.trials, (done.trials, checksum([done.equity, done.equity.error]))

    @property
    def parts(self) -> dict[str, Work]:
        """All but the values, by name."""
        return {
            **{f"decision, {plies}-ply": partial(self.decisions, plies) for plies in DECISIONS},
            **{f"cube decision, {plies}-ply": partial(self.cubes, plies) for plies in CUBES},
            "game of a 0-ply rollout": self.rollout,
        }


def checksum(values: Iterable[float]) -> int:
    """Of the bits of floats."""
    return zlib.crc32(b"".join(pack("<d", value) for value in values))


def values_by_isa(work: EngineWork, repeats: int) -> dict[str, float]:
    """Raw values a second on every instruction set, slowest first; all must have the same bits."""
    rates: dict[str, float] = {}
    expected = None
    for isa in speed.isas():
        with speed.running_on(isa):
            rates[isa], summary = best_rate(f"values on {isa}", work.values, expected, repeats)
        if not summary[0]:
            raise WorkChangedError("there was nothing to value")
        expected = summary
    return rates
