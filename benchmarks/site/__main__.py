"""Measure how many live games the site carries: python -m benchmarks.site

Starts `sheshbesh serve` on the loopback, lets games of every kind be played over real sockets, each with
a turn every few seconds, and takes the time from an action to its announcement at the other player. The
number of games grows until the site breaks: on SQLite, on PostgreSQL, with one server process and with two,
with engine processes beside the server and with workers.
Then it measures what a game costs of memory. On a machine that does nothing else everything takes about
an hour and is written to benchmarks/site/results.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks.report import describe_machine
from benchmarks.site.memory import measure_memory
from benchmarks.site.report import Report
from benchmarks.site.server import PROGRAM, running
from benchmarks.site.setups import SETUPS, Setup
from benchmarks.site.steps import Step, measure, playing

_STEPS = "250,500,1000,2000,3000,4000,5000,6000,7000"
_MEMORY = "memory"


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.site", description=__doc__)
    names = [*SETUPS, _MEMORY]
    parser.add_argument("--only", default=",".join(names), help=f"what to measure: {', '.join(names)}")
    parser.add_argument("--steps", default=_STEPS, help="numbers of live games, growing")
    parser.add_argument("--every", type=float, default=5.0, help="seconds between two turns of a game")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long each step is measured")
    parser.add_argument("--clients", type=int, default=2, help="processes that play")
    parser.add_argument("--bound", type=float, default=0.1, help="seconds at p99 that are asked for")
    parser.add_argument("--broken", type=float, default=1.0, help="seconds at p99 at which to stop")
    parser.add_argument("--program", type=Path, default=PROGRAM, help="another checkout's sheshbesh")
    parser.add_argument("--out", type=Path, help="the folder where to write the figures; default: nowhere")
    options = parser.parse_args()
    report = Report(describe_machine(), options.every, options.bound, options.broken)
    chosen = [name for name in names if name in options.only.split(",")]
    for name in chosen:
        print(f"{name}:", flush=True)
        if name == _MEMORY:
            report.memory = measure_memory()
            print(report.memory, flush=True)
        else:
            _grow(SETUPS[name], report.begin(name), options)
        if options.out is not None:
            report.write(options.out)


def _grow(setup: Setup, found: list[Step], options: argparse.Namespace) -> None:
    """Grow step by step until it breaks."""
    steps: Sequence[int] = [int(step) for step in options.steps.split(",")]
    with (
        running(
            postgres=setup.postgres,
            processes=setup.processes,
            workers=setup.workers,
            program=options.program,
        ) as place,
        playing(
            place,
            options.clients,
            every=options.every,
            deflate=setup.deflate,
            apart=setup.apart,
            engine=setup.engine,
        ) as clients,
    ):
        for step in measure(place, clients, steps, seconds=options.seconds):
            found.append(step)
            print(step, flush=True)
            if step.p99 > options.broken or step.faults:
                print(f"This is where it breaks; it lacks {step.shortage(setup.processes)}.")
                break
        if faults := place.faults():
            print(faults)


if __name__ == "__main__":
    main()
