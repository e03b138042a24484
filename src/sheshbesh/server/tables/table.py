"""One table in this process, a match or a chouette: everything that happens to it, in the one order it may.

Every change goes through `act`: decided under the lock, stored, and only then told. A process that loses the
race for an event's number to another takes over what that one stored, and decides again.

| from | what | method |
|---|---|---|
| a line | somebody comes, goes, acts | `enter`, `viewers.leave`, `act` |
| HTTP | a bot's action; a place is taken, a program stands in | `act`, `reseat` |
| time | the clock is up; a link is silent; each second | `_expire`, `_withhold`, `viewers.look`, `schedule` |
| other processes | the table has gone on; its seats have changed | `catch_up`, `reseat` |
| programs | a decision, always late: the key decides whether it still counts | `act(guessed=...)` |
| storage | slow, away, a number taken, an action repeated | `_give_back`, `_store`, `_settle` |

An action counts from its arrival: where storing took long, or was impossible for a while, the server takes
that time off the running clock, by an event like others (`credit`), for all processes and restarts.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from secrets import token_bytes
from typing import Any, Generic

from msgspec.structs import replace

from sheshbesh.errors import NotationError, SheshbeshError
from sheshbesh.match import DiceSource
from sheshbesh.rules import Refusal, Refused, Side
from sheshbesh.server.tables.delayed import Delayed
from sheshbesh.server.tables.kind import KindT
from sheshbesh.server.tables.line import Line
from sheshbesh.server.tables.programs import TurnTaking
from sheshbesh.server.tables.seats import Agreed
from sheshbesh.server.tables.store import Repeated, Taken, UnavailableError, Writing
from sheshbesh.server.tables.viewers import Viewers
from sheshbesh.session import (
    SERVER,
    Action,
    CreditAction,
    DiceKeeper,
    Event,
    Session,
    WithholdAction,
)
from sheshbesh.session.phases import SHOWN
from sheshbesh.session.table_state import Outcome, State

log = logging.getLogger(__name__)

_REFS = 16
"""Outcomes of actions kept at hand, so that one sent twice has one answer."""

_TRIES = 5
"""The number of times that an action is decided anew when another process was quicker."""

_MOST = 40
"""No action has as many consequences; an endless loop would be worse than an error."""

_SLOW = 200
"""Milliseconds of storing from which on they are given back to the clock that they ran on."""

_COMMITS = frozenset({"ready", "anchor"})
"""Actions by which chains of dice come in: to read and hash them after every event would cost most of all."""

PATIENCE = 3.0
"""Seconds for which a throw waits for a silent player's link, where it can go on without."""

_SETTLING = 2.0
"""Seconds for which no time is claimed upon another process's event, which may have been slow to store."""

_SOON = 120_000
"""Milliseconds: a table whose clock runs for longer may sleep until somebody comes, or the time is up."""

_LATE = 0.02
"""Seconds by which a timer may be early against the clock of the world."""


class OutdatedError(RuntimeError):
    """What is stored does not follow what a process has: names, or the rules, were changed under it."""


class Table(Generic[KindT, State, Agreed]):
    """A table in memory: a cache of its stored events, which may be dropped and loaded again at any time.

    `tips` are the last links of the chains of dice that the server keeps, `spawn` runs a task on the side.
    """

    def __init__(
        self,
        kind: KindT,
        agreement: Agreed,
        events: Iterable[Event],
        tips: Iterable[bytes],
        spawn: Callable[[Coroutine[Any, Any, Any]], asyncio.Task[Any]],
    ) -> None:
        assert agreement.header is not None
        self.kind, self.agreement, self.spawn = kind, agreement, spawn
        self._clock = kind.clock
        self._header = agreement.header
        self.state: State = self._header.session()
        self.is_stopped = False
        """True if this is no longer the table in play: it was dropped, and another may be in its place."""
        self._lock = asyncio.Lock()
        self._answers: OrderedDict[tuple[str, str], Refusal | None] = OrderedDict()
        self._keyed: State | None = None
        self._key = ""
        self._stalled: int | None = None
        """Since when, in the table's time, the clock runs on what could not be stored at once."""
        self._settled = float("-inf")
        """The time at which what another process stored last stands for sure, by the monotonic clock."""
        self._expiry: asyncio.TimerHandle | None = None
        self._expiry_at = 0
        self._silence: asyncio.TimerHandle | None = None
        self._silent_at: int | None = None
        self._scheduled: State | None = None
        """The state for which the timers were last set; None once one of them has rung."""
        self._kept: tuple[Side, ...] = ()
        self._performed: tuple[Side, ...] | None = None
        """The sides that programs played when all that the server owed was last done."""
        self.viewers = Viewers(self)
        self.delayed = Delayed(self, self.state, agreement.delay) if agreement.delay else None
        """The table as those see it who only watch, where they see it later."""
        self.programs: TurnTaking[Any] = kind.programs(self)
        for event in events:
            self._adopt(event)
        self._tips = frozenset(tips)
        self._renew_keeper()

    @property
    def id(self) -> str:
        """The id of the table."""
        return self.agreement.id

    @property
    def session(self) -> Session:
        """The board as it stands."""
        return self.state.board

    @property
    def version(self) -> int:
        """The number of the last event."""
        return self.state.events

    @property
    def key(self) -> str:
        """The key that an action must name if it is decided upon the present state; see `Session.key`."""
        if self._keyed is not self.state:
            self._keyed, self._key = self.state, self.state.key
        return self._key

    @property
    def is_idle(self) -> bool:
        """True if nobody views it, no program is at work and no time is up soon: it is loaded when due."""
        if self.viewers or self.programs.is_busy or self._silence is not None or self._stalled is not None:
            return False
        deadline = self.deadline
        return deadline is None or deadline - self.now() >= _SOON

    def now(self) -> int:
        """Return the time of this table in ms."""
        return self.kind.now(self.agreement)

    def shown_to(self, names: Sequence[str]) -> Any:
        """Return the table as those see it who act by these names: it, or as it was a while ago."""
        if self.delayed is None or names:
            return self
        self.delayed.advance()
        return self.delayed

    # An action

    async def act(
        self,
        actor: Side | str,
        action: Action,
        *,
        ref: str | None = None,
        key: str | None = None,
        lag: int = 0,
        guessed: bool = False,
    ) -> None:
        """Let an actor, a side's player or the server, take an action; return when it is stored.

        With `ref` an action that comes again has its first outcome. `key` is that of the state which the
        actor decided upon; None for the present one. `lag` is the round trip of their connection in ms;
        `guessed` marks a decision that no engine made in time. Refused if it is not accepted,
        UnavailableError where nothing can be stored.
        """
        began, at = self._clock.monotonic(), self.now()
        name = self.state.player_for(actor) if isinstance(actor, Side) else actor
        async with self._lock:
            if ref is not None and (name, ref) in self._answers:
                refusal = self._answers[name, ref]
            else:
                refusal = None
                try:
                    await self._give_back()  # the time in which nothing could be stored
                    await self._settle(
                        name, ref, lambda: self._decide(name, action, at, key, lag=lag, guessed=guessed)
                    )
                except Refused as refused:
                    refusal = refused.refusal
                try:
                    await self._give_back()
                except Exception:
                    # What was stored is stored, even where the time that it took cannot be given back yet.
                    log.warning("table %s: a clock cannot be set right yet", self.id, exc_info=True)
                if ref is not None:
                    self._answers[name, ref] = refusal
                    if len(self._answers) > _REFS:
                        self._answers.popitem(last=False)
        self.kind.acted(self._clock.monotonic() - began, refusal)
        if refusal is not None:
            raise Refused(refusal)
        if self._performed != self._kept:
            await self.perform()

    async def perform(self) -> None:
        """Do what the server owes: at the beginning, after a restart, and where others play than before."""
        while self._performed != self._kept:
            kept = self._kept
            async with self._lock:
                for _ in range(_TRIES):
                    try:
                        await self._store(self._followed([], self.now()), None)
                    except Taken:
                        await self._catch_up()
                    else:
                        break
            self._performed = kept
        self.schedule()

    async def _settle(self, actor: str, ref: str | None, decide: Callable[[], list[Outcome[State]]]) -> None:
        """Decide and store an action, anew where another process was quicker."""
        for _ in range(_TRIES):
            try:
                await self._store(decide(), ref)
            except Refused:
                # Refused now, but perhaps accepted before this process, or this line, broke down.
                is_over, store = self.state.is_over, self.kind.store
                if ref is None or not await store.has_action(self.id, actor, ref, is_over=is_over):
                    raise
                await self._catch_up()
            except Repeated:
                await self._catch_up()
            except Taken:
                await self._catch_up()
                continue
            return
        raise Refused.of("wire.busy")

    def _decide(
        self, actor: str, action: Action, at: int, key: str | None, *, lag: int = 0, guessed: bool = False
    ) -> list[Outcome[State]]:
        """Return an action's outcome, and those of what the server owes after it."""
        if key is not None and self.kind.is_stale(self.key, action, key):
            raise Refused.of("wire.stale")
        side = self.state.side_of(actor)
        if side is not None and side in self._kept and actor == self.state.player_for(side):
            # Never upon another state than this one: the keeper would take it for the present one.
            action = self._keeper.with_share(self.session, side, action)
        try:
            first = self._header.apply(self.state, actor, action, at, lag=lag)
        except NotationError:
            raise Refused.of("wire.text") from None
        if guessed:
            first = first._replace(event=replace(first.event, guessed=True))
        return self._followed([first], at)

    def _followed(self, outcomes: list[Outcome[State]], at: int) -> list[Outcome[State]]:
        """Add what the server owes after these outcomes, until it owes nothing."""
        state = outcomes[-1].state if outcomes else self.state
        kept = self.kind.kept_sides(state, self.agreement)
        for _ in range(_MOST):
            # Where the players change, another keeper has their chains, which `perform` goes on with.
            if self.kind.kept_sides(state, self.agreement) != kept:
                return outcomes
            owed = self.kind.owed(state, self._keeper, self.agreement)
            if owed is None:
                return outcomes
            try:
                outcome = self._header.apply(state, *owed, at)
            except Refused as refused:
                raise AssertionError(f"the server's own {owed} was refused: {refused}") from refused
            outcomes.append(outcome)
            state = outcome.state
        raise SheshbeshError(f"the server's actions do not end after {outcomes[-1].event.action}")

    async def _store(self, outcomes: Sequence[Outcome[State]], ref: str | None) -> None:
        """Store the events of outcomes and the secrets of the dice with them, then tell everybody."""
        if not outcomes:
            return
        events, secrets = [outcome.event for outcome in outcomes], self._keeper.tips()
        at, new, after = events[-1].at, secrets - self._tips, outcomes[-1].state
        try:
            await self.kind.store.append(Writing(self.agreement, events, after, ref, new, self.state))
        except BaseException as error:
            # The keeper has used what was not stored.
            self._renew_keeper()
            if isinstance(error, UnavailableError) and self._stalled is None:
                self._stalled = at
            raise
        if self.now() - at >= _SLOW:
            self._stalled = at
        self._tips |= secrets
        self._tell(outcomes)

    def _tell(self, outcomes: Sequence[Outcome[State]]) -> None:
        before = state = self.state
        texts = []
        for outcome in outcomes:
            texts.append(self._noted(state, outcome.event, outcome.state))
            state = outcome.state
        self.state = state
        self._update_kept()
        self.viewers.announce(texts)
        self.kind.told(self, before, outcomes)
        self.schedule()

    async def _give_back(self) -> None:
        """Take the time in which nothing could be stored off the running clock."""
        for _ in range(_TRIES):
            since, clock = self._stalled, self.session.clock
            if since is None or clock.deadline() is None:
                break
            now = self.now()
            # What came before the last event is settled, perhaps by another process.
            ms = min(now - max(since, self.session.at), clock.elapsed(now))
            if ms <= 0:
                break
            outcomes = self._decide(SERVER, CreditAction(ms), now, None)
            self._stalled = None
            try:
                await self._store(outcomes, None)
            except (Taken, UnavailableError) as error:
                self._stalled = since
                if isinstance(error, UnavailableError):
                    raise
                await self._catch_up()
        self._stalled = None

    # What others have stored

    async def catch_up(self, v: int | None = None) -> None:
        """Take over what another process has stored, up to event `v` at least.

        OutdatedError where that does not follow: the table must be loaded anew.
        """
        async with self._lock:
            # What was announced later may have come with what was read before.
            if v is None or self.version < v:
                await self._catch_up()

    async def _catch_up(self) -> None:
        stored = await self.kind.store.tail(self.id, self.version)
        if not stored:
            return
        if any(event.action.type in self.kind.seating for event in stored):
            self.agreement = await self.kind.store.reread(self.agreement)
            self.viewers.rename()
        # Read before anything is adopted: where it fails, nothing has happened.
        commits = any(event.action.type in _COMMITS for event in stored)
        tips = frozenset(await self.kind.store.tips(self.id)) if commits else self._tips
        self._settled = self._clock.monotonic() + _SETTLING
        texts = [self._adopt(event) for event in stored]
        if commits:
            self._tips = tips
            self._renew_keeper()
        else:
            self._update_kept()
        self.viewers.announce(texts)
        self.schedule()

    def _adopt(self, event: Event) -> str:
        """Apply a stored event; return the event as JSON."""
        before = self.state
        try:
            after = self._header.follow(before, event).state
        except Refused as refused:  # it was accepted once
            raise OutdatedError(f"event {event.n} of table {self.id} no longer follows: {refused}") from None
        text = self._noted(before, event, after)
        self.state = after
        return text

    def _noted(self, before: State, event: Event, after: State) -> str:
        """Keep an event for those who come in later, and for those who see it later; return it as JSON."""
        if self.delayed is not None:
            self.delayed.add(before, event, after)
        return self.viewers.note(before, event, after)

    async def reseat(self) -> None:
        """Read again who sits here: somebody came, or a program has taken over a seat or given it back."""
        # Under the lock: the keeper holds what is being stored, and the last one to read is right.
        async with self._lock:
            agreement = await self.kind.store.reread(self.agreement)
            if agreement == self.agreement:
                return
            self.agreement = agreement
            self.viewers.rename()
            self._update_kept()
        self._performed = None
        self.viewers.announce(())
        try:
            await self.perform()
        except (Taken, UnavailableError):
            self.schedule()  # the tables try again in a second

    def _renew_keeper(self) -> None:
        """Restore the dice keeper from what is stored."""
        self._kept = self.kind.kept_sides(self.state, self.agreement)
        self._keeper = DiceKeeper((SERVER, *self._kept), token_bytes)
        if self.session.throwing.table is not None and self.version:
            self._keeper.restore(self.session, self._tips)

    def _update_kept(self) -> None:
        """Keep the chains of those sides that programs play now."""
        if self.kind.kept_sides(self.state, self.agreement) != self._kept:
            self._renew_keeper()

    async def enter(self, line: Line, v: int | None = None) -> None:
        """Let a viewer in and send them the state; `v` is the last event that they have seen."""
        if v is not None and v > self.version:
            # The page has seen an event at another process that this one does not know yet.
            await self.catch_up(v)
        shown = self.shown_to(self.agreement.names_of(line.user))
        version = -1
        while version != shown.version:
            # Reading takes a moment in which the game may go on.
            version = shown.version
            events = await shown.viewers.missed(v)
        if self.is_stopped:
            line.cut()  # dropped while it was read: the page comes again, to the one in its place
            return
        self.viewers.enter(line, events)
        self.schedule()

    # Time

    @property
    def deadline(self) -> int | None:
        """The time at which the server acts if nobody does, in ms of the table's time; see `Session.due`."""
        return self.session.due

    @property
    def is_up(self) -> bool:
        """True if somebody's time has run out for good, or that between two games."""
        deadline = self.deadline
        return deadline is not None and self.now() >= deadline and self._clock.monotonic() >= self._settled

    def schedule(self) -> None:
        """Set the timers and wake the programs as the state requires."""
        if self.is_stopped:
            return
        if self.delayed is not None:
            self.delayed.advance()
        deadline = self.deadline
        # A timer that is too early looks again when it rings: cheaper than a new one for each action.
        if deadline is not None and (self._expiry is None or deadline < self._expiry_at):
            if self._expiry is not None:
                self._expiry.cancel()
            delay = max((deadline - self.now()) / 1000, self._settled - self._clock.monotonic(), 0) + _LATE
            self._expiry = self._clock.call_later(delay, self._ring)
            self._expiry_at = deadline
        self._set_silence()
        self.programs.wake()
        self._scheduled = self.state

    @property
    def is_scheduled(self) -> bool:
        """True if the timers are those that the state requires, and there is nobody to wake."""
        return self._scheduled is self.state and self.delayed is None and not self.agreement.programs

    @property
    def _silent(self) -> tuple[Side, ...]:
        """The sides whose links the open throw awaits and can go on without."""
        throwing = self.session.throwing
        if (
            throwing.table is None
            or throwing.source is not DiceSource.CHAINS
            or self.session.phase not in SHOWN
        ):
            return ()
        if not self.session.may(SERVER, "withhold"):
            return ()
        if throwing.roller is not None:
            return throwing.awaited()
        # In an opening draw the players throw by hand, and take the time they take. Who has lost their chain
        # cannot throw, and new chains begin after this throw where the other has thrown already.
        renewal = throwing.table.renewal
        return tuple(
            side for side in throwing.awaited() if renewal is not None and side.value in renewal.lost
        )

    def _set_silence(self) -> None:
        table = self.session.throwing.table
        at = table.number if table is not None and self._silent else None
        if at == self._silent_at:
            return
        self._silent_at = at
        if self._silence is not None:
            self._silence.cancel()
            self._silence = None
        if at is not None:
            self._silence = self._clock.call_later(PATIENCE, self._fall_silent, at)

    def stop(self) -> None:
        """Cancel the timers of a table that is dropped."""
        self.is_stopped = True
        for timer in (self._expiry, self._silence):
            if timer is not None:
                timer.cancel()
        self._expiry = self._silence = self._silent_at = None

    def _ring(self) -> None:
        self._expiry = self._scheduled = None
        self.spawn(self._expire())

    async def _expire(self) -> None:
        if self.is_up:
            with suppress(Refused):  # another process may have been quicker
                await self.act(SERVER, self.session.overdue)
        self.schedule()

    def _fall_silent(self, number: int) -> None:
        self._silence = self._silent_at = self._scheduled = None
        self.spawn(self._withhold(number))

    async def _withhold(self, number: int) -> None:
        """Go on without the links that throw `number` still waits for."""
        await self.catch_up()  # they may have come to another process
        for side in self._silent:
            table = self.session.throwing.table
            if side not in self._silent or table is None or table.number != number:
                break
            with suppress(Refused):
                await self.act(SERVER, WithholdAction(side.value))
        self.schedule()
