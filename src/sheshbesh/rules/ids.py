"""The text id of a position: short, readable, safe in a URL, exact.

    B4e1c3Ee3C1E4b:w            the start of backgammon, White on roll

The board runs over White's points 24 to 1: a number is that many empty points, a letter is a point
with that many checkers (A = 1 ... O = 15), capital for White and small for Black. In games with
pins `(Ba)` is a point where two White checkers hold one of Black. After the board comes the side
on roll, then only what is not zero, in this order:

    x1.0    checkers on the bar, White's and Black's
    h15.9   checkers in hand
    t0.1    finished turns, as far as the rules of the game ask
    sw      who started, where the second player has a last turn
    mb      whose mother is lost, where the game is played on
    p555+!  what is owed: the steps, + if the chain goes on, ! if the same side then throws;
            p? is a double to be named; h1 behind it: the checkers that left the head
            earlier in this roll, where the rules limit them

Checkers not seen are off.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from sheshbesh.errors import NotationError
from sheshbesh.i18n import Text
from sheshbesh.rules.notation import BAR, HAND, OFF
from sheshbesh.rules.pending import Pending
from sheshbesh.rules.setup import Both, Checkers, Geometry
from sheshbesh.rules.side import SIDES, Side

_TOKEN = re.compile(r"(?P<gap>[1-9][0-9]?)|\((?P<pin>[A-Oa-o]{2})\)|(?P<stack>[A-Oa-o])")
_FIELD = re.compile(
    r"(?P<pair>[xht])(?P<white>[0-9]{1,2})\.(?P<black>[0-9]{1,2})"
    r"|(?P<who>[sm])(?P<side>[wb])"
    r"|p(?:(?P<choose>\?)|(?P<steps>[1-6]{1,4})(?P<more>\+?)(?P<throw>!?))(?:h(?P<head>[1-9][0-9]?))?"
)
_MAX_LENGTH = 200


@dataclass
class Description:
    """A position taken apart: everything an id carries."""

    turn: Side
    checkers: Both
    turns: dict[Side, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    starter: Side | None = None
    mother_lost: Side | None = None
    pending: Pending | None = None


_WHITE, _BLACK = " ABCDEFGHIJKLMNO", " abcdefghijklmno"
"""The letters by number of checkers."""


def _board_text(both: Both, geometry: Geometry) -> str:
    white, black = (both[side] for side in SIDES)
    board, gap = [], 0
    for point in range(24, 0, -1):
        other = geometry.mirrored(point)
        mine, theirs = white.counts[point], black.counts[other]
        if not mine and not theirs:
            gap += 1
            continue
        if gap:
            board.append(str(gap))
            gap = 0
        if not theirs:
            board.append(_WHITE[mine])
        elif not mine:
            board.append(_BLACK[theirs])
        else:
            stacks = ((point in white.pinned, _WHITE[mine]), (other in black.pinned, _BLACK[theirs]))
            board.append("(" + "".join(letter for _, letter in sorted(stacks)) + ")")
    if gap:
        board.append(str(gap))
    return "".join(board)


def format_id(position: Description, geometry: Geometry) -> str:
    """Print the id of a position."""
    both = position.checkers
    fields = [_board_text(both, geometry), position.turn.value[0]]
    white, black = (both[side].counts for side in SIDES)
    pairs = (
        ("x", white[BAR], black[BAR]),
        ("h", white[HAND], black[HAND]),
        ("t", *(position.turns[side] for side in SIDES)),
    )
    fields += [f"{letter}{a}.{b}" for letter, a, b in pairs if a or b]
    if position.starter:
        fields.append("s" + position.starter.value[0])
    if position.mother_lost:
        fields.append("m" + position.mother_lost.value[0])
    owed = position.pending
    if owed is not None:
        steps = "".join(map(str, owed.steps))
        what = "?" if owed.choose else f"{steps}{'+' if owed.rest else ''}{'!' if owed.then else ''}"
        fields.append(f"p{what}{f'h{owed.head}' if owed.head else ''}")
    return ":".join(fields)


def _put(both: Both, geometry: Geometry, point: int, letters: str, *, pinned: bool) -> None:
    for i, letter in enumerate(letters):
        side = Side.WHITE if letter.isupper() else Side.BLACK
        own = geometry.own(side, point)
        both[side].counts[own] = ord(letter.upper()) - ord("A") + 1
        if pinned and i == 1:
            both[side].pinned.add(own)


def _parse_board(text: str, whole: str, geometry: Geometry) -> Both:
    both = {side: Checkers() for side in SIDES}
    point, at = 24, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise NotationError(
                Text(
                    "position id {id}, column {n}: expected a gap or a stack A to O", id=repr(whole), n=at + 1
                )
            )
        if match["pin"] and match["pin"][0].isupper() == match["pin"][1].isupper():
            raise NotationError(
                Text("position id {id}, column {n}: a pin needs both colours", id=repr(whole), n=at + 1)
            )
        if match["gap"]:
            point -= int(match["gap"])
        elif point >= 1:
            _put(both, geometry, point, match["pin"] or match["stack"], pinned=bool(match["pin"]))
            point -= 1
        else:
            point = -1
        at = match.end()
        if point < 0:
            raise NotationError(
                Text("position id {id}, column {n}: more than 24 points", id=repr(whole), n=at)
            )
    if point != 0:
        raise NotationError(Text("position id {id}: {n} points, not 24", id=repr(whole), n=24 - point))
    return both


def _parse_field(text: str, whole: str, position: Description) -> str:
    match = _FIELD.fullmatch(text)
    if match is None:
        raise NotationError(
            Text("position id {id}: cannot read the field {field}", id=repr(whole), field=repr(text))
        )
    if match["pair"]:
        for side, number in zip(SIDES, (match["white"], match["black"]), strict=True):
            if match["pair"] == "t":
                position.turns[side] = int(number)
            else:
                position.checkers[side].counts[BAR if match["pair"] == "x" else HAND] = int(number)
    elif match["who"]:
        side = Side.WHITE if match["side"] == "w" else Side.BLACK
        if match["who"] == "s":
            position.starter = side
        else:
            position.mother_lost = side
    elif match["choose"]:
        position.pending = Pending(position.turn, choose="double", head=int(match["head"] or 0))
    else:
        steps = tuple(map(int, match["steps"]))
        rest = tuple(range(steps[0] + 1, 7)) if match["more"] else ()
        then = "own_throw" if match["throw"] else None
        position.pending = Pending(position.turn, steps, rest, then, head=int(match["head"] or 0))
    return text[0]


def parse_id(text: str, geometry: Geometry) -> Description:
    """Read an id; NotationError says where it cannot be read. The position may still be impossible."""
    if not isinstance(text, str) or len(text) > _MAX_LENGTH:
        raise NotationError(
            Text(
                "a position id is a text of at most {n} characters: {text}",
                n=_MAX_LENGTH,
                text=repr(str(text)[:60]),
            )
        )
    fields = text.strip().split(":")
    if len(fields) < 2 or fields[1] not in ("w", "b"):
        raise NotationError(Text("position id {id}: after the board comes :w or :b", id=repr(text)))
    turn = Side.WHITE if fields[1] == "w" else Side.BLACK
    position = Description(turn, _parse_board(fields[0], text, geometry))
    seen: list[str] = []
    for part in fields[2:]:
        letter = _parse_field(part, text, position)
        if seen and "xhtsmp".index(letter) <= "xhtsmp".index(seen[-1]):
            raise NotationError(
                Text(
                    "position id {id}: the field {field} is out of order or doubled",
                    id=repr(text),
                    field=repr(part),
                )
            )
        seen.append(letter)
    for own in position.checkers.values():
        own.counts[OFF] = max(geometry.checkers - sum(own.counts), 0)
    return position
