"""Legal plays and ids equal those of programs by other people."""

from __future__ import annotations

import os
from itertools import islice
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.formats import format_position_id, parse_position_id
from tests.peers import gnubg, spiel
from tests.peers.boards import board, our_results
from tests.peers.compare import GAMES, PEERS, compare
from tests.peers.positions import sample

pytestmark = pytest.mark.peers

# A few seconds' worth each. SHESHBESH_PEER_POSITIONS sets another number, for both.
POSITIONS = {"gnubg-nn": 1_500, "open_spiel": 600}


def load(name: str) -> Any:
    return pytest.importorskip(PEERS[name], reason="the extra `peers` is not installed")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", PEERS)
def test_legal_results_are_the_peers(name: str, game: str) -> None:
    positions = int(os.environ.get("SHESHBESH_PEER_POSITIONS", POSITIONS[name]))
    found = compare(name, load(name), sb.variant(game), positions, seed=1)
    assert not found.differences, "\n".join([str(found), *found.differences[:5]])
    assert found.positions == positions
    seen = (found.doubles, found.entering, found.bearing_off)
    assert min(seen) > 0, f"a kind of position never came up: {found}"


@pytest.mark.parametrize("game", GAMES)
def test_position_ids_are_gnubgs(game: str) -> None:
    peer = load("gnubg-nn")
    for position, _ in sample(sb.variant(game), 500, seed=2):
        rows = [list(row) for row in board(position)]
        text = peer.position_id(rows)
        assert format_position_id(position) == text
        assert parse_position_id(text, position.variant, position.turn) == position
        assert peer.board_from_position_id(text) == rows


@pytest.mark.parametrize(
    ("name", "checkers", "dice"),
    [
        # The last checker could go off with the larger die alone, but the whole throw can be played.
        ("hypergammon", {"white": {"5": 1}, "white_off": 2, "black": {"4": 1, "20": 2}}, (5, 1)),
        ("backgammon", {"white": {"6": 1}, "white_off": 14, "black": {"3": 1, "20": 14}}, (6, 3)),
        # Without the hit both ways end alike.
        ("hypergammon", {"white": {"5": 1}, "white_off": 2, "black": {"20": 3}}, (5, 1)),
        # The smaller die cannot be played first: the larger alone ends the game.
        ("hypergammon", {"white": {"5": 1}, "white_off": 2, "black": {"4": 2, "20": 1}}, (5, 1)),
    ],
)
def test_the_last_checker_plays_the_whole_throw(
    name: str, checkers: dict[str, object], dice: tuple[int, int]
) -> None:
    peer = load("gnubg-nn")
    position = sb.variant(name).position(checkers, turn="white")
    ours = our_results(position, dice)
    assert len(ours) == 1
    assert ours == gnubg.results(peer, position, dice)


def test_positions_are_carried_over_whole() -> None:
    """Else the comparison with open_spiel would be one of errors with errors."""
    peer, game = load("open_spiel"), sb.variant("backgammon")
    first = next(spiel.throws(peer, "backgammon", seed=1))
    assert spiel.carry_over(first, game) == game.start(turn="black" if first.current_player() else "white")
    for state in islice(spiel.throws(peer, "backgammon", seed=1), 200):
        drawing = str(state)
        position = spiel.carry_over(state, game)
        bars = [drawing.split("Bar:")[1].split("\n")[0].count(mark) for mark in "xo"]
        assert bars == [position.board()["white_bar"], position.board()["black_bar"]]
