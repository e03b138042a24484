"""Speed: the machine, the work that is measured, and its rate in processor time.

Everything that measures speed asks here. `sheshbesh bench` measures work of growing amount for some time
(`rate_within`); `benchmarks` measures a fixed amount, best of several runs, and checks that the work done is
the work expected (`best_rate`). All instruction sets of a machine give the same values to the bit.
"""

from __future__ import annotations

import os
import platform
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sheshbesh import _core
from sheshbesh.engines.measure.signature import Asked
from sheshbesh.engines.outcome import Classes
from sheshbesh.engines.registry import Found
from sheshbesh.rules import Position, Variant


def isas() -> tuple[str, ...]:
    """The instruction sets there are on this machine, slowest first; "baseline" is always there."""
    return tuple(_core.isas())


def active_isa() -> str:
    """The one in use: the fastest, or the one that SHESHBESH_ISA in the environment names."""
    return _core.active_isa()


@contextmanager
def running_on(isa: str) -> Iterator[None]:
    """Engines and rollouts made meanwhile use this instruction set; ValueError if it is not there."""
    before = active_isa()
    if isa not in isas():
        raise ValueError(f"this machine has no instruction set {isa!r}; it has {', '.join(isas())}")
    _core.force_isa(isa)
    try:
        yield
    finally:
        _core.force_isa(before)


def processor() -> str:
    """The processor, as far as the system names it, and how many cores there are."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{named[0] if named else platform.processor() or platform.machine()}, {os.cpu_count()} cores"


BATCH = 20
"""Positions valued at once: about as many as a throw has plays."""

Summary = tuple[int, ...]
"""Counts and checksums that tell one amount of work from another."""

Work = Callable[[], tuple[int, Summary]]
"""Does the work; returns the units done and the summary."""

_SEED = 1


class WorkChangedError(Exception):
    """The work to be measured is not what it was."""


# Work


def core_positions(game: Variant, decisions: int) -> tuple[int, Summary]:
    """Random games in the core: (distinct final positions generated, the whole count)."""
    summary = game.play_at_random(decisions, _SEED)
    return summary[2], summary


def core_decisions(game: Variant, decisions: int) -> tuple[int, Summary]:
    """The same games counted in throws played."""
    summary = game.play_at_random(decisions, _SEED)
    return summary[1], summary


def python_decisions(game: Variant, decisions: int) -> tuple[int, Summary]:
    """Random games through the Python API: throw, list the plays, take one."""
    below = random.Random(_SEED).randrange
    position = game.start()
    done = games = 0
    while done < decisions:
        dice = None if position.pending else (below(6) + 1, below(6) + 1)
        plays = position.legal_plays(dice)
        if plays:
            position = plays[below(len(plays))].result
            done += 1
        else:
            games += 1
            position = game.start()
    return done, (done, games)


def net_values(
    game: Variant, found: Found, states: Sequence[_core.State], rounds: int
) -> tuple[int, Summary]:
    """Raw values of a net, inputs included, in batches; the summary has a hash of their bits."""
    plain = found.class_map == tuple(range(len(Classes.of(game))))
    class_map = None if plain else found.class_map
    valued, bits = _core.hash_values(found.load(), game._core, states, BATCH, rounds, class_map)
    return valued, (len(states), valued, bits)


def candidates(asked: Sequence[Asked]) -> list[Position]:
    """The positions after all plays of these throws in order, but for those where the game is over."""
    after = (play.result for each in asked for play in each.position.legal_plays(each.dice))
    return [position for position in after if position.result is None]


# Rates


def rate_within(seconds: float, work: Callable[[int], tuple[int, Summary]], amount: int) -> int:
    """Units a second of this thread's time: `work` of this amount, doubled until `seconds` are spent."""
    done, spent = 0, 0.0
    while spent < seconds:
        start = time.thread_time()
        done += work(amount)[0]
        spent += time.thread_time() - start
        amount *= 2
    return round(done / spent)


def evaluations_per_s(game: Variant, found: Found, positions: Sequence[Position], seconds: float) -> int:
    """Raw values of one core in a second of its time; ValueError where there is no position to value."""
    if not positions:
        raise ValueError("there is nothing to value")
    found.load()
    states = [position._core for position in positions]
    return rate_within(seconds, lambda rounds: net_values(game, found, states, rounds), 1)


def check(name: str, summary: Summary, expected: Summary | None) -> None:
    """Raise WorkChangedError unless the summary is the one expected."""
    if summary != expected:
        raise WorkChangedError(f"{name}: expected {expected}, found {summary}")


def best_rate(name: str, work: Work, expected: Summary | None, repeats: int) -> tuple[float, Summary]:
    """Units per second of processor time, and the summary.

    A first run is not timed; its summary must be the one expected (if any), and so must every
    later one.
    """
    _, summary = work()
    check(name, summary, summary if expected is None else expected)
    best = 0.0
    for _ in range(repeats):
        begin = time.process_time()
        units, again = work()
        spent = time.process_time() - begin
        check(name, again, summary)
        best = max(best, units / spent)
    return best, summary
