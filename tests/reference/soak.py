"""A long random comparison of the core with the oracle.

    python -m tests.reference.soak [--games a,b] [--positions N] [--seed S] [--workers K]

Positions are constructed and played on for a few turns, or come from random play from the start;
half are played by the game's own rules, half with options. One position with one throw counts as
one. The first disagreement is
printed with all that is needed to see it again, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from multiprocessing import Pool

from tests.reference.compare import Comparison, Disagreement
from tests.reference.core import games, is_playable, rule_options
from tests.reference.position import Position, start
from tests.reference.sampling import random_dice, random_position

CHUNK = 2_000
"""Positions of one task: small enough that progress is seen, large enough to fill a process."""
DEPTH = 1 / 16
"""The part of the positions whose prefixes are compared as well, and as many with results."""


@dataclass(frozen=True, slots=True)
class Task:
    """Some positions of one game from one seed; tasks repeat exactly."""

    game: str
    positions: int
    seed: str


@dataclass(frozen=True, slots=True)
class Report:
    """What one task has seen."""

    game: str
    positions: int
    finals: int
    option_sets: frozenset[str]
    disagreement: Disagreement | None


def run_task(task: Task) -> Report:
    """Compare until the task's number is reached or the first disagreement."""
    rng = random.Random(task.seed)
    seen = finals = 0
    option_sets: set[str] = set()
    while seen < task.positions:
        options = random_options(task.game, rng)
        option_sets.add(repr(options))
        comparison = _comparison(task.game, tuple(options.items()))
        pos, length = episode(comparison, rng)
        for _ in range(length):
            dice = random_dice(pos, rng)
            found, following = comparison.compare(pos, dice, rng, depth=DEPTH)
            seen, finals = seen + 1, finals + len(following)
            if found:
                return Report(task.game, seen, finals, frozenset(option_sets), found)
            if not following:
                break
            pos = rng.choice(following)
    return Report(task.game, seen, finals, frozenset(option_sets), None)


def episode(comparison: Comparison, rng: random.Random) -> tuple[Position, int]:
    """Return where a stretch of random play begins and how many plays it lasts at most."""
    if rng.random() < 0.95:
        return random_position(comparison.rules, rng), rng.randint(1, 5)
    return start(comparison.rules, rng.choice(("white", "black"))), 100


def random_options(game: str, rng: random.Random) -> dict[str, object]:
    """Return the game's own rules half of the time, else one to three options set anyhow."""
    available = _options(game)
    if not available or rng.random() < 0.5:
        return {}
    while True:
        names = sorted(rng.sample(sorted(available), rng.randint(1, min(3, len(available)))))
        chosen = {name: rng.choice(available[name]) for name in names}
        if is_playable(game, chosen):
            return {name: value for name, value in chosen.items() if value != available[name][0]}


@cache
def _options(game: str) -> Mapping[str, tuple[object, ...]]:
    return rule_options(game)


@cache
def _comparison(game: str, options: tuple[tuple[str, object], ...]) -> Comparison:
    return Comparison(game, dict(options))


def tasks(names: list[str], positions: int, seed: int) -> Iterator[Task]:
    """Yield the tasks of all games in turn, so that every game advances."""
    for first in range(0, positions, CHUNK):
        size = min(CHUNK, positions - first)
        yield from (Task(name, size, f"{seed}/{name}/{first}") for name in names)


def soak(names: list[str], positions: int, seed: int, workers: int) -> Disagreement | None:
    """Run all tasks and print what was reached; return the first disagreement."""
    reached: Counter[str] = Counter()
    finals: Counter[str] = Counter()
    option_sets: dict[str, set[str]] = {name: set() for name in names}
    begun = last = time.monotonic()
    found = None
    with Pool(workers) as pool:
        for report in pool.imap_unordered(run_task, tasks(names, positions, seed)):
            reached[report.game] += report.positions
            finals[report.game] += report.finals
            option_sets[report.game] |= report.option_sets
            found = report.disagreement
            if found:
                break
            if time.monotonic() - last > 10:
                last = time.monotonic()
                slowest = min(reached[name] for name in names)
                seconds = f"{last - begun:6.0f} s"
                print(f"{seconds}  {reached.total()} positions, {slowest} in every game", flush=True)
    print(f"{'game':14}{'positions':>12}{'final positions':>18}{'option sets':>13}")
    for name in names:
        print(f"{name:14}{reached[name]:12}{finals[name]:18}{len(option_sets[name]):13}")
    return found


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 0 without a disagreement, 1 with one."""
    summary = "A long random comparison of the core with the oracle."
    parser = argparse.ArgumentParser(prog="python -m tests.reference.soak", description=summary)
    parser.add_argument("--games", nargs="+", default=games(), help="names, also with commas (default: all)")
    parser.add_argument("--positions", type=int, default=10_000, help="positions of each game")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args(arguments)
    names = [name for word in chosen.games for name in word.split(",") if name]
    unknown = sorted(set(names) - set(games()))
    if unknown:
        parser.error(f"unknown games {', '.join(unknown)}; there are {', '.join(games())}")
    found = soak(names, chosen.positions, chosen.seed, chosen.workers)
    if found:
        print(found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
