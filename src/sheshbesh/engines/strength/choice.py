"""The choice of a level at a decision: the core draws its mistakes, see `weakness.h`.

The same seed makes the same mistakes, whatever was asked before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from sheshbesh import _core
from sheshbesh.cube.decision import Answer, CubeDecision
from sheshbesh.engines.outcome import Candidate, Outcome
from sheshbesh.engines.strength.levels import Weakness
from sheshbesh.rules import Position

_SEEDS = (1 << 64) - 1


def pick(position: Position, candidates: Sequence[Candidate], weakness: Weakness, seed: int) -> Candidate:
    """The play that a player of this weakness makes, of candidates best first."""
    rows = [(*each.play.dice, each.play._index, each.outcome.probabilities) for each in candidates]
    values = candidates[0].outcome.class_values
    rules, numbers = position.variant._core, weakness.numbers
    return candidates[_core.pick(rules, position._core, rows, values, numbers, seed & _SEEDS)]


def doubles(
    position: Position, decision: CubeDecision, outcome: Outcome, weakness: Weakness, seed: int
) -> bool:
    """Decide whether a player of this weakness, on roll, turns the cube."""
    rules, gain = position.variant._core, decision.answered - decision.no_double
    shares, values = outcome.probabilities, outcome.class_values
    return _core.doubles(rules, position._core, gain, shares, values, weakness.numbers, seed & _SEEDS)


def answer(
    position: Position, decision: CubeDecision, outcome: Outcome, weakness: Weakness, seed: int
) -> Answer:
    """Return what a player of this weakness answers to a double of the side on roll, whose outcome it is."""
    said = _core.answer(
        position.variant._core,
        position._core,
        decision.double_take,
        decision.double_pass,
        decision.beaver,
        outcome.probabilities,
        outcome.class_values,
        weakness.numbers,
        seed & _SEEDS,
    )
    return cast("Answer", said)
