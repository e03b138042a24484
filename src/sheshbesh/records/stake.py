"""What a unit of equity is worth at a score: match-winning chances from the table that gnubg uses."""

from __future__ import annotations

from functools import lru_cache

from sheshbesh.cube import equity_table, extended
from sheshbesh.errors import SheshbeshError
from sheshbesh.match import MatchState
from sheshbesh.rules import Side

TABLE = "kazaross_xg2"
"""Kazaross XG2 to 25 points, the default of both GNU Backgammon and eXtreme Gammon."""


@lru_cache(maxsize=4096)
def chances_after(
    length: int, white: int, black: int, side: Side, gain: int, *, crawford: bool, crawford_rule: bool = True
) -> float:
    """The match-winning chances of `side` once it has gained `gain` points (negative: lost) in this game.

    A gain of 0 tells the chances before the game; `crawford` is about this game.
    """
    white, black = min(white, length), min(black, length)
    if white >= length or black >= length:
        return 1.0 if (white >= length) is (side is Side.WHITE) else 0.0
    state = MatchState(
        length=length,
        white=white,
        black=black,
        crawford=crawford and crawford_rule,
        crawford_rule=crawford_rule,
    )
    try:
        table = extended(equity_table(TABLE), length)
    except SheshbeshError:
        return 0.5
    return table.after(state, side, gain)


def chances_at(
    length: int | None,
    white: int,
    black: int,
    side: Side,
    cube: int,
    *,
    crawford: bool,
    crawford_rule: bool = True,
) -> tuple[float, float] | None:
    """The chances of `side` after winning and after losing `cube` points; None in money play."""
    if length is None:
        return None
    win, lose = (
        chances_after(length, white, black, side, gain, crawford=crawford, crawford_rule=crawford_rule)
        for gain in (cube, -cube)
    )
    return win, lose
