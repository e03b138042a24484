"""Timing: processor time, best of several runs, never without a check of the work."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

Summary = tuple[int, ...]
"""Counts and checksums that tell one amount of work from another."""

Work = Callable[[], tuple[int, Summary]]
"""Does the work; returns the units done and the summary."""

EXPECTED = Path(__file__).parent / "work.json"


class WorkChangedError(Exception):
    """The work to be measured is not what it was."""


def read_expected() -> dict[str, Summary]:
    """The summaries expected, by benchmark."""
    return {name: tuple(summary) for name, summary in json.loads(EXPECTED.read_text()).items()}


def write_expected(done: dict[str, Summary]) -> None:
    """Expect these from now on."""
    lines = [f"  {json.dumps(name)}: {json.dumps(summary)}" for name, summary in done.items()]
    EXPECTED.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def check(name: str, summary: Summary, expected: Summary | None) -> None:
    """Raise WorkChangedError unless the summary is the one expected."""
    if summary != expected:
        raise WorkChangedError(f"{name}: expected {expected}, found {summary}")


def best_rate(name: str, work: Work, expected: Summary | None, repeats: int) -> tuple[float, Summary]:
    """Units per second of processor time, and the summary.

    A first run is not timed; its summary must be the one expected (if any), and so must every
    later one.
    """
    _, summary = work()
    check(name, summary, summary if expected is None else expected)
    best = 0.0
    for _ in range(repeats):
        begin = time.process_time()
        units, again = work()
        spent = time.process_time() - begin
        check(name, again, summary)
        best = max(best, units / spent)
    return best, summary
