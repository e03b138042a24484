"""Measure how far the difference between two candidates changes when both are looked at deeper.

    python -m benchmarks.strength.precision [GAME ...] [--decisions 40] [--seed 1]

Decisions come from games of the raw net. The two best plays at 0 plies are valued at 0, 1, 2 and, for
`--deep` of the decisions, 3 plies. The error at a depth is the root mean square of (difference at that depth
less difference at the deepest), per point at stake. Writes src/sheshbesh/engines/strength/precision.json.
"""

from __future__ import annotations

import argparse
from math import fsum, sqrt

import sheshbesh as sb
from benchmarks.strength import store
from sheshbesh.engines import Engine, Outcome
from sheshbesh.engines.explain.verdict import unit_of
from sheshbesh.engines.measure.signature import throws
from sheshbesh.engines.strength.levels import precision_file
from sheshbesh.rules import Position


def value(engine: Engine, after: Position, mover: sb.Side, plies: int) -> Outcome:
    """The outcome of a position for the side that made the play leading to it."""
    outcome = engine.evaluate(after, plies=plies)
    return outcome if after.turn is mover else outcome.flipped()


def measure(game: str, decisions: int, deep: int, seed: int) -> dict[str, object]:
    """The errors at 0, 1 and 2 plies: against the deepest that was looked at."""
    engine = sb.engine(game)
    asked = throws(sb.variant(game), 6 * decisions, seed=seed, every=3, engine=engine)
    shallow: dict[int, list[float]] = {0: [], 1: [], 2: []}
    for position, dice in asked:
        ranked = engine.rank(position, dice, plies=0)
        if len(ranked) < 2 or len(shallow[0]) == decisions:
            continue
        pair = [each.play.result for each in ranked[:2]]
        unit = unit_of(ranked[0].outcome)
        depths = 4 if len(shallow[2]) < deep else 3
        found = []
        for plies in range(depths):
            first, second = (value(engine, after, position.turn, plies).equity for after in pair)
            found.append((first - second) / unit)
        for plies in range(depths - 1):
            shallow[plies].append(found[-1] - found[plies])
    errors = {
        str(plies): round(sqrt(fsum(each * each for each in changes) / len(changes)), 5)
        for plies, changes in shallow.items()
        if changes
    }
    return {"decisions": len(shallow[0]), "deep": len(shallow[2]), "errors": errors, "seed": seed}


def main() -> None:
    """Measure games and write them into the file of the engine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="*", default=sb.variants())
    parser.add_argument("--decisions", type=int, default=40)
    parser.add_argument("--deep", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    for game in chosen.games:
        found = store.read(precision_file)
        net = sb.engine(game).net
        entry = {**measure(game, chosen.decisions, chosen.deep, chosen.seed), "game": game, "net": net.sha256}
        found[sb.variant(game).fingerprint] = entry
        measured = [each for name, each in found.items() if name != "any"]
        found["any"] = {
            "errors": {
                plies: max(each["errors"][plies] for each in measured if plies in each["errors"])
                for plies in ("0", "1", "2")
            }
        }
        store.write(precision_file, found)
        print(game, entry["errors"], flush=True)


if __name__ == "__main__":
    main()
