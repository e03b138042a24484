"""Checkers moved without asking the rules, and ids of positions at any score."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from sheshbesh.errors import NotationError, SheshbeshError
from sheshbesh.formats.plain_board import build, counts_of, obstacles
from sheshbesh.formats.xgid import DEFAULT_MAX_CUBE, format_xgid_board
from sheshbesh.i18n import Text
from sheshbesh.records.entry import Counts
from sheshbesh.records.model import (
    DECISIONS,
    CommentEvent,
    DropEvent,
    Event,
    PlayEvent,
    ResignEvent,
    ResultEvent,
    SetPositionEvent,
)
from sheshbesh.rules import Play, Position, Side, Variant
from sheshbesh.rules.notation import parse_moves

Steps = tuple[tuple[int, int], ...]
"""(from, to) pairs in the mover's own numbers; 25 is the bar, 0 is off."""

_BAR_CORE = 26


@lru_cache(maxsize=64)
def has_xgid(game: Variant) -> bool:
    """Return True if positions of this game can be written as an XGID."""
    return not obstacles(game)


def counts(position: Position) -> Counts:
    """Both sides' checkers."""
    return {side: counts_of(position, side) for side in Side}


def place(game: Variant, board: Counts, turn: Side) -> Position | None:
    """The position with these checkers; None if there is none."""
    try:
        return build(game, turn, board)
    except SheshbeshError:
        return None


def turned(position: Position, side: Side) -> Position:
    """The same board with `side` on turn."""
    if position.turn is side:
        return position
    if has_xgid(position.variant):
        found = place(position.variant, counts(position), side)
        if found is not None:
            return found
    return position.variant.position(position.board(), side)


def is_shut_out(position: Position) -> bool:
    """Return True if the side on turn can move with no roll."""
    return all(
        position.legal_plays((high, low))[0].is_pass for high in range(1, 7) for low in range(1, high + 1)
    )


def steps_of_text(text: str) -> Steps:
    """The (from, to) pairs that a play names; NotationError if it cannot be read."""
    pairs = []
    for move in parse_moves(text):
        points = [25 if point == _BAR_CORE else point for point in move.points]
        if max(points) > 25:
            raise NotationError(Text("there is no point {n}", n=max(points)))
        way = list(pairwise(points))
        pairs += way * move.times
    return tuple(pairs)


def text_of_steps(steps: Steps) -> str:
    """The pairs as text, one word each; read back by `Position.parse_play`."""
    return " ".join(f"{'bar' if a >= 25 else a}/{'off' if b <= 0 else b}" for a, b in steps)


def pushed(position: Position, steps: Steps) -> Counts | None:
    """The checkers after the mover pushed theirs by these steps, legal or not; None if one was not there."""
    board, mover = counts(position), position.turn
    mine, theirs = board[mover], board[mover.other]
    # A checker may be named before another has arrived under it: try again until nothing moves.
    left = list(steps)
    while left:
        ready = (i for i, (origin, _) in enumerate(left) if 1 <= origin <= 25 and mine[origin - 1] > 0)
        index = next(ready, None)
        if index is None:
            return None
        origin, target = left.pop(index)
        mine[origin - 1] -= 1
        if target <= 0:
            continue
        mine[target - 1] += 1
        if (there := theirs[24 - target]) and there == 1:
            theirs[24 - target] = 0
            theirs[24] += 1
    return board


def steps_of_event(event: PlayEvent) -> list[tuple[int, int, bool]]:
    """The single steps of a play that was made: from (25 is the bar), to (0 is off), and whether it hits.

    A play that was illegal has its steps as they are named.
    """
    if not event.play:
        return []
    if event.legal:
        play = event.before.parse_play(event.play, event.dice)
        return [(min(step.origin, 25), step.target, step.takes) for step in play.steps]
    try:
        return [(origin, target, False) for origin, target in steps_of_text(event.play)]
    except SheshbeshError:
        return []


def loses_board(event: PlayEvent) -> bool:
    """Return True if the board is not known after a play, unless the next event gives one."""
    if event.play is None or not event.position:
        return True
    if event.legal or not event.play:
        return False
    board = pushed(event.before, steps_of_text(event.play))
    return board is None or place(event.before.variant, board, event.side.other) is None


def follows_hole(events: Sequence[Event], index: int) -> bool:
    """Return True if the board is not known at an event though nothing before it says why."""
    event = events[index]
    before = next((each for each in reversed(events[:index]) if not isinstance(each, CommentEvent)), None)
    if isinstance(event, ResultEvent):
        return event.winner is not None and _ends_unseen(before)
    if not isinstance(event, DECISIONS) or event.position:
        return False
    if isinstance(before, PlayEvent):
        if loses_board(before):
            return False
        board = before.after
    elif isinstance(before, SetPositionEvent):
        board = before.after
    elif isinstance(before, DECISIONS):
        if not before.position:
            return False
        board = before.before
    else:
        return True
    return event.side is board.turn or is_shut_out(board)


def _ends_unseen(last: Event | None) -> bool:
    """Return True if the board is known after the last event of a game, and does not show how it ended."""
    if isinstance(last, PlayEvent):
        if last.play is None:
            return bool(last.position)
        return not loses_board(last) and last.after.result is None
    if isinstance(last, DropEvent | ResignEvent | ResultEvent):
        return False
    return last is None or bool(getattr(last, "position", ""))


def difference(before: Position, after: Counts, dice: tuple[int, int]) -> Steps | None:
    """The steps by which the mover, with these dice, could have led to these checkers, legal or not.

    From the highest point down; None where as many steps as the roll has, none longer than the whole roll, do
    not lead there.
    """
    was, now = counts(before)[before.turn], after[before.turn]
    left = [point for point in range(25, 0, -1) for _ in range(max(was[point - 1] - now[point - 1], 0))]
    come = [point for point in range(25, 0, -1) for _ in range(max(now[point - 1] - was[point - 1], 0))]
    come += [0] * (len(left) - len(come))
    steps = tuple(zip(left, come, strict=False))
    count = 4 if dice[0] == dice[1] else 2
    fits = len(come) == len(left) and len(steps) <= count
    fits = fits and all(origin - target <= dice[0] * count for origin, target in steps)
    return steps if fits and pushed(before, steps) == after else None


_PADDING = re.compile(
    r"(?<!\S)(?:(?:0|off|-+)/\S+|(?P<point>\w+)/(?P=point)\*?(?:\(\d+\))?|-+)(?=\s|$)", re.IGNORECASE
)


def without_padding(text: str) -> str:
    """The text of a play without what names a step that moves nothing: it begins off the board, or ends where
    it begins. Some programs fill up a play so."""
    return " ".join(_PADDING.sub(" ", text).split())


def until_borne_off(before: Position, steps: Steps) -> Steps:
    """The steps up to that which bears the mover's last checker off."""
    held = sum(counts(before)[before.turn])
    for index in range(1, len(steps)):
        if sum(target <= 0 for _, target in steps[:index]) >= held:
            return steps[:index]
    return steps


def play_to(plays: Sequence[Play], board: Counts) -> Play | None:
    """The legal play that leads to these checkers, if there is one."""
    return next((play for play in plays if counts(play.result) == board), None)


def xgid(
    position: Position,
    *,
    length: int | None,
    white: int,
    black: int,
    cube: int,
    owner: Side | None,
    flags: int,
    dice: tuple[int, int] | None,
) -> str:
    """The XGID at any score and cube, also at those that no match reaches.

    `flags` is the field for the Crawford game, in money play Jacoby and beavers. Games that have no XGID
    give their position id.
    """
    if not has_xgid(position.variant):
        return position.id
    fields = (
        format_xgid_board(position),
        max(cube.bit_length() - 1, 0),
        0 if owner is None else 1 if owner is Side.WHITE else -1,
        1 if position.turn is Side.WHITE else -1,
        "00" if dice is None else f"{dice[0]}{dice[1]}",
        white,
        black,
        flags,
        length or 0,
        max(DEFAULT_MAX_CUBE, cube.bit_length() - 1),
    )
    return "XGID=" + ":".join(map(str, fields))
