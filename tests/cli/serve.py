"""The line protocol over nets from a folder: python -m tests.cli.serve FOLDER [SECONDS]

With SECONDS every step of a rollout takes so long, for the tests that stop one.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace
from typing import Any

from sheshbesh.cli.ubgi.dialogue import Dialogue
from sheshbesh.cli.ubgi.runner import Runner
from sheshbesh.engine import make_engine


@dataclass(frozen=True)
class SlowRollout:
    """A rollout so far."""

    outcome: Any
    trials: int
    standard_error: float = 0.01


class Slow:
    """An engine whose rollouts do nothing but take their time."""

    def __init__(self, engine: Any, seconds: float) -> None:
        self._engine = engine
        self._seconds = seconds

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def rollout(self, position: Any, match: Any = None, *, trials: int, threads: int, progress: Any) -> Any:
        so_far = SlowRollout(self._engine.evaluate(position, match), 0)
        while so_far.trials < trials:
            time.sleep(self._seconds)
            so_far = replace(so_far, trials=so_far.trials + 36)
            if not progress(so_far):
                break
        return so_far


def make(folder: str, seconds: float) -> Any:
    def engine(game: Any, plies: int, level: str | None, seed: int) -> Any:
        found = make_engine(game, None if level else plies, seed, level=level, folders=[folder])
        return Slow(found, seconds) if seconds else found

    return engine


if __name__ == "__main__":
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 0.0
    Runner(Dialogue(make(sys.argv[1], seconds)), sys.stdin, sys.stdout).serve()
