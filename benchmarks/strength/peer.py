"""gnubg through the package gnubg-nn: its evaluation and its plays, as positions of the core.

gnubg's boards are two rows of the points 1 to 24 and the bar, each in the numbering of its side, the
side on roll second. `best_move(..., b=1)` gives the board after the play, seen by the side that is on
roll then. At 0 plies that play is the one whose position has the best static value; at 2 plies its
own filters decide what is looked at. Both are for money, without a cube, as gnubg-nn begins.
"""

from __future__ import annotations

import importlib
import importlib.util
from importlib import metadata
from typing import Any

import sheshbesh as sb
from sheshbesh import _core

PACKAGE = "gnubg_nn"
_CHECKERS = 15
_BAR = 26

Board = list[list[int]]


class PeerError(Exception):
    """gnubg-nn is not installed, or plays by other rules than ours."""


def is_installed() -> bool:
    """Whether the package is there: `python tools/setup_venv.py peers`."""
    return importlib.util.find_spec(PACKAGE) is not None


def board(state: _core.State) -> Board:
    """A position as gnubg takes it."""
    return [_row(state.theirs), _row(state.mine)]


def _row(counts: list[int]) -> list[int]:
    return [*counts[1:25], counts[_BAR]]


def _counts(row: tuple[int, ...]) -> list[int]:
    return [_CHECKERS - sum(row), *row[:24], 0, row[24]]


def equity(probabilities: tuple[float, ...]) -> float:
    """Points of the side on roll: win, win gammon, win backgammon, lose gammon, lose backgammon."""
    win, gammon, backgammon, lose_gammon, lose_backgammon = probabilities
    return 2 * win - 1 + gammon + backgammon - lose_gammon - lose_backgammon


class Gnubg:
    """gnubg's choices in backgammon."""

    def __init__(self) -> None:
        if not is_installed():
            raise PeerError("gnubg-nn is not installed: python tools/setup_venv.py peers")
        self.module: Any = importlib.import_module(PACKAGE)
        self.version = metadata.version("gnubg-nn")
        self._rules = sb.variant("backgammon")._core

    def choose(self, state: _core.State, first: int, second: int, plies: int) -> tuple[int, _core.State]:
        """The place of its play in our order, and the position after it.

        PeerError if its play is none of ours.
        """
        plays = _core.legal_plays(self._rules, state, first, second)
        if len(plays) == 1:
            return 0, plays.after(0)
        key = self.module.best_move(board(state), first, second, n=plies, b=1)[1]
        mover, waiting = self.module.board_from_position_key(key)
        after = _core.State(
            mine=_counts(waiting),
            theirs=_counts(mover),
            pinned_mine=[],
            pinned_theirs=[],
            black_on_roll=not state.black_on_roll,
            turns=(0, 0),
            started=(False, False),
            mother_lost=(False, False),
            pending=_core.Pending(),
        )
        found = plays.index_of(after)
        if found == len(plays):
            raise PeerError(
                f"gnubg plays {first}-{second} to {key}, which is no play of ours: {board(state)}"
            )
        return found, plays.after(found)

    def equity(self, state: _core.State, plies: int) -> float:
        """Its cubeless money equity of a position, for the side on roll before it throws."""
        return equity(self.module.probabilities(board(state), plies))
