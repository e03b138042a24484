"""How much of the rules is measured, and calls of `legal_plays`; see `engines.measure.speed`."""

from __future__ import annotations

import random

import sheshbesh as sb
from sheshbesh.engines.measure.speed import Summary

CORE_DECISIONS = 200_000
API_POSITIONS = 2_000
API_DECISIONS = 20_000
SEED = 1

Asked = list[tuple[sb.Position, tuple[int, int] | None]]
"""Positions with the dice thrown there; None where an element is owed."""


def throws(game: sb.Variant, count: int = API_POSITIONS) -> Asked:
    """The first throws of random games."""
    rng = random.Random(SEED)
    found: Asked = []
    position = game.start()
    while len(found) < count:
        dice = None if position.pending else (rng.randrange(6) + 1, rng.randrange(6) + 1)
        plays = position.legal_plays(dice)
        if not plays:
            position = game.start()
            continue
        found.append((position, dice))
        position = plays[rng.randrange(len(plays))].result
    return found


def ask_legal_plays(asked: Asked) -> tuple[int, Summary]:
    """One call of `legal_plays` for each; how many plays there were is the proof of work."""
    total = 0
    for position, dice in asked:
        total += len(position.legal_plays(dice))
    return len(asked), (len(asked), total)
