"""Making games, here or in other processes or on other machines: one function, three places.

Every part of every round, and every duel, has a seed of its own.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from sheshbesh import _core
from sheshbesh.engines import bearoff_databases
from sheshbesh.engines.measure.score import Score
from sheshbesh.errors import TrainingError
from sheshbesh.rules import Variant

_T = TypeVar("_T")


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
    late: float = 0.0
    running: float = 0.0


@dataclass(frozen=True, slots=True)
class Games:
    """What came of an order: positions with their targets, both for the side on roll.

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
        late=order.late,
        running=order.running,
        plies=order.plies,
        tables=bearoff_databases.for_variant(order.variant),
    )
    return Games(order.number, slots, targets, games, plays, tuple(results))


def play_duel(variant: Variant, first: bytes, second: bytes | None, pairs: int, seed: int) -> Score:
    """Play `pairs` mirrored pairs of games, seen by the first; without a second net against random plays."""
    rules = variant._core
    ours = _core.Player.net(_core.Net(first), rules)
    theirs = _core.Player.random(rules) if second is None else _core.Player.net(_core.Net(second), rules)
    return Score.of(ours.duel(theirs, pairs=pairs, seed=seed))


class Crew:
    """Those who play: this process alone, others beside it, or a cluster.

    With more than one worker the games of the next round are played while this one is learned.
    """

    def __init__(self, workers: int, cluster: str | None = None) -> None:
        self.workers = workers
        self._pool: Executor | None = None
        self._client: Any = None
        if cluster is not None:
            self._pool = self._join(cluster)
        elif workers > 1:
            self._pool = ProcessPoolExecutor(
                workers, mp_context=multiprocessing.get_context("spawn"), initializer=_be_a_worker
            )

    def _join(self, address: str) -> Executor:
        try:
            from distributed import Client
        except ImportError as error:
            raise TrainingError(
                "a cluster needs the extra `cluster`: pip install 'sheshbesh[train,cluster]'"
            ) from error
        try:
            self._client = Client(address)  # type: ignore[no-untyped-call]
        except (OSError, TimeoutError, ValueError) as error:
            raise TrainingError(f"no cluster answers at {address}: {error}") from error
        self.workers = max(1, len(self._client.scheduler_info()["workers"]))
        pool: Executor = self._client.get_executor()
        return pool

    @property
    def beside(self) -> bool:
        """Whether work goes on while this process does something else."""
        return self._pool is not None

    def submit(self, work: Callable[..., _T], *arguments: object) -> Future[_T]:
        """Have something done; without helpers at once."""
        if self._pool is not None:
            return self._pool.submit(work, *arguments)
        future: Future[_T] = Future()
        future.set_result(work(*arguments))
        return future

    def split(self, total: int, at_least: int = 50) -> list[int]:
        """`total` in parts for all workers, none much smaller than `at_least`."""
        parts = max(1, min(self.workers, total // at_least)) if self.beside else 1
        return [total // parts + (i < total % parts) for i in range(parts)]

    def close(self) -> None:
        """Send everybody home; unfinished work is dropped."""
        if self._client is not None:
            self._client.close()
        elif self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)


def _be_a_worker() -> None:
    # Ctrl-C reaches every process of the terminal; the trainer decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["OMP_NUM_THREADS"] = "1"


def gather(futures: Sequence[Future[_T]]) -> list[_T]:
    """The results of everything that was submitted, in order."""
    return [future.result() for future in futures]


_ROUNDS: Final = 1 << 20
"""Rounds and duels a run can have before the seeds of two runs with neighbouring seeds could meet."""

_PARTS: Final = 1 << 10
"""Parts of a round; the last one is no part of it but the sample that a net is rounded by."""


def seed_of_games(seed: int, round_: int, part: int) -> int:
    """Of a part of the games of a round, numbered over all rule sets of the round.

    TrainingError where the round has more parts than there are seeds.
    """
    if part >= _PARTS - 1:
        raise TrainingError(f"a round has at most {_PARTS - 1} parts: fewer workers, or smaller rounds")
    return (seed * _ROUNDS + round_) * _PARTS + part


def seed_of_sample(seed: int, round_: int) -> int:
    """Of the games that show what rounding costs, and are not learned from."""
    return (seed * _ROUNDS + round_) * _PARTS + _PARTS - 1


def seed_of_duel(seed: int, duel: int) -> int:
    """Of a part of a gate or a check, counted over the run.

    Games of a run with the next seed may have the same; that is another run.
    """
    return (seed + 1) * _ROUNDS * _PARTS + duel
