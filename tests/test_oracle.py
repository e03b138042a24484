"""The core against the oracle, on positions nobody thought of.

A short run of what `make soak` does at length: constructed positions and random play, with the
options of every game; final positions with their history, results, and step prefixes of a part.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sheshbesh as sb
from tests.reference.soak import Task, run_task

POSITIONS = 40


@pytest.mark.parametrize("game", sb.variants())
@settings(max_examples=5)
@given(seed=st.integers(0, 2**32))
def test_core_and_oracle_agree(game: str, seed: int) -> None:
    report = run_task(Task(game, POSITIONS, str(seed)))
    assert report.disagreement is None, str(report.disagreement)
    assert report.positions >= POSITIONS
