"""What each level loses in each game: `python -m benchmarks.strength.levels`.

The level plays against itself from the start of the game. At every decision with more than one legal
play a judge, the engine looking `--judge` plies ahead, ranks the plays; the loss is how far the one
that was made is behind the best, both as deep as the judge looks. Only levels that look less deep than
the judge are measured: it cannot show errors smaller than its own. For the others `--rolled-out` enters
what their choices lose by the rollouts of `benchmarks.strength.regret`, for nets that are shipped now: the
middle between its two numbers, where one below nothing, which chance alone makes, counts as nothing.

Whole games are counted until the decisions suffice, eight at least, and the standard error is that of
the mean over games, whose decisions depend on each other. Games are numbered and seeded by their
number, so a run that was stopped goes on where it was (`--state`) and ends with the same numbers, as long
as net, rules, judge, seed and the level itself are the same. The result goes into `levels.json` of the
engine, game by game, with net, machine and day; `--decisions` makes it cheaper or finer.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import sheshbesh as sb
from benchmarks.strength import store
from sheshbesh.engines import LEVELS, Level
from sheshbesh.engines.measure.speed import processor
from sheshbesh.engines.strength import levels
from sheshbesh.engines.strength.levels import Weakness

STATE = store.STATE / "levels"
GAMES = 8
"""At least this many games, so that there is a standard error."""

LONGEST = 600
"""Plays after which a game is given up: some rule sets can lock for ever."""


@dataclass
class Tally:
    """The games measured so far of one level in one game: the loss and the decisions of each."""

    losses: list[float] = field(default_factory=list)
    decisions: list[int] = field(default_factory=list)

    @property
    def total(self) -> int:
        """All decisions so far."""
        return sum(self.decisions)

    @property
    def mean(self) -> float:
        """The loss at a decision on average."""
        return sum(self.losses) / max(self.total, 1)

    @property
    def standard_error(self) -> float:
        """That of the mean, by games: the ratio estimator."""
        games, mean = len(self.losses), self.mean
        if games < 2:
            return math.inf
        rows = zip(self.losses, self.decisions, strict=True)
        squares = sum((loss - mean * count) ** 2 for loss, count in rows)
        return math.sqrt(squares * games / (games - 1)) / max(self.total, 1)


def measure_game(player: sb.Engine, judge: sb.Engine, number: int) -> tuple[float, int]:
    """Play game `number` of the level against itself; what it lost, and at how many decisions."""
    chance = random.Random(f"levels {number}")
    position = player.variant.start("white" if number % 2 else "black")
    loss, decisions = 0.0, 0
    for _ in range(LONGEST):
        if position.result is not None:
            break
        dice = None if position.pending else (chance.randint(1, 6), chance.randint(1, 6))
        plays = position.legal_plays(dice)
        played = plays[0] if len(plays) == 1 else player.choose(position, dice)
        if len(plays) > 1:
            loss += lost(judge, position, dice, played)
            decisions += 1
        position = played.result
    return loss, decisions


def lost(judge: sb.Engine, position: sb.Position, dice: Sequence[int] | None, played: sb.Play) -> float:
    """How far a play is behind the best, both as deep as the judge looks."""
    ranked = judge.rank(position, dice)
    best = ranked[0]
    found = next(each for each in ranked if each.play == played)
    if found.plies == best.plies:
        return best.equity - found.equity
    after = judge.evaluate(played.result)
    equity = after.equity if played.result.turn is position.turn else -after.equity
    # A play that the judge's filter had left out may turn out to be the best after all.
    return max(best.equity - equity, 0.0)


def measure(player: sb.Engine, level: Level, options: argparse.Namespace) -> Tally:
    """Measure one level in the player's game, going on from what the state file holds."""
    game = player.variant
    key = {
        "net": player.net.sha256,
        "rules": game.fingerprint,
        "judge": options.judge,
        "seed": options.seed,
        "level": {"plies": level.plies, **asdict(level.weakness)},
    }
    state = store.State(options.state, f"{game.name}-{level.name}", key)
    tally = Tally(**state.done)
    judge = sb.engine(game, plies=options.judge, folders=options.nets)
    while tally.total < options.decisions or len(tally.losses) < GAMES:
        loss, decisions = measure_game(player, judge, len(tally.losses))
        tally.losses.append(loss)
        tally.decisions.append(decisions)
        state.done = asdict(tally)
        state.save()
        share = min(tally.total / options.decisions, 1.0)
        print(f"\r{game.name} {level.name}: {share:4.0%}", end="", file=sys.stderr, flush=True)
    return tally


def enter(file: Path, player: sb.Engine, level: Level, tally: Tally, judge: int) -> None:
    """Enter one result into the file that the engine reads."""
    game, known = player.variant, store.read(file)
    entry: dict[str, Any] = known.setdefault(game.fingerprint, {"game": game.name, "levels": {}})
    entry["levels"][level.name] = {
        "loss": round(tally.mean, 5),
        "standard_error": round(tally.standard_error, 5),
        "decisions": tally.total,
        "judge_plies": judge,
        "net": player.net.sha256,
        "machine": processor(),
        "date": store.today(),
    }
    store.write(file, known)


def enter_rolled_out(file: Path, regret: dict[str, Any], judge: int) -> None:
    """Enter the levels that look as deep as the judge or deeper, where rollouts have judged their choices."""
    known = store.read(file)
    for name, measured in regret.items():
        game = sb.variant(name)
        if not store.is_shipped(measured["net"], name):
            continue
        entry: dict[str, Any] = known.setdefault(game.fingerprint, {"game": name, "levels": {}})
        for level in LEVELS:
            row = measured["choosers"].get(f"{level.plies}-ply")
            # What a level rolls out besides is not what these choosers did.
            if level.plies < judge or level.weakness != Weakness() or level.settles or row is None:
                continue
            entry["levels"][level.name] = {
                "loss": round((max(row["loss"], 0.0) + row["most"]) / 2000, 5),
                "standard_error": round(row["most_error"] / 1000, 5),
                "decisions": row["decisions"],
                "judge_plies": None,
                "net": measured["net"],
                "machine": measured["machine"],
                "date": measured["date"],
            }
    store.write(file, known)


def main(arguments: list[str] | None = None) -> int:
    """Measure what was asked for; print and enter each result when it is there."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.strength.levels", description="Measure what the levels lose."
    )
    parser.add_argument("--games", nargs="+", default=sb.variants(), metavar="GAME")
    parser.add_argument("--levels", nargs="+", default=levels.names(), choices=levels.names())
    parser.add_argument("--decisions", type=int, default=400, help="at least this many of each (400)")
    parser.add_argument("--judge", type=int, default=2, help="plies the judge looks ahead (2)")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the levels' errors")
    parser.add_argument("--nets", nargs="+", default=(), type=Path, help="folders with nets of one's own")
    parser.add_argument("--state", type=Path, default=STATE, help="where a stopped run goes on from")
    parser.add_argument("--out", type=Path, default=levels.measured_file, help="the file of results")
    parser.add_argument(
        "--rolled-out",
        action="store_true",
        help="enter what regret.json says of the deepest levels; no games",
    )
    options = parser.parse_args(arguments)
    if options.rolled_out:
        enter_rolled_out(options.out, store.read(store.RESULTS / "regret.json"), options.judge)
        return 0
    for name in options.games:
        game = sb.variant(name)
        for level in LEVELS:
            if level.name not in options.levels or level.plies >= options.judge:
                continue
            player = sb.engine(game, level=level, seed=options.seed, folders=options.nets)
            tally = measure(player, level, options)
            enter(options.out, player, level, tally, options.judge)
            said = f"{1000 * tally.mean:6.1f} ± {1000 * tally.standard_error:.1f} mEq"
            print(f"\r{name:<14} {level.name:<10} {said}  ({tally.total} decisions)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
