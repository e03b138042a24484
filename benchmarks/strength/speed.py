"""Speed, beside gnubg-nn's in the same run: `python -m benchmarks.strength.speed`.

All times are processor time of one thread. The rounds of both engines take turns, each on positions
neither has seen (gnubg remembers what it has valued), and the best round of each counts: what else the
machine does falls on both. Before anything is timed the work is checked: the values of our net have the
same bits on every instruction set, gnubg's are probabilities, and its plays are among ours.

* *raw evaluations*: positions valued a second, features included, in batches of 20, about what a throw
  has candidates; the net has at least 400,000 parameters. gnubg's rate is the better of two ways to use
  it: `probabilities(board, 0)` for each position, and `best_move(board, ..., n=0)` times the candidates.
* *decisions*: a throw of a game in play to the chosen play, through Python, 0-ply and 2-ply.
* *rollout*: whole games at 0 plies with variance reduction, from the start of the game. gnubg's own
  figure is 23 to 34 games a second and core (its full rollouts), here taken as 30; the
  rollout of gnubg-nn, without variance reduction, is no match for it. Games a second alone do not say how
  fast an error shrinks, so the errors of all three ways to take the luck out are entered beside them.
* *cube*: `Engine.cube` in positions of games with the cube in the middle.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import sheshbesh as sb
from benchmarks.strength import store
from benchmarks.strength.peer import Gnubg, board, is_installed
from sheshbesh import _core
from sheshbesh.engines import RolloutOptions, written

ROUNDS = 5
DECISIONS = 1500
"""Decisions of a round; about twenty positions each."""

BATCH = 20
GNUBG_ROLLOUT = 30.0
DEEP = 400_000

Asked = tuple[_core.State, int, int]


class WorkError(Exception):
    """What was to be timed has not been done, or not rightly."""


def decisions(count: int, seed: int) -> list[Asked]:
    """Throws with a choice, from games of a hand-written player with itself."""
    game = sb.variant("backgammon")
    core, chance = game.core, random.Random(f"speed {seed}")
    player = written.player("careful", game)
    found: list[Asked] = []
    state = _core.start(core, black_starts=False)
    while len(found) < count:
        asked = (state, chance.randint(1, 6), chance.randint(1, 6))
        plays = _core.legal_plays(core, *asked)
        if len(plays) > 1:
            found.append(asked)
        # One play in ten is any: the games shall not be all alike.
        any_play = chance.random() < 0.1
        state = plays.after(chance.randrange(len(plays)) if any_play else player.choose([asked])[0])
        if _core.result(core, state)[1]:
            state = _core.start(core, black_starts=False)
    return found


def reached(asked: Sequence[Asked]) -> list[_core.State]:
    """The positions after all plays, each once, those where the game is over left out."""
    core = sb.variant("backgammon").core
    found: dict[_core.State, None] = {}
    for each in asked:
        plays = _core.legal_plays(core, *each)
        for i in range(len(plays)):
            after = plays.after(i)
            if not _core.result(core, after)[1]:
                found[after] = None
    return list(found)


def timed(work: Callable[[], int]) -> float:
    """Units a second."""
    begun = time.process_time()
    done = work()
    return done / max(time.process_time() - begun, 1e-9)


class Rates:
    """The best rate of each thing measured."""

    def __init__(self) -> None:
        self.best: dict[str, float] = {}

    def take(self, name: str, work: Callable[[], int]) -> None:
        """Time it once more."""
        self.best[name] = max(self.best.get(name, 0.0), timed(work))


def raw(net: _core.Net, peer: Gnubg | None) -> dict[str, Any]:
    """Raw evaluations a second on every instruction set, and gnubg's."""
    core, rates, usual = sb.variant("backgammon").core, Rates(), _core.active_isa()
    for number in range(ROUNDS):
        asked = decisions(DECISIONS, number)
        half = len(asked) // 2
        states = reached(asked[:half])
        hashes = set()
        for isa in _core.isas():
            _core.force_isa(isa)
            hashes.add(_core.hash_values(net, core, states[: 100 * BATCH], BATCH)[1])
            rates.take(isa, lambda: _core.hash_values(net, core, states, BATCH, 3)[0])  # noqa: B023
        _core.force_isa(usual)
        if len(hashes) != 1:
            raise WorkError("the values differ between instruction sets")
        if peer is not None:
            _check_peer(peer, asked[half : half + 20])
            boards = [board(state) for state in states]
            rates.take("gnubg, probabilities", lambda: _probabilities(peer, boards))  # noqa: B023
            throws = [(board(state), *dice) for state, *dice in asked[half + 20 :]]
            candidates = sum(len(_core.legal_plays(core, *each)) for each in asked[half + 20 :])
            rates.take("gnubg, best_move", lambda: _plays(peer, throws, candidates))  # noqa: B023
    theirs = max((rate for name, rate in rates.best.items() if name.startswith("gnubg")), default=None)
    return {
        "per_second": {name: round(rate) for name, rate in rates.best.items()},
        "ratios": {isa: round(rates.best[isa] / theirs, 3) for isa in _core.isas()} if theirs else {},
    }


def _check_peer(peer: Gnubg, asked: Sequence[Asked]) -> None:
    for each in asked:
        _, after = peer.choose(*each, 0)
        win, *others = peer.module.probabilities(board(after), 0)
        if not 0 <= max(others) <= 1 or not 0 <= win <= 1:
            raise WorkError(f"gnubg's values are no probabilities: {board(after)}")


def _probabilities(peer: Gnubg, boards: Sequence[Any]) -> int:
    evaluate = peer.module.probabilities
    for each in boards:
        evaluate(each, 0)
    return len(boards)


def _plays(peer: Gnubg, throws: Sequence[Any], candidates: int) -> int:
    best_move = peer.module.best_move
    for position, first, second in throws:
        best_move(position, first, second)
    return candidates


def choosing(net: _core.Net, peer: Gnubg | None, count: int) -> dict[str, Any]:
    """Milliseconds a decision, ours and gnubg's: mean at 0 plies, mean and median at 2."""
    core = sb.variant("backgammon").core
    asked = decisions(20 * count, 99)
    player = _core.Player.net(net, core)
    found: dict[str, Any] = {"0-ply": 1000 / timed(lambda: len(player.choose(asked)))}
    if peer is not None:
        found["0-ply gnubg"] = 1000 / timed(lambda: sum(peer.choose(*each, 0)[0] >= 0 for each in asked))
    deep = _core.Player.net(net, core, plies=2)
    spent = [1000 / timed(lambda: len(deep.choose([each]))) for each in asked[::20]]  # noqa: B023
    found |= {"2-ply": statistics.mean(spent), "2-ply median": statistics.median(spent)}
    if peer is not None:
        spent = [1000 / timed(lambda: peer.choose(*each, 2)[0] >= 0) for each in asked[::20]]  # noqa: B023
        found |= {"2-ply gnubg": statistics.mean(spent), "2-ply gnubg median": statistics.median(spent)}
    return {name: round(value, 4) for name, value in found.items()}


def rolling(engine: sb.Engine, trials: int) -> dict[str, Any]:
    """Whole games a second of a 0-ply rollout with variance reduction, and what its error is worth."""
    start = engine.variant.start()
    rates, errors = {}, {}
    for luck in ("full", "sifted", "none"):
        options = RolloutOptions(trials=trials, luck=luck, seed=1)
        begun = time.process_time()
        found = engine.rollout(start, options=options)
        rates[luck] = round(found.trials / (time.process_time() - begun), 1)
        errors[luck] = round(found.equity.error, 6)
        if found.trials < trials or not found.finished:
            raise WorkError(f"{found.trials} trials were rolled out, not {trials}")
    times = {luck: round(rate / GNUBG_ROLLOUT, 2) for luck, rate in rates.items()}
    return {"games_per_s": rates, "errors": errors, "trials": trials, "times_gnubg": times}


def cube(engine: sb.Engine, count: int) -> dict[str, Any]:
    """Milliseconds of a cube decision: mean, median and longest, at 0 and at 2 plies."""
    asked = decisions(20 * count, 7)[::20]
    positions = [engine.variant.start().with_core(state) for state, *_ in asked]
    found = {}
    for plies in (0, 2):
        spent = []
        for position in positions:
            begun = time.process_time()
            decision = engine.cube(position, plies=plies)
            spent.append(1000 * (time.process_time() - begun))
            if decision.action not in ("double", "no_double", "too_good"):
                raise WorkError(f"no cube decision: {decision}")
        found[f"{plies}-ply"] = {
            "mean": round(statistics.mean(spent), 3),
            "median": round(statistics.median(spent), 3),
            "longest": round(max(spent), 3),
        }
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and enter."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength.speed", description="Speed.")
    parser.add_argument("--nets", nargs="+", default=(), type=Path, help="folders with nets of one's own")
    parser.add_argument("--decisions", type=int, default=100, help="of each slow kind (100)")
    parser.add_argument("--trials", type=int, default=1296, help="of each rollout (1296)")
    parser.add_argument("--out", type=Path, default=store.RESULTS, help="the folder of results")
    options = parser.parse_args(arguments)
    game = sb.variant("backgammon")
    found = store.own_net(game, options.nets)
    if isinstance(found, str):
        print(f"backgammon: {found}")
        return 1
    net = found.load()
    if net.parameters < DEEP:
        print(f"the net has {net.parameters:,} parameters: no deep net")
        return 1
    peer = Gnubg() if is_installed() else None
    engine = sb.engine(game, folders=options.nets)
    parts: dict[str, Callable[[], dict[str, Any]]] = {
        "raw evaluations": lambda: raw(net, peer),
        "decisions": lambda: choosing(net, peer, options.decisions),
        "rollout": lambda: rolling(engine, options.trials),
        "cube": lambda: cube(engine, options.decisions),
    }
    about = {**store.described(found.manifest), "parameters": net.parameters}
    about["peer"] = f"gnubg-nn {peer.version}" if peer is not None else None
    for name, part in parts.items():
        content = part()
        store.enter("speed", name, {**about, **content}, options.out)
        print(name, content, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
