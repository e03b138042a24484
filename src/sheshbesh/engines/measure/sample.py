"""Throws out of whole games, for what measures the engine or signs it: the same in every run."""

from __future__ import annotations

import random
from typing import NamedTuple

from sheshbesh.engines.engine import Engine
from sheshbesh.rules import Play, Position, Roll, Variant


class Asked(NamedTuple):
    """A position with the throw to be played there; without dice what is owed is played."""

    position: Position
    dice: Roll | None


def throws(
    game: Variant, count: int, *, seed: int = 0, every: int = 1, engine: Engine | None = None
) -> list[Asked]:
    """A number of throws, each `every`-th of games that are played one after the other.

    Plays are drawn by lot. With an engine only one in ten is, so that games differ: it makes the others.
    """
    # `random` alone is promised to give the same numbers in all versions of Python.
    chance = random.Random(seed).random
    found: list[Asked] = []
    position = game.start()
    number = 0
    while len(found) < count:
        if position.result is not None:
            position = game.start()
        thrown = Roll.of((1 + int(6 * chance()), 1 + int(6 * chance())))
        asked = Asked(position, None if position.pending is not None else thrown)
        if number % every == 0:
            found.append(asked)
        number += 1
        position = _played(asked, engine if chance() >= 0.1 else None, chance()).result
    return found


def _played(asked: Asked, engine: Engine | None, lot: float) -> Play:
    if engine is not None:
        return engine.choose(*asked)
    plays = asked.position.legal_plays(asked.dice)
    return plays[int(len(plays) * lot)]
