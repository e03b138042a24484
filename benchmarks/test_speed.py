"""The same work for pytest-benchmark, which keeps runs and compares them: `pytest benchmarks`."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

import sheshbesh as sb
from benchmarks import open_spiel_games, ours
from benchmarks.measure import read_expected
from sheshbesh.engines.measure import speed
from sheshbesh.engines.measure.speed import Work, check

EXPECTED = read_expected()
ROUNDS = 5

# The fixture of pytest-benchmark has no types, hence Any.


def measure(benchmark: Any, name: str, work: Work) -> None:
    """Check the work, then time it; the best rate goes into the record."""
    units, summary = work()
    check(name, summary, EXPECTED.get(name))
    benchmark.pedantic(work, rounds=ROUNDS)
    if benchmark.stats is not None:  # None where the timing is switched off
        benchmark.extra_info["units_per_s"] = round(units / benchmark.stats.stats.min)


@pytest.mark.parametrize("name", sb.variants())
def test_random_games_in_the_core(benchmark: Any, name: str) -> None:
    measure(benchmark, f"core {name}", partial(speed.core_positions, sb.variant(name), ours.CORE_DECISIONS))


@pytest.mark.parametrize("name", sb.variants())
def test_legal_plays_from_python(benchmark: Any, name: str) -> None:
    measure(benchmark, f"calls {name}", partial(ours.ask_legal_plays, ours.throws(sb.variant(name))))


def test_random_games_from_python(benchmark: Any) -> None:
    measure(
        benchmark,
        "python backgammon",
        partial(speed.python_decisions, sb.variant("backgammon"), ours.API_DECISIONS),
    )


def test_random_games_through_open_spiel(benchmark: Any) -> None:
    peer = pytest.importorskip("pyspiel", reason="the extra `peers` is not installed")
    done, _ = benchmark.pedantic(open_spiel_games.decisions, args=(peer,), rounds=ROUNDS)
    assert done == open_spiel_games.DECISIONS
