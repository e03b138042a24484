"""Every net against chance and the hand-written players: `python -m benchmarks.strength.duels`.

The raw net (0-ply, for money, without bear-off databases) plays pairs of mirrored games: both games of a
pair have the same dice, with the seats exchanged. The share of points is what it won of all points
that either side won. Targets: 97 % against chance, 70 % against the best of the hand-written three,
which is the one that it does worst against.

With `--plies` the net looks ahead: where the raw net misses a target and a player who looks two plies
further does hardly better, it is likely the dice and not the net. Such results are kept apart.

Pairs are numbered and seeded by their number, so a run that was stopped goes on where it was, and a
longer run begins with the shorter one's pairs. With `--against` some opponents are played alone; what
is known of the others with the same net and seed stays.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sheshbesh as sb
from benchmarks.strength import store
from sheshbesh import _core
from sheshbesh.engines import registry, written
from sheshbesh.engines.measure.score import Score
from sheshbesh.work import Work

CHANCE = "random"
CHUNK = 100
"""Pairs played between two savings."""

AGAINST_CHANCE = 0.97
AGAINST_BEST = 0.70


def _kind(plies: int) -> str:
    """Where results are kept."""
    return f"duels-{plies}-ply" if plies else "duels"


def opponent(name: str, game: sb.Variant) -> _core.Player:
    """Who is played against."""
    return _core.Player.random(game._core) if name == CHANCE else written.player(name, game)


@dataclass(frozen=True)
class Duel:
    """A net against one opponent: what all parts of it share."""

    game: sb.Variant
    found: registry.Found
    name: str
    plies: int
    seed: int

    def play(self, first: int, count: int) -> Score:
        """Pairs number first, first + 1, ... of the duel."""
        ours = _core.Player.net(self.found.load(), self.game._core, plies=self.plies)
        theirs = opponent(self.name, self.game)
        return Score.of(ours.duel(theirs, pairs=count, first_pair=first, seed=self.seed))


def _pairs(part: tuple[int, int], duel: Duel) -> Score:
    return duel.play(*part)


def measure(
    game: sb.Variant, found: registry.Found, name: str, options: argparse.Namespace, work: Work
) -> Score:
    """The score of a net against one opponent, going on from what the state holds."""
    key = {"net": found.manifest.sha256, "rules": game.fingerprint, "seed": options.seed, "against": name}
    if options.plies:
        key["plies"] = options.plies
    if name != CHANCE:
        key["weights"] = list(written.weights(name, game))
    state = store.State(options.state / _kind(options.plies), f"{game.name}-{name}", key)
    score = Score(**state.done)
    firsts = range(score.pairs, options.pairs, CHUNK)
    parts = [(first, min(CHUNK, options.pairs - first)) for first in firsts]
    duel = Duel(game, found, name, options.plies, options.seed)
    with work.map(_pairs, parts, duel) as results:
        for part in results:
            score += part
            state.done = score.as_dict()
            state.save()
    return score


def result(
    scores: dict[str, Score], found: registry.Found, seed: int, before: dict[str, Any]
) -> dict[str, Any]:
    """What is entered for a game.

    Opponents who were not played now are kept from the entry `before`, if net and seed are the same. The
    best of the written players is named only once all three were played.
    """
    same = before.get("net") == found.manifest.sha256 and before.get("seed") == seed
    against = dict(before["against"]) if same else {}
    against |= {
        name: {
            "share": round(score.share, 5),
            "share_error": round(score.share_error, 5),
            "per_game": round(score.per_game, 5),
            "error": round(score.error, 5),
            "games": 2 * score.pairs,
            "ties": score.ties,
        }
        for name, score in scores.items()
    }
    complete = all(name in against for name in written.PLAYERS)
    best = min(written.PLAYERS, key=lambda name: against[name]["share"]) if complete else None
    return {**store.described(found.manifest), "seed": seed, "best": best, "against": against}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what was asked for; print and enter each game when it is done."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.strength.duels", description="Nets against chance and written players."
    )
    parser.add_argument("--games", nargs="+", default=sb.variants(), metavar="GAME")
    parser.add_argument("--against", nargs="+", default=(CHANCE, *written.PLAYERS), metavar="NAME")
    parser.add_argument("--pairs", type=int, default=5000, help="pairs of games with each (5000)")
    parser.add_argument("--plies", type=int, default=0, choices=(0, 1, 2), help="how deep the net looks (0)")
    parser.add_argument("--seed", type=int, default=1)
    store.add_work_options(parser)
    parser.add_argument("--nets", nargs="+", default=(), type=Path, help="folders with nets of one's own")
    parser.add_argument("--state", type=Path, default=store.STATE, help="where a stopped run goes on from")
    parser.add_argument("--out", type=Path, default=store.RESULTS, help="the folder of results")
    options = parser.parse_args(arguments)
    with store.opened_work(options) as work:
        _measure_all(options, work)
    return 0


def _measure_all(options: argparse.Namespace, work: Work) -> None:
    for name in options.games:
        game = sb.variant(name)
        found = store.own_net(game, options.nets)
        if isinstance(found, str):
            print(f"{name}: {found}")
            continue
        scores = {each: measure(game, found, each, options, work) for each in options.against}
        kind = _kind(options.plies)
        before = store.entered(kind, name, options.out)
        store.enter_game(kind, game, result(scores, found, options.seed, before), options.out)
        said = [
            f"{each} {100 * score.share:.2f} ± {100 * score.share_error:.2f} %"
            for each, score in scores.items()
        ]
        print(f"{name:<14} {', '.join(said)}", flush=True)


if __name__ == "__main__":
    # By its name, since other machines know nothing of this process's `__main__`.
    from benchmarks.strength import duels

    sys.exit(duels.main())
