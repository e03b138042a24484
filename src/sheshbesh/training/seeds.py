"""Where the dice of a run come from: every part of every round, and every duel, has a seed of its own."""

from __future__ import annotations

from typing import Final

from sheshbesh.errors import TrainingError

_ROUNDS: Final = 1 << 20
"""Rounds and duels a run can have before the seeds of two runs with neighbouring seeds could meet."""

_PARTS: Final = 1 << 10
"""Parts of a round; the last one is no part of it but the sample that a net is rounded by."""


def of_games(seed: int, round_: int, part: int) -> int:
    """Of a part of the games of a round, numbered over all rule sets of the round.

    TrainingError where the round has more parts than there are seeds.
    """
    if part >= _PARTS - 1:
        raise TrainingError(f"a round has at most {_PARTS - 1} parts: fewer workers, or smaller rounds")
    return (seed * _ROUNDS + round_) * _PARTS + part


def of_sample(seed: int, round_: int) -> int:
    """Of the games that show what rounding costs, and are not learned from."""
    return (seed * _ROUNDS + round_) * _PARTS + _PARTS - 1


def of_duel(seed: int, duel: int) -> int:
    """Of a part of a gate or a check, counted over the run.

    Games of a run with the next seed may have the same; that is another run.
    """
    return (seed + 1) * _ROUNDS * _PARTS + duel
