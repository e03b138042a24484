"""The engines of many games at many levels, kept ready in bounded memory.

One searcher serves all levels of a rule set: what a level is, and by what seed it makes mistakes, is added
to it for each question. The rule sets asked for least recently are forgotten first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from threading import Lock, Timer
from types import TracebackType
from typing import Self, TypeVar

from sheshbesh.engines import Engine, make_engine
from sheshbesh.engines.strength import levels
from sheshbesh.errors import NetError, StoppedError
from sheshbesh.players.coach import PLIES, Coach
from sheshbesh.players.opponent import EngineOpponent, HeuristicOpponent, Opponent, answer_proposal, decide
from sheshbesh.players.settlement import Settlement, finish, settle
from sheshbesh.rules import Play, Side, Variant
from sheshbesh.session import Action, Session

KEPT = 12
"""Rule sets whose engines are kept ready, some twelve megabytes each."""

_T = TypeVar("_T")


class Engines:
    """Answers for every game. One question at a time; `stop` may come from any thread.

    Every question has a `limit` in seconds: a search that is not over by then returns its result so far, and
    what half a search cannot answer is answered by the net alone.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._engines: OrderedDict[tuple[str, bool], Engine | None] = OrderedDict()
        self._lock = Lock()
        self._running: _Running | None = None

    @property
    def ready(self) -> int:
        """The number of rule sets that have an engine ready."""
        return len(self._engines)

    def decide(self, state: Session, side: Side, level: str, seed: int, limit: float) -> Action:
        """Return what a level does for `side`, which the match waits for."""
        return self._as_opponent(state, level, seed, limit, partial(decide, state=state, side=side))

    def answer_proposal(self, state: Session, side: Side, level: str, seed: int, limit: float) -> Action:
        """Return what a level says to the proposal of the other side."""
        return self._as_opponent(
            state, level, seed, limit, lambda player: answer_proposal(player, state, side)
        )

    def coach(self, rules: Variant, limit: float, ask: Callable[[Coach], _T]) -> _T | None:
        """Return what the coach has to say; None where no net plays the rules."""
        engine = self._engine(rules)
        if engine is None:
            return None
        return self._within(engine, limit, lambda plies: ask(Coach(engine, plies)), PLIES)

    def analysis(
        self, rules: Variant, limit: float, ask: Callable[[Engine, int], _T], plies: int
    ) -> _T | None:
        """Return what an engine says at `plies`, or by its net alone where time is short; None where no net
        can."""
        engine = self._engine(rules)
        if engine is None:
            return None
        return self._within(engine, limit, lambda depth: ask(engine, depth), plies)

    def settle(self, state: Session, loser: Side) -> Settlement | None:
        """Return what leaving the game costs."""
        return settle(state, loser, self._engine(state.card.rules))

    def finish(self, state: Session) -> Play | None:
        """The play of the bear-off that needs no decision."""
        return finish(state, self._engine(state.card.rules))

    def stop(self) -> None:
        """End the running search with its result so far."""
        with self._lock:
            if self._running is not None:
                self._running.engine.cancel()

    # Engines

    def _engine(self, rules: Variant) -> Engine | None:
        """The engine for these rules, None where no net can play them."""
        # Games that differ in their cube alone have one fingerprint, and other equities.
        key = rules.fingerprint, bool(rules.axes["cube"]["use"])
        if key in self._engines:
            self._engines.move_to_end(key)
            return self._engines[key]
        try:
            made = make_engine(rules)
        except NetError:
            made = None
        self._engines[key] = made
        if len(self._engines) > self._kept:
            self._engines.popitem(last=False)
        return made

    def _as_opponent(
        self, state: Session, level: str, seed: int, limit: float, ask: Callable[[Opponent], _T]
    ) -> _T:
        engine = self._engine(state.card.rules)
        if engine is None:
            return ask(HeuristicOpponent(seed))
        strength = levels.find(level)
        return self._within(
            engine,
            limit,
            lambda plies: ask(EngineOpponent(engine.at_level(strength, seed, plies=plies))),
            strength.plies,
        )

    def _within(self, engine: Engine, limit: float, ask: Callable[[int], _T], plies: int) -> _T:
        """Ask at `plies`, and without search where there is no time for them."""
        if plies == 0 or limit <= 0:
            return ask(0)
        try:
            with _Running(self, engine, limit):
                return ask(plies)
        except StoppedError:
            return ask(0)


class _Running:
    """A search that may be stopped, and is when its time is up."""

    def __init__(self, engines: Engines, engine: Engine, limit: float) -> None:
        self.engine = engine
        self._engines = engines
        self._alarm = Timer(limit, self._end)
        self._alarm.daemon = True

    def __enter__(self) -> Self:
        with self._engines._lock:
            self._engines._running = self
        self._alarm.start()
        return self

    def _end(self) -> None:
        with self._engines._lock:
            if self._engines._running is self:  # a search that came after it has its own time
                self.engine.cancel()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._alarm.cancel()
        with self._engines._lock:
            self._engines._running = None
            self.engine.resume()
