"""The peer gnubg-nn: GNU Backgammon's own move generator and ids.

It takes any position: a board is two rows, the side to move second. `moves` gives the boards after
every play as keys, still seen by the mover, and none at all where nothing can be played.
"""

from __future__ import annotations

from typing import Any

import sheshbesh as sb
from tests.peers.boards import Board, board


def results(peer: Any, position: sb.Position, dice: tuple[int, int]) -> list[Board]:
    """The boards after each of the peer's plays; the board as it is where there is none."""
    start = board(position)
    keys = peer.moves([list(side) for side in start], *dice)
    found = [peer.board_from_position_key(key) for key in keys]
    return [(tuple(waits), tuple(moves)) for waits, moves in found] or [start]
