"""Measure how many live games one server carries: python -m benchmarks.site

Starts `sheshbesh serve` on the loopback, lets games of every kind be played over real sockets, each with
a turn every few seconds, and takes the time from an action to its announcement at the other player.
"""

from __future__ import annotations

import argparse
import json
from multiprocessing import get_context
from pathlib import Path

from benchmarks.site.server import Server
from benchmarks.site.steps import Step, measure


def main() -> None:
    """Grow step by step until the bound is broken."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.site", description=__doc__)
    parser.add_argument("--steps", default="250,500,1000,2000", help="numbers of live games, growing")
    parser.add_argument("--every", type=float, default=5.0, help="seconds between two turns of a game")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long each step is measured")
    parser.add_argument("--clients", type=int, default=2, help="processes that play")
    parser.add_argument("--deflate", action="store_true", help="compress messages, as browsers ask for")
    parser.add_argument("--database", help="URL of an empty database; default: SQLite in a new folder")
    parser.add_argument("--bound", type=float, default=0.1, help="seconds at p99 beyond which it is broken")
    parser.add_argument("--out", type=Path, help="write the figures here, as JSON")
    wish = parser.parse_args()
    steps = [int(step) for step in wish.steps.split(",")]
    found: list[Step] = []
    with Server(wish.database) as server:
        for step in measure(
            server,
            steps,
            get_context("spawn"),
            every=wish.every,
            seconds=wish.seconds,
            clients=wish.clients,
            deflate=wish.deflate,
        ):
            found.append(step)
            print(step, flush=True)
            if step.p99 > wish.bound or step.faults:
                print("This is where it breaks.")
                break
        if "Traceback" in (log := server.log()):
            print(log[-4000:])
    if wish.out is not None:
        wish.out.write_text(json.dumps([step.to_data() for step in found], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
