"""The chores of the server for tournaments when it is time: it starts them, pairs, decides who did not come.

Any process does it, at any time: what is due is read from the state and from what is stored of the matches.
A wave is paired in a process of its own where the field is large, since the matching holds the interpreter.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Collection
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from time import perf_counter

from sheshbesh.match.timing import MINUTE, SECOND
from sheshbesh.rules import Refused, Side
from sheshbesh.server.monitoring.metrics import Metrics
from sheshbesh.server.tables.presence import Presence as SitePresence
from sheshbesh.server.tables.tables import MatchTables
from sheshbesh.server.tournaments.matches import result_action
from sheshbesh.server.tournaments.store import Match
from sheshbesh.server.tournaments.tournaments import LARGE, SOON, Held, Tournaments
from sheshbesh.session import SERVER as SESSION_SERVER
from sheshbesh.session import CallAction, ForfeitAction
from sheshbesh.tournaments import (
    SERVER,
    Action,
    Event,
    Pairing,
    Presence,
    Status,
    Tournament,
    pair_actions,
    to_pair,
    without_pairing,
)
from sheshbesh.tournaments.actions import HoldAction, LeaveAction, PairAction, ResultAction, TickAction
from sheshbesh.tournaments.state import ENDED, NOBODY

log = logging.getLogger(__name__)

_POLL = 1.0
"""Seconds between two polls."""
_REMIND = 15 * MINUTE
"""The time before the start at which those who have entered are called."""
_MOST = 100
"""No tournament has as much to do at once; an endless loop would be worse than an error."""
_LARGE = 48
"""Entrants to be paired from which on a process of its own does it."""
_BETWEEN_WAVES = 0.3
"""Seconds between two waves of a large field: those of one are at their boards before the next ones come."""
_LIVE = (Status.OPEN, Status.CHECK_IN, Status.RUNNING)
"""The times at which the process that pairs a large field is kept ready."""
_FAILURES = 3
"""Failures in a row after which the director is called."""
_WAIT = 60 * SECOND
"""The time to wait after that before trying again, in ms."""
_FEW_EVENTS = 80
"""Events of a match up to which its turns are counted, for those who resign at once."""


class Chores:
    """Looks after the tournaments from one process."""

    def __init__(
        self,
        tournaments: Tournaments,
        tables: MatchTables,
        presence: SitePresence,
        metrics: Metrics,
        review: Callable[[Tournament], Awaitable[object]] | None = None,
    ) -> None:
        self._tournaments, self._tables = tournaments, tables
        self._presence, self._metrics, self._review = presence, metrics, review
        self._reminded: dict[str, int] = {}
        self._dirty: set[str] = set()
        self._pool: ProcessPoolExecutor | None = None
        self._starting: asyncio.Future[None] | None = None
        self._is_first = True
        self._polling = asyncio.Lock()
        tournaments.told.append(self._told)

    def _told(self, _before: Tournament, after: Tournament, _event: Event) -> None:
        self._dirty.add(after.id)
        if len(after.entrants) >= _LARGE and after.status in _LIVE and self._pool is None:
            # The first wave does not wait for the process that pairs it, nor anybody for its start.
            self._start()

    def _start(self) -> ProcessPoolExecutor:
        pool = self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_lower)
        self._starting = asyncio.ensure_future(asyncio.to_thread(_started, pool))
        return pool

    async def _process(self) -> ProcessPoolExecutor:
        pool = self._pool or self._start()
        starting, self._starting = self._starting, None
        if starting is not None:
            try:
                await starting
            except Exception:
                self._pool = None  # the next try starts another one
                pool.shutdown(wait=False)
                raise
        return pool

    async def run(self) -> None:
        """Poll until cancelled."""
        while True:
            try:
                await self.poll()
            except Exception:
                log.exception("due tournaments could not be looked for")
            await self._tournaments.clock.sleep(_POLL)

    async def close(self) -> None:
        """End the process that pairs."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(pool.shutdown, wait=True, cancel_futures=True)

    def nudge(self, identity: str) -> None:
        """Look after a tournament at the next poll: a match of it has ended here."""
        self._dirty.add(identity)

    async def poll(self) -> int:
        """Do what is due for all tournaments of which something is; return how many those were.

        A poll that is under way is waited for, so that what was due at the call is done when this returns.
        """
        async with self._polling:
            store, now = self._tournaments.store, self._tournaments.now()
            due = await store.due(now)
            # A process that died may have left matches whose pairing is decided.
            running = await store.running() if self._is_first else ()
            self._is_first = False
            dirty, self._dirty = self._dirty, set()
            found = dict.fromkeys([*dirty, *due, *running])
            for identity in found:
                try:
                    await self._look_after(identity)
                except Exception:
                    log.exception("tournament %s could not be looked after", identity)
                    self._dirty.add(identity)
            await self._remind_of_starts(now)
            return len(found)

    async def _remind_of_starts(self, now: int) -> None:
        """Have those called who have entered when the start is near, once for each start."""
        self._reminded = {each: at for each, at in self._reminded.items() if at > now}
        for identity in await self._tournaments.store.starting(now + _REMIND - MINUTE, now + _REMIND):
            try:
                await self._remind_of_start(identity)
            except Exception:
                log.exception("tournament %s: nobody could be called before the start", identity)

    async def _remind_of_start(self, identity: str) -> None:
        state = await self._tournaments.find(identity)
        if state is None or state.starts is None or self._reminded.get(identity) == state.starts:
            return
        if state.settings.check_in_time == 0:  # else they are called to check in
            # Of several processes, the one that stores the event calls them.
            await self._tournaments.act(identity, SERVER, TickAction(), ref=f"{SOON}{state.starts}")
        self._reminded[identity] = state.starts

    async def _look_after(self, identity: str) -> None:
        held = await self._tournaments.held(identity)
        if held is None:
            return
        if self._tournaments.now() < held.wait_until:
            self._dirty.add(identity)
            return
        async with held.work:
            try:
                await self._work(identity, held)
                held.failures = 0
            except Exception:
                log.exception("tournament %s: what is due could not be done", identity)
                await self._failed(identity, held)

    async def _failed(self, identity: str, held: Held) -> None:
        """Hold a tournament that fails again and again, and call its director."""
        self._dirty.add(identity)
        held.failures += 1
        if held.failures < _FAILURES:
            return
        held.failures, held.wait_until = 0, self._tournaments.now() + _WAIT
        if held.state.settings.directors and held.state.held is None:
            with suppress(Exception):
                action = HoldAction(reason="the server could not go on by itself")
                await self._tournaments.act(identity, SERVER, action)

    async def _work(self, identity: str, held: Held) -> None:
        if held.state.status not in ENDED:
            await self._tournaments.tell_down(identity, held)
        await self._part(identity, held)
        for _ in range(_MOST):
            matches = await self._tournaments.store.unsettled(identity)
            if any(match.number > len(held.state.pairings) for match in matches):
                # Another process has paired, and what it tells is not here yet.
                held.is_stale = True
                await self._tournaments.held(identity)
            actions = await self._due(held, matches)
            if not actions:
                await self._tidy(held.state, matches)
                if self._review is not None and held.state.status is Status.CONFIRMING:
                    await self._review(held.state)
                return
            for number, action in enumerate(actions):
                if number and isinstance(action, PairAction):
                    await self._tournaments.clock.sleep(_BETWEEN_WAVES)
                ref = _ref(held.state, action)
                try:
                    await self._tournaments.act(identity, SERVER, action, ref=ref)
                except Refused as refused:
                    # Another process, or a director, may have been quicker: look again.
                    log.info("tournament %s: %s was refused: %s", identity, action.type, refused)
                    break
        raise RuntimeError(f"what is due for tournament {identity} does not end")

    async def _part(self, identity: str, held: Held) -> None:
        """Let those leave whose account was deleted: nobody is paired with them any more."""
        gone = await self._tournaments.store.gone(identity)
        for entrant in held.state.entrants if gone else ():
            is_in = entrant.status != "out" and not entrant.paused and entrant.kind != "name"
            if entrant.number in gone and is_in:
                with suppress(Refused):  # they left, or it is over
                    await self._tournaments.act(identity, entrant.id, LeaveAction())

    async def _due(self, held: Held, matches: Collection[Match]) -> list[Action]:
        state, now = held.state, self._tournaments.now()
        begun = tuple(
            match.number for match in matches if match.has_begun and _pairing(state, match).status == "made"
        )
        if begun and state.status in (Status.RUNNING, Status.CONFIRMING):
            return [TickAction(began=begun)]
        presence = await self._presence_at(state, matches)
        results = [
            await self._result(state, match)
            for match in matches
            if match.result is not None and _pairing(state, match).is_open
        ]
        is_large = len(state.entrants) >= LARGE
        actions, ready = (
            await asyncio.to_thread(_wanted, state, now, presence, results)
            if is_large
            else _wanted(state, now, presence, results)
        )
        if actions:
            return list(actions)
        if not ready:
            return []
        began = perf_counter()
        paired = await self._paired(state, ready, now)
        if paired:
            self._metrics.tournament_pairing.observe(perf_counter() - began)
            self._metrics.tournament_lag.observe(max(now - state.at, 0) / SECOND)
        return list(paired)

    async def _paired(self, state: Tournament, ready: Collection[int], now: int) -> Collection[Action]:
        if len(ready) < _LARGE:
            return pair_actions(state, ready, now)
        loop = asyncio.get_running_loop()
        try:
            pool = await self._process()
            # What was worked out from the state stays here: it would be sent to the other process.
            return await loop.run_in_executor(pool, pair_actions, state.but(), tuple(ready), now)
        except BrokenProcessPool:
            self._pool = self._starting = None  # it was killed: the next try starts another one
            raise

    async def _result(self, state: Tournament, match: Match) -> ResultAction:
        result = match.result
        assert result is not None
        turns = None
        if result["resigned"] and result["events"] <= _FEW_EVENTS and result["winner"] is not None:
            loser = Side.of(result["winner"]).other.value
            events = await self._tables.kind.store.tail(match.id, 0)
            turns = sum(e.actor == loser and e.action.type in ("play", "confirm") for e in events)
        return result_action(_pairing(state, match), result, turns)

    async def _presence_at(self, state: Tournament, matches: Collection[Match]) -> Presence:
        """Return who has the site open, and who sits at the boards that are waited for."""
        if state.status not in (Status.RUNNING, Status.CONFIRMING):
            return Presence()
        here = await self._presence.everybody()
        site = frozenset(each.number for each in state.entrants if each.id in here)
        boards = {}
        for match in matches:
            pairing = _pairing(state, match)
            if pairing.is_open:
                sides = self._presence.at(match.id)
                both = zip(Side, pairing.both, strict=True)
                boards[match.number] = frozenset(number for side, number in both if side in sides)
        return Presence(site, boards)

    # Matches and their pairings

    async def _tidy(self, state: Tournament, matches: Collection[Match]) -> None:
        """End matches whose pairing is closed, and call players to those that nothing else sets going."""
        over, now = [], self._tournaments.now()
        for match in matches:
            pairing = _pairing(state, match)
            if not pairing.is_open:
                if match.result is None:
                    await self._end(state, match, pairing)
                else:
                    over.append(match.id)
            elif match.result is None and match.waits_unclocked and _is_unbounded(pairing, now):
                await self._call(match)
        if over:
            await self._tournaments.store.settle(over)

    async def _end(self, state: Tournament, match: Match, pairing: Pairing) -> None:
        """End a match that was decided beside the board: for both, if an official did so by hand."""
        table = await self._tables.get(match.id)
        if table is None:
            return
        result = pairing.result
        winner = NOBODY if result is None or result.by != SERVER else result.winner
        loser = next((side for side, each in _sides(pairing) if winner and each != winner), None)
        action = ForfeitAction(loser.value if loser is not None else "both", _reason(state, pairing))
        with suppress(Refused):  # it has ended meanwhile
            await table.act(SESSION_SERVER, action, ref=f"pairing {pairing.number}")
        self.nudge(state.id)

    async def _call(self, match: Match) -> None:
        table = await self._tables.get(match.id)
        if table is not None:
            with suppress(Refused):  # they have begun meanwhile
                await table.act(SESSION_SERVER, CallAction())


def _wanted(
    state: Tournament, now: int, presence: Presence, results: Collection[ResultAction]
) -> tuple[Collection[Action], Collection[int]]:
    """Return what is due but the pairing, or else who is to be paired."""
    actions = without_pairing(state, now, presence, results)
    return (actions, ()) if actions else ((), to_pair(state, now, presence))


def _started(pool: ProcessPoolExecutor) -> None:
    """Wait until the process of a pool has begun."""
    pool.submit(_lower).result()


def _lower() -> None:
    with suppress(AttributeError, OSError):  # there is no nice value on Windows
        os.nice(5)


def _pairing(state: Tournament, match: Match) -> Pairing:
    return state.pairing(match.number)


def _sides(pairing: Pairing) -> Collection[tuple[Side, int]]:
    return tuple(zip(Side, pairing.both, strict=True))


def _is_unbounded(pairing: Pairing, now: int) -> bool:
    """Return whether nothing bounds how long the two may still wait: days to play, or both are there."""
    return pairing.deadline is None or now >= pairing.deadline


def _reason(state: Tournament, pairing: Pairing) -> str:
    """Return why a match is forfeited."""
    result = pairing.result
    losers = [] if result is None else [each for each in pairing.both if each != result.winner]
    if any(state.entrant(each).why == "withdrawn" for each in losers):
        return "withdrawn"
    is_absence = result is not None and result.how == "walkover" and result.by == SERVER
    return "no_show" if is_absence else "ruling"


def _ref(state: Tournament, action: Action) -> str | None:
    """Return the name under which the server does something once, whichever process does it."""
    if isinstance(action, ResultAction):
        return f"match {state.pairing(action.pairing).match}"
    return None
