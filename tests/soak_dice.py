"""Statistics and speed of the dice: `python -m tests.soak_dice [ROLLS]` prints both."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from math import sqrt
from time import perf_counter
from typing import NamedTuple

from sheshbesh.fairdice import LENGTH, Chain, dice_from_links
from tests.dice_help import Game

ROLLS = 360_000

_MEAN = 3.5
_VARIANCE = 35 / 12


class Report(NamedTuple):
    """What chance would make of the rolls, and what they are.

    `chi_square` is over the 36 ordered pairs (35 degrees of freedom). The others are in standard
    deviations from what is expected: the number of doubles, the correlation of each die with the
    same die of the next roll, and of the two dice of a roll.
    """

    chi_square: float
    doubles: float
    serial: tuple[float, float]
    within: float


def rolls_from_chains(count: int) -> list[tuple[int, int]]:
    """The first `count` rolls of as many games as it takes, from tips that are always the same."""
    rolls: list[tuple[int, int]] = []
    game = 0
    while len(rolls) < count:
        game += 1
        server, white, black = (
            Chain(sha256(f"statistics/{game}/{party}".encode()).digest())
            for party in ("server", "white", "black")
        )
        for index in range(1, min(LENGTH, count - len(rolls)) + 1):
            links = {"server": server.link(index), "white": white.link(index), "black": black.link(index)}
            rolls.append(dice_from_links(game=f"statistics/{game}", number=index, **links))
    return rolls


def _correlation(pairs: Sequence[tuple[int, int]]) -> float:
    """The correlation of two dice, in standard deviations of independent ones."""
    covariance = sum((one - _MEAN) * (other - _MEAN) for one, other in pairs) / len(pairs)
    return covariance / _VARIANCE * sqrt(len(pairs))


def report(rolls: Sequence[tuple[int, int]]) -> Report:
    """Measure the rolls."""
    expected = len(rolls) / 36
    counts = Counter(rolls)
    faces = [(first, second) for first in range(1, 7) for second in range(1, 7)]
    chi_square = sum((counts[pair] - expected) ** 2 / expected for pair in faces)
    doubles = sum(first == second for first, second in rolls)
    return Report(
        chi_square,
        (doubles - len(rolls) / 6) / sqrt(len(rolls) * 5 / 36),
        (
            _correlation([(one[0], other[0]) for one, other in pairwise(rolls)]),
            _correlation([(one[1], other[1]) for one, other in pairwise(rolls)]),
        ),
        _correlation(rolls),
    )


def speed() -> str:
    """The best of a few runs: making a chain, and a throw from its beginning to its dice."""
    making, throwing = [], []
    for seed in range(10):
        start = perf_counter()
        Chain(bytes([seed]) * 32)
        making.append(perf_counter() - start)
        game = Game(seed=seed)
        start = perf_counter()
        for _ in range(LENGTH):
            game.throw("white")
        throwing.append((perf_counter() - start) / LENGTH)
    return f"a chain in {min(making) * 1e3:.2f} ms, a throw of six actions in {min(throwing) * 1e6:.1f} us"


if __name__ == "__main__":
    print(report(rolls_from_chains(int(sys.argv[1]) if len(sys.argv) > 1 else ROLLS)))
    print(speed())
