"""Names the folders whose tests cost most above their budget: python -m tests.budget build/junit.xml

Tests wait for each other's processors, so what they cost is their share of all: the time that the run took on
all cores is divided among them by how long each took.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

BUDGET = Path(__file__).with_name("BUDGET.toml")
_NAMED = 5


def costs(report: Path, cores: int) -> dict[str, float]:
    """Return the core-seconds of each folder, of a report by `pytest --junitxml`."""
    taken: dict[str, float] = defaultdict(float)
    suite = ElementTree.parse(report).getroot().find("testsuite")
    assert suite is not None
    for case in suite.iter("testcase"):
        folder = case.get("classname", "").split(".")[1:-1]
        taken[folder[0] if folder else "."] += float(case.get("time", 0))
    share = cores * float(suite.get("time", 0)) / (sum(taken.values()) or 1.0)
    return {folder: seconds * share for folder, seconds in taken.items()}


def overruns(taken: dict[str, float], budget: dict[str, float]) -> list[str]:
    """Return a line for each of the folders farthest above their budget, the farthest first."""
    over = {folder: seconds - budget.get(folder, 0) for folder, seconds in taken.items()}
    worst = sorted((folder for folder in over if over[folder] > 0), key=lambda folder: -over[folder])
    return [
        f"tests/{folder}: {taken[folder]:.0f} core-seconds, budget {budget.get(folder, 0):.0f}"
        for folder in worst[:_NAMED]
    ]


def main() -> int:
    """Run from the command line."""
    budget = tomllib.loads(BUDGET.read_text("utf-8"))
    for line in overruns(costs(Path(sys.argv[1]), os.cpu_count() or 1), budget):
        print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
