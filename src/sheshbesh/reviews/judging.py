"""Judging one decision: candidates at equal depth, cube equities, luck, verdict and reason.

Equities are cubeful and normalised to the present cube (EMG), for the side that decides. A play leads to a
position in which the other side may double: its equity is that of the other side with the cube where it lies,
the double included where it is right. Games without a cube have the equity of their results at the score.
"""

from __future__ import annotations

from collections.abc import Sequence

from sheshbesh.cube.decision import CubeDecision
from sheshbesh.engines import Candidate as EngineCandidate
from sheshbesh.engines import Engine, Outcome
from sheshbesh.engines.explain.reasons import explain
from sheshbesh.engines.explain.verdict import Grade, compare_plays, grade, unit_of
from sheshbesh.engines.strength.precision import candidate_error
from sheshbesh.errors import CubeError
from sheshbesh.match import MatchState
from sheshbesh.records import Candidate, CubeEquities, Decision
from sheshbesh.reviews.judged import Judged
from sheshbesh.reviews.questions import Question
from sheshbesh.rules import Play, Position

SHOWN = 5
"""Candidates that are looked at as deep as the play that was made."""

_ROLLS = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))


def judge(engine: Engine, question: Question, plies: int) -> Judged:
    """The judgement of one decision at this depth; the engine is one of the question's game."""
    if question.kind == "play":
        return _judge_play(engine, question, plies)
    return _judge_cube(engine, question, plies)


def cubeful(engine: Engine, outcome: Outcome, position: Position, match: MatchState | None) -> float:
    """The equity (EMG) of the side on roll, which doubles where it should; `outcome` is how the game ends."""
    if match is None or not position.variant.axes["cube"]["use"]:
        return outcome.equity
    return engine.cubeful_equity(outcome, position, match)


# Plays


def _judge_play(engine: Engine, question: Question, plies: int) -> Judged:
    position, match = question.position, question.match
    luck = None if question.dice is None else luck_of(engine, question)
    plays = position.legal_plays(question.dice)
    if not question.legal:
        decision = Decision(
            question.game, question.event, question.side, "play", question.stake, luck=luck, counted=False
        )
        best = _ranked(engine, question, None, 0)[0]
        return Judged.of(question, decision, _text(best.play), None, 0)
    made = position.parse_play(question.played or "pass", question.dice)
    if len(plays) == 1:
        decision = Decision(
            question.game,
            question.event,
            question.side,
            "play",
            question.stake,
            (Candidate(question.played, 0.0),),
            0,
            1,
            luck=luck,
        )
        return Judged.of(question, decision, question.played, "best", plies)
    found = _ranked(engine, question, made, plies)
    weighed = [(_equity(engine, each, match), each) for each in found]
    deep = max(each.plies for each in found)
    # Plays that were left at a shallower look are not compared with the others.
    weighed.sort(key=lambda pair: (-pair[1].plies, -pair[0]))
    index = next(i for i, (_, each) in enumerate(weighed) if each.play == made)
    (top, best), (value, played) = weighed[0], weighed[index]
    loss = max(top - value, 0.0)
    candidates = tuple(
        Candidate(_text(each.play), equity, _chances(each.outcome), f"{each.plies}ply")
        for equity, each in weighed
    )
    decision = Decision(
        question.game,
        question.event,
        question.side,
        "play",
        question.stake,
        candidates,
        index,
        len(plays),
        luck=luck,
    )
    word = verdict_of(engine, loss / unit_of(best.outcome), deep)
    reasons = () if index == 0 else explain(best, played)
    return Judged.of(question, decision, _text(best.play), word, deep, loss=loss, reasons=reasons)


def verdict_of(engine: Engine, loss: float, plies: int) -> Grade | None:
    """What a loss per point at stake is called; None where it is within twice the engine's own error.

    The error is that of the engine for this game at this depth, see `sheshbesh.engines.strength.precision`.
    """
    word = grade(loss)
    if word == "best" or loss > 2 * candidate_error(engine.variant, plies):
        return word
    return None


def _ranked(engine: Engine, question: Question, made: Play | None, plies: int) -> Sequence[EngineCandidate]:
    return compare_plays(
        engine, question.position, question.dice, question.match, plies=plies, shown=SHOWN, play=made
    )


def _equity(engine: Engine, candidate: EngineCandidate, match: MatchState | None) -> float:
    after = candidate.play.result
    if after.turn is candidate.play.position.turn:
        return cubeful(engine, candidate.outcome, after, match)
    return -cubeful(engine, candidate.outcome.flipped(), after, match)


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
    """What the roll brought against the mean of all rolls, both with their best plays at 0 plies (EMG).

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
    return _equity(engine, engine.rank(position, roll, match, plies=0)[0], match)


# The cube


def _judge_cube(engine: Engine, question: Question, plies: int) -> Judged:
    position, match = question.position, question.match
    asked = (question.game, question.event, question.side, question.kind, question.stake)
    try:
        found = engine.cube(position, match, plies=plies)
    except CubeError:
        return Judged.of(question, Decision(*asked, counted=False), "", None, plies, played=_done(question))
    cube = CubeEquities(found.no_double, found.double_take, found.double_pass, depth=f"{plies}ply")
    decision = Decision(*asked, cube=cube)
    best, loss = _cube_loss(question, found)
    word = verdict_of(engine, loss, plies)
    return Judged.of(question, decision, best, word, plies, loss=loss, played=_done(question))


def _done(question: Question) -> str:
    if question.kind == "take" and question.beavered:
        return "beaver"
    return question.kind


def _cube_loss(question: Question, found: CubeDecision) -> tuple[str, float]:
    """The right action, and what the one that was taken lost against it."""
    if question.kind in ("double", "no_double"):
        best = "double" if found.action == "double" else "no_double"
        made = found.answered if question.kind == "double" else found.no_double
        return best, max(found.equity - made, 0.0)
    beaver = found.double_beaver
    best = "beaver" if found.beaver else "take" if found.take else "drop"
    if question.kind == "drop":
        given = found.double_pass
    elif question.beavered and beaver is not None:
        given = beaver
    else:
        given = found.double_take
    return best, max(given - found.answered, 0.0)
