"""The boards that ids of backgammon programs can carry: checkers on 24 points and two bars.

Such an id has no place for pins, checkers in hand, the history of a game or anything owed, and it
counts Black's points from the other end. A game may use it exactly when its rules ask for none of
those, which is read from its rule set.
"""

from __future__ import annotations

from sheshbesh.errors import NotationError
from sheshbesh.i18n import JoinedText, Text
from sheshbesh.rules import Position, Side, Variant
from sheshbesh.rules.notation import BAR, OFF

MAX_CHECKERS = 15


def obstacles(game: Variant) -> list[str]:
    """Why positions of `game` do not fit into such an id; empty if they do."""
    checks = {
        Text("nothing is hit in this game"): game._geometry.contact != "hit",
        Text("both sides move the same way"): game._geometry.parallel,
        Text("checkers enter from the hand"): game._geometry.hand > 0,
        Text("its rules ask for the turns played"): game._core.turns_remembered > 0,
        Text("its rules ask who started"): bool(game.axes["ending"]["last_roll_tie"]),
        Text("something may be owed before a throw"): game.has_chains,
    }
    return [reason for reason, holds in checks.items() if holds]


def require_plain(game: Variant, what: str) -> None:
    """Raise NotationError, with every reason, if `what` cannot carry positions of `game`."""
    found = obstacles(game)
    if found:
        raise NotationError(
            Text(
                "{what} cannot carry a position of {name}: {why}",
                what=what,
                name=game.name,
                why=JoinedText(*found, separator="; "),
            )
        )


def build(game: Variant, turn: Side | str, counts: dict[Side, list[int]]) -> Position:
    """The position with these checkers; PositionError lists every problem if there is none.

    `counts` has 25 numbers a side in its own numbering, points 1 to 24 and the bar. What is not on
    the board is off.
    """
    board: dict[str, object] = {}
    for side, own in counts.items():
        held = [point for point in range(1, 25) if own[point - 1]]
        board[side.value] = {str(game._geometry.own(side, point)): own[point - 1] for point in held}
        board[f"{side.value}_bar"] = own[24]
        board[f"{side.value}_off"] = max(game._geometry.checkers - sum(own), 0)
    return game.position(board, turn)


def counts_of(position: Position, side: Side) -> list[int]:
    """The 25 numbers of `build`: points 1 to 24 in the side's own numbering, then the bar."""
    own = position.counts(side)
    return [*own[OFF + 1 : 25], own[BAR]]
