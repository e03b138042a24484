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
from sheshbesh.ubgi.answers import MissingContextError, UnsupportedError
from sheshbesh.ubgi.effects import Report, StopSignal, Work
from sheshbesh.ubgi.state import DialogueState

if TYPE_CHECKING:
    from sheshbesh.cube.decision import CubeDecision
    from sheshbesh.engines import Candidate
    from sheshbesh.engines.rollout.rollout import Rollout
    from sheshbesh.players.opponent import PlayingEngine

_T = TypeVar("_T")

_PAUSE = 0.2
"""Seconds between two lines on how far a rollout is, at least."""

Maker = Callable[[], "PlayingEngine"]
"""Makes the engine when it is first needed, so that the handshake answers at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The depth of the search: plies, and milliseconds after which nothing deeper is begun."""

    plies: int
    milliseconds: int | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """A question as it was when it was asked, whatever is said afterwards."""

    state: DialogueState
    make: Maker
    limits: Limits
    has_level: bool = False

    @property
    def position(self) -> Position:
        """The position it is about."""
        return self.state.required_position()

    def dice(self) -> Roll | None:
        """The dice to be played; MissingContextError without any.

        None where something is owed, but a double that has been named where one is to be.
        """
        if (owed := self.position.pending) is not None:
            named = self.state.dice
            return named if owed.choose is not None and named is not None and named.is_double else None
        if self.state.dice is None:
            raise MissingContextError("no dice yet: send dice")
        return self.state.dice

    @property
    def about(self) -> tuple[Position, MatchState | None]:
        """The position and the score, as an engine takes them."""
        return self.position, self.state.match

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


def _search(query: Query, stop_signal: StopSignal, report: Report | None = None) -> Sequence[Candidate]:
    """All plays, looked at ever deeper until it is stopped; each depth is reported with its best play."""
    engine, dice = query.make(), query.dice()
    end = None if query.limits.milliseconds is None else time.monotonic() + query.limits.milliseconds / 1000
    found: Sequence[Candidate] = ()
    for plies in range(query.limits.plies + 1):
        if found and (stop_signal() or (end is not None and time.monotonic() >= end)):
            break
        with stop_signal.reaching(engine):
            deeper = engine.rank(query.position, dice, query.state.match, plies=plies)
        if found and stop_signal():
            break  # this depth may not be complete
        found = deeper
        if report is not None:
            best = found[0]
            about = f"info role chequer depth {plies} {answers.outcome_text(best.outcome)}"
            report(f"{about} pv {answers.move_text(best.play)}")
    return found


def _ask(query: Query, stop_signal: StopSignal, question: Callable[[PlayingEngine, int], _T]) -> _T:
    """The answer at `plies`; that of the net alone if it is stopped before."""
    engine, plies = query.make(), query.limits.plies
    if plies and not stop_signal():
        try:
            with stop_signal.reaching(engine):
                return question(engine, plies)
        except StoppedError:
            pass
    return question(engine, 0)


def move(query: Query) -> Work:
    """`go` with dice: the play."""
    query.plays_open()
    query.dice()

    def run(report: Report, stop_signal: StopSignal) -> None:
        for line in _move_lines(query, report, stop_signal):
            report(line)

    return Work(run)


def _move_lines(query: Query, report: Report, stop_signal: StopSignal) -> tuple[str, ...]:
    best = _chosen(query, report, stop_signal)
    return (
        f"bestmove {answers.move_text(best)}",
        f"bestmoveid {answers.position_text(best.result).split()[-1]}",
    )


def _chosen(query: Query, report: Report, stop_signal: StopSignal) -> Play:
    if query.has_level:
        engine = query.make()
        with stop_signal.reaching(engine):
            return engine.choose(query.position, query.dice(), query.state.match)
    return _search(query, stop_signal, report)[0].play


def cube_action(query: Query) -> Work:
    """`go role cube`: whether to double, or how to answer a double that waits."""
    query.plays_open()
    if query.state.offer not in (None, "double"):
        raise UnsupportedError(f"a {query.state.offer} waits for its answer, and only doubles are answered")

    def run(report: Report, stop_signal: StopSignal) -> None:
        engine = query.make()
        decision = _decision(query, stop_signal)
        report(f"info role cube {_cube_numbers(decision)}")
        if query.state.offer is not None:
            report(f"bestcube {engine.answer(*query.about) if query.has_level else _answer(decision)}")
        else:
            report(f"bestcube {'double' if _doubles(query, decision) else 'nodouble'}")

    return Work(run)


def turn(query: Query, *, may_double: bool) -> Work:
    """`go role turn`: the double, if it is right, and else the play."""
    query.plays_open()
    query.dice()

    def run(report: Report, stop_signal: StopSignal) -> None:
        cube = "nodouble"
        if may_double and _may_turn(query.state):
            decision = _decision(query, stop_signal)
            report(f"info role cube {_cube_numbers(decision)}")
            cube = "double" if _doubles(query, decision) else "nodouble"
        play = _chosen(query, report, stop_signal)
        report(f"bestturn cube={cube} moveid={answers.position_text(play.result).split()[-1]}")

    return Work(run)


def _decision(query: Query, stop_signal: StopSignal) -> CubeDecision:
    return _ask(query, stop_signal, lambda engine, plies: engine.cube(*query.about, plies=plies))


def _doubles(query: Query, decision: CubeDecision) -> bool:
    """Decide whether to double, at the level if there is one."""
    return query.make().doubles(*query.about) if query.has_level else decision.action == "double"


def _answer(decision: CubeDecision) -> str:
    return "beaver" if decision.beaver else "take" if decision.take else "drop"


def _may_turn(state: DialogueState) -> bool:
    """Return True if the side on roll has a cube that it may turn."""
    if state.game.axes["cube"]["use"] is not True or state.required_position().pending is not None:
        return False
    return state.match is None or state.match.may_double(state.required_position().turn)


def rank(query: Query, count: int) -> Work:
    """`rank`: the best plays with their equities."""
    query.plays_open()
    query.dice()

    def run(report: Report, stop_signal: StopSignal) -> None:
        found = _search(query, stop_signal)
        for place, candidate in enumerate(found[:count], 1):
            report(answers.candidate_line(place, candidate, found[0]))
        report(f"rankok {len(found)}")

    return Work(run)


def judge(query: Query, text: str) -> Work:
    """`judge`: a verdict on a play, with reasons."""
    query.plays_open()
    play = query.play(text)

    def run(report: Report, stop_signal: StopSignal) -> None:
        position, match, dice = *query.about, query.dice()
        found = _ask(
            query,
            stop_signal,
            lambda engine, plies: compare_plays(engine, position, dice, match, plies=plies, play=play),
        )
        for line in answers.verdict_lines(judge_play(query.make(), found, play, match)):
            report(line)
        report("judgeok")

    return Work(run)


def evaluation(query: Query) -> Work:
    """`eval`: the equity of the position before the throw."""
    position = query.position

    def run(report: Report, stop_signal: StopSignal) -> None:
        match = query.state.match
        outcome = _ask(
            query, stop_signal, lambda engine, plies: engine.evaluate(position, match, plies=plies)
        )
        for line in answers.class_lines(outcome):
            report(line)
        report(f"eval {answers.outcome_text(outcome)}")

    return Work(run)


def cube(query: Query) -> Work:
    """`cube`: the three equities and what they mean."""
    query.plays_open()

    def run(report: Report, stop_signal: StopSignal) -> None:
        report(f"cube {_cube_numbers(_decision(query, stop_signal))}")

    return Work(run)


def rollout(query: Query, trials: int, seed: int, threads: int) -> Work:
    """`rollout`: games played out from here, with lines on the way.

    The work raises StoppedError if it is stopped before there is anything to report.
    """
    query.plays_open()

    def run(report: Report, stop_signal: StopSignal) -> None:
        from sheshbesh.engines.rollout.rollout import RolloutOptions

        due = 0.0

        def tell(so_far: tuple[Rollout, ...]) -> None:
            nonlocal due
            if time.monotonic() >= due:
                report(f"info rollout {answers.rollout_text(so_far[0])}")
                due = time.monotonic() + _PAUSE

        options = RolloutOptions(trials=trials, seed=seed)
        done = query.make().rollout(
            *query.about, options=options, threads=threads, progress=tell, cancelled=stop_signal
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
    equities = " ".join(f"{key} {answers.number(value)}" for key, value in numbers.items())
    mark = answers.mark(approximate=decision.approximate)
    return f"action {decision.action.replace('_', '')} answer {_answer(decision)} {equities}{mark}"
