"""The questions of the site to engines, each question with a bound on time, counted from the moment it is
asked.

A search that reaches its bound gives its best result so far; if nobody answers at all, a player's decision is
made by heuristics. A process that is lost is replaced, and what it was asked goes to another. What is asked
for different people is answered in turns, so that nobody's questions keep another's waiting.
"""

from __future__ import annotations

import asyncio
import json
import logging
import zlib
from base64 import b64decode, b64encode
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias
from zlib import crc32

from sheshbesh.players.opponent import HeuristicOpponent, answer_proposal, decide
from sheshbesh.players.settlement import settle
from sheshbesh.players.snapshot import snapshot_data
from sheshbesh.rules import Side
from sheshbesh.server.engine.queue import EngineBusyError, EngineError, FairQueue, Job, Urgency
from sheshbesh.server.engine.workers import FOREGROUND, IN_BACKGROUND, READERS, Workers
from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.session import Action, ConfirmAction, Event, PlayAction, RollAction, Session, parse_action

log = logging.getLogger(__name__)

LEVEL = "club"
"""The level of a seat for which none was named."""

GRACE: Final = 1.5
"""Seconds beyond its bound that an answer is waited for: the way there and back, and a table to read."""
QUEUE_SECONDS: Final = {
    Urgency.MATCH: 0.0,
    Urgency.ADVICE: 8.0,
    Urgency.ANALYSIS: 45.0,
    Urgency.PICTURE: 600.0,
    Urgency.REVIEW: 600.0,
    Urgency.FILE: 60.0,
}
"""Seconds for which a question of each urgency waits for a process at most."""
_PORTION: Final = 0.5
"""Seconds that a portion of a review, or of an animation, takes: people who wait get the process after it."""
_BACKGROUND_SECONDS: Final = 600.0
"""Seconds in which a portion is answered: a process of low priority may be given little time."""
_READING: Final = 30.0
"""Seconds in which a file is read: its processor time is bounded, and a busy machine is slower."""
_READERS: Final = 2
"""Files that are read at once."""

Measure: TypeAlias = Callable[[str, float, str], None]
"""Called with each answer: the kind of question, the seconds it took, and `answered`, `busy` or `failed`."""


class Decision(NamedTuple):
    """The action of a seat; `guessed` by heuristics, since no process had an answer in time."""

    action: Action
    guessed: bool = False


class Questions:
    """Asks engines; made once for each server process, which has `workers` processes of its own.

    One process more, of lowest priority, is for reviews and pictures, and files are read by processes of
    their own; both are started when there is something for them. `who` is the person for whom something is
    asked: people take turns. The same seed, position and dice have the same answer; the errors of a weak
    level follow from the id of the match. `limit` are the seconds that a search may take, `measure` is called
    with every answer, `waited` when a question is taken (see `FairQueue`).
    """

    def __init__(
        self,
        workers: int = 2,
        *,
        limit: float = 2.0,
        measure: Measure = lambda _ask, _seconds, _outcome: None,
        queue: FairQueue | None = None,
        clock: Clock = CLOCK,
    ) -> None:
        self._limit, self._measure, self.clock = limit, measure, clock
        self.queue = FairQueue(clock=clock) if queue is None else queue
        self._own = Workers(self.queue, workers, FOREGROUND, clock=clock)
        groups = (IN_BACKGROUND, 1), (READERS, _READERS)
        self._groups = (
            self._own,
            *(Workers(self.queue, size, kind, clock=clock) for kind, size in groups),
        )

    async def __aenter__(self) -> Questions:
        for group in self._groups:
            group.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.queue.close()
        await asyncio.gather(*(group.close() for group in self._groups))

    @property
    def are_up(self) -> bool:
        """True if there is a process to answer what people wait for, here or elsewhere."""
        return self.queue.serves(Urgency.MATCH)

    @property
    def ready(self) -> int:
        """The number of processes of its own that are ready for what people wait for."""
        return self._own.ready

    # Questions

    async def decide(self, session: Session, side: Side, level: str | None, *, who: str = "") -> Decision:
        """Return what an engine's seat does now, being asked to act or to answer a proposal."""
        proposal = session.proposal
        seed = crc32(session.throwing.match_id.encode())
        proposed = proposal is not None and proposal.by is not side and session.may(side, "accept")
        ask = {
            "ask": "decide",
            "state": snapshot_data(session),
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
            action = await asyncio.to_thread(by_hand, HeuristicOpponent(seed), session, side)
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
        ask = {"ask": "hint", "state": snapshot_data(session), "lang": lang}
        return await self._advice(ask, who, on_place)

    async def verdict(
        self, before: Session, event: Event, lang: str = "en", *, who: str = ""
    ) -> dict[str, Any] | None:
        """Return how good a player's action was; None for what is no decision, and where there is no
        coach."""
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
            "state": snapshot_data(before),
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
        ask = {"ask": "settle", "state": snapshot_data(session), "side": loser.value}
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
            found = await self._ask(
                {"ask": "finish", "state": snapshot_data(session)}, Urgency.ADVICE, who=who
            )
        except EngineBusyError:
            raise
        except EngineError:
            return None
        return None if found is None else str(found)

    # Analysis

    async def analyse(
        self, query: Mapping[str, str], plies: int, lang: str = "en", *, who: str = ""
    ) -> dict[str, Any] | None:
        """Return what an analysis board says of a situation (`players.analysis`); None where no net plays the
        rules.

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

    # Reviews, files and pictures

    async def judge(self, file: str, plies: int, places: Sequence[int], *, who: str) -> dict[str, Any]:
        """A portion of a review: `review` of docs/dev/engine-protocol.md. EngineError where none answers."""
        ask = {"ask": "review", "file": file, "plies": plies, "places": list(places), "limit": _PORTION}
        found: dict[str, Any] = await self._ask(ask, Urgency.REVIEW, who=who, seconds=_BACKGROUND_SECONDS)
        return found

    async def report(self, file: str, plies: int, judged: bytes, *, who: str) -> tuple[bytes, dict[str, Any]]:
        """The report of a review all of whose decisions are `judged`, and what lists show of it.

        `judged` has a line of JSON for each, as a partial review. EngineError where nobody answers.
        """
        text = await asyncio.to_thread(packed, judged)
        ask = {"ask": "report", "file": file, "plies": plies, "judged": text}
        found = await self._ask(ask, Urgency.REVIEW, who=who, seconds=_BACKGROUND_SECONDS)
        return await asyncio.to_thread(unpacked, found.pop("report")), found

    async def read(
        self, content: bytes, lang: str, boards: Collection[str] = (), *, who: str
    ) -> dict[str, Any]:
        """Return the content of a match file in a language; EngineError where it is none, or takes too much.

        The first has the `code` "bad_argument". `met` says whether a decision is made on one of `boards`.
        """
        ask = {"ask": "read", "file": packed(content), "lang": lang, "boards": sorted(boards)}
        found: dict[str, Any] = await self._ask(ask, Urgency.FILE, who=who, seconds=_READING)
        return found

    async def index(self, report: bytes) -> dict[str, Any]:
        """The cards and the positions of a finished review; EngineError as in `read`."""
        ask = {"ask": "index", "report": await asyncio.to_thread(packed, report)}
        found = await self._ask(ask, Urgency.FILE, seconds=_BACKGROUND_SECONDS)
        return {name: json.loads(await asyncio.to_thread(unpacked, each)) for name, each in found.items()}

    async def draw(self, ask: Mapping[str, Any]) -> Any:
        """The answer to `png`, `frames` or `gif` of docs/dev/engine-protocol.md."""
        return await self._ask(ask, Urgency.PICTURE, seconds=_BACKGROUND_SECONDS)

    # Asking

    async def _ask(
        self,
        ask: Mapping[str, Any],
        urgency: Urgency,
        *,
        who: str = "",
        on_place: Callable[[int], None] | None = None,
        seconds: float | None = None,
    ) -> Any:
        """The answer, measured.

        It is waited for as long as its urgency allows. EngineError if there is none in time, at once where
        nobody answers, EngineBusyError where too many questions wait.
        """
        seconds = self._limit if seconds is None else seconds
        waits = seconds + QUEUE_SECONDS[urgency]
        began = self.clock.monotonic()
        job = Job(
            ask=ask,
            urgency=urgency,
            seconds=seconds,
            answer=asyncio.get_running_loop().create_future(),
            deadline=began + waits,
            who=who,
            on_place=on_place,
        )
        outcome = "failed"
        late = self.clock.call_later(waits + GRACE, job.fail, f"no answer within {waits + GRACE:.1f} s")
        try:
            self.queue.put(job)
            answer = await job.answer
            outcome = "answered"
        except EngineBusyError:
            outcome = "busy"
            raise
        else:
            return answer
        finally:
            late.cancel()
            if outcome != "answered":
                job.answer.cancel()
                self.queue.withdraw(job)
            self._measure(job.kind, self.clock.monotonic() - began, outcome)

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


def packed(content: bytes) -> str:
    """Bytes as questions and answers carry them: by zlib and base64."""
    return b64encode(zlib.compress(content, 1)).decode()


def unpacked(text: str, most: int = 128 * 1024 * 1024) -> bytes:
    """The bytes of `packed`; ValueError or zlib.error where they are damaged, or more than `most`."""
    opened = zlib.decompressobj()
    content = opened.decompress(b64decode(text), most)
    if not opened.eof:
        raise ValueError(f"it has at most {most} bytes, whole")
    return content
