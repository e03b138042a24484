"""How many positions a net values a second."""

from __future__ import annotations

from collections.abc import Sequence
from time import thread_time

from sheshbesh import _core
from sheshbesh.engines.measure.sample import Asked
from sheshbesh.engines.outcome import Classes
from sheshbesh.engines.registry import Found
from sheshbesh.rules import Position, Variant

BATCH = 20
"""Positions valued at once: about as many as a throw has plays."""


def candidates(asked: Sequence[Asked]) -> list[Position]:
    """The positions after all plays of these throws in order, but for those where the game is over."""
    after = (play.result for each in asked for play in each.position.legal_plays(each.dice))
    return [position for position in after if position.result is None]


def evaluations_per_s(game: Variant, found: Found, positions: Sequence[Position], seconds: float) -> int:
    """Raw values of one core in a second of its time, inputs included.

    All positions are valued, in batches, again and again for about `seconds`. ValueError where there
    are none.
    """
    if not positions:
        raise ValueError("there is nothing to value")
    plain = found.class_map == tuple(range(len(Classes.of(game))))
    class_map = None if plain else found.class_map
    net, states = found.load(), [position.core for position in positions]
    valued, spent, rounds = 0, 0.0, 1
    while spent < seconds:
        start = thread_time()
        valued += _core.hash_values(net, game.core, states, BATCH, rounds, class_map)[0]
        spent += thread_time() - start
        rounds *= 2
    return round(valued / spent)
