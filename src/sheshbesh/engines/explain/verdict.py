"""A verdict on a decision: what it lost against the best one, what that is called, and why.

The grades are those of the field: from 0.020 points of equity on a decision is an error and from
0.080 on a blunder, as eXtreme Gammon has it by default; gnubg calls 0.040 doubtful, 0.080 bad and
0.160 very bad. Between 0.020 and 0.040 an error is called an inaccuracy here. Where the checkers left
are counted a game is about more points, and the limits grow with them, as far as they count at the score.

A grade is given only where the loss exceeds twice the measured error of the engine for that game and depth;
else the grade is None, too close to call. The tutor and the review of whole matches both judge by these
functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Literal, Protocol

from sheshbesh.cube.decision import EVEN, CubeDecision
from sheshbesh.engines.explain.reasons import Reason
from sheshbesh.engines.outcome import Candidate, Outcome
from sheshbesh.engines.strength.levels import candidate_error
from sheshbesh.match import MatchState
from sheshbesh.rules import Play, Position, Variant

Grade = Literal["best", "fine", "inaccuracy", "error", "blunder"]

LIMITS: tuple[tuple[Grade, float], ...] = (("fine", 0.020), ("inaccuracy", 0.040), ("error", 0.080))
"""The losses, in points of equity, below which a decision still has each grade; above them it is a
blunder, and without any loss the best."""

CubeWord = Literal["no_double", "double", "take", "drop", "beaver"]


@dataclass(frozen=True, slots=True)
class PlayVerdict:
    """A play held against the best: `rank` counts from 1, `loss` is in points of equity, 0 or more.

    `reasons` say what the best play has for it, as `Engine.explain(best, played)`; none if it was played.
    """

    grade: Grade | None
    loss: float
    rank: int
    of: int
    played: Candidate
    best: Candidate
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class CubeVerdict:
    """A decision about the cube held against the right one; `loss` as in `PlayVerdict`."""

    grade: Grade | None
    loss: float
    done: CubeWord
    best: CubeWord


def grade(loss: float) -> Grade:
    """Return what a loss, in points of equity, is called."""
    if loss <= EVEN:
        return "best"
    return next((name for name, limit in LIMITS if loss < limit), "blunder")


def judge_play(
    engine: Searching, candidates: Sequence[Candidate], play: Play, match: MatchState | None = None
) -> PlayVerdict:
    """The verdict on a play that is among these candidates, which are ordered best first.

    `match` is the state that they were ranked at. Raises ValueError if the play is not among them. A play
    that looked better at a shallower search than the best one at a deeper has lost nothing that is known:
    its loss is 0.
    """
    found = next((i for i, candidate in enumerate(candidates) if candidate.play == play), None)
    if found is None:
        raise ValueError(f"{play.notation} is not among the {len(candidates)} candidates")
    best, played, rank = candidates[0], candidates[found], found + 1
    loss = max(best.equity - played.equity, 0.0)
    reasons = () if rank == 1 else engine.explain(best, played, match)
    return PlayVerdict(grade_of(played, best), loss, rank, len(candidates), played, best, reasons)


def grade_of(played: Candidate, best: Candidate) -> Grade | None:
    """Return what playing one candidate instead of another, the best one, is called; None: too close to
    call."""
    loss = max(best.equity - played.equity, 0.0) / unit_of(best.outcome)
    return sure_grade(loss, played.play.position.variant, played.plies)


def sure_grade(loss: float, game: Variant, plies: int) -> Grade | None:
    """Return what a loss, in points per point at stake, is called; None where it is too close to call.

    It is where the loss lies within twice the engine's own error for this game at this depth, see
    `candidate_error`.
    """
    word = grade(loss)
    return word if word == "best" or loss > 2 * candidate_error(game, plies) else None


def unit_of(outcome: Outcome) -> float:
    """The equity that the limits of grades are measured in: points at stake where checkers count, else 1."""
    if not outcome.table.counted:
        return 1.0
    rows = zip(outcome.probabilities, outcome.class_values, strict=True)
    return max(fsum(share * abs(points) for share, points in rows), 1.0)


class Searching(Protocol):
    """The part of an engine that a verdict asks."""

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
        """Return how the game will end, for the side on roll."""

    def cubeful_equity(self, outcome: Outcome, position: Position, match: MatchState) -> float:
        """The equity of the side on roll with the cube, which it turns where it should."""

    def cube(
        self, position: Position, match: MatchState | None = None, *, plies: int | None = None
    ) -> CubeDecision:
        """The decision about the cube; CubeError where there is none."""

    def explain(
        self, mine: Candidate, other: Candidate, match: MatchState | None = None
    ) -> tuple[Reason, ...]:
        """In what two plays differ, the heaviest first."""


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

    In a game with a cube, at a match state, equities are those with the cube where it lies: after the play
    the other side may double, and does where it should.

    A search leaves most plays at a shallow look; held against each other they need the same one. If
    `play` does not come up to those that the search itself looked at, it keeps its place among the
    others: of them no more is known than the shallow look.
    """
    found = [
        _deep(engine, with_cube(engine, each, match), match, plies)
        for each in engine.rank(position, dice, match, plies=plies)
    ]
    found.sort(key=lambda candidate: (-candidate.plies, -candidate.equity))
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
    looked = Candidate(candidate.play, outcome if stays else outcome.flipped(), plies)
    return _deep(engine, with_cube(engine, looked, match), match, plies)


def _deep(engine: Searching, candidate: Candidate, match: MatchState | None, plies: int) -> Candidate:
    """The candidate with the value of the cube a roll later, if it was searched as deep as `plies`.

    The model of the cube uses the chances of a position, not how much the next roll may change them. So
    the other side's roll is played out at 0 plies, with the cube after it, and what that differs by from the
    model's equity at 1 ply is added: the search has the chances, the roll the value of the cube.
    """
    after = candidate.play.result
    is_last = after.turn is candidate.play.position.turn or after.result is not None
    if plies < 1 or candidate.plies < plies or candidate.cubeful is None or match is None or is_last:
        return candidate
    shallow = engine.cubeful_equity(engine.evaluate(after, match, plies=1), after, match)
    rolls = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
    best = (with_cube(engine, engine.rank(after, roll, match, plies=0)[0], match) for roll in rolls)
    weights = (1 if high == low else 2 for high, low in rolls)
    rolled = fsum(weight * each.equity for weight, each in zip(weights, best, strict=True)) / 36
    if match.double_refusal(after.turn) is None:
        rolled = max(rolled, engine.cube(after, match, plies=1).answered)
    return replace(candidate, cubeful=candidate.cubeful - (rolled - shallow))


def with_cube(engine: Searching, candidate: Candidate, match: MatchState | None) -> Candidate:
    """The candidate with its equity in view of the cube; unchanged in a game or at a score without one."""
    after = candidate.play.result
    if match is None or not after.variant.axes["cube"]["use"]:
        return candidate
    if after.turn is candidate.play.position.turn:
        equity = engine.cubeful_equity(candidate.outcome, after, match)
    else:
        equity = -engine.cubeful_equity(candidate.outcome.flipped(), after, match)
    return replace(candidate, cubeful=equity)


def judge_double(decision: CubeDecision, game: Variant, plies: int, *, doubled: bool) -> CubeVerdict:
    """The verdict on doubling, or on not doing it, if the other side answers as it should.

    The decision was searched `plies` deep. Where both have the same equity, both are best.
    """
    best: CubeWord = "double" if decision.action == "double" else "no_double"
    done: CubeWord = "double" if doubled else "no_double"
    loss = max(decision.equity - (decision.answered if doubled else decision.no_double), 0.0)
    return CubeVerdict(sure_grade(loss, game, plies), loss, done, best)


def judge_answer(
    decision: CubeDecision, game: Variant, plies: int, *, done: Literal["take", "drop", "beaver"]
) -> CubeVerdict:
    """The verdict on the answer to a double; the decision is that of the side that doubled.

    What the doubler gains by a wrong answer is the loss.
    """
    best: CubeWord = "beaver" if decision.beaver else "take" if decision.take else "drop"
    given = decision.double_pass if done == "drop" else decision.double_take
    if done == "beaver" and decision.double_beaver is not None:
        given = decision.double_beaver
    loss = max(given - decision.answered, 0.0)
    return CubeVerdict(sure_grade(loss, game, plies), loss, done, best)
