"""GNU Backgammon's ids: the Position ID, the checkers in fourteen characters, and the Match ID, the rest.

    4HPwATDgc/ABMA                  the start of backgammon
    4HPwATDgc/ABMA:QYkqASAAIAAA     the same in a match to 9 at 2:4, the cube at 2, 5-2 thrown

The Position ID
---------------

Two sides follow one another, each as its points 1 to 24 and then its bar in its own numbering. A
place is written as one 1 for every checker on it and a closing 0. With fifteen checkers a side that
makes 80 bits; they fill ten bytes from the lowest bit up, and the bytes are written in Base64
without the padding.

The side on roll comes second. (The technical notes of gnubg's manual describe it as the first; the
program itself, and so every id in circulation, has it second.) Which side that is, the id does not
say, nor the dice, the score or the cube. Checkers not on the board are off.

The Match ID
------------
Sixty-seven bits, from the lowest up, in nine bytes as twelve characters of Base64:

    0   4 bits   cube as a power of two
    4   2        its owner: 0 and 1 the players, 3 for a centred cube
    6   1        the player on roll
    7   1        Crawford game
    8   3        state of the game: 0 none, 1 playing, 2 over, 3 resigned, 4 dropped
    11  1        the player whose decision it is: the other one while a double waits for an answer
    12  1        a double is offered
    13  2        a resignation is offered: 1 single, 2 gammon, 3 backgammon
    15  3 + 3    the dice, 0 while not thrown
    21  15       match length, 0 for money
    36  15 + 15  points of player 0 and of player 1
    66  1        Jacoby is off; texts from before that bit have Jacoby on

Player 0 is White here, player 1 Black. Beavers, and a match without a Crawford game, are not written.

Sources of the layouts: GNU Backgammon manual, "A technical description of the Position ID" and "A
technical description of the Match ID"; the bit of Jacoby as gnubg 1.06 writes it.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass

from sheshbesh.errors import NotationError
from sheshbesh.formats.plain_board import build, counts_of, require_plain
from sheshbesh.i18n import Text
from sheshbesh.match import MatchState
from sheshbesh.notebook import brief_fields
from sheshbesh.rules import Position, Roll, Side, Variant, as_variant
from sheshbesh.rules.ids import stripped
from sheshbesh.rules.side import SIDES

_NAME = re.compile(r"gnu(?:bg)?[ -]?id\s*[=:]\s*", re.IGNORECASE)
_LENGTH = 14
_BITS = 80
_PLACES = 25  # 24 points and the bar
_ALPHABET = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")


_MATCH_LENGTH = 12
_MATCH_BITS = 67
_CENTRED = 3
_PLAYING, _OVER = 1, 2
_LAST_STATE = 4
_MOST_POINTS = (1 << 15) - 1
_HIGHEST_CUBE = 1 << 15
_RESIGNATIONS = (None, "single", "gammon", "backgammon")


@dataclass(frozen=True, slots=True)
class GnubgPosition:
    """A position with its score, as a Position ID of GNU Backgammon and a Match ID give it.

    Parameters
    ----------
    position : Position
        The position.
    match : MatchState, optional
        Score and cube; None without a Match ID.
    dice : Roll, optional
        In the order of the text; None if not thrown.
    doubled : bool
        Whether the side on roll has doubled and waits for an answer.
    resignation : str, optional
        The class ("single", "gammon", "backgammon") that is offered by resigning, or None.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> sb.parse_gnubg_id("4HPwATDgc/ABMA", "backgammon").position == sb.variant("backgammon").start()
    True
    """

    position: Position
    match: MatchState | None = None
    dice: Roll | None = None
    doubled: bool = False
    resignation: str | None = None

    def __repr__(self) -> str:
        return brief_fields(self)


def parse_gnubg_id(
    text: str, game: Variant | str = "backgammon", turn: Side | str = Side.WHITE
) -> GnubgPosition:
    """Read a Position ID, or a Position ID and a Match ID with a colon between them.

    Parameters
    ----------
    text : str
        The id, with or without `GNUBGID=` before it.
    game : Variant or str, default "backgammon"
        The game that it is a position of, or its name.
    turn : Side or str
        The side on roll where there is no Match ID to say it.

    Returns
    -------
    GnubgPosition
        The position, with what the Match ID says.

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
    >>> sb.parse_gnubg_id("4HPwATDgc/ABMA:cAgAAAAAAAAA", "backgammon").match.is_money
    True
    """
    game = as_variant(game)
    if not isinstance(text, str):
        raise NotationError(Text("a GNU Backgammon id is a text: {text}", text=repr(str(text)[:60])))
    position_id, colon, match_id = _NAME.sub("", stripped(text), count=1).partition(":")
    if not colon:
        return GnubgPosition(parse_position_id(position_id, game, turn))
    bits = _MatchBits(match_id)
    position = parse_position_id(position_id, game, bits.turn)
    return GnubgPosition(position, bits.match(), bits.dice(), bool(bits.take(12, 1)), bits.resignation)


def format_gnubg_id(
    position: Position,
    match: MatchState | None = None,
    dice: tuple[int, int] | None = None,
    *,
    doubled: bool = False,
    resignation: str | None = None,
) -> str:
    """Print the Position ID and the Match ID of GNU Backgammon.

    Parameters
    ----------
    position : Position
        The position.
    match : MatchState, optional
        Score and cube; without it a money game with a centred cube at 1.
    dice : tuple[int, int], optional
        The throw.
    doubled : bool
        Whether the side on roll has doubled and waits for an answer.
    resignation : str, optional
        The class that is offered by resigning.

    Returns
    -------
    str
        Both ids, with a colon between them.

    Raises
    ------
    NotationError
        The game, the score or the cube cannot be written so; a double stands beside dice; or the class is
        unknown.
    DiceError
        The dice are none.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> sb.format_gnubg_id(sb.variant("backgammon").start())
    '4HPwATDgc/ABMA:MAEAAAAAAAAA'
    """
    match = MatchState() if match is None else match
    numbers = {
        Text("match length"): match.length or 0,
        Text("White's points"): match.white,
        Text("Black's points"): match.black,
    }
    for what, number in numbers.items():
        if number > _MOST_POINTS:
            raise NotationError(
                Text("a Match ID has {what} up to {most}, not {n}", what=what, most=_MOST_POINTS, n=number)
            )
    if match.cube > _HIGHEST_CUBE:
        raise NotationError(
            Text("a Match ID has the cube up to {most}, not {cube}", most=_HIGHEST_CUBE, cube=match.cube)
        )
    if resignation not in _RESIGNATIONS:
        raise NotationError(
            Text("a resignation is of a single, gammon or backgammon, not {found}", found=repr(resignation))
        )
    if doubled and dice is not None:
        raise NotationError(Text("a double is offered before the throw, not with {dice}", dice=repr(dice)))
    first, second = (0, 0) if dice is None else (Roll.of(dice), dice)[1]
    mover = SIDES.index(position.turn)
    fields = (
        (0, match.cube.bit_length() - 1),
        (4, _CENTRED if match.owner is None else SIDES.index(Side.of(match.owner))),
        (6, mover),
        (7, bool(match.crawford)),
        (8, _PLAYING if position.result is None else _OVER),
        (11, 1 - mover if doubled else mover),
        (12, doubled),
        (13, _RESIGNATIONS.index(resignation)),
        (15, first),
        (18, second),
        (21, match.length or 0),
        (36, match.white),
        (51, match.black),
        (66, match.length is None and not match.jacoby),
    )
    key = sum(int(value) << start for start, value in fields)
    match_id = base64.b64encode(key.to_bytes(9, "little")).decode()
    return f"{format_position_id(position)}:{match_id}"


class _MatchBits:
    """The bits of a Match ID; NotationError if it cannot be read."""

    def __init__(self, text: str) -> None:
        self._text = text
        if len(text) != _MATCH_LENGTH:
            raise NotationError(
                Text("a Match ID has {n} characters: {text}", n=_MATCH_LENGTH, text=repr(text[:60]))
            )
        for column, symbol in enumerate(text, start=1):
            if symbol not in _ALPHABET:
                raise NotationError(
                    Text(
                        "Match ID {id}, column {column}: {symbol} is no Base64 character",
                        id=repr(text),
                        column=column,
                        symbol=repr(symbol),
                    )
                )
        self._key = int.from_bytes(base64.b64decode(text, validate=True), "little")
        if self._key >> _MATCH_BITS:
            raise self._unreadable(Text("bits beyond the {n}th", n=_MATCH_BITS))
        if self.take(8, 3) > _LAST_STATE:
            raise self._unreadable(Text("{n} is no state of a game", n=self.take(8, 3)))
        if self.take(4, 2) == 2:
            raise self._unreadable(Text("2 is no owner of the cube"))

    def _unreadable(self, why: str) -> NotationError:
        return NotationError(Text("Match ID {id}: {why}", id=repr(self._text), why=why))

    def take(self, start: int, size: int) -> int:
        """The number in `size` bits from `start` on."""
        return self._key >> start & ((1 << size) - 1)

    @property
    def turn(self) -> Side:
        """The side on roll."""
        return SIDES[self.take(6, 1)]

    @property
    def resignation(self) -> str | None:
        """The class that is offered by resigning."""
        return _RESIGNATIONS[self.take(13, 2)]

    def dice(self) -> Roll | None:
        """The dice in the order of the text; None if not thrown."""
        first, second = self.take(15, 3), self.take(18, 3)
        if not first and not second:
            return None
        if not (1 <= first <= 6 and 1 <= second <= 6):
            raise self._unreadable(Text("{first}-{second} are no dice", first=first, second=second))
        return Roll(first, second)

    def match(self) -> MatchState:
        """The score and the cube; MatchError if they cannot be."""
        length, owner, power = self.take(21, 15), self.take(4, 2), self.take(0, 4)
        # A centred cube above 1 was doubled by equal opening dice, in money play alone.
        centred = not length and owner == _CENTRED
        return MatchState(
            length=length or None,
            white=self.take(36, 15),
            black=self.take(51, 15),
            cube=2**power,
            automatic_doubles=power if centred else 0,
            owner=None if owner == _CENTRED else SIDES[owner],
            crawford=bool(length and self.take(7, 1)),
            jacoby=not length and not self.take(66, 1),
        )


def parse_position_id(
    text: str, game: Variant | str = "backgammon", turn: Side | str = Side.WHITE
) -> Position:
    """Read a Position ID of GNU Backgammon.

    Parameters
    ----------
    text : str
        The id.
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
        The text is no Position ID, or the game cannot be written as one.
    PositionError
        No such position exists; `problems` has every reason.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> from sheshbesh import formats
    >>> formats.parse_position_id("4HPwATDgc/ABMA", "backgammon") == sb.variant("backgammon").start()
    True
    """
    game = as_variant(game)
    require_plain(game, "a Position ID")
    mover = Side.of(turn)
    places = _read_places(_read_key(text), text)
    return build(game, mover, {mover.other: places[:_PLACES], mover: places[_PLACES:]})


def format_position_id(position: Position) -> str:
    """Print the Position ID of GNU Backgammon.

    Parameters
    ----------
    position : Position
        The position.

    Returns
    -------
    str
        The id.

    Raises
    ------
    NotationError
        The game cannot be written so.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> from sheshbesh import formats
    >>> formats.format_position_id(sb.variant("backgammon").start())
    '4HPwATDgc/ABMA'
    """
    require_plain(position.variant, "a Position ID")
    key = used = 0
    for side in (position.turn.other, position.turn):
        for count in counts_of(position, side):
            key |= ((1 << count) - 1) << used
            used += count + 1
    return base64.b64encode(key.to_bytes(_BITS // 8, "little")).decode().rstrip("=")


def _read_key(text: str) -> int:
    """The 80 bits as one number, the first bit lowest."""
    if not isinstance(text, str) or len(stripped(text)) != _LENGTH:
        raise NotationError(
            Text("a Position ID has {n} characters: {text}", n=_LENGTH, text=repr(str(text)[:60]))
        )
    symbols = stripped(text)
    for column, symbol in enumerate(symbols, start=1):
        if symbol not in _ALPHABET:
            raise NotationError(
                Text(
                    "Position ID {id}, column {column}: {symbol} is no Base64 character",
                    id=repr(text),
                    column=column,
                    symbol=repr(symbol),
                )
            )
    data = base64.b64decode(symbols + "==", validate=True)
    # Fourteen characters hold 84 bits; were the spare four ignored, sixteen texts would be one id.
    if base64.b64encode(data).decode()[:_LENGTH] != symbols:
        raise NotationError(
            Text(
                "Position ID {id}, column {column}: {symbol} has bits beyond the {n}th",
                id=repr(text),
                column=_LENGTH,
                symbol=repr(symbols[-1]),
                n=_BITS,
            )
        )
    return int.from_bytes(data, "little")


def _read_places(key: int, text: str) -> list[int]:
    """The checkers on each of the fifty places."""
    places = [0]
    for index in range(_BITS):
        if len(places) > 2 * _PLACES:
            break
        if key >> index & 1:
            places[-1] += 1
        else:
            places.append(0)
    used = sum(places) + len(places) - 1
    if len(places) <= 2 * _PLACES:
        found = len(places) - 1
        raise NotationError(
            Text(
                "Position ID {id}: ends after {found} of the {n} places",
                id=repr(text),
                found=found,
                n=2 * _PLACES,
            )
        )
    if key >> used:
        raise NotationError(
            Text(
                "Position ID {id}: a checker beyond the last of the {n} places", id=repr(text), n=2 * _PLACES
            )
        )
    return places[: 2 * _PLACES]
