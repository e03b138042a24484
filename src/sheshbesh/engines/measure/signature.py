"""A signature of what the engine says of a game: any change of a value, intended or not, shows in it.

It is a hash over equities and probabilities, bit by bit, and over the number of positions that were
valued for them, on throws out of games with fixed dice. It depends on the rules, the net and the
code; not on the instruction set, the number of threads, what is remembered, or the run. The throws
(`throws`), which measurements of speed take as well, are the same in every run.

The bear-off databases stay out of it (make the engine with `bearoff=False`): they are held against exact
fractions by tests of their own, and making them would take longer than all the rest.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from sheshbesh.engines.engine import Engine
from sheshbesh.engines.outcome import Outcome
from sheshbesh.engines.rollout.rollout import Estimate, Rollout, RolloutOptions
from sheshbesh.match import MatchState
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


DIGITS = 16
"""Hexadecimal digits of a signature."""

_SEED = 2026
_THROWS = 24
_EVERY = 7
"""A random game of most kinds has some ninety throws."""

_SCORE = MatchState(length=5, white=2, black=3)
_ROLLOUTS = (
    RolloutOptions(trials=36, seed=1, truncate=3, luck="full", cube=False),
    RolloutOptions(trials=36, seed=2, truncate=6, luck="sifted", cube=False),
)

_WITH_CUBE = RolloutOptions(trials=36, seed=3, truncate=4, luck="full")


def signature(engine: Engine, *, threads: int = 1) -> str:
    """Sixteen hexadecimal digits for what a fresh engine says; nothing else may ask it meanwhile.

    The rollouts are spread over `threads`.
    """
    asked = throws(engine.variant, _THROWS, seed=_SEED, every=_EVERY)
    page = _Page()
    begun = engine.nodes
    _static(page, engine, asked)
    _ranked(page, engine, asked[::6])
    _rolled_out(page, engine, asked[1], threads)
    if engine.variant.axes["cube"]["use"]:
        _doubled(page, engine, asked[::5])
    page.write(engine.nodes - begun)
    return page.digest


def joint(parts: Sequence[str]) -> str:
    """One signature for several, in their order."""
    return sha256("\n".join(parts).encode()).hexdigest()[:DIGITS]


class _Page:
    """A hash of evaluations, to the bit."""

    def __init__(self) -> None:
        self._hash = sha256()

    def write(self, *values: float | str | None) -> None:
        """Each value with its type; floats by their bits."""
        for each in values:
            if isinstance(each, float):
                self._hash.update(b"f" + struct.pack("<d", each))
            else:
                self._hash.update(f"{type(each).__name__} {each}\n".encode())

    def outcome(self, outcome: Outcome) -> None:
        self.write(*outcome.probabilities, outcome.equity)

    def rollout(self, rollout: Rollout) -> None:
        self.write(rollout.trials)
        cubeful = () if rollout.cubeful is None else (rollout.cubeful,)
        each: Estimate
        for each in (*rollout.probabilities, rollout.equity, *cubeful):
            self.write(each.mean, each.error)

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()[:DIGITS]


def _static(page: _Page, engine: Engine, asked: Sequence[Asked]) -> None:
    for outcome in engine.evaluate_many([position for position, _ in asked], plies=0):
        page.outcome(outcome)


def _ranked(page: _Page, engine: Engine, asked: Sequence[Asked]) -> None:
    for number, (position, dice) in enumerate(asked):
        # Every other one at a score of a match, which weighs the classes otherwise.
        match = _SCORE if number % 2 else None
        page.outcome(engine.evaluate(position, match, plies=1))
        for plies in (0, 1):
            for candidate in engine.rank(position, dice, match, plies=plies):
                page.write(candidate.play.notation, candidate.plies)
                page.outcome(candidate.outcome)


def _rolled_out(page: _Page, engine: Engine, asked: Asked, threads: int) -> None:
    for options in _ROLLOUTS:
        page.rollout(engine.rollout(asked.position, options=options, threads=threads))
    if engine.variant.axes["cube"]["use"]:
        for match in (MatchState(jacoby=False), _SCORE):
            page.rollout(engine.rollout(asked.position, match, options=_WITH_CUBE, threads=threads))


def _doubled(page: _Page, engine: Engine, asked: Sequence[Asked]) -> None:
    for position, _ in asked:
        if position.pending is not None:
            continue
        for match in (MatchState(beavers=True), _SCORE):
            decision = engine.cube(position, match)
            page.write(decision.no_double, decision.double_take, decision.double_pass)
            page.write(decision.double_beaver, decision.action)
