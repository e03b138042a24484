"""GNU Backgammon's Position ID: both sides' checkers in fourteen characters.

    4HPwATDgc/ABMA          the start of backgammon

Two sides follow one another, each as its points 1 to 24 and then its bar in its own numbering. A
place is written as one 1 for every checker on it and a closing 0. With fifteen checkers a side that
makes 80 bits; they fill ten bytes from the lowest bit up, and the bytes are written in Base64
without the padding.

The side on roll comes second. (The technical notes of gnubg's manual describe it as the first; the
program itself, and so every id in circulation, has it second.) Who that is, the id does not say,
nor the dice, the score or the cube. Checkers not on the board are off.

Source of the layout: GNU Backgammon manual, "A technical description of the Position ID".
"""

from __future__ import annotations

import base64

from sheshbesh.errors import NotationError
from sheshbesh.formats.plain_board import build, counts_of, require_plain
from sheshbesh.rules import Position, Side, Variant

_LENGTH = 14
_BITS = 80
_PLACES = 25  # 24 points and the bar
_ALPHABET = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")


def parse_position_id(text: str, game: Variant, turn: Side | str = Side.WHITE) -> Position:
    """Read a Position ID as a position of `game` with `turn` on roll.

    Raises NotationError if the text is no Position ID or the game cannot be written as one, and
    PositionError, with every problem, if no such position exists.
    """
    require_plain(game, "a Position ID")
    mover = Side.of(turn)
    places = _read_places(_read_key(text), text)
    return build(game, mover, {mover.other: places[:_PLACES], mover: places[_PLACES:]})


def format_position_id(position: Position) -> str:
    """Print the Position ID; NotationError if the game cannot be written as one."""
    require_plain(position.variant, "a Position ID")
    key = used = 0
    for side in (position.turn.other, position.turn):
        for count in counts_of(position, side):
            key |= ((1 << count) - 1) << used
            used += count + 1
    return base64.b64encode(key.to_bytes(_BITS // 8, "little")).decode().rstrip("=")


def _read_key(text: str) -> int:
    """The 80 bits as one number, the first bit lowest."""
    if not isinstance(text, str) or len(text.strip()) != _LENGTH:
        raise NotationError(f"a Position ID has {_LENGTH} characters: {str(text)[:60]!r}")
    symbols = text.strip()
    for column, symbol in enumerate(symbols, start=1):
        if symbol not in _ALPHABET:
            raise NotationError(f"Position ID {text!r}, column {column}: {symbol!r} is no Base64 character")
    data = base64.b64decode(symbols + "==", validate=True)
    # Fourteen characters hold 84 bits; were the spare four ignored, sixteen texts would be one id.
    if base64.b64encode(data).decode()[:_LENGTH] != symbols:
        raise NotationError(
            f"Position ID {text!r}, column {_LENGTH}: {symbols[-1]!r} has bits beyond the {_BITS}th"
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
        raise NotationError(f"Position ID {text!r}: ends after {found} of the {2 * _PLACES} places")
    if key >> used:
        raise NotationError(f"Position ID {text!r}: a checker beyond the last of the {2 * _PLACES} places")
    return places[: 2 * _PLACES]
