"""Whether nets expect what comes: `python -m benchmarks.strength.calibration [GAME ...]`.

A net plays itself (raw, no exploring). In each position the chances that it sees one ply ahead are held
against what came of the game from there, with the luck of all throws taken out (docs/dev/training.md,
lambda 1): on average exactly what would come of many games, whatever the net believes. Needs the extra
`train`. Means over all positions:

* wins: the chance to win that it states less the one it had;
* equity: the points that it expects less those it got;
* worth: the points at stake, whoever wins them, that it expects less those that changed hands. A net whose
  gammons are too rare is out here even where its wins are right, and so in its cube and at a score;
* start: the same where games begin, as far as it can be from what came.

Games are played in numbered batches, so a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, stdev

import numpy as np

import sheshbesh as sb
from benchmarks.strength import store
from sheshbesh.engines import registry
from sheshbesh.training.coverage import Coverage
from sheshbesh.training.play import Order, play_games

BATCH = 20
LONGEST = 1000
KINDS = ("wins", "equity", "worth", "start")


def batch(game: sb.Variant, net: bytes, seed: int, number: int) -> list[float]:
    """What one batch says: the means of `KINDS`, and the mean worth of its games."""
    expected, came = (
        play_games(
            Order(
                game,
                number=0,
                games=BATCH,
                seed=seed * 1_000_000 + number,
                decay=decay,
                explore=0.0,
                random_plies=0,
                longest_game=LONGEST,
                keep=1.0,
                plies=1,
            ),
            net,
        )
        for decay in (0.0, 1.0)
    )
    assert np.array_equal(expected.slots, came.slots), "both are the same games"
    points = np.array(Coverage((game,), 0.0).money())
    wins = np.array(points > 0, np.float64) + 0.5 * (points == 0)
    off = expected.targets - came.targets
    start = np.all(expected.slots == expected.slots[0], axis=1)
    at_stake = off @ np.abs(points)
    means = (off @ wins, off @ points, at_stake, at_stake[start], came.targets[start] @ np.abs(points))
    return [float(mean.mean()) for mean in means]


def measure(game: sb.Variant, found: registry.Found, options: argparse.Namespace) -> dict[str, object]:
    """All batches of a game, going on from what the state holds, and what is entered for them."""
    net = found.manifest.path.read_bytes()
    key = {"net": found.manifest.sha256, "rules": game.fingerprint, "seed": options.seed}
    state = store.State(options.state / "calibration", game.name, key)
    done: list[list[float]] = state.done.get("batches", [])
    wanted = -(-options.games // BATCH)
    while len(done) < wanted:
        done.append(batch(game, net, options.seed, len(done)))
        state.done = {"batches": done}
        state.save()
    columns = list(zip(*done, strict=True))
    entry: dict[str, object] = {
        **store.described(found.manifest),
        "seed": options.seed,
        "games": BATCH * len(done),
        "mean_worth": round(fmean(columns[-1]), 4),
    }
    for kind, values in zip(KINDS, columns, strict=False):
        entry[kind] = round(fmean(values), 6)
        entry[f"{kind}_error"] = round(stdev(values) / len(values) ** 0.5, 6)
    return entry


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what was asked for; print and enter each game when it is done."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.strength.calibration", description="Whether nets expect what comes."
    )
    parser.add_argument("which", nargs="*", metavar="GAME", help="games (all)")
    parser.add_argument("--games", type=_games, default=400, help="games with each, at least 40 (400)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nets", nargs="+", default=(), type=Path, help="folders with nets of one's own")
    parser.add_argument("--state", type=Path, default=store.STATE, help="where a stopped run goes on from")
    parser.add_argument("--out", type=Path, default=store.RESULTS, help="the folder of results")
    options = parser.parse_args(arguments)
    for name in options.which or sb.variants():
        game = sb.variant(name)
        found = store.own_net(game, options.nets)
        if isinstance(found, str):
            print(f"{name}: {found}")
            continue
        entry = measure(game, found, options)
        store.enter_game("calibration", game, entry, options.out)
        said = [f"{kind} {entry[kind]:+.4f} ± {entry[f'{kind}_error']:.4f}" for kind in KINDS]
        print(f"{name:<14} {', '.join(said)}", flush=True)
    return 0


def _games(text: str) -> int:
    if (games := int(text)) < 2 * BATCH:
        raise argparse.ArgumentTypeError(f"at least {2 * BATCH}")
    return games


if __name__ == "__main__":
    sys.exit(main())
