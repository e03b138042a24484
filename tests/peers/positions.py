"""Positions to compare on: from games played at random, and built without regard to any game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import sheshbesh as sb
from sheshbesh.rules.setup import Geometry

Dice = tuple[int, int]


def throw(rng: random.Random) -> Dice:
    """Two dice, larger first, as often as they fall."""
    first, second = rng.randint(1, 6), rng.randint(1, 6)
    return max(first, second), min(first, second)


def played(game: sb.Variant, rng: random.Random) -> Iterator[tuple[sb.Position, Dice]]:
    """Every position of random games, with the dice thrown there, without end."""
    while True:
        position = game.start(turn=rng.choice(("white", "black")))
        while position.result is None:
            dice = throw(rng)
            yield position, dice
            position = rng.choice(position.legal_plays(dice)).result


def built(game: sb.Variant, rng: random.Random) -> Iterator[tuple[sb.Position, Dice]]:
    """Unfinished positions put together at random, without end.

    The reach of each side (the highest point it may stand on) and its number of checkers off are
    drawn first: otherwise bear-offs, bars and closed boards would hardly ever come up.
    """
    while True:
        position = game.position(_board(game, rng), turn=rng.choice(("white", "black")))
        if position.result is None:
            yield position, throw(rng)


def _board(game: sb.Variant, rng: random.Random) -> dict[str, object]:
    board: dict[str, object] = {}
    taken: set[int] = set()
    sides = ["white", "black"]
    rng.shuffle(sides)
    for side in sides:
        total = Geometry.of(game.axes).checkers
        off = rng.choice((0, 0, rng.randint(0, total - 1)))
        bar = min(rng.choice((0, 0, 0, 1, 1, 2, 3)), total - off)
        reach = rng.choice((6, 12, 18, 24, 24))
        near = range(1, reach + 1) if side == "white" else range(25 - reach, 25)
        free = [point for point in near if point not in taken]
        # Few points make high stacks and closed boards, many make blots.
        stands = rng.sample(free, min(len(free), rng.randint(1, 10)))
        points: dict[str, int] = {}
        for _ in range(total - off - bar):
            if stands:
                point = str(rng.choice(stands))
                points[point] = points.get(point, 0) + 1
        board[side], board[f"{side}_bar"] = points, bar
        board[f"{side}_off"] = total - bar - sum(points.values())
        taken |= {int(point) for point in points}
    return board


def sample(game: sb.Variant, count: int, seed: int) -> Iterator[tuple[sb.Position, Dice]]:
    """`count` different pairs of position and dice, half of them played and half built."""
    rng = random.Random(seed)
    seen: set[tuple[sb.Position, Dice]] = set()
    for source, share in ((played, count - count // 2), (built, count // 2)):
        fresh = (pair for pair in source(game, rng) if pair not in seen)
        for pair in islice(fresh, share):
            seen.add(pair)
            yield pair
