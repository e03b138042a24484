"""Judging one decision: candidates at equal depth, cube equities, luck, verdict and reason.

Equities are cubeful and normalised to the present cube (EMG), for the side that decides. A play leads to a
position in which the other side may double: its equity is that of the other side with the cube where it lies,
the double included where it is right. Games without a cube have the equity of their results at the score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sheshbesh.cube.decision import CubeDecision
from sheshbesh.engines import Candidate as EngineCandidate
from sheshbesh.engines import Engine, Outcome
from sheshbesh.engines.explain.verdict import (
    CubeVerdict,
    PlayVerdict,
    compare_plays,
    judge_answer,
    judge_double,
    judge_play,
    with_cube,
)
from sheshbesh.errors import CubeError
from sheshbesh.match import MatchState
from sheshbesh.records import Candidate, CubeEquities, Decision
from sheshbesh.reviews.judged import Judged
from sheshbesh.reviews.questions import Question
from sheshbesh.reviews.rolled import SEARCHED, is_close, roll_cube, roll_plays, settled_cube
from sheshbesh.rules import Play, Position

Depth = int | Literal["rollout"]
"""Plies that a search looks ahead, or two plies and rollouts of what they leave open."""

ROLLED = "rollout"
"""The depth, in a candidate or a cube decision, of what was rolled out."""

SHOWN = 5
"""Candidates that are looked at as deep as the play that was made."""

_ROLLS = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))


def judge(engine: Engine, question: Question, depth: Depth) -> Judged:
    """The judgement of one decision at this depth; the engine is one of the question's game.

    "rollout" is two plies, and rollouts of what they leave open.
    """
    rolled = depth == "rollout"
    plies = SEARCHED if depth == "rollout" else depth
    if question.kind == "play":
        return _judge_play(engine, question, plies, rolled=rolled)
    return _judge_cube(engine, question, plies, rolled=rolled)


# Plays


def _judge_play(engine: Engine, question: Question, plies: int, *, rolled: bool) -> Judged:
    position = question.position
    plays = position.legal_plays(question.dice)
    if not question.legal:
        decision = Decision(
            question.game, question.event, question.side, "play", question.stake, counted=False
        )
        best = _ranked(engine, question, None, 0)[0]
        return Judged.of(question, decision, _text(best.play), None, 0)
    # The luck of the roll is told once, with the play that stood.
    luck = luck_of(engine, question) if position.pending is None and not question.tried else None
    made = position.parse_play(question.played or "pass", question.dice)
    if len(plays) == 1:
        decision = Decision(
            question.game,
            question.event,
            question.side,
            "play",
            question.stake,
            # A dance has no candidates, a forced play has one.
            (Candidate(question.played, 0.0),) if question.played else (),
            0 if question.played else None,
            1,
            luck=luck,
            counted=not question.tried,
        )
        return Judged.of(question, decision, question.played, "best", plies)
    candidates, verdict = _compared(engine, question, made, plies, rolled=rolled)
    decision = Decision(
        question.game,
        question.event,
        question.side,
        "play",
        question.stake,
        candidates,
        verdict.rank - 1,
        len(plays),
        luck=luck,
        counted=not question.tried,
    )
    return Judged.of(
        question,
        decision,
        _text(verdict.best.play),
        verdict.grade,
        verdict.played.plies,
        loss=verdict.loss,
        reasons=verdict.reasons,
    )


def _compared(
    engine: Engine, question: Question, made: Play, plies: int, *, rolled: bool
) -> tuple[tuple[Candidate, ...], PlayVerdict]:
    """The candidates with their depths, best first, and the verdict on the play that was made."""
    found: Sequence[EngineCandidate] = _ranked(engine, question, made, plies)
    depths = {each.play: f"{each.plies}ply" for each in found}
    if rolled:
        settled = roll_plays(engine, found, made, question.match)
        found = settled.candidates
        verdict = settled.settled(judge_play(engine, found, made, question.match))
        depths.update(dict.fromkeys(settled.errors, ROLLED))
    else:
        verdict = judge_play(engine, found, made, question.match)
    candidates = tuple(
        Candidate(_text(each.play), each.equity, _chances(each.outcome), depths[each.play]) for each in found
    )
    return candidates, verdict


def _ranked(engine: Engine, question: Question, made: Play | None, plies: int) -> Sequence[EngineCandidate]:
    return compare_plays(
        engine, question.position, question.dice, question.match, plies=plies, shown=SHOWN, play=made
    )


def _text(play: Play) -> str:
    return "" if play.is_pass else play.notation


def _chances(outcome: Outcome) -> tuple[float, float, float, float, float]:
    return (
        outcome.win,
        outcome.win_gammon,
        outcome.win_backgammon,
        outcome.lose_gammon,
        outcome.lose_backgammon,
    )


def luck_of(engine: Engine, question: Question) -> float:
    """Return what the roll brought against the mean of all rolls, both with their best plays at 0 plies
    (EMG).

    The first roll of a game is drawn by both sides, without doubles: its mean is over thirty throws, half of
    them the other side's, as GNU Backgammon reckons it.
    """
    assert question.dice is not None
    position, match = question.position, question.match
    rolled = (max(question.dice), min(question.dice))
    values = {roll: _best(engine, position, roll, match) for roll in _ROLLS}
    got = values[rolled]
    if question.opening and _is_start(position):
        other = position.variant.start(turn=position.turn.other)
        theirs = {roll: _best(engine, other, roll, match) for roll in _ROLLS if roll[0] != roll[1]}
        mean = sum(values[roll] - theirs[roll] for roll in theirs) / (2 * len(theirs))
        return got - mean
    mean = sum(value * (1 if high == low else 2) for (high, low), value in values.items()) / 36
    return got - mean


def _is_start(position: Position) -> bool:
    return position == position.variant.start(turn=position.turn)


def _best(engine: Engine, position: Position, roll: tuple[int, int], match: MatchState | None) -> float:
    """The equity of the roll with its best play at 0 plies; choosing by the cubeless equity."""
    return with_cube(engine, engine.rank(position, roll, match, plies=0)[0], match).equity


# The cube


def _judge_cube(engine: Engine, question: Question, plies: int, *, rolled: bool) -> Judged:
    position, match = question.position, question.match
    asked = (question.game, question.event, question.side, question.kind, question.stake)
    try:
        found = engine.cube(position, match, plies=plies)
    except CubeError:
        return Judged.of(question, Decision(*asked, counted=False), "", None, plies, played=_shown(question))
    verdict, depth = _cube_verdict(engine, question, found, plies), f"{plies}ply"
    answers = question.kind in ("take", "drop")
    if rolled and (verdict.loss > 0 or is_close(found, answer=answers)):
        found, difference = roll_cube(engine, position, match, found)
        verdict = settled_cube(_cube_verdict(engine, question, found, plies), difference)
        depth = ROLLED if difference is not None else depth
    cube = CubeEquities(found.no_double, found.double_take, found.double_pass, depth=depth)
    decision = Decision(*asked, cube=cube)
    return Judged.of(
        question, decision, verdict.best, verdict.grade, plies, loss=verdict.loss, played=verdict.done
    )


def _cube_verdict(engine: Engine, question: Question, found: CubeDecision, plies: int) -> CubeVerdict:
    if question.kind in ("take", "drop"):
        return judge_answer(found, engine.variant, plies, done=_done(question))
    return judge_double(found, engine.variant, plies, doubled=question.kind == "double")


def _done(question: Question) -> Literal["take", "drop", "beaver"]:
    if question.kind == "drop":
        return "drop"
    return "beaver" if question.beavered else "take"


def _shown(question: Question) -> str:
    return _done(question) if question.kind in ("take", "drop") else question.kind
