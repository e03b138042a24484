"""The engine for the site: a few processes beside the server's, so that a search never holds up a game.

Every question has a bound on time, counted from the moment it is asked. A search that reaches it gives
its best result so far; if no process answers at all, a player's decision is made by heuristics. A process
that dies is replaced, and what it was asked goes to another. What is asked for different people is answered
in turns, so that nobody's questions keep another's waiting.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, Final, NamedTuple
from zlib import crc32

from sheshbesh.players.opponent import RuleOfThumb, answer_proposal, decide
from sheshbesh.players.settlement import settle
from sheshbesh.players.snapshot import moment_data
from sheshbesh.rules import Side
from sheshbesh.server.engines.processes import Measure, Processes
from sheshbesh.server.engines.queue import (
    EngineBusyError,
    EngineError,
    EngineProcesses,
    EngineRequest,
    NobodyThereError,
    Urgency,
)
from sheshbesh.session import Action, ConfirmAction, Event, PlayAction, RollAction, Session, parse_action

log = logging.getLogger(__name__)

LEVEL = "club"
"""The level of a seat for which none was named."""


_PORTION: Final = 0.5
"""Seconds that a portion of a review takes: people who wait get the process after it."""


class Decision(NamedTuple):
    """What a seat does; `guessed` by heuristics, since no process had an answer in time."""

    action: Action
    guessed: bool = False


class EnginePool:
    """Asks the engine; made once for each server process. `close` ends the workers.

    While there are engine processes on other hosts (`elsewhere`), they are asked, otherwise `workers` of its
    own.

    `who` is the person for whom something is asked: people take turns. The same seed, position and dice have
    the same answer; the errors of a weak level follow from the id of the match. `measure` is called with
    every answer: the kind of question, the seconds it took, and whether it was `answered`, `busy` (too many
    wait) or `failed`.
    """

    def __init__(
        self,
        workers: int = 2,
        *,
        limit: float = 2.0,
        measure: Measure = lambda _ask, _seconds, _outcome: None,
        elsewhere: EngineProcesses | None = None,
    ) -> None:
        self._processes = Processes(workers)
        self._limit, self._measure, self._elsewhere = limit, measure, elsewhere

    async def __aenter__(self) -> EnginePool:
        self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def start(self) -> None:
        """Start the processes; questions may be asked at once and wait for them."""
        self._processes.start()

    async def close(self) -> None:
        """End the processes; questions that are still open fail."""
        await self._processes.close()

    @property
    def are_up(self) -> bool:
        """Whether there is a process to answer, here or elsewhere."""
        return self._processes.are_up or self.are_elsewhere

    @property
    def are_ready(self) -> bool:
        """Whether there is a process that can answer now, here or elsewhere: none is at the start."""
        return self._processes.ready > 0 or self.are_elsewhere

    @property
    def are_elsewhere(self) -> bool:
        """Whether other hosts answer."""
        return self._elsewhere is not None and self._elsewhere.are_up

    @property
    def ready(self) -> int:
        """How many processes of its own are ready."""
        return self._processes.ready

    def waiting(self) -> dict[str, int]:
        """How many questions wait for a process of its own, by their urgency."""
        return self._processes.waiting()

    # Questions

    async def decide(self, session: Session, side: Side, level: str | None, *, who: str = "") -> Decision:
        """What an engine's seat does now, being asked to act or to answer a proposal."""
        proposal = session.proposal
        seed = crc32(session.throwing.match_id.encode())
        proposed = proposal is not None and proposal.by is not side and session.may(side, "accept")
        ask = {
            "ask": "decide",
            "state": moment_data(session),
            "side": side.value,
            "level": level or LEVEL,
            "seed": seed,
            "proposal": proposed,
        }
        try:
            return Decision(parse_action(await self._ask(ask, Urgency.MATCH, who=who)))
        except EngineError as error:
            log.warning("heuristics decide for %s: %s", side.value, error)
            by_hand = answer_proposal if proposed else decide
            action = await asyncio.to_thread(by_hand, RuleOfThumb(seed), session, side)
            # To throw where nobody may double is no decision.
            return Decision(action, guessed=action.type != "roll" or session.may(side, "double"))

    async def hint(
        self,
        session: Session,
        lang: str = "en",
        *,
        who: str = "",
        on_place: Callable[[int], None] | None = None,
    ) -> dict[str, Any] | None:
        """The advice of the coach on the decision to be made; None where there is none, or no coach.

        `on_place` is called with the place of a waiting question. EngineBusyError where too many wait.
        """
        ask = {"ask": "hint", "state": moment_data(session), "lang": lang}
        return await self._advice(ask, who, on_place)

    async def verdict(
        self, before: Session, event: Event, lang: str = "en", *, who: str = ""
    ) -> dict[str, Any] | None:
        """How good a player's action was; None for what is no decision, and where there is no coach."""
        action = event.action
        if isinstance(action, ConfirmAction):
            made = before.turn.made if before.turn is not None else None
            if made is None:
                return None
            action = PlayAction(made.notation)
        if isinstance(action, RollAction) and not before.may(event.actor, "double"):
            return None  # without asking: nearly every throw is one that nobody has decided on
        ask = {
            "ask": "verdict",
            "state": moment_data(before),
            "side": event.actor,
            "action": action.to_data(),
            "lang": lang,
        }
        try:
            return await self._advice(ask, who)
        except EngineBusyError as error:
            log.warning("no verdict: %s", error)
            return None

    async def level_of_loss(self, session: Session, loser: Side) -> str:
        """The class of result at which a player who has left loses the game; see `players.settle`."""
        ask = {"ask": "settle", "state": moment_data(session), "side": loser.value}
        try:
            found = await self._ask(ask, Urgency.MATCH)
        except EngineError as error:
            log.warning("what leaving costs is judged by what is certain: %s", error)
            by_hand = settle(session, loser)
            found = None if by_hand is None else by_hand.to_data()
        return "single" if found is None else str(found["kind"])

    async def finish(self, session: Session, *, who: str = "") -> str | None:
        """The play of a bear-off that leaves nothing to decide; None where the player must.

        EngineBusyError where too many questions wait.
        """
        if session.turn is None or session.turn.done:
            return None
        try:
            found = await self._ask({"ask": "finish", "state": moment_data(session)}, Urgency.ADVICE, who=who)
        except EngineBusyError:
            raise
        except EngineError:
            return None
        return None if found is None else str(found)

    # Analysis

    async def analyse(
        self, query: Mapping[str, str], plies: int, lang: str = "en", *, who: str = ""
    ) -> dict[str, Any] | None:
        """What an analysis board says of a situation (`players.analysis`); None where no net plays the rules.

        EngineBusyError where too many questions wait, EngineError where nobody answers.
        """
        ask = {"ask": "analyse", "query": dict(query), "plies": plies, "lang": lang}
        found: dict[str, Any] | None = await self._ask(ask, Urgency.ANALYSIS, who=who)
        return found

    async def roll_out(
        self, query: Mapping[str, str], *, trials: int, seed: int, plays: Sequence[str] = (), who: str = ""
    ) -> AsyncGenerator[dict[str, Any]]:
        """The results of a rollout after each of its portions, until it is done or nobody waits for more.

        Each portion waits in the queue by itself, so that others take their turn between two of them. Nothing
        where no net plays the rules; errors as in `analyse`.
        """
        ask: dict[str, Any] = {"ask": "roll_out", "query": dict(query), "trials": trials, "seed": seed}
        ask |= {"plays": list(plays), "chunks": 1, "kept": None}
        done = False
        while not done:
            found = await self._ask(ask, Urgency.ANALYSIS, who=who)
            if found is None:
                return
            ask |= {"plays": found.pop("asked"), "kept": found.pop("kept")}
            done = found["done"]
            yield found

    # Reviews

    async def judge(self, file: str, plies: int, places: Sequence[int], *, who: str = "") -> dict[str, Any]:
        """A portion of a review, on another host: `review` of docs/dev/engine-protocol.md.

        NobodyThereError where there is none, EngineError where it did not answer.
        """
        if self._elsewhere is None:
            raise NobodyThereError("there are no other hosts")
        ask = {"ask": "review", "file": file, "plies": plies, "places": list(places)}
        request = EngineRequest(ask=ask, urgency=Urgency.REVIEW, seconds=_PORTION, who=who)
        found: dict[str, Any] = await self._elsewhere.ask(request)
        return found

    async def _ask(
        self,
        ask: Mapping[str, Any],
        urgency: Urgency,
        *,
        who: str = "",
        on_place: Callable[[int], None] | None = None,
    ) -> Any:
        """The answer, of another host if one is up, and measured."""
        request = EngineRequest(ask=ask, urgency=urgency, seconds=self._limit, who=who, on_place=on_place)
        began, outcome = monotonic(), "failed"
        try:
            answer = await self._answer(request)
            outcome = "answered"
        except EngineBusyError:
            outcome = "busy"
            raise
        else:
            return answer
        finally:
            self._measure(request.kind, monotonic() - began, outcome)

    async def _answer(self, request: EngineRequest) -> Any:
        if self._elsewhere is not None and self._elsewhere.are_up:
            with suppress(NobodyThereError):
                return await self._elsewhere.ask(request)
        return await self._processes.ask(request)

    async def _advice(
        self, ask: dict[str, Any], who: str, on_place: Callable[[int], None] | None = None
    ) -> dict[str, Any] | None:
        try:
            found: dict[str, Any] | None = await self._ask(ask, Urgency.ADVICE, who=who, on_place=on_place)
        except EngineBusyError:
            raise
        except EngineError as error:
            log.warning("no advice: %s", error)
            return None
        return found
