"""A position as plain numbers, the common ground with the peers."""

from __future__ import annotations

import sheshbesh as sb

Row = tuple[int, ...]
"""One side's checkers in its own numbering: points 1 to 24, then the bar."""

Board = tuple[Row, Row]
"""The side that waits, then the side that moves."""


def row(position: sb.Position, side: sb.Side) -> Row:
    """The checkers of one side."""
    counts = position.counts(side)
    return (*counts[1:25], counts[26])


def board(position: sb.Position) -> Board:
    """The checkers of both, for the side on roll."""
    return row(position, position.turn.other), row(position, position.turn)


def our_results(position: sb.Position, dice: tuple[int, int]) -> list[Board]:
    """The boards after each of our plays, still seen by the mover."""
    mover = position.turn
    found = []
    for play in position.legal_plays(dice):
        after = play.result
        found.append((row(after, mover.other), row(after, mover)))
    return found
