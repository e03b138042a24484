"""The draw: where each seed stands in a bracket, and the chance that everybody can check.

The server commits itself to a secret when the tournament is announced; the draw seed is made at the start
from that secret and from the list of entrants with the bytes that their pages made. Everything random in a
tournament is a keyed hash of this seed, so it can be worked out again and asks nobody for randomness.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence

from sheshbesh.tournaments.state import Entrant


def commitment(secret: str) -> str:
    """Return SHA-256 of a secret, both as hexadecimal digits."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def draw_seed(secret: str, entrants: Iterable[Entrant]) -> str:
    """Return HMAC-SHA256 under the secret of the entrants: a line of number, id and bytes of each."""
    lines = "".join(f"{each.number} {each.id} {each.share}\n" for each in entrants)
    return hmac.new(bytes.fromhex(secret), lines.encode(), hashlib.sha256).hexdigest()


def lot(seed: str, *about: object) -> int:
    """Return a number of 64 random bits that belongs to this seed and to what it is about."""
    text = " ".join(map(str, about))
    return int.from_bytes(hashlib.sha256(f"{seed} {text}".encode()).digest()[:8], "big")


def shuffled(seed: str, numbers: Iterable[int], about: str) -> list[int]:
    """Return the numbers in the order of their lots."""
    return sorted(numbers, key=lambda number: (lot(seed, about, number), number))


def seed_table(size: int) -> list[int]:
    """Return the seeds of a bracket from top to bottom: 1, 4, 2, 3 for four. `size` is a power of 2."""
    table = [1]
    while len(table) < size:
        size_now = 2 * len(table)
        table = [each for seed in table for each in (seed, size_now + 1 - seed)]
    return table


def bracket_size(entrants: int) -> int:
    """Return the least power of 2 that has room for this many entrants, at least 2."""
    return max(2, 1 << (entrants - 1).bit_length())


def snake(numbers: Sequence[int], groups: int) -> list[list[int]]:
    """Return seeds dealt to groups there and back: 1 4, 2 3 for four seeds and two groups."""
    dealt: list[list[int]] = [[] for _ in range(groups)]
    for place, number in enumerate(numbers):
        row, column = divmod(place, groups)
        dealt[column if row % 2 == 0 else groups - 1 - column].append(number)
    return dealt


def apart(ranks: Sequence[Sequence[int]], size: int) -> list[int]:
    """Return seeds for those who come out of groups: two of one group meet as late as possible.

    `ranks` has the entrants of each rank by group: first all winners, then all runners-up. The answer is in
    order of seed.
    """
    table = seed_table(size)
    place = {seed: row for row, seed in enumerate(table)}
    mates: list[list[int]] = [[] for _ in ranks[0]]
    chosen: list[int] = []
    for rank in ranks:
        seeds = range(len(chosen) + 1, len(chosen) + len(rank) + 1)
        meet = [
            [min((_meeting(place[seed], other) for other in mates[group]), default=99) for seed in seeds]
            for group in range(len(rank))
        ]
        best = _latest(meet)
        in_order = [0] * len(rank)
        for group, column in enumerate(best):
            in_order[column] = rank[group]
            mates[group].append(place[seeds[column]])
        chosen += in_order
    return chosen


def _meeting(first: int, second: int) -> int:
    """Return the round in which two places of a bracket meet."""
    return (first ^ second).bit_length()


def _latest(meet: list[list[int]]) -> list[int]:
    """Return a column for each row such that the least number chosen is the greatest possible."""
    for least in sorted({number for row in meet for number in row}, reverse=True):
        row_of: dict[int, int] = {}
        if all(_augment(meet, least, row, row_of, set()) for row in range(len(meet))):
            column_of = {row: column for column, row in row_of.items()}
            return [column_of[row] for row in range(len(meet))]
    return list(range(len(meet)))


def _augment(meet: list[list[int]], least: int, row: int, row_of: dict[int, int], seen: set[int]) -> bool:
    for column, number in enumerate(meet[row]):
        if number >= least and column not in seen:
            seen.add(column)
            if column not in row_of or _augment(meet, least, row_of[column], row_of, seen):
                row_of[column] = row
                return True
    return False
