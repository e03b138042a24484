"""Cube decisions at uneven scores and for money, rolled out: what ours are held against.

    python -m benchmarks.strength.cube_at_score FILE [--contact] [--count 60] [--trials 1296] [--seed 38]

Draws positions in which doubling is a question, rolls each out and writes them to FILE, one a line, as
tests/engine/test_exact_cube.py reads them: bear-offs of 5 to 15 checkers a side or, with `--contact`,
positions of games that the net plays against itself, at most one a game. The same seed draws the same
positions, and a FILE that is there already is gone on with.

What is printed is the distance from the rollouts, and below it the part that their own standard errors do
not explain.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from math import sqrt
from pathlib import Path
from typing import Any

import sheshbesh as sb
from sheshbesh.cube.decision import CubeDecision
from sheshbesh.engines import Engine, make_engine

SCORES: tuple[dict[str, Any], ...] = (
    {"length": 9, "white": 4, "black": 3, "cube": 2, "owner": "white"},
    {"length": 7, "white": 2, "black": 1, "cube": 2, "owner": "white"},
    {"length": 7, "white": 4, "black": 2},
    {"length": 9, "white": 1, "black": 5},
    {"length": 5, "white": 1, "black": 3},
    {"cube": 2, "owner": "white"},
)
"""What the positions are played at, in turn; the last is money."""

OPEN = (0.5, 0.9)
"""Between which chances to win a double is a question."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision and what a rollout says of it: both equities, with their standard errors."""

    id: str
    match: dict[str, Any]
    no_double: float
    double_take: float
    errors: tuple[float, float]

    @property
    def state(self) -> sb.MatchState:
        """The match that it is asked in."""
        return sb.MatchState(**self.match)

    def decision(self, engine: Engine, plies: int) -> CubeDecision:
        """What the engine says."""
        return engine.cube(engine.variant.position_from_id(self.id), self.state, plies=plies)


def read(file: Path) -> list[Judged]:
    """The judged decisions of a file."""
    with file.open(encoding="utf-8") as lines:
        return [Judged(**json.loads(line)) for line in lines]


def distances(engine: Engine, judged: Sequence[Judged], plies: int) -> list[float]:
    """How far ours are from the rollouts: two for each decision."""
    found = []
    for each in judged:
        ours = each.decision(engine, plies)
        found += [ours.no_double - each.no_double, ours.double_take - each.double_take]
    return found


def rms(distances: Sequence[float]) -> float:
    """The root of their mean square."""
    return sqrt(sum(each * each for each in distances) / len(distances))


def unexplained(distances: Sequence[float], errors: Sequence[float]) -> float:
    """The root of what is left of the mean square without that of the rollouts' standard errors."""
    return sqrt(max(rms(distances) ** 2 - rms(errors) ** 2, 0.0))


def drawn(
    engine: Engine, seed: int, positions: Callable[[Engine, random.Random], Iterator[sb.Position]]
) -> Iterator[tuple[sb.Position, dict[str, Any]]]:
    """Decisions that are a question, without end: each at the next of the scores."""
    found = positions(engine, random.Random(seed))
    return zip(found, cycle(SCORES), strict=False)


def is_open(engine: Engine, position: sb.Position) -> bool:
    """Return True if doubling is a question there."""
    return OPEN[0] < engine.evaluate(position).win < OPEN[1]


def contacts(engine: Engine, chance: random.Random) -> Iterator[sb.Position]:
    """Positions of games of the net against itself in which the sides can still meet, one a game."""
    while True:
        position, met = engine.variant.start("white"), []
        while position.result is None and position.has_contact:
            if position.turn == "white" and is_open(engine, position):
                met.append(position)
            dice = chance.randint(1, 6), chance.randint(1, 6)
            position = engine.choose(position, dice).result
        if met:
            yield chance.choice(met)


def bear_offs(engine: Engine, chance: random.Random) -> Iterator[sb.Position]:
    """Bear-offs of 5 to 15 checkers a side."""
    while True:
        checkers = chance.randint(5, 15)
        sides = [
            [chance.randint(1, 6) for _ in range(min(15, checkers + chance.randint(0, 1)))] for _ in "wb"
        ]
        white, black = ({str(p): side.count(p) for p in set(side)} for side in sides)
        position = engine.variant.position(
            {
                "white": white,
                "white_off": 15 - len(sides[0]),
                "black": {str(25 - int(p)): n for p, n in black.items()},
                "black_off": 15 - len(sides[1]),
            },
            turn="white",
        )
        if is_open(engine, position):
            yield position


def main(arguments: Sequence[str] | None = None) -> int:
    """Roll out and write."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.strength.cube_at_score", description="The cube at a score, rolled out."
    )
    parser.add_argument("--contact", action="store_true", help="positions of games instead of bear-offs")
    parser.add_argument("file", type=Path, help="where to write")
    parser.add_argument("--count", type=int, default=60, help="positions (60)")
    parser.add_argument("--trials", type=int, default=1296, help="trials of each (1,296)")
    parser.add_argument("--seed", type=int, default=38, help="what they are drawn from (38)")
    options = parser.parse_args(arguments)
    engine = make_engine(sb.variant("backgammon"))
    decisions = drawn(engine, options.seed, contacts if options.contact else bear_offs)
    begun = len(read(options.file)) if options.file.exists() else 0
    with options.file.open("a", encoding="utf-8") as lines:
        for position, match in islice(decisions, begun, options.count):
            rolled = engine.rollout_cube(position, sb.MatchState(**match), trials=options.trials)
            ways = (rolled.no_double, rolled.double_take)
            row = {
                "id": position.id,
                "match": match,
                "no_double": round(rolled.decision.no_double, 4),
                "double_take": round(rolled.decision.double_take, 4),
                "errors": [round(float(each.decisive.error), 4) for each in ways],
            }
            lines.write(json.dumps(row) + "\n")
            lines.flush()
    judged = read(options.file)
    errors = [error for each in judged for error in each.errors]
    for plies in (0, 2):
        found = distances(engine, judged, plies)
        print(
            f"{plies}-ply: {rms(found):.4f} rms ({unexplained(found, errors):.4f} unexplained), "
            f"{max(map(abs, found)):.4f} at most, {len(judged)} decisions"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
