"""What handing out parts costs, and what a second worker brings: `python -m benchmarks.cluster`.

A scheduler and workers are started as processes of this machine. *Overhead* is the time of a part that
does nothing, where as many are on their way as a thousand workers would have, and so the most parts a second
that one program hands out and takes back. *Speed-up* is the time of a duel in parts of a second and more
(`--pairs` each) with one worker, over that with two, in turns; the same for plain processes. It says
something only where two cores are free: the load is printed, and what two unconnected processes reach.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from tests.work.dask_help import dask_processes, process_of

import sheshbesh as sb
from benchmarks.strength.duels import CHANCE, Duel, _pairs
from sheshbesh.engines import registry
from sheshbesh.work import Here, Processes, Work, open_work


def overhead(work: Work, parts: int) -> float:
    """Seconds a part that does nothing."""
    list(work.map(process_of, range(20)))
    begun = time.perf_counter()
    list(work.map(process_of, range(parts), ahead=2000))
    return (time.perf_counter() - begun) / parts


def seconds(work: Work, duel: Duel, pairs: int, parts: int) -> float:
    """How long a duel takes."""
    begun = time.perf_counter()
    list(work.map(_pairs, [(number * pairs, pairs) for number in range(parts)], duel))
    return time.perf_counter() - begun


def possible(rounds: int) -> float:
    """How many times as much two processes do as one that know nothing of each other: 2 on two free cores."""
    program = [
        sys.executable,
        "-c",
        "from tests.work.dask_help import digest_of; [digest_of(i) for i in range(20)]",
    ]

    def timed(count: int) -> float:
        begun = time.perf_counter()
        for process in [subprocess.Popen(program) for _ in range(count)]:
            process.wait()
        return time.perf_counter() - begun

    return median(2 * timed(1) / timed(2) for _ in range(rounds))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description="What a cluster costs.")
    parser.add_argument("--parts", type=int, default=6, help="parts of a duel (6)")
    parser.add_argument("--pairs", type=int, default=12, help="pairs of games of a part (12)")
    parser.add_argument("--rounds", type=int, default=3, help="comparisons (3)")
    parser.add_argument("--empty", type=int, default=4000, help="parts that do nothing (4000)")
    options = parser.parse_args(arguments)
    game = sb.variant("backgammon")
    duel = Duel(game, registry.find(game), CHANCE, plies=1, seed=1)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        places: dict[str, tuple[Work, Work]] = {}
        clusters: list[Work] = []
        for count in (1, 2):
            own = folder / str(count)
            own.mkdir()
            dask = stack.enter_context(dask_processes(own, count))
            work = stack.enter_context(open_work(cluster=str(dask.file)))
            while work.workers < count:
                time.sleep(0.5)
            clusters.append(work)
        places["Dask"] = (clusters[0], clusters[1])
        places["processes"] = (
            stack.enter_context(Processes(1)),
            stack.enter_context(Processes(2)),
        )
        for name, (_, two) in places.items():
            each = overhead(two, options.empty)
            print(f"{name}: {1000 * each:.2f} ms a part that does nothing, {1 / each:,.0f} parts a second")
        alone = seconds(Here(), duel, options.pairs, options.parts)
        print(f"here: {alone:.1f} s, {alone / options.parts:.2f} s a part")
        print(f"two processes without a connection do {possible(options.rounds):.2f} times as much as one")
        for name, (one, two) in places.items():
            for work in (one, two):
                seconds(work, duel, 1, 4)
            ratios = []
            for _ in range(options.rounds):
                load = os.getloadavg()[0]
                single, double = (seconds(work, duel, options.pairs, options.parts) for work in (one, two))
                ratios.append(single / double)
                print(f"{name}: {single:.1f} s and {double:.1f} s, {ratios[-1]:.2f} times, load {load:.1f}")
            print(f"{name}: two workers are {median(ratios):.2f} times as fast as one")
    return 0


if __name__ == "__main__":
    sys.exit(main())
