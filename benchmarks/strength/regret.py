"""What our choices lose, by our own rollouts: `python -m benchmarks.strength.regret GAME ...`.

Decisions come from games of the raw net with itself, one of each game, drawn from its throws with more
than one play; games are numbered and seeded by their number, with seeds that no training uses. The
choosers are our net at 0, 1 and 2 plies and, in backgammon, gnubg at 0 and 2 (where gnubg-nn is
installed). Where all choose the same play nothing is rolled out and the loss counts as none; so what all
overlook is not seen, and `--near` adds every play that 2-ply sees within that many points of its best.

Where choices differ, the plays are rolled out against each other with common dice, in two halves with
dice of their own. The best play on one half is what choices are measured against on the other half, and
the other way round; the loss is the mean of both. As the best is chosen by other trials than those that
measure it, chance cannot make it look better than it is; a loss may come out negative. The standard error
is that of the mean over decisions, with the noise of the rollouts in it.

But half of the trials do not always find the best play, and against a worse one every choice looks
better: on average the loss comes out too small. `most` is therefore the loss against the play that is
best by the mean of both halves. There chance does make the best look better than it is, so it is on
average too large. On average the true loss lies between the two; both carry the error of the sample
besides. A state that is done is entered again, without a rollout, by `--minutes 0` and the settings it
was made with.

Rollouts play the raw net to the end of the game. `--truncate N` ends them by the static value after N
throws: some times cheaper, and biased towards what the raw net believes, so its losses come out too
small. The page says which it was.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from math import inf, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import sheshbesh as sb
from benchmarks.strength import store
from benchmarks.strength.peer import Gnubg, is_installed
from sheshbesh.engines import RolloutOptions, registry
from sheshbesh.errors import WorkError
from sheshbesh.work import Work

PLIES = (0, 1, 2)
GNUBG_PLIES = (0, 2)
SETTLED = "2-ply, settled"
GNUBG_GAME = "backgammon"
LONGEST = 600
"""Plays after which a game gives no more decisions: some rule sets can lock for ever."""
SAVE_EVERY = 20.0

Decision = tuple[sb.Position, tuple[int, int] | None]


def decision(engine: sb.Engine, seed: int, number: int) -> Decision:
    """A decision of self-play game `number`."""
    chance = random.Random(f"regret {seed} {number}")
    position = engine.variant.start("white" if number % 2 else "black")
    found: list[Decision] = []
    for _ in range(LONGEST):
        if position.result is not None:
            break
        dice = None if position.pending else (chance.randint(1, 6), chance.randint(1, 6))
        if len(position.legal_plays(dice)) > 1:
            found.append((position, dice))
        position = engine.choose(position, dice).result
    return chance.choice(found)


class PlyComparison:
    """The choosers of one game, and how their choices are judged."""

    def __init__(self, game: sb.Variant, found: registry.Found, options: argparse.Namespace) -> None:
        self.found = found
        self.engine = sb.engine(game, net=found.manifest.path)
        self.options = options
        self.peer = Gnubg() if game.name == GNUBG_GAME and is_installed() else None
        self.key = {
            "net": found.manifest.sha256,
            "rules": game.fingerprint,
            "seed": options.seed,
            "trials": options.trials,
            "truncate": options.truncate,
            "luck": options.luck,
            "near": options.near,
            "settled": options.settled,
            "peer": None if self.peer is None else self.peer.version,
        }

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        # The other process makes its own choosers.
        return PlyComparison, (self.engine.variant, self.found, self.options)

    def record(self, number: int) -> dict[str, Any]:
        """What became of decision `number`: each chooser's play, and its loss where they differ."""
        position, dice = decision(self.engine, self.options.seed, number)
        chosen, near = self._choices(position, dice)
        plays = list(dict.fromkeys([*chosen.values(), *near]))
        about = {
            "position": position.id,
            "dice": dice,
            "choices": {name: play.notation for name, play in chosen.items()},
        }
        if len(plays) == 1:
            return about
        halves = [self._roll_out(plays, 2 * number + half) for half in (0, 1)]
        losses = dict.fromkeys(chosen, 0.0)
        for judge, measure in (halves, halves[::-1]):
            best = max(plays, key=lambda play: judge[play])
            for name, play in chosen.items():
                losses[name] += (measure[best] - measure[play]) / 2
        equities = {play.notation: [round(half[play], 5) for half in halves] for play in plays}
        return {**about, "equities": equities, "losses": losses}

    def _choices(
        self, position: sb.Position, dice: tuple[int, int] | None
    ) -> tuple[dict[str, sb.Play], list[sb.Play]]:
        ranked = {plies: self.engine.rank(position, dice, plies=plies) for plies in PLIES}
        chosen = {f"{plies}-ply": found[0].play for plies, found in ranked.items()}
        if self.options.settled:
            settled = self.engine.settle(ranked[PLIES[-1]])
            chosen[SETTLED] = settled[0].play if settled else ranked[PLIES[-1]][0].play
        if self.peer is not None and dice is not None:
            plays = position.legal_plays(dice)
            for plies in GNUBG_PLIES:
                chosen[f"gnubg {plies}-ply"] = plays[self.peer.choose(position._core, *dice, plies)[0]]
        deepest = ranked[PLIES[-1]]
        limit = deepest[0].equity - self.options.near
        near = [each.play for each in deepest if each.plies == deepest[0].plies and each.equity > limit]
        return chosen, near if self.options.near > 0 else []

    def _roll_out(self, plays: Sequence[sb.Play], seed: int) -> dict[sb.Play, float]:
        options = RolloutOptions(
            trials=self.options.trials // 2,
            truncate=self.options.truncate,
            luck=self.options.luck,
            seed=self.options.seed << 32 | seed,
        )
        found = self.engine.rollout_plays(plays, options=options, threads=self.options.threads)
        return {each.play: float(each.equity) for each in found}


def summary(records: Sequence[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """By chooser, in thousandths of a point: the mean loss, `most`, and the standard errors of both."""
    names = list(dict.fromkeys(name for record in records for name in record["choices"]))
    found = {}
    for name in names:
        asked = [record for record in records if name in record["choices"]]
        losses = [1000 * record.get("losses", {}).get(name, 0.0) for record in asked]
        largest = [1000 * _most(record, name) for record in asked]
        found[name] = {
            "loss": round(fmean(losses), 3),
            "error": round(_error(losses), 3),
            "most": round(fmean(largest), 3),
            "most_error": round(_error(largest), 3),
            "decisions": len(losses),
        }
    return found


def _error(values: Sequence[float]) -> float:
    """The standard error of the mean."""
    return stdev(values) / sqrt(len(values)) if len(values) > 1 else inf


def _most(record: dict[str, Any], name: str) -> float:
    """What a chooser lost against the best by the mean of both halves; nothing without a rollout."""
    means = {notation: fmean(halves) for notation, halves in record.get("equities", {}).items()}
    return max(means.values()) - means[record["choices"][name]] if means else 0.0


def _record(number: int, study: PlyComparison) -> dict[str, Any]:
    return study.record(number)


def measure(
    game: sb.Variant, found: registry.Found, options: argparse.Namespace, work: Work
) -> list[dict[str, Any]]:
    """Judge decisions until there are enough or the time is up, going on from what the state holds."""
    study = PlyComparison(game, found, options)
    state = store.State(options.state / "regret", game.name, study.key)
    records: list[dict[str, Any]] = state.done.setdefault("records", [])
    known = len(records)
    begun = saved = time.monotonic()

    def is_time_up() -> bool:
        return bool(time.monotonic() - begun >= 60 * options.minutes)

    missing = () if is_time_up() else range(known, options.decisions)
    try:
        with work.map(_record, missing, study, stop=is_time_up) as results:
            for record in results:
                records.append(record)
                if time.monotonic() - saved > SAVE_EVERY:
                    state.save()
                    saved = time.monotonic()
                    said = f"\r{game.name}: {len(records)} of {options.decisions}"
                    print(said, end="", file=sys.stderr, flush=True)
                if is_time_up():
                    break
    except WorkError:
        state.save()
        raise
    if len(records) > known:
        # Not else: the file may hold what was done with other settings.
        state.save()
    done = records[: options.decisions]
    if done:
        _enter(game, study, found.manifest, done, options.out, is_new=len(records) > known)
    return done


def _enter(
    game: sb.Variant,
    study: PlyComparison,
    net: registry.Manifest,
    done: Sequence[dict[str, Any]],
    folder: Path,
    *,
    is_new: bool,
) -> None:
    """Enter a game; what was not measured now keeps the machine and the day on which it was."""
    content = {
        **store.described(net),
        **{
            name: study.key[name]
            for name in ("seed", "trials", "truncate", "luck", "near", "settled", "peer")
        },
        "decisions": len(done),
        "rolled_out": sum("losses" in record for record in done),
    }
    before = store.entered("regret", game.name, folder)
    if not is_new and all(before.get(name) == value for name, value in content.items()):
        content |= {"machine": before["machine"], "date": before["date"]}
    store.enter_game("regret", game, {**content, "choosers": summary(done)}, folder)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what was asked for; print and enter each game."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.strength.regret", description="What choices lose, by rollouts."
    )
    parser.add_argument("games", nargs="*", default=sb.variants(), metavar="GAME")
    parser.add_argument("--decisions", type=int, help="number of decisions (300 in backgammon, else 200)")
    parser.add_argument(
        "--minutes", type=float, default=inf, help="stop each game after this many; 0: enter what is there"
    )
    parser.add_argument("--trials", type=int, default=1296, help="of each play, both halves (1296)")
    parser.add_argument("--truncate", type=int, default=0, help="throws until the static value (0: none)")
    parser.add_argument("--luck", default="sifted", choices=("full", "sifted", "none"))
    parser.add_argument("--near", type=float, default=0.0, help="add plays so near to the best of 2-ply (0)")
    parser.add_argument(
        "--settled",
        action="store_true",
        help="a chooser more: 2-ply, what it leaves open rolled out, cut short",
    )
    parser.add_argument("--threads", type=int, default=1, help="of each process, for the rollouts")
    store.add_work_options(parser)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nets", nargs="+", default=(), type=Path, help="folders with nets of one's own")
    parser.add_argument("--state", type=Path, default=store.STATE, help="where a stopped run goes on from")
    parser.add_argument("--out", type=Path, default=store.RESULTS, help="the folder of results")
    options = parser.parse_args(arguments)
    wanted = options.decisions
    with store.opened_work(options) as work:
        _measure_all(options, wanted, work)
    return 0


def _measure_all(options: argparse.Namespace, wanted: int | None, work: Work) -> None:
    for name in options.games:
        game = sb.variant(name)
        found = store.own_net(game, options.nets)
        if isinstance(found, str):
            print(f"{name}: {found}")
            continue
        options.decisions = wanted or (300 if name == GNUBG_GAME else 200)
        records = measure(game, found, options, work)
        if not records:
            print(f"{name}: nothing has been measured with this net and these settings")
            continue
        said = [
            f"{each} {row['loss']:.2f} ± {row['error']:.2f} to {row['most']:.1f}"
            for each, row in summary(records).items()
        ]
        print(f"\r{name:<14} {len(records)} decisions, mEq: {', '.join(said)}", flush=True)


if __name__ == "__main__":
    # By its name, since other machines know nothing of this process's `__main__`.
    from benchmarks.strength import regret

    sys.exit(regret.main())
