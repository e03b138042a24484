"""Positions for tests: the same one with the colours exchanged, and ones put together at random."""

from __future__ import annotations

import re
from random import Random

from sheshbesh.errors import PositionError
from sheshbesh.rules import Position, Side, Variant, as_variant

_TOKEN = re.compile(r"\d+|\([A-Za-z]{2}\)|[A-Za-z]")


def _points(board: str) -> dict[int, str]:
    """The stacks of the board part of an id by White's point."""
    stacks, point = {}, 24
    for token in _TOKEN.findall(board):
        if token.isdecimal():
            point -= int(token)
        else:
            stacks[point] = token
            point -= 1
    return stacks


def _field(text: str) -> str:
    if text[0] in "xht":
        white, black = text[1:].split(".")
        return f"{text[0]}{black}.{white}"
    return text[0] + ("b" if text[1] == "w" else "w") if text[0] in "sm" else text


def colours_swapped(position: Position) -> Position:
    """Exchange White's and Black's parts of a position, history included.

    Every question has the same answer there, for the other colour: sides see the board in their own numbers.
    The way goes through the text id, so it holds for every game.

    Parameters
    ----------
    position : Position
        The position.

    Returns
    -------
    Position
        The position of the other colour.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> from sheshbesh.testing import colours_swapped
    >>> colours_swapped(sb.variant("tapa").start()).turn == "black"
    True
    """
    board, turn, *fields = position.id.split(":")
    swapped = {
        position.variant._geometry.mirrored(point): stack.swapcase()
        for point, stack in _points(board).items()
    }
    text, gap = "", 0
    for point in range(24, 0, -1):
        if point in swapped:
            text += f"{gap or ''}{swapped[point]}"
            gap = 0
        else:
            gap += 1
    parts = [text + str(gap or ""), "b" if turn == "w" else "w", *map(_field, fields)]
    return position.variant.position_from_id(":".join(parts))


def random_position(variant: Variant | str, random: Random, *, turn: Side | str | None = None) -> Position:
    """Put a position together at random, with nothing owed.

    It is possible, whether or not a game reaches it. It prefers what rules are about: bear-offs, primes,
    stacks, checkers on the bar, under an enemy or in hand, first turns.

    Parameters
    ----------
    variant : Variant or str
        The game, or its name.
    random : Random
        What the position is drawn from.
    turn : Side or str, optional
        The side on roll; drawn without it.

    Returns
    -------
    Position
        The position.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> from random import Random
    >>> from sheshbesh.testing import random_position
    >>> random_position("tapa", Random(1)) == random_position("tapa", Random(1))
    True
    """
    variant = as_variant(variant)
    while True:
        board = _random_board(variant, random)
        side = Side.of(turn) if turn is not None else random.choice(list(Side))
        try:
            return variant.position(board, turn=side, turns_played=_random_turns(random))
        except PositionError:  # a cap or a count that did not come out: throw again
            continue


def _random_turns(random: Random) -> dict[str, int] | None:
    """Finished turns of both sides; None leaves it to the board."""
    return {side.value: random.randrange(5) for side in Side} if random.randrange(3) else None


def _spread(random: Random, checkers: int, cap: int) -> dict[int, int]:
    """Own points for some checkers, in one of several shapes of the game."""
    low, high = random.choice([(1, 6), (1, 6), (1, 12), (1, 24), (1, 24), (13, 24), (18, 24)])
    points: dict[int, int] = {}
    run = random.randint(low, high)
    while checkers > 0:
        # A run of neighbours makes primes; anything else is thrown about.
        point = random.randint(low, high) if random.randrange(2) else run
        run = run - 1 if run > low else high
        count = min(checkers, 1 if random.randrange(2) else random.randint(1, 4))
        if cap:
            count = min(count, cap - points.get(point, 0))
        if count > 0:
            points[point] = points.get(point, 0) + count
            checkers -= count
        elif cap and cap * (high - low + 1) <= sum(points.values()):
            low, high = 1, 24
    return points


def _random_board(variant: Variant, random: Random) -> dict[str, object]:
    geometry = variant._geometry
    checkers = geometry.checkers
    board: dict[str, object] = {}
    own: dict[Side, dict[int, int]] = {}
    for side in Side:
        off = random.randrange(checkers) if not random.randrange(3) else 0
        bar = random.randint(1, 2) if geometry.contact == "hit" and not random.randrange(4) else 0
        hand = random.randint(0, checkers) if geometry.hand and random.randrange(2) else 0
        bar = min(bar, checkers - off)
        hand = min(hand, checkers - off - bar)
        own[side] = _spread(random, checkers - off - bar - hand, geometry.stack_cap)
        board |= {f"{side.value}_off": off, f"{side.value}_bar": bar}
        if geometry.hand:
            board[f"{side.value}_hand"] = hand
    board |= _untangled(variant, random, own)
    return board


def _untangled(variant: Variant, random: Random, own: dict[Side, dict[int, int]]) -> dict[str, object]:
    """Both sides in White's numbers; where they meet, one imprisons the other or steps aside."""
    white = dict(own[Side.WHITE])
    black = {variant._geometry.mirrored(point): count for point, count in own[Side.BLACK].items()}
    pinned: dict[str, list[int]] = {"pinned_white": [], "pinned_black": []}
    pins = variant._geometry.contact == "pin"
    for point in sorted(white.keys() & black.keys()):
        if pins and min(white[point], black[point]) == 1:
            under = "white" if white[point] == 1 and (black[point] > 1 or random.randrange(2)) else "black"
            pinned[f"pinned_{under}"].append(point)
        else:
            free = [p for p in range(1, 25) if p not in white and p not in black]
            count = black.pop(point)
            if free:
                black[random.choice(free)] = count
    board: dict[str, object] = {"white": white, "black": black}
    return board | pinned if pins else board
