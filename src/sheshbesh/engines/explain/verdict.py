"""A verdict on a decision: what it lost against the best one, what that is called, and why.

The grades are those of the field: from 0.020 points of equity on a decision is an error and from
0.080 on a blunder, as eXtreme Gammon has it by default; gnubg calls 0.040 doubtful, 0.080 bad and
0.160 very bad. Between 0.020 and 0.040 an error is called an inaccuracy here. Where the checkers left
are counted a game is about more points, and the limits grow with them, as far as they count at the score.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Literal, Protocol

from sheshbesh.cube.decision import EVEN, CubeDecision
from sheshbesh.engines.candidate import Candidate
from sheshbesh.engines.explain.reasons import Reason, explain
from sheshbesh.engines.outcome import Outcome
from sheshbesh.match import MatchState
from sheshbesh.rules import Play, Position

Grade = Literal["best", "fine", "inaccuracy", "error", "blunder"]

LIMITS: tuple[tuple[Grade, float], ...] = (("fine", 0.020), ("inaccuracy", 0.040), ("error", 0.080))
"""The losses, in points of equity, below which a decision still has each grade; above them it is a
blunder, and without any loss the best."""

CubeWord = Literal["no_double", "double", "take", "drop"]


@dataclass(frozen=True, slots=True)
class PlayVerdict:
    """A play held against the best: `rank` counts from 1, `loss` is in points of equity, 0 or more.

    `reasons` say what the best play has for it, as `explain(best, played)`; none if it was played.
    """

    grade: Grade
    loss: float
    rank: int
    of: int
    played: Candidate
    best: Candidate
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class CubeVerdict:
    """A decision about the cube held against the right one; `loss` as in `PlayVerdict`."""

    grade: Grade
    loss: float
    done: CubeWord
    best: CubeWord


def grade(loss: float) -> Grade:
    """What a loss, in points of equity, is called."""
    if loss <= EVEN:
        return "best"
    return next((name for name, limit in LIMITS if loss < limit), "blunder")


def judge_play(candidates: Sequence[Candidate], play: Play) -> PlayVerdict:
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
    return PlayVerdict(grade_of(played, best), loss, rank, len(candidates), played, best, reasons)


def grade_of(played: Candidate, best: Candidate) -> Grade:
    """What playing one candidate instead of another, the best one, is called."""
    return grade(max(best.equity - played.equity, 0.0) / _unit(best.outcome))


def _unit(outcome: Outcome) -> float:
    """The equity that the limits of the grades are measured in: how much a game is about, where counted."""
    if not outcome.table.counted:
        return 1.0
    rows = zip(outcome.probabilities, outcome.worths, strict=True)
    return max(fsum(share * abs(worth) for share, worth in rows), 1.0)


class Searching(Protocol):
    """What is asked of an engine."""

    def rank(
        self,
        position: Position,
        dice: Iterable[int] | None = None,
        match: MatchState | None = None,
        *,
        plies: int | None = None,
    ) -> Sequence[Candidate]:
        """All legal plays, best first."""

    def evaluate(
        self, position: Position, match: MatchState | None = None, *, plies: int | None = None
    ) -> Outcome:
        """How the game will end, for the side on roll."""


def compare_plays(
    engine: Searching,
    position: Position,
    dice: Iterable[int] | None,
    match: MatchState | None = None,
    *,
    plies: int,
    shown: int = 1,
    play: Play | None = None,
) -> list[Candidate]:
    """All legal plays, best first, of which the first `shown` and `play` were looked at equally deep.

    A search leaves most plays at a shallow look; held against each other they need the same one. If
    `play` does not come up to those that the search itself looked at, it keeps its place among the
    others: of them no more is known than the shallow look.
    """
    found = engine.rank(position, dice, match, plies=plies)
    leading: list[Candidate] = []
    others: list[Candidate] = []
    for place, candidate in enumerate(found):
        is_asked = place < shown or candidate.play == play
        looked = _look(engine, candidate, match, plies) if is_asked else candidate
        leads = place < shown or candidate.plies == found[0].plies
        if leads or (is_asked and looked.equity > min(each.equity for each in leading)):
            leading.append(looked)
        else:
            others.append(looked)
    leading.sort(key=lambda candidate: (-candidate.plies, -candidate.equity))
    return leading + others


def _look(engine: Searching, candidate: Candidate, match: MatchState | None, plies: int) -> Candidate:
    """The candidate looked at as deep as that."""
    if candidate.plies >= plies:
        return candidate
    after = candidate.play.result
    outcome = engine.evaluate(after, match, plies=plies)
    stays = after.turn is candidate.play.position.turn
    return Candidate(candidate.play, outcome if stays else outcome.flipped(), plies)


def judge_double(decision: CubeDecision, *, doubled: bool) -> CubeVerdict:
    """The verdict on doubling, or on not doing it, if the other side answers as it should.

    Where both are worth the same, both are best.
    """
    best: CubeWord = "double" if decision.action == "double" else "no_double"
    done: CubeWord = "double" if doubled else "no_double"
    loss = max(decision.equity - (decision.answered if doubled else decision.no_double), 0.0)
    return CubeVerdict(grade(loss), loss, done, best)


def judge_answer(decision: CubeDecision, *, took: bool) -> CubeVerdict:
    """The verdict on the answer to a double; the decision is that of the side that doubled."""
    best: CubeWord = "take" if decision.take else "drop"
    done: CubeWord = "take" if took else "drop"
    # What the doubler gains by a wrong answer is the loss.
    given = decision.double_take if took else decision.double_pass
    loss = max(given - min(decision.double_take, decision.double_pass), 0.0)
    return CubeVerdict(grade(loss), loss, done, best)
