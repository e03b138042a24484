"""gnubg as a player: what is taken for its choice is its choice."""

from __future__ import annotations

import pytest
from benchmarks.strength.peer import Gnubg, board, is_installed

import sheshbesh as sb
from tests.peers.positions import sample

pytestmark = [
    pytest.mark.peers,
    pytest.mark.skipif(not is_installed(), reason="the extra `peers` is not installed"),
]


def test_at_0_plies_it_takes_the_best_by_its_static_value() -> None:
    peer = Gnubg()
    for position, dice in sample(sb.variant("backgammon"), 300, seed=3):
        plays = position.legal_plays(dice)
        chosen, after = peer.choose(position._core, *dice, 0)
        assert plays[chosen].result._core == after
        if len(plays) > 1 and all(play.result.result is None for play in plays):
            values = [-peer.equity(play.result._core, 0) for play in plays]
            assert values[chosen] == pytest.approx(max(values), abs=1e-6)


def test_boards_are_those_of_its_own_ids() -> None:
    peer = Gnubg()
    start = sb.variant("backgammon").start()
    assert board(start._core) == peer.module.board_from_position_id("4HPwATDgc/ABMA")
    assert peer.equity(start._core, 0) == pytest.approx(0.067, abs=0.01)
