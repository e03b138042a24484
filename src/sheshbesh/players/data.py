"""Hints and verdicts as plain data, for a page or a program on the other side of a line.

Plays are steps in the mover's own numbers, as `Position.legal_steps` has them (26 the bar, 25 the hand,
0 off), so that a board can draw them as arrows. A reason is worded in the language asked for, as the end
of a sentence whose subject is the play, and comes with its ids and numbers, for a program that words it anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, Final

from sheshbesh.cube.decision import CubeDecision
from sheshbesh.engines import Candidate, Outcome
from sheshbesh.engines.explain.reasons import Reason
from sheshbesh.engines.explain.verdict import CubeVerdict, Grade, grade_of
from sheshbesh.engines.explain.wording import because, decisive
from sheshbesh.engines.registry import Manifest
from sheshbesh.players.coach import CubeHint, Hint, Outlook, PlayHint, Verdict
from sheshbesh.rules import Play

GRADES: Final = MappingProxyType(
    {"best": "best", "fine": "fine", "inaccuracy": "error", "error": "error", "blunder": "blunder"}
)
"""The four grades that a board draws, for the five of `engine.verdict`: from 0.020 on it is an error."""

_DIGITS = 4


def hint_data(hint: Hint, lang: str = "en") -> dict[str, Any]:
    """A hint: the best plays with one reason, the cube's equities, or how the game stands."""
    match hint:
        case PlayHint():
            best = hint.candidates[0]
            return {
                "kind": "play",
                "candidates": [candidate_data(each, best) for each in hint.candidates],
                "of": hint.of,
                "reason": reason_data(hint.reasons, hint.lead, lang),
                "approximate": best.approximate,
            }
        case CubeHint(decision):
            return {"kind": "cube", **cube_data(decision)}
        case Outlook(side, outcome):
            data = {"kind": "outlook", "side": side.value, **_shares(outcome)}
            return data | {"equity": _short(outcome.equity), "approximate": outcome.approximate}


def verdict_data(verdict: Verdict, lang: str = "en") -> dict[str, Any]:
    """A verdict: the grade, what was lost, what would have been best and why."""
    data: dict[str, Any] = {**graded(verdict.grade), "loss": _short(verdict.loss)}
    if isinstance(verdict, CubeVerdict):
        return {"kind": "cube", **data, "done": verdict.done, "best": verdict.best}
    return {
        "kind": "play",
        **data,
        "rank": verdict.rank,
        "of": verdict.of,
        "played": candidate_data(verdict.played, verdict.best),
        "best": candidate_data(verdict.best, verdict.best),
        "reason": reason_data(verdict.reasons, verdict.loss, lang),
        "approximate": verdict.best.approximate,
    }


def net_data(net: Manifest) -> dict[str, str]:
    """Return which net judged: its name, and the digest of its file."""
    return {"name": net.name, "sha256": net.sha256}


def play_data(play: Play) -> dict[str, Any]:
    """A play: its text, its dice, its steps as [origin, target, die, takes]."""
    return {
        "play": play.notation,
        "dice": list(play.dice),
        "steps": [[step.origin, step.target, step.die, int(step.takes)] for step in play.steps],
    }


def reason_data(reasons: Sequence[Reason], loss: float, lang: str = "en") -> dict[str, Any] | None:
    """The reason for a play: the end of a sentence about it, and its parts; None if there is none.

    `loss` is what another play loses against it; each part has its `share` in that.
    """
    text = because(reasons, loss, lang)
    if not text:
        return None
    return {"text": text, "parts": [_reason(each, loss) for each in decisive(reasons, loss)]}


def _reason(reason: Reason, loss: float) -> dict[str, Any]:
    data: dict[str, Any] = {"id": reason.id, "mine": _short(reason.mine), "other": _short(reason.other)}
    data["share"] = round(reason.weight / loss, 2)
    for name in ("gained", "lost"):
        if points := getattr(reason, name):
            data[name] = list(points)
    return data


def candidate_data(candidate: Candidate, best: Candidate) -> dict[str, Any]:
    """A play with its shares, its equity, and what it loses against the best one."""
    return {
        **play_data(candidate.play),
        **_shares(candidate.outcome),
        "equity": _short(candidate.equity),
        "loss": _short(max(best.equity - candidate.equity, 0.0)),
        **graded(grade_of(candidate, best)),
        "plies": candidate.plies,
    }


def question_data(question: dict[str, Any]) -> dict[str, Any]:
    """A question to the core in a browser, with the limits of the `grades` that a board draws."""
    limits = question.pop("limits")
    return question | {"grades": [[GRADES[word], limit] for word, limit in limits]}


def graded(grade: Grade | None) -> dict[str, Any]:
    """The grade that a board draws; `close`: the loss lies within the engine's own error, drawn as fine."""
    return {"grade": "fine" if grade is None else GRADES[grade], "close": grade is None}


def _shares(outcome: Outcome) -> dict[str, Any]:
    """Return how often each way to end comes up; gammons are missing where the checkers left are counted."""
    shares = {"win": _short(outcome.win), "lose": _short(outcome.lose)}
    if outcome.table.has_tie:
        shares["tie"] = _short(outcome.tie)
    if not outcome.table.counted:
        shares |= {"gammon": _short(outcome.win_gammon), "lose_gammon": _short(outcome.lose_gammon)}
    return shares


def cube_data(decision: CubeDecision) -> dict[str, Any]:
    """A cube decision: what is right, and the equities of the ways to go on."""
    beaver = decision.double_beaver
    return {
        "action": decision.action,
        "answer": "beaver" if decision.beaver else "take" if decision.take else "drop",
        "no_double": _short(decision.no_double),
        "double_take": _short(decision.double_take),
        "double_drop": _short(decision.double_pass),
        "double_beaver": None if beaver is None else _short(beaver),
        "redouble": decision.redouble,
        "approximate": decision.approximate,
    }


def _short(number: float) -> float:
    return round(number, _DIGITS)
