"""The peer open_spiel: its backgammon, in games that it plays itself.

Its Python API sets up no position, so random games are played there and each position is carried
over. X is White here. A double is two half-turns of two steps there; their results are put
together.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import sheshbesh as sb
from sheshbesh.rules.setup import Geometry
from tests.peers.boards import Board, Row

GAMES = {"backgammon": "backgammon", "hypergammon": "backgammon(hyper_backgammon=true)"}
"""What the peer calls the games it has."""

_SCORES = re.compile(r"Scores, X: (\d+), O: (\d+)")
_DICE = re.compile(r"Dice: (\d)(\d)")
_SECOND_HALF = "Extra turn: 1"


def throws(peer: Any, name: str, seed: int) -> Iterator[Any]:
    """The states of random games in which a throw is about to be played, without end."""
    rng = random.Random(seed)
    game = peer.load_game(GAMES[name])
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node() and _SECOND_HALF not in str(state):
                yield state
            state.apply_action(rng.choice(state.legal_actions()))


def dice(state: Any) -> tuple[int, int]:
    """The throw, larger number first."""
    found = _DICE.search(str(state))
    assert found is not None
    first, second = int(found[1]), int(found[2])
    return max(first, second), min(first, second)


def carry_over(state: Any, game: sb.Variant) -> sb.Position:
    """The same position here."""
    rows = dict(zip(("white", "black"), _rows(state, game), strict=True))
    board: dict[str, object] = {}
    for side, own in rows.items():
        numbers = range(1, 25) if side == "white" else range(24, 0, -1)
        board[side] = {str(number): count for number, count in zip(numbers, own[:24], strict=True) if count}
        board[f"{side}_bar"] = own[24]
        board[f"{side}_off"] = Geometry.of(game.axes).checkers - sum(own)
    return game.position(board, turn="black" if state.current_player() else "white")


def results(state: Any, game: sb.Variant) -> set[Board]:
    """The boards after every way to play the throw, seen by the mover."""
    mover = state.current_player()
    found = set()
    for first in _children(state):
        halfway = _SECOND_HALF in str(first) and not first.is_terminal()
        for last in _children(first) if halfway else [first]:
            rows = _rows(last, game)
            found.add((rows[1 - mover], rows[mover]))
    return found


def _children(state: Any) -> list[Any]:
    return [state.child(action) for action in state.legal_actions()]


def _rows(state: Any, game: sb.Variant) -> tuple[Row, Row]:
    """White's and Black's checkers. The bar is not to be had, but is what is left of the count."""
    scores = _SCORES.search(str(state))
    assert scores is not None
    white = [state.board(0, 24 - point) for point in range(1, 25)]
    black = [state.board(1, point - 1) for point in range(1, 25)]
    total = Geometry.of(game.axes).checkers
    bars = (total - int(scores[1]) - sum(white), total - int(scores[2]) - sum(black))
    return (*white, bars[0]), (*black, bars[1])
