"""Answers of the line protocol as text: numbers with a point, probabilities of the side on roll.

Lines that cannot be served are answered by an error with a code: one of the draft, `stopped` or `internal`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sheshbesh.engines.explain.wording import because
from sheshbesh.errors import (
    CubeError,
    NetError,
    NotationError,
    PositionError,
    ProtocolError,
    SheshbeshError,
    StoppedError,
)
from sheshbesh.formats import format_position_id
from sheshbesh.rules import Play, Position
from sheshbesh.rules.notation import format_step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sheshbesh.engines.explain.reasons import Reason
    from sheshbesh.engines.explain.verdict import PlayVerdict
    from sheshbesh.engines.outcome import Candidate, Outcome
    from sheshbesh.engines.rollout.rollout import Rollout


def move_text(play: Play) -> str:
    """A play in the form of the draft: every step by itself, no marks for hits, `pass` for none."""
    if play.is_pass:
        return "pass"
    return " ".join(format_step(step.origin, step.target, takes=False) for step in play.steps)


def position_text(position: Position) -> str:
    """gnubg's id where the game can be written so, else our own, which is longer or has a colon."""
    try:
        return f"gnubgid {format_position_id(position)}"
    except (NotationError, PositionError):
        return f"id {position.id}"


def outcome_text(outcome: Outcome) -> str:
    """Equity and cumulative probabilities, with the mark of a net that stands in."""
    numbers = {
        "eq": outcome.equity,
        "pwin": outcome.win,
        "pgammon": outcome.win_gammon,
        "pbg": outcome.win_backgammon,
        "plose": outcome.lose,
        "plosegammon": outcome.lose_gammon,
        "plosebg": outcome.lose_backgammon,
    }
    numbers_text = " ".join(f"{key} {number(value)}" for key, value in numbers.items())
    return numbers_text + mark(approximate=outcome.approximate)


def mark(*, approximate: bool) -> str:
    """Return what follows numbers that come from a net of other rules."""
    return " approximate true" if approximate else ""


def class_lines(outcome: Outcome) -> Iterator[str]:
    """The probability of every class of result."""
    for each, share in outcome.classes.items():
        yield f"class {each.ending} {each.kind} points {each.points} p {number(share)}"


def candidate_line(rank: int, candidate: Candidate, best: Candidate) -> str:
    """One line of a ranking."""
    loss = max(best.equity - candidate.equity, 0.0)
    return (
        f"rank {rank} depth {candidate.plies} loss {number(loss)} {outcome_text(candidate.outcome)} "
        f"move {move_text(candidate.play)}"
    )


def verdict_lines(verdict: PlayVerdict) -> Iterator[str]:
    """A verdict with its reasons, as data and as a sentence."""
    yield (
        f"verdict {verdict.grade or 'close'} loss {number(verdict.loss)} rank {verdict.rank} of {verdict.of}"
        f"{mark(approximate=verdict.best.approximate)} best {move_text(verdict.best.play)}"
    )
    yield from map(reason_line, verdict.reasons)
    if text := because(verdict.reasons, verdict.loss):
        yield f"because {move_text(verdict.best.play)} {text}"


def reason_line(reason: Reason) -> str:
    """A reason; `mine` is the best play's number."""
    points = "".join(
        f" {name} {','.join(map(str, where))}"
        for name, where in (("gained", reason.gained), ("lost", reason.lost))
        if where
    )
    mine, other = (
        f"{value:g}" if float(value).is_integer() else number(value) for value in (reason.mine, reason.other)
    )
    return f"reason {reason.id} mine {mine} other {other} weight {number(reason.weight)}{points}"


def number(value: float) -> str:
    """Four decimals, and no minus before a nought."""
    text = f"{value:.4f}"
    return text.removeprefix("-") if float(text) == 0 else text


def rollout_text(done: Rollout) -> str:
    """Return what a rollout has found so far, each equity followed by its standard error."""
    cubeful = ""
    if done.cubeful is not None:
        cubeful = f"eqcube {number(done.cubeful)} secube {number(done.cubeful.error)} "
    error = number(done.equity.error)
    return f"trials {done.trials} se {error} {cubeful}{outcome_text(done.outcome)}"


class UnknownCommandError(ProtocolError):
    """A word that is no command."""


class MissingContextError(ProtocolError):
    """Something has to be set before this can be asked."""


class UnsupportedError(ProtocolError):
    """A command of the draft that this engine does not implement."""


_CODES: tuple[tuple[type[Exception], str], ...] = (
    (UnknownCommandError, "unknown_command"),
    (MissingContextError, "missing_context"),
    (UnsupportedError, "unsupported_feature"),
    (CubeError, "unsupported_feature"),
    (NetError, "unsupported_feature"),
    (StoppedError, "stopped"),
    (SheshbeshError, "bad_argument"),
)


def error_line(error: Exception, about: str) -> str:
    """`error CODE COMMAND: what is wrong`, always one line."""
    code = next((code for kind, code in _CODES if isinstance(error, kind)), "internal")
    text = " ".join(str(error).split()) or type(error).__name__
    if code == "internal":
        text = f"{type(error).__name__}: {text}"
    return f"error {code} {about}: {text}" if about else f"error {code} {text}"
