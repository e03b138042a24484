"""Positions of other programs."""

from __future__ import annotations

from sheshbesh.records.entry import Counts
from sheshbesh.rules import Side

_PLACES = 26


def set_position(text: str) -> Counts | None:
    """The checkers of XG's `Set Pos=` line: the board of an XGID; None if it is none."""
    board = text.split("/")[0].split(":")[0]
    if len(board) != _PLACES:
        return None
    counts: Counts = {Side.WHITE: [0] * 25, Side.BLACK: [0] * 25}
    for column, letter in enumerate(board):
        if letter == "-":
            continue
        number = ord(letter.upper()) - ord("A") + 1 if letter.isascii() and letter.isalpha() else 0
        if not 1 <= number <= 15:
            return None
        # The ends are the bars: either case is in circulation there.
        side = Side.BLACK if column == 0 else Side.WHITE if column == 25 else None
        side = side or (Side.WHITE if letter.isupper() else Side.BLACK)
        counts[side][(column if side is Side.WHITE else 25 - column) - 1] = number
    return counts
