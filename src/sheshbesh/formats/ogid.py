"""OGID, OpenGammon's text for a position with its cube, dice and score: read only.

    11jjjjjhhhccccc:ooddddd88866666:N0N::W:IW:0:0:1:0

    1  White           a character for each checker: 0 to 9 and a to p are places 0 to 25, q is off
    2  Black           the same
    3  cube            owner (N nobody, W, B, D dead, ?), its power of two, and N, or O for a double that
                       waits for an answer (T taken, P passed)
    4  dice            empty while not thrown
    5  turn            W or B, the side that acted last: the other one is on roll, but after a double that
                       waits the one that doubled
    6  state           of the game; nothing of a position
    7  White's score
    8  Black's score
    9  match length    0 for money; behind it C for the Crawford game, L after it, G and a number of games
    10 move number
    11 checkers        a side; 15 where it is missing

Place 0 is White's bar, 25 is Black's, and White moves up. All behind the cube may be missing. The layout is
HedgeHog's (gitlab.com/eranlambooij/hedgehog-public, docs/OGID.md), as the codecs of GammonView restate it.
"""

from __future__ import annotations

import re

from sheshbesh.errors import NotationError
from sheshbesh.formats.plain_board import MAX_CHECKERS, build, require_plain
from sheshbesh.formats.xgid import XgPosition
from sheshbesh.i18n import Text
from sheshbesh.match import MatchState
from sheshbesh.rules import Position, Roll, Side, Variant, as_variant
from sheshbesh.rules.ids import stripped

PREFIX = "OGID="

_PLACES = "0123456789abcdefghijklmnop"
_OFF = "q"
_SIDES = {"W": Side.WHITE, "B": Side.BLACK}
_CUBE = re.compile(r"([NWBD?])([0-9]{1,2})([NOTP])")
_LENGTH = re.compile(r"([0-9]{1,4})(?:([CL])|G[0-9]*)?")
_FIELDS = (
    "White",
    "Black",
    "cube",
    "dice",
    "turn",
    "state",
    "White's score",
    "Black's score",
    "match length",
    "move number",
    "checkers",
)
_FIELDS_SAID = (
    Text("White"),
    Text("Black"),
    Text("cube"),
    Text("dice"),
    Text("turn"),
    Text("state"),
    Text("White's score"),
    Text("Black's score"),
    Text("match length"),
    Text("move number"),
    Text("checkers"),
)
"""The same as players read them."""
_LARGEST = 30
_MAX_LENGTH = 200


def parse_ogid(text: str, game: Variant | str = "backgammon") -> XgPosition:
    """Read an OGID.

    Parameters
    ----------
    text : str
        The id.
    game : Variant or str, default "backgammon"
        The game that it is a position of, or its name.

    Returns
    -------
    XgPosition
        The position, the score and what waits for an answer.

    Raises
    ------
    NotationError
        The text cannot be read, or the game cannot be written so.
    PositionError
        The position is impossible; `problems` has every reason.
    MatchError
        The score or the cube is impossible.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> from sheshbesh import formats
    >>> read = formats.parse_ogid("11jjjjjhhhccccc:ooddddd88866666:N0N:::W:", "backgammon")
    >>> read.position == sb.variant("backgammon").start()
    True
    """
    game = as_variant(game)
    require_plain(game, "an OGID")
    if not isinstance(text, str) or len(text) > _MAX_LENGTH:
        raise NotationError(
            Text(
                "an OGID is a text of at most {n} characters: {text}",
                n=_MAX_LENGTH,
                text=repr(str(text)[:60]),
            )
        )
    parts = stripped(text)
    parts = parts[len(PREFIX) :] if parts[: len(PREFIX)].upper() == PREFIX else parts
    fields = parts.split(":")
    if not 3 <= len(fields) <= len(_FIELDS):
        raise NotationError(
            Text(
                "an OGID has 3 to {most} fields between colons, not {n}: {text}",
                most=len(_FIELDS),
                n=len(fields),
                text=repr(text),
            )
        )
    said = dict.fromkeys(_FIELDS, "") | dict(zip(_FIELDS, fields, strict=False))
    cube = _CUBE.fullmatch(said["cube"])
    if cube is None or int(cube[2]) > _LARGEST:
        raise _unreadable(
            text, "cube", Text("{found} is no owner, power of two and action", found=repr(said["cube"]))
        )
    offered = cube[3] == "O"
    turn = _turn(text, said["turn"], offered=offered)
    return XgPosition(
        _position(text, said, game, turn),
        _match(text, said, int(cube[2]), _SIDES.get(cube[1])),
        _dice(text, said["dice"]),
        "double" if offered else None,
    )


def _unreadable(text: str, name: str, why: str) -> NotationError:
    return NotationError(
        Text(
            "OGID {id}, field {n} ({name}): {why}",
            id=repr(text),
            n=_FIELDS.index(name) + 1,
            name=_FIELDS_SAID[_FIELDS.index(name)],
            why=why,
        )
    )


def _turn(text: str, acted: str, *, offered: bool) -> Side:
    if acted and acted not in _SIDES:
        raise _unreadable(text, "turn", Text("expected W or B, not {found}", found=repr(acted)))
    side = _SIDES.get(acted, Side.BLACK)
    return side if offered else side.other


def _position(text: str, said: dict[str, str], game: Variant, turn: Side) -> Position:
    held = _number(text, said, "checkers", MAX_CHECKERS)
    counts = {}
    for side, name in ((Side.WHITE, "White"), (Side.BLACK, "Black")):
        own = counts[side] = [0] * 25
        if len(said[name]) > held:
            raise _unreadable(
                text, name, Text("{n} checkers, there are {held}", n=len(said[name]), held=held)
            )
        for column, letter in enumerate(said[name], start=1):
            if letter == _OFF:
                continue
            place = _PLACES.find(letter)
            # White counts down towards its home here, Black up: the bar is the 25th place of both.
            number = 25 - place if side is Side.WHITE else place
            if place < 0 or not 1 <= number <= 25:
                raise _unreadable(
                    text,
                    name,
                    Text(
                        "character {column}, {letter}, is no place of {side}'s",
                        column=column,
                        letter=repr(letter),
                        side=side.text,
                    ),
                )
            own[number - 1] += 1
    return build(game, turn, counts)


def _match(text: str, said: dict[str, str], power: int, owner: Side | None) -> MatchState:
    length = _LENGTH.fullmatch(said["match length"] or "0")
    if length is None:
        raise _unreadable(
            text, "match length", Text("{found} is no length of a match", found=repr(said["match length"]))
        )
    points = int(length[1]) or None
    return MatchState(
        length=points,
        white=_number(text, said, "White's score"),
        black=_number(text, said, "Black's score"),
        cube=2**power,
        automatic_doubles=power if points is None and owner is None else 0,
        owner=owner,
        crawford=points is not None and length[2] == "C",
    )


def _number(text: str, said: dict[str, str], name: str, default: int = 0) -> int:
    if not re.fullmatch(r"[0-9]{0,6}", said[name]):
        raise _unreadable(text, name, Text("{found} is not a whole number", found=repr(said[name])))
    return int(said[name]) if said[name] else default


def _dice(text: str, said: str) -> Roll | None:
    if not said:
        return None
    if not re.fullmatch("[1-6]{2}", said):
        raise _unreadable(text, "dice", Text("{found} is neither two dice nor empty", found=repr(said)))
    return Roll(int(said[0]), int(said[1]))
