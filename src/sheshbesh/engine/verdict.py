"""A verdict on a decision: what it lost against the best one, what that is called, and why.

The grades are those of the field: from 0.020 points of equity on a decision is an error and from
0.080 on a blunder, as eXtreme Gammon has it by default; gnubg calls 0.040 doubtful, 0.080 bad and
0.160 very bad. Between 0.020 and 0.040 an error is called an inaccuracy here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from sheshbesh.engine.reasons import Judged, Reason, explain
from sheshbesh.rules import Play

Grade = Literal["best", "fine", "inaccuracy", "error", "blunder"]

LIMITS: tuple[tuple[Grade, float], ...] = (("fine", 0.020), ("inaccuracy", 0.040), ("error", 0.080))
"""The losses, in points of equity, below which a decision still has each grade; above them it is a
blunder, and without any loss the best."""

CubeWord = Literal["no_double", "double", "take", "drop"]


class CubeEquities(Protocol):
    """What is asked of a cube decision: three equities of the side that may double.

    All are normalised to the present cube.
    """

    @property
    def no_double(self) -> float:
        """Without a double."""

    @property
    def double_take(self) -> float:
        """After a double that is taken."""

    @property
    def double_pass(self) -> float:
        """After a double that is dropped."""


@dataclass(frozen=True, slots=True)
class PlayVerdict:
    """A play held against the best: `rank` counts from 1, `loss` is in points of equity, 0 or more.

    `reasons` say what the best play has for it, as `explain(best, played)`; none if it was played.
    """

    grade: Grade
    loss: float
    rank: int
    of: int
    played: Judged
    best: Judged
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class CubeVerdict:
    """A decision about the cube held against the right one; `loss` as in `PlayVerdict`."""

    grade: Grade
    loss: float
    done: CubeWord
    best: CubeWord


def grade(loss: float) -> Grade:
    """What a loss of so many points of equity is called."""
    if loss <= 0:
        return "best"
    return next((name for name, limit in LIMITS if loss < limit), "blunder")


def judge_play(candidates: Sequence[Judged], play: Play) -> PlayVerdict:
    """The verdict on a play that is among these candidates, which are ordered best first.

    Raises ValueError if it is not. A play that looked better at a shallower search than the best one
    at a deeper has lost nothing that is known: its loss is 0.
    """
    found = next((i for i, candidate in enumerate(candidates) if candidate.play == play), None)
    if found is None:
        raise ValueError(f"{play.notation} is not among the {len(candidates)} candidates")
    best, played, rank = candidates[0], candidates[found], found + 1
    loss = max(best.equity - played.equity, 0.0)
    reasons = () if rank == 1 else explain(best, played)
    return PlayVerdict(grade(loss), loss, rank, len(candidates), played, best, reasons)


def judge_double(equities: CubeEquities, *, doubled: bool) -> CubeVerdict:
    """The verdict on doubling, or on not doing it, if the other side answers as it should."""
    doubling = min(equities.double_take, equities.double_pass)
    best: CubeWord = "double" if doubling > equities.no_double else "no_double"
    done: CubeWord = "double" if doubled else "no_double"
    loss = max(doubling, equities.no_double) - (doubling if doubled else equities.no_double)
    return CubeVerdict(grade(loss), loss, done, best)


def judge_answer(equities: CubeEquities, *, took: bool) -> CubeVerdict:
    """The verdict on the answer to a double."""
    best: CubeWord = "take" if equities.double_take <= equities.double_pass else "drop"
    done: CubeWord = "take" if took else "drop"
    # The equities are those of the side that doubled: what it gains by a wrong answer is the loss.
    given = equities.double_take if took else equities.double_pass
    loss = given - min(equities.double_take, equities.double_pass)
    return CubeVerdict(grade(loss), loss, done, best)
