"""Who starts a game and with which dice."""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.position import Colour, other
from tests.reference.rules import Axes, Rules, read_axes


class Opening(NamedTuple):
    """The starter (None: throw again) and their dice, or "roll" if they throw both."""

    starter: Colour | None
    dice: tuple[int, int] | str | None


def opening(
    axes: Axes | Rules,
    white_die: int | None = None,
    black_die: int | None = None,
    *,
    game_no: int = 1,
    previous_winner: Colour | None = None,
    previous_starter: Colour | None = None,
) -> Opening:
    """Return who starts after one die each, or without a draw in a later game.

    Raises `ValueError` if the draw decides and a die is missing.
    """
    rules = read_axes(axes)
    if game_no > 1 and rules.opening_later == "winner" and previous_winner is not None:
        return Opening(previous_winner, "roll")
    if game_no > 1 and rules.opening_later == "alternate" and previous_starter is not None:
        return Opening(other(previous_starter), "roll")
    if white_die is None or black_die is None:
        raise ValueError(f"the draw needs two dice, got {white_die!r} and {black_die!r}")
    if white_die == black_die:
        return Opening(None, None)
    white_is_higher = white_die > black_die
    starter: Colour = "white" if white_is_higher == (rules.opening_starter == "higher") else "black"
    if rules.opening_dice == "reroll":
        return Opening(starter, "roll")
    return Opening(starter, (max(white_die, black_die), min(white_die, black_die)))
