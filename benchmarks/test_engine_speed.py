"""The engine for pytest-benchmark; see `benchmarks.engine_work`."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from benchmarks.engine_work import EngineWork
from sheshbesh.engines.measure import speed
from sheshbesh.engines.measure.speed import Summary, Work, check

ROUNDS = 3

# The fixture of pytest-benchmark has no types, hence Any.


@cache
def work() -> EngineWork:
    return EngineWork.shipped()


@cache
def baseline_values() -> Summary:
    with speed.running_on("baseline"):
        return work().values()[1]


def measure(benchmark: Any, name: str, part: Work, expected: Summary | None = None) -> None:
    """Do the work twice and compare, then time it; the best rate goes into the record."""
    units, summary = part()
    assert units > 0 and all(summary)
    check(name, part()[1], summary if expected is None else expected)
    benchmark.pedantic(part, rounds=ROUNDS)
    if benchmark.stats is not None:  # None where the timing is switched off
        benchmark.extra_info["units_per_s"] = round(units / benchmark.stats.stats.min)


@pytest.mark.parametrize("isa", speed.isas())
def test_raw_values(benchmark: Any, isa: str) -> None:
    with speed.running_on(isa):
        measure(benchmark, f"values on {isa}", work().values, baseline_values())


@pytest.mark.parametrize("name", EngineWork.shipped().parts)
def test_engine(benchmark: Any, name: str) -> None:
    measure(benchmark, name, work().parts[name])
