"""Positions from and to the boards of the test vectors, whose points are White's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import cast

from tests.reference.position import MIRROR, Colour, Pending, Position, Side
from tests.reference.rules import Axes, Rules, read_axes
from tests.reference.turns import doubles_go_on

Board = Mapping[str, object]
Context = Mapping[str, object]


def from_board(axes: Axes | Rules, board: Board, turn: Colour, **context: object) -> Position:
    """Return the position of a board with `turn` on roll.

    Context: `white_hand`, `black_hand`; `turns_played` (finished turns by colour) or `first_turn`
    (of the side on roll), by default a side is at its first turn if it stands as at the start and
    far beyond otherwise; `starter`, by default White; `mother_lost` (a colour); an element being
    played as `steps`, `rest` and `then`, or `phase="chosen_double"`.
    """
    rules = read_axes(axes)
    white = _side_from_board(rules, board, "white", turn, context)
    black = _side_from_board(rules, board, "black", turn, context)
    starter = cast("Colour", context.get("starter") or "white") if rules.last_roll_tie else None
    pos = Position(white, black, turn, starter)
    return replace(pos, pending=_pending(rules, pos, context))


def to_board(axes: Axes | Rules, pos: Position) -> dict[str, object]:
    """Return the board of a position; empty points are left out."""
    mirror = MIRROR[read_axes(axes).movement]
    board: dict[str, object] = {}
    for colour, side in (("white", pos.white), ("black", pos.black)):
        own: Sequence[int] = range(25) if colour == "white" else mirror
        points = {own[point]: count for point, count in enumerate(side.points) if count}
        board[colour] = {str(point): points[point] for point in sorted(points, reverse=True)}
        board[f"{colour}_bar"] = side.bar
        board[f"{colour}_off"] = side.off
        board[f"{colour}_hand"] = side.hand
        board[f"pinned_{colour}"] = sorted(own[point] for point in side.pinned)
    return board


def _side_from_board(rules: Rules, board: Board, colour: Colour, turn: Colour, context: Context) -> Side:
    own: Sequence[int] = range(25) if colour == "white" else MIRROR[rules.movement]
    points = [0] * 25
    for name, count in cast("Mapping[str, int]", board[colour]).items():
        points[own[int(name)]] = count
    pinned = frozenset(own[int(p)] for p in cast("Iterable[int]", board.get(f"pinned_{colour}") or ()))
    hand = cast("int", context.get(f"{colour}_hand", board.get(f"{colour}_hand", 0)))
    bar, off = cast("int", board[f"{colour}_bar"]), cast("int", board[f"{colour}_off"])
    turns = _finished_turns(rules, colour, turn, context, at_start=_is_start(rules, points, hand))
    lost = rules.mother == "plays_on" and context.get("mother_lost") == colour
    return Side(tuple(points), bar, hand, off, pinned, turns, lost)


def _is_start(rules: Rules, points: list[int], hand: int) -> bool:
    setup = dict(rules.setup)
    return hand == rules.hand and all(points[point] == setup.get(point, 0) for point in range(1, 25))


def _finished_turns(rules: Rules, colour: Colour, turn: Colour, context: Context, *, at_start: bool) -> int:
    turns = 0 if at_start else rules.turns_cap
    played = cast("Mapping[str, int]", context.get("turns_played", {}))
    if colour in played:
        turns = min(played[colour], rules.turns_cap)
    if colour == turn and context.get("first_turn") is not None:
        return 0 if context["first_turn"] else max(turns, min(1, rules.turns_cap))
    return turns


def _pending(rules: Rules, pos: Position, context: Context) -> Pending | None:
    if context.get("phase") == "chosen_double":
        return Pending(pos.turn, choose="double")
    steps = tuple(cast("Iterable[int]", context.get("steps") or ()))
    rest = tuple(cast("Iterable[int]", context.get("rest", ())))
    then = cast("str | None", context.get("then"))
    if not steps or not (rest or then or doubles_go_on(rules, pos)):
        return None  # nothing, or a plain throw: its dice say all
    return Pending(pos.turn, steps, rest, then)
