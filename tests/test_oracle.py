"""The core against the oracle, on random positions.

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
@settings(max_examples=1)
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


def test_a_play_that_ends_the_game_by_a_mother_is_not_compulsory() -> None:
    """6-1: only the 1 can be played, and both ways to play it use one die."""
    board = {"white": {24: 1, 3: 13, 2: 1}, "black": {24: 14, 1: 1}, "pinned_white": [24]}
    for name in ("plakoto", "mahbusa"):
        position = sb.variant(name).position(board, turn="white")
        assert {play.notation for play in position.legal_plays((6, 1))} == {"2/1*", "3/2"}
        assert position.refusal("3/2", (6, 1)) is None
        tie = position.parse_play("2/1*", (6, 1)).result.result
        assert tie is not None
        assert tie.kind == "tie"


def test_a_mother_may_end_the_game_before_the_other_die_though_both_can_be_played() -> None:
    """The rest of the dice is not played (kin.md D2), and no side has to end the game."""
    board = {"white": {7: 1, 3: 14}, "black": {24: 14, 1: 1}}
    for game in (sb.variant("plakoto"), sb.variant("tapa", mother=True)):
        plays = game.position(board, turn="white").legal_plays((2, 1))
        found = {play.notation: play.result.result for play in plays}
        assert found["3/1*"] is not None
        assert found["3/1*"].kind == "mother"
        assert {len(play.steps) for play in plays} == {1, 2}
        assert any(result is None for result in found.values())


def test_the_last_checker_goes_off_with_both_dice_if_that_takes_a_hit() -> None:
    """Backgammon rules (000), bearing off: what can be played by moving inside or bearing off must be."""
    board = {"white": {5: 1}, "white_off": 14, "black": {1: 1, 24: 14}}
    plays = sb.variant("backgammon").position(board, turn="white").legal_plays((5, 4))
    assert [play.notation for play in plays] == ["5/1*/off"]


HEAD = {"progression_from": 1, "head_exception": "none"}


def test_one_checker_leaves_the_head_in_a_roll_however_long_its_chain() -> None:
    game = sb.variant("gul_bara", **HEAD)
    (play,) = game.start().legal_plays((2, 2))
    after = play.result
    assert play.notation == "24/16"
    assert after.id.endswith("p3333+h1")
    assert after.pending is not None
    assert after.pending["head"] == 1
    assert after.counts("white")[24] == 14
    assert all(not play.notation.startswith("24/") for play in after.legal_plays())
    assert after.refusal("24/21", (3, 3)).rule == "head.limit"  # type: ignore[union-attr]
    assert game.position_from_id(after.id) == after


def test_an_exception_lets_one_more_leave_the_head_in_a_roll_and_no_third() -> None:
    game = sb.variant("gul_bara", **HEAD | {"head_exception": "any_double"})
    after = game.start().legal_plays((3, 3))
    two = next(play.result for play in after if play.result.counts("white")[24] == 13)
    assert two.id.endswith("p4444+h2")
    assert all(play.result.counts(two.turn)[24] >= 13 for play in two.legal_plays())


def test_the_head_is_free_again_in_the_next_roll() -> None:
    game = sb.variant("gul_bara", **HEAD)
    position = game.position_from_id(game.start().id.replace("O", "N", 1).replace(":w", "") + ":w")
    assert any("24/" in play.notation for play in position.legal_plays((2, 1)))


@pytest.mark.parametrize("text", ["p4444+h3", "p4444+h0", "p4444+h16", "p4444+h"])
def test_a_head_that_no_game_could_have_left_is_refused(text: str) -> None:
    game = sb.variant("gul_bara", **HEAD | {"head_exception": "any_double"})
    board = game.start().id.split(":")[0]
    with pytest.raises(sb.SheshbeshError, match=r"head|cannot read"):
        game.position_from_id(f"{board}:w:{text}")
