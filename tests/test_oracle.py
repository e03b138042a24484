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


PLAYS_ON = {"mother_ends": "plays_on", "runner_to": "home"}


def test_a_mother_lost_before_is_not_lost_again() -> None:
    """Found by the soak: the pin was lifted and set again in one turn, and the play was listed twice."""
    game = sb.variant("mahbusa", **PLAYS_ON)
    plays = game.position_from_id("ic14a2A(Ba)EE(Ba):w:mb").legal_plays((1, 1))
    assert len({play.result for play in plays}) == len(plays) == 47


def test_the_last_checker_goes_off_with_both_dice_if_that_takes_the_mother() -> None:
    """Found by the soak: the short way off was let pass, though the long one leaves another position."""
    game = sb.variant("mahbusa", **PLAYS_ON)
    plays = game.position_from_id("b1a2a1a2a2c1b2c1A2a:w").legal_plays((3, 6))
    assert [play.result.id for play in plays] == ["b1a2a1a2a2c1b2c4a:b:mb"]
