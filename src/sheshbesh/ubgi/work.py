"""The questions that take time, each as work with lines on the way and an answer at the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from sheshbesh.engines.explain.verdict import compare_plays, judge_play
from sheshbesh.errors import IllegalPlayError, StoppedError
from sheshbesh.match import MatchState
from sheshbesh.rules import Play, Position, Roll
from sheshbesh.ubgi import answers
from sheshbesh.ubgi.effects import Halt, Report, Work
from sheshbesh.ubgi.faults import MissingContextError, UnsupportedError
from sheshbesh.ubgi.state import Table

if TYPE_CHECKING:
    from sheshbesh.cube.decision import CubeDecision
    from sheshbesh.engines import Candidate
    from sheshbesh.engines.rollout.rollout import Rollout
    from sheshbesh.ubgi.engine_port import Judge

_T = TypeVar("_T")

_PAUSE = 0.2
"""Seconds between two lines on how far a rollout is, at least."""

Maker = Callable[[], "Judge"]
"""Makes the engine when it is first needed, so that the handshake answers at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How hard to think: plies, and milliseconds after which nothing deeper is begun."""

    plies: int
    milliseconds: int | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it was when it was asked, whatever is said afterwards."""

    table: Table
    make: Maker
    limits: Limits
    has_level: bool = False

    @property
    def position(self) -> Position:
        """The position it is about."""
        return self.table.asked()

    def dice(self) -> Roll | None:
        """The dice to be played; MissingContextError without any.

        None where something is owed, but a double that has been named where one is to be.
        """
        if (owed := self.position.pending) is not None:
            named = self.table.dice
            return named if owed.choose is not None and named is not None and named.is_double else None
        if self.table.dice is None:
            raise MissingContextError("no dice yet: send dice")
        return self.table.dice

    @property
    def about(self) -> tuple[Position, MatchState | None]:
        """The position and the score, as an engine is asked."""
        return self.position, self.table.match

    def play(self, text: str) -> Play:
        """The play that a text means; errors as in `Position.parse_play`."""
        dice, owed = self.dice(), self.position.pending
        if dice is not None or owed is None or owed.choose is None:
            return self.position.parse_play(text, dice)
        for die in range(1, 6):  # of a double that is to be named it says which one it is
            with suppress(IllegalPlayError):
                return self.position.parse_play(text, (die, die))
        return self.position.parse_play(text, (6, 6))

    def plays_open(self) -> None:
        """Refuse a game that is over."""
        if (over := self.position.result) is not None:
            raise MissingContextError(f"the game is over in this position: {over}")


def _search(asked: Asked, halt: Halt, report: Report | None = None) -> Sequence[Candidate]:
    """All plays, looked at ever deeper until told to stop; each depth is reported with its best play."""
    engine, dice = asked.make(), asked.dice()
    end = None if asked.limits.milliseconds is None else time.monotonic() + asked.limits.milliseconds / 1000
    found: Sequence[Candidate] = ()
    for plies in range(asked.limits.plies + 1):
        if found and (halt() or (end is not None and time.monotonic() >= end)):
            break
        with halt.reaching(engine):
            deeper = engine.rank(asked.position, dice, asked.table.match, plies=plies)
        if found and halt():
            break  # this depth may not be complete
        found = deeper
        if report is not None:
            best = found[0]
            about = f"info role chequer depth {plies} {answers.outcome_text(best.outcome)}"
            report(f"{about} pv {answers.move_text(best.play)}")
    return found


def _ask(asked: Asked, halt: Halt, question: Callable[[Judge, int], _T]) -> _T:
    """The answer at so many plies; that of the net alone if it is told to stop before."""
    engine, plies = asked.make(), asked.limits.plies
    if plies and not halt():
        try:
            with halt.reaching(engine):
                return question(engine, plies)
        except StoppedError:
            pass
    return question(engine, 0)


def move(asked: Asked) -> Work:
    """`go` with dice: the play."""
    asked.plays_open()
    asked.dice()

    def run(report: Report, halt: Halt) -> None:
        for line in _move_lines(asked, report, halt):
            report(line)

    return Work(run)


def _move_lines(asked: Asked, report: Report, halt: Halt) -> tuple[str, ...]:
    best = _chosen(asked, report, halt)
    return (
        f"bestmove {answers.move_text(best)}",
        f"bestmoveid {answers.position_text(best.result).split()[-1]}",
    )


def _chosen(asked: Asked, report: Report, halt: Halt) -> Play:
    if asked.has_level:
        engine = asked.make()
        with halt.reaching(engine):
            return engine.choose(asked.position, asked.dice(), asked.table.match)
    return _search(asked, halt, report)[0].play


def cube_action(asked: Asked) -> Work:
    """`go role cube`: whether to double, or how to answer a double that waits."""
    asked.plays_open()
    if asked.table.offer not in (None, "double"):
        raise UnsupportedError(f"a {asked.table.offer} waits for its answer, and only doubles are answered")

    def run(report: Report, halt: Halt) -> None:
        engine = asked.make()
        decision = _decision(asked, halt)
        report(f"info role cube {_cube_numbers(decision)}")
        if asked.table.offer is not None:
            report(f"bestcube {engine.answer(*asked.about) if asked.has_level else _answer(decision)}")
        else:
            report(f"bestcube {'double' if _doubles(asked, decision) else 'nodouble'}")

    return Work(run)


def turn(asked: Asked, *, may_double: bool) -> Work:
    """`go role turn`: the double, if it is right, and else the play."""
    asked.plays_open()
    asked.dice()

    def run(report: Report, halt: Halt) -> None:
        cube = "nodouble"
        if may_double and _may_turn(asked.table):
            decision = _decision(asked, halt)
            report(f"info role cube {_cube_numbers(decision)}")
            cube = "double" if _doubles(asked, decision) else "nodouble"
        play = _chosen(asked, report, halt)
        report(f"bestturn cube={cube} moveid={answers.position_text(play.result).split()[-1]}")

    return Work(run)


def _decision(asked: Asked, halt: Halt) -> CubeDecision:
    return _ask(asked, halt, lambda engine, plies: engine.cube(*asked.about, plies=plies))


def _doubles(asked: Asked, decision: CubeDecision) -> bool:
    """Whether to double, at the level if there is one."""
    return asked.make().doubles(*asked.about) if asked.has_level else decision.action == "double"


def _answer(decision: CubeDecision) -> str:
    return "beaver" if decision.beaver else "take" if decision.take else "drop"


def _may_turn(table: Table) -> bool:
    """Whether the side on roll has a cube that it may turn."""
    if table.game.axes["cube"]["use"] is not True or table.asked().pending is not None:
        return False
    return table.match is None or table.match.may_double(table.asked().turn)


def rank(asked: Asked, count: int) -> Work:
    """`rank`: the best plays with what they are worth."""
    asked.plays_open()
    asked.dice()

    def run(report: Report, halt: Halt) -> None:
        found = _search(asked, halt)
        for place, candidate in enumerate(found[:count], 1):
            report(answers.candidate_line(place, candidate, found[0]))
        report(f"rankok {len(found)}")

    return Work(run)


def judge(asked: Asked, text: str) -> Work:
    """`judge`: a verdict on a play, with reasons."""
    asked.plays_open()
    play = asked.play(text)

    def run(report: Report, halt: Halt) -> None:
        position, match, dice = *asked.about, asked.dice()
        found = _ask(
            asked,
            halt,
            lambda engine, plies: compare_plays(engine, position, dice, match, plies=plies, play=play),
        )
        for line in answers.verdict_lines(judge_play(found, play)):
            report(line)
        report("judgeok")

    return Work(run)


def evaluation(asked: Asked) -> Work:
    """`eval`: what the position is worth before the throw."""
    position = asked.position

    def run(report: Report, halt: Halt) -> None:
        match = asked.table.match
        outcome = _ask(asked, halt, lambda engine, plies: engine.evaluate(position, match, plies=plies))
        for line in answers.class_lines(outcome):
            report(line)
        report(f"eval {answers.outcome_text(outcome)}")

    return Work(run)


def cube(asked: Asked) -> Work:
    """`cube`: the three equities and what they mean."""
    asked.plays_open()

    def run(report: Report, halt: Halt) -> None:
        report(f"cube {_cube_numbers(_decision(asked, halt))}")

    return Work(run)


def rollout(asked: Asked, trials: int, seed: int, threads: int) -> Work:
    """`rollout`: games played out from here, with lines on the way.

    The work raises StoppedError if it is stopped before there is anything to report.
    """
    asked.plays_open()

    def run(report: Report, halt: Halt) -> None:
        from sheshbesh.engines.rollout.rollout import RolloutOptions

        due = 0.0

        def tell(so_far: tuple[Rollout, ...]) -> None:
            nonlocal due
            if time.monotonic() >= due:
                report(f"info rollout {answers.rollout_text(so_far[0])}")
                due = time.monotonic() + _PAUSE

        options = RolloutOptions(trials=trials, seed=seed)
        done = asked.make().rollout(
            *asked.about, options=options, threads=threads, progress=tell, cancelled=halt
        )
        if not done.trials:
            raise StoppedError("stopped before the first trials were done: there is no result")
        report(f"rollout {answers.rollout_text(done)}")

    return Work(run)


def _cube_numbers(decision: CubeDecision) -> str:
    numbers = {
        "nodouble": decision.no_double,
        "doubletake": decision.double_take,
        "doublepass": decision.double_pass,
    }
    said = " ".join(f"{key} {answers.number(value)}" for key, value in numbers.items())
    mark = answers.mark(approximate=decision.approximate)
    return f"action {decision.action.replace('_', '')} answer {_answer(decision)} {said}{mark}"
