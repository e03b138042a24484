"""Printing the line `board:` of FIBS, in which programs that play there are asked for a decision.

The fields are those of the FIBS interface (fibs.com/fibs_interface.html, "board state"). The player who is
asked is "You", moves from 24 to 1 and has positive numbers, so all lines are of one form.
"""

from __future__ import annotations

from sheshbesh.errors import NotationError
from sheshbesh.formats.plain_board import counts_of, require_plain
from sheshbesh.i18n import Text
from sheshbesh.match import MatchState
from sheshbesh.rules import Position, Roll, Side
from sheshbesh.rules.notation import OFF

UNLIMITED = 9999
"""The length of money play."""


def format_fibs_board(
    position: Position,
    match: MatchState | None = None,
    dice: tuple[int, int] | None = None,
    *,
    asked: Side | str | None = None,
    doubled: bool = False,
) -> str:
    """Print the line of a position.

    Parameters
    ----------
    position : Position
        The position.
    match : MatchState, optional
        Score and cube; without it a money game with a centred cube at 1.
    dice : tuple[int, int], optional
        The throw; without it the side on roll has yet to throw.
    asked : Side or str, optional
        The side that is asked; by default the one on roll.
    doubled : bool
        Whether the other side has doubled, from the cube of `match`, and waits for the answer.

    Returns
    -------
    str
        The line.

    Raises
    ------
    NotationError
        The game cannot be written so, or a double stands beside dice.
    DiceError
        The dice are none.
    """
    require_plain(position.variant, "board")
    if doubled and dice is not None:
        raise NotationError(
            Text("a double is offered before the throw, not with {dice}", dice=str(Roll.of(dice)))
        )
    state = match or MatchState()
    me = position.turn if asked is None else Side.of(asked)
    mine, theirs = counts_of(position, me), counts_of(position, me.other)
    # The bars: that of the other side at 0, one's own at 25.
    points = [-theirs[24], *(mine[n - 1] - theirs[24 - n] for n in range(1, 25)), mine[24]]
    on_roll = position.turn is me
    thrown = (0, 0) if dice is None else tuple(Roll.of(dice))
    owner = None if state.owner is None else Side.of(state.owner)
    fields = (
        UNLIMITED if state.length is None else state.length,
        state.score(me),
        state.score(me.other),
        *points,
        1 if on_roll else -1,
        *(thrown if on_roll else (0, 0)),
        *((0, 0) if on_roll else thrown),
        state.cube,
        *(int(not state.crawford and owner in (None, side)) for side in (me, me.other)),
        int(doubled),
        *(1, -1, 0, 25),  # colour, direction, where home and bar are
        position.counts(me)[OFF],
        position.counts(me.other)[OFF],
        *(mine[24], theirs[24]),
        *(4, 0),  # checkers that can move, and a move that is forced: for displays
        int(not state.crawford),  # whether the Crawford game has been played
        0,
    )
    return ":".join(("board", "You", "Opponent", *map(str, fields)))
