"""XGID, eXtreme Gammon's text for a position with its cube, dice and score.

    XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10

    1  board            see below
    2  cube             as a power of two: 0 is a cube at 1
    3  cube owner       1 the lower side, -1 the upper, 0 for a centred cube
    4  turn             1 the lower side is on roll, -1 the upper
    5  dice             00 not thrown; D, B, R (also DD, BB, RR): a double, beaver or raccoon waits for an
                        answer
    6  lower score      points won by the lower side
    7  upper score
    8  Crawford/Jacoby  in a match 1 in the Crawford game; for money 1 for Jacoby + 2 for beavers
    9  match length     0 for money
    10 largest cube     as a power of two

The board is the upper side's bar, the lower side's points 1 to 24 and the lower side's bar: `-` is
empty, A to O are one to fifteen checkers of the lower side, a to o of the upper. The lower side is
White here, the upper Black. Checkers not shown are off.

`XGID=` may be missing when reading, and so may the largest cube, which older texts do not have.
The layout is eXtreme Gammon's, as its help and its exports show it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sheshbesh.errors import NotationError
from sheshbesh.formats.plain_board import MAX_CHECKERS, build, counts_of, require_plain
from sheshbesh.i18n import Text
from sheshbesh.match import MatchState
from sheshbesh.notebook import brief_fields
from sheshbesh.rules import Position, Roll, Side, Variant, as_variant
from sheshbesh.rules.ids import stripped

PREFIX = "XGID="
DEFAULT_MAX_CUBE = 10

OFFERS = {"D": "double", "B": "beaver", "R": "raccoon"}
"""The letters in the place of the dice while a cube is offered, and their meaning."""

_LETTERS = {offer: letter for letter, offer in OFFERS.items()}
_SIDES = {1: Side.WHITE, -1: Side.BLACK}
_FIELDS = (
    "board",
    "cube",
    "cube owner",
    "turn",
    "dice",
    "lower score",
    "upper score",
    "Crawford/Jacoby",
    "match length",
    "largest cube",
)
_FIELDS_SAID = (
    Text("board"),
    Text("cube"),
    Text("cube owner"),
    Text("turn"),
    Text("dice"),
    Text("lower score"),
    Text("upper score"),
    Text("Crawford/Jacoby"),
    Text("match length"),
    Text("largest cube"),
)
"""The same as players read them."""
_BOARD = 26  # 24 points between two bars
_MAX_LENGTH = 120
_NUMBER = re.compile(r"-?\d{1,6}", re.ASCII)


@dataclass(frozen=True, slots=True)
class XgPosition:
    """The content of an XGID.

    Parameters
    ----------
    position : Position
        The position.
    match : MatchState
        Score and cube.
    dice : Roll, optional
        In the order of the text; None if not thrown.
    offer : str, optional
        The cube action that waits for an answer ("double", "beaver", "raccoon"; the side on roll has
        doubled), or None.
    max_cube : int
        The largest cube as a power of two.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> sb.parse_xgid("-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "backgammon").dice
    Roll(first=3, second=1)
    """

    position: Position
    match: MatchState
    dice: Roll | None = None
    offer: str | None = None
    max_cube: int = DEFAULT_MAX_CUBE

    def __repr__(self) -> str:
        return brief_fields(self)


# Reading


def parse_xgid(text: str, game: Variant | str = "backgammon") -> XgPosition:
    """Read an XGID.

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
    >>> sb.parse_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10", "backgammon").match.length
    7
    """
    game = as_variant(game)
    require_plain(game, "an XGID")
    fields = _split(text)
    numbers = {name: _number(fields, name, text) for name in _FIELDS if name not in ("board", "dice")}
    if numbers["turn"] not in _SIDES:
        raise _unreadable(text, "turn", Text("expected 1 or -1"))
    if numbers["cube owner"] not in (0, *_SIDES):
        raise _unreadable(text, "cube owner", Text("expected 1, 0 or -1"))
    dice, offer = _read_dice(fields["dice"], text)
    position = parse_xgid_board(fields["board"], game, _SIDES[numbers["turn"]])
    return XgPosition(position, _read_match(numbers, text), dice, offer, numbers["largest cube"])


def parse_xgid_board(
    text: str, game: Variant | str = "backgammon", turn: Side | str = Side.WHITE
) -> Position:
    """Read the 26 characters of an XGID's board.

    Parameters
    ----------
    text : str
        The characters.
    game : Variant or str, default "backgammon"
        The game that it is a position of, or its name.
    turn : Side or str
        The side on roll.

    Returns
    -------
    Position
        The position.

    Raises
    ------
    NotationError
        The text cannot be read, or the game cannot be written so.
    PositionError
        The position is impossible; `problems` has every reason.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> from sheshbesh import formats
    >>> formats.parse_xgid_board("-b----E-C---eE---c-e----B-", "backgammon").turn == "white"
    True
    """
    game = as_variant(game)
    require_plain(game, "an XGID")
    if not isinstance(text, str) or len(text) != _BOARD:
        raise NotationError(
            Text("the board of an XGID has {n} characters: {text}", n=_BOARD, text=repr(str(text)[:60]))
        )
    counts = {Side.WHITE: [0] * 25, Side.BLACK: [0] * 25}
    for column, letter in enumerate(text):
        if letter == "-":
            continue
        count = ord(letter.upper()) - ord("A") + 1 if letter.isascii() and letter.isalpha() else 0
        side = Side.WHITE if letter.isupper() else Side.BLACK
        if not 1 <= count <= MAX_CHECKERS or column == (0 if side is Side.WHITE else 25):
            raise NotationError(
                Text(
                    "XGID board {board}, column {n}: {letter} cannot stand here",
                    board=repr(text),
                    n=column + 1,
                    letter=repr(letter),
                )
            )
        # Both bars come out as the 25th place of their side: White counts up, Black down.
        place = column if side is Side.WHITE else 25 - column
        counts[side][place - 1] = count
    return build(game, turn, counts)


def _split(text: str) -> dict[str, str]:
    if not isinstance(text, str) or len(text) > _MAX_LENGTH:
        raise NotationError(
            Text(
                "an XGID is a text of at most {n} characters: {text}",
                n=_MAX_LENGTH,
                text=repr(str(text)[:60]),
            )
        )
    plain = stripped(text)
    parts = (plain[len(PREFIX) :] if plain[: len(PREFIX)].upper() == PREFIX else plain).split(":")
    if len(parts) == len(_FIELDS) - 1:
        parts.append(str(DEFAULT_MAX_CUBE))
    if len(parts) != len(_FIELDS):
        raise NotationError(
            Text(
                "an XGID has {expected} fields between colons, not {n}: {text}",
                expected=len(_FIELDS),
                n=len(parts),
                text=repr(text),
            )
        )
    return dict(zip(_FIELDS, parts, strict=True))


def _unreadable(text: str, name: str, why: str) -> NotationError:
    place = _FIELDS.index(name) + 1
    return NotationError(
        Text(
            "XGID {id}, field {n} ({name}): {why}",
            id=repr(text),
            n=place,
            name=_FIELDS_SAID[place - 1],
            why=why,
        )
    )


def _number(fields: dict[str, str], name: str, text: str) -> int:
    if not _NUMBER.fullmatch(fields[name]):
        raise _unreadable(text, name, Text("{found} is not a whole number", found=repr(fields[name])))
    value = int(fields[name])
    if value < 0 and name not in ("turn", "cube owner"):
        raise _unreadable(text, name, Text("{n} is below 0", n=value))
    return value


def _read_dice(text: str, whole: str) -> tuple[Roll | None, str | None]:
    if text == "00":
        return None, None
    if text[:1] in OFFERS and text in (text[0], 2 * text[0]):
        return None, OFFERS[text[0]]
    if len(text) == 2 and all(digit in "123456" for digit in text):
        return Roll(int(text[0]), int(text[1])), None
    raise _unreadable(whole, "dice", Text("{found} is neither two dice, 00, D, B nor R", found=repr(text)))


def _read_match(numbers: dict[str, int], text: str) -> MatchState:
    length, flags = numbers["match length"], numbers["Crawford/Jacoby"]
    if flags > (1 if length else 3):
        raise _unreadable(text, "Crawford/Jacoby", Text("expected 0 or 1 in a match, 0 to 3 for money"))
    # An exponent without end would be a number without end; MatchState judges what is left.
    if numbers["cube"] > 30:
        raise _unreadable(text, "cube", Text("2 to the power of {cube} is no cube", cube=numbers["cube"]))
    owner = numbers["cube owner"]
    # A centred cube above 1 was doubled by equal opening dice, in money play alone.
    centred = not length and not owner
    return MatchState(
        length=length or None,
        white=numbers["lower score"],
        black=numbers["upper score"],
        cube=2 ** numbers["cube"],
        automatic_doubles=numbers["cube"] if centred else 0,
        owner=_SIDES[owner] if owner else None,
        crawford=bool(length and flags),
        jacoby=bool(not length and flags & 1),
        beavers=bool(not length and flags & 2),
    )


# Printing


def format_xgid(
    position: Position,
    match: MatchState | None = None,
    dice: tuple[int, int] | None = None,
    *,
    offer: str | None = None,
    max_cube: int | None = None,
) -> str:
    """Print the XGID of a position.

    Jacoby and beavers are written for money only, where alone they have force; that a match has no Crawford
    game cannot be written.

    Parameters
    ----------
    position : Position
        The position.
    match : MatchState, optional
        Score and cube; without it a money game with a centred cube at 1.
    dice : tuple[int, int], optional
        The throw.
    offer : str, optional
        The cube action that waits for an answer.
    max_cube : int, optional
        The largest cube; what the table has agreed on without it, else 1024 or the cube itself.

    Returns
    -------
    str
        The id.

    Raises
    ------
    NotationError
        The game cannot be written so; the offer is unknown or stands beside dice; or the largest cube is
        below 0.
    DiceError
        The dice are none.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> sb.format_xgid(sb.variant("backgammon").start(), dice=(3, 1))
    'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10'
    """
    match = MatchState() if match is None else match
    if max_cube is None:
        limit = match.cube_limit or max(2**DEFAULT_MAX_CUBE, match.cube)
        max_cube = limit.bit_length() - 1
    if max_cube < 0:
        raise NotationError(
            Text("the largest cube is a power of two from 0 up, not {found}", found=repr(max_cube))
        )
    money = match.length is None
    fields = (
        format_xgid_board(position),
        match.cube.bit_length() - 1,
        _sign(match.owner),
        _sign(position.turn),
        _dice_text(dice, offer),
        match.white,
        match.black,
        bool(match.jacoby) + 2 * match.beavers if money else int(match.crawford),
        match.length or 0,
        max_cube,
    )
    return PREFIX + ":".join(str(field) for field in fields)


def format_xgid_board(position: Position) -> str:
    """Print the 26 characters of an XGID's board.

    Parameters
    ----------
    position : Position
        The position.

    Returns
    -------
    str
        The characters.

    Raises
    ------
    NotationError
        The game cannot be written so.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> from sheshbesh import formats
    >>> formats.format_xgid_board(sb.variant("backgammon").start())
    '-b----E-C---eE---c-e----B-'
    """
    require_plain(position.variant, "an XGID")
    board = ["-"] * _BOARD
    for place, count in enumerate(counts_of(position, Side.WHITE), start=1):
        if count:
            board[place] = chr(ord("A") + count - 1)
    for place, count in enumerate(counts_of(position, Side.BLACK), start=1):
        if count:
            board[25 - place] = chr(ord("a") + count - 1)
    return "".join(board)


def _sign(side: Side | str | None) -> int:
    if side is None:
        return 0
    return 1 if Side.of(side) is Side.WHITE else -1


def _dice_text(dice: tuple[int, int] | None, offer: str | None) -> str:
    if offer is not None:
        if offer not in _LETTERS or dice is not None:
            raise NotationError(
                Text(
                    "an offer is one of {choices}, before the throw: {found}",
                    choices=", ".join(_LETTERS),
                    found=repr(offer),
                )
            )
        return _LETTERS[offer]
    if dice is None:
        return "00"
    Roll.of(dice)
    first, second = dice
    return f"{first}{second}"
