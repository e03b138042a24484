"""Speed of the environments and of the API on arrays, each beside its yardstick in one run.

    python -m benchmarks.environments [--seconds 2]

A turn is one throw played. open_spiel plays a double as two half-turns; here both count as one turn. All
policies are random over the legal actions. pgx runs on XLA and is no part of the extra `peers`.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from time import perf_counter

import numpy as np

import sheshbesh as sb
from sheshbesh import _core, envs
from sheshbesh.engines import registry

GAME = "backgammon"
MANY = 1024


def _rate(work: Callable[[float], int], seconds: float) -> float:
    work(seconds / 10)
    start = perf_counter()
    done = work(seconds)
    return done / (perf_counter() - start)


def open_spiel(seconds: float) -> int:
    """Turns of open_spiel's backgammon."""
    import pyspiel

    game, below = pyspiel.load_game(GAME), random.Random(1).randrange
    state, turns, end = game.new_initial_state(), 0, perf_counter() + seconds
    throws = later = None
    while perf_counter() < end:
        for _ in range(100):
            if state.is_terminal():
                state = game.new_initial_state()
            if state.is_chance_node():
                if not state.move_number():
                    throws = [outcome for outcome, _ in state.chance_outcomes()]
                elif later is None or throws is None:
                    later = [outcome for outcome, _ in state.chance_outcomes()]
                table = later if state.move_number() and later else throws
                assert table is not None
                state.apply_action(table[below(len(table))])
                turns += 1
            else:
                actions = state.legal_actions()
                state.apply_action(actions[below(len(actions))])
    return turns


def single(seconds: float) -> int:
    """Turns of one game of ours, unwrapped: the core's object."""
    game = _core.Game(sb.variant(GAME)._core, 1, first_double=False)
    below, step, reset = random.Random(1).random, game.step, game.reset
    legal, turns, end = game.actions, 0, perf_counter() + seconds
    while perf_counter() < end:
        for _ in range(1000):
            legal = step(int(below() * legal)) or reset()
        turns += 1000
    return turns


def wrapped(seconds: float) -> int:
    """Turns of the Gymnasium environment, the opponent's included."""
    env, below = envs.gym(GAME, opponent="random"), random.Random(1).randrange
    _, info = env.reset(seed=1)
    turns, end = 0, perf_counter() + seconds
    while perf_counter() < end:
        for _ in range(50):
            _, _, ended, truncated, info = env.step(below(info["legal"]))
            if ended or truncated:
                _, info = env.reset()
        turns += 100
    return turns


def two_sided(seconds: float) -> int:
    """Turns of the PettingZoo environment."""
    env, below = envs.aec(GAME), random.Random(1).randrange
    env.reset(seed=1)
    turns, end = 0, perf_counter() + seconds
    while perf_counter() < end:
        for _ in range(50):
            _, _, ended, truncated, info = env.last()
            if ended or truncated:
                env.reset()
                continue
            env.step(below(info["legal"]))
            turns += 1
    return turns


def many(seconds: float) -> int:
    """Turns of `MANY` games at once."""
    env = envs.vector(GAME, MANY)
    env.reset(seed=1)
    actions = np.empty(MANY, np.int32)
    turns, end = 0, perf_counter() + seconds
    while perf_counter() < end:
        for _ in range(20):
            env.step(env.random_actions(actions))
        turns += 20 * MANY
    return turns


def _rows() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    env = envs.vector(GAME, MANY)
    env.reset(seed=3)
    found = []
    # More positions than a search remembers, or the second round would be looked up.
    for step in range(600):
        seen, *_ = env.step(env.random_actions())
        if step % 4 == 3:
            found.append(seen["observation"][:, : _core.ROW].copy())
    return np.concatenate(found)


def arrays(seconds: float) -> int:
    """Positions valued from an array."""
    rows, engine, done = _rows(), sb.engine(GAME, bearoff=False), 0
    end = perf_counter() + seconds
    while perf_counter() < end:
        engine.evaluate_many(rows)
        done += len(rows)
    return done


def kernel(seconds: float) -> int:
    """The same positions valued within the core."""
    rules, rows, done = sb.variant(GAME), _rows(), 0
    net = registry.load_net(registry.find(rules).manifest)
    states = _core.from_rows(rules._core, rows)
    end = perf_counter() + seconds
    while perf_counter() < end:
        done += _core.hash_values(net, rules._core, states, 512)[0]
    return done


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=2.0)
    seconds = parser.parse_args().seconds
    found = {
        work.__name__: _rate(work, seconds) for work in (single, wrapped, two_sided, many, kernel, arrays)
    }
    try:
        found["open_spiel"] = _rate(open_spiel, seconds)
    except ImportError:
        print("open_spiel is not installed (extra `peers`)")
    for name, rate in found.items():
        print(f"{name:<12}{rate:>14,.0f} a second")
    if "open_spiel" in found:
        print(f"single / open_spiel      {found['single'] / found['open_spiel']:.1f}")
    print(f"many / wrapped           {found['many'] / found['wrapped']:.1f}")
    print(f"many / two_sided         {found['many'] / found['two_sided']:.1f}")
    print(f"many / single            {found['many'] / found['single']:.1f}")
    print(f"arrays / kernel          {found['arrays'] / found['kernel']:.2f}")


if __name__ == "__main__":
    main()
