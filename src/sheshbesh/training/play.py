"""Making games, and duels: the parts of a training that `sheshbesh.work` does here, beside or elsewhere.

Every part of every round, and every duel, has a seed of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sheshbesh import _core
from sheshbesh.engines import bearoff_databases
from sheshbesh.engines.measure.score import Score
from sheshbesh.errors import TrainingError
from sheshbesh.rules import Variant

_PART: Final = 50
"""Games that a helper plays at a time: enough that handing them out costs nothing."""

_MOST_PARTS: Final = 500
"""Parts of a round; with those of its other rule sets fewer than there are seeds, see `seeds`."""


@dataclass(frozen=True, slots=True)
class Order:
    """Games to be played with one net under one rule set; see `Stage` for the meaning."""

    variant: Variant
    number: int
    games: int
    seed: int
    decay: float
    explore: float
    random_plies: int
    longest_game: int
    keep: float
    plies: int = 0
    near: float = 0.0
    near_margin: float = 0.0
    races: float = 1.0
    known: float = 1.0
    holding: float = 0.0
    priming: float = 0.0
    late: float = 0.0
    running: float = 0.0
    inner: float = 0.0


@dataclass(frozen=True, slots=True)
class Games:
    """The outcome of an order: positions with their targets, both for the side on roll.

    `number` is the rule set's place in the coverage, `slots` one row of input slots a position,
    `targets` one probability a class, `results` the games that ended in each class, as White sees them.
    """

    number: int
    slots: NDArray[np.uint8]
    targets: NDArray[np.float32]
    games: int
    plays: int
    results: tuple[int, ...]


def play_games(order: Order, net: bytes) -> Games:
    """Play an order. What the bear-off databases know is learned as they know it."""
    slots, targets, games, plays, results = _core.self_play(
        order.variant._core,
        net,
        games=order.games,
        seed=order.seed,
        decay=order.decay,
        explore=order.explore,
        near=order.near,
        near_margin=order.near_margin,
        random_plies=order.random_plies,
        longest_game=order.longest_game,
        keep=order.keep,
        races=order.races,
        known=order.known,
        holding=order.holding,
        priming=order.priming,
        late=order.late,
        running=order.running,
        plies=order.plies,
        inner=order.inner,
        databases=bearoff_databases.for_variant(order.variant),
    )
    return Games(order.number, slots, targets, games, plays, tuple(results))


def play_duel(variant: Variant, first: bytes, second: bytes | None, pairs: int, seed: int) -> Score:
    """Play `pairs` mirrored pairs of games, seen by the first; without a second net against random plays."""
    rules = variant._core
    ours = _core.Player.net(_core.Net(first), rules)
    theirs = _core.Player.random(rules) if second is None else _core.Player.net(_core.Net(second), rules)
    return Score.of(ours.duel(theirs, pairs=pairs, seed=seed))


def duel_part(part: tuple[int, int], shared: tuple[Variant, bytes, bytes | None]) -> Score:
    """Some pairs of a duel: how many, and their seed; see `play_duel`."""
    variant, first, second = shared
    return play_duel(variant, first, second, *part)


def split(total: int, round_: int) -> list[int]:
    """The games of a rule set in parts for helpers, given those of the whole round.

    However many helpers there are, parts are the same, and so are the seeds and the games: some fifty
    games, more where a round would have more parts than there are seeds.
    """
    size = max(_PART, -(-round_ // _MOST_PARTS))
    parts = max(1, total // size)
    return [total // parts + (i < total % parts) for i in range(parts)]


_ROUNDS: Final = 1 << 20
"""Rounds and duels a run can have before the seeds of two runs with neighbouring seeds could meet."""

_PARTS: Final = 1 << 10
"""Parts of a round; the last one is no part of it but the sample that a net is rounded by."""


def seed_of_games(seed: int, round_: int, part: int) -> int:
    """Of a part of the games of a round, numbered over all rule sets of the round.

    TrainingError where the round has more parts than there are seeds.
    """
    if part >= _PARTS - 1:
        raise TrainingError(f"a round has at most {_PARTS - 1} parts: smaller rounds")
    return (seed * _ROUNDS + round_) * _PARTS + part


def seed_of_sample(seed: int, round_: int) -> int:
    """Of the games that show what rounding costs, and are not learned from."""
    return (seed * _ROUNDS + round_) * _PARTS + _PARTS - 1


def seed_of_duel(seed: int, duel: int) -> int:
    """Of a part of a gate or a check, counted over the run.

    Games of a run with the next seed may have the same; that is another run.
    """
    return (seed + 1) * _ROUNDS * _PARTS + duel
