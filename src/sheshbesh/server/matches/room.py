"""One match: its session and its lock.

Every change goes through `act`: decided under the lock, stored, and only then announced. Whoever loses
the race for an event's number to another process takes over what that one stored, and decides again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Iterable
from secrets import token_bytes
from time import monotonic
from typing import TYPE_CHECKING

from sheshbesh.errors import NotationError
from sheshbesh.rules import Refusal, Side
from sheshbesh.server.matches import server_actions, view
from sheshbesh.server.matches.engine_turns import Thinking
from sheshbesh.server.matches.spectators import Gallery
from sheshbesh.server.matches.store import Repeated, Stored, Taken, UnavailableError, Writing
from sheshbesh.server.matches.timers import Clockwork
from sheshbesh.server.refusals import refuse
from sheshbesh.session import SERVER, Action, DiceKeeper, Event, Session, actions, follow

if TYPE_CHECKING:
    from sheshbesh.server.matches.registry import Hall

log = logging.getLogger(__name__)

_REFS = 16
"""Outcomes of actions kept at hand, so that one sent twice has one answer."""

_COMMITS = frozenset({"ready", "anchor"})
"""Actions by which chains of dice come into a match. Others leave the secrets of them as they are: to read
them again and to hash a chain of 400 links after each event would cost more than all the rest."""

_TRIES = 5
"""How often an action is decided anew when another process was quicker."""

_SLOW = 200
"""Milliseconds of storing from which on they are given back to the clock that they ran on."""


class Room:
    """A match in progress in this process."""

    def __init__(self, hall: Hall, stored: Stored) -> None:
        self.hall = hall
        self.table = stored.table
        self.session: Session = stored.table.header.session()
        self.engines = stored.table.engine_sides()
        self._kept = stored.table.kept_sides()
        self._kept_actors = frozenset(side.value for side in self._kept)
        self.gallery = Gallery(self)
        self.clockwork = Clockwork(self)
        self.thinking = Thinking(self)
        self._lock = asyncio.Lock()
        self._stalled: int | None = None
        """Since when, in the match's time, the clock runs on what could not be stored at once."""
        self.adopted = float("-inf")
        """When events of another process were last taken over, by the monotonic clock."""
        self._outcomes: OrderedDict[tuple[str, str], Refusal | None] = OrderedDict()
        self._keyed: Session | None = None
        self._key = ""
        for event in stored.events:
            self._adopt_stored(event)
        self._tips = frozenset(stored.tips)
        self._keeper = self._keeper_of(self._tips)

    # What is so

    @property
    def id(self) -> str:
        """The match's name."""
        return self.table.id

    @property
    def version(self) -> int:
        """The number of the last event."""
        return self.session.events

    @property
    def key(self) -> str:
        """What an action must name that is decided upon the present state; see `view.key_of`."""
        if self._keyed is not self.session:
            self._keyed, self._key = self.session, view.key_of(self.session)
        return self._key

    @property
    def is_idle(self) -> bool:
        """Whether nobody looks, no clock runs and nobody thinks: it may be dropped and loaded again."""
        return not self.gallery.viewers and not self.clockwork.is_running and not self.thinking.is_busy

    def now(self) -> int:
        """The time of this match in ms: that of the world without the time the server was down."""
        return self.hall.now(self.table)

    def _keeper_of(self, tips: Iterable[bytes]) -> DiceKeeper:
        keeper = DiceKeeper((SERVER, *self._kept), token_bytes)
        if self.session.throwing.table is not None and self.version:
            keeper.restore(self.session, tips)
        return keeper

    # Change

    async def act(
        self,
        side: Side | str,
        action: Action,
        *,
        ref: str | None = None,
        key: str | None = None,
        lag: int = 0,
        guessed: bool = False,
    ) -> Refusal | None:
        """Let a side, or the server, take an action; None if it was accepted and is stored.

        With `ref` an action that comes again has its first outcome. `key` is that of the state which
        a player acts upon; None for those who act upon the present one. `lag` is the round trip of his line;
        `guessed` marks what an engine could not think about. UnavailableError where nothing can be stored.

        It counts as taken when it came: time in which other things are stored is nobody's.
        """
        actor = side.value if isinstance(side, Side) else side
        now = self.now()
        async with self._lock:
            known = (actor, ref)
            if ref is not None and known in self._outcomes:
                return self._outcomes[actor, ref]
            outcome = await self._act(actor, action, now, ref, key, lag=lag, guessed=guessed)
            await self._settle_stall()
            if ref is not None:
                self._outcomes[actor, ref] = outcome
                if len(self._outcomes) > _REFS:
                    self._outcomes.popitem(last=False)
        return outcome

    async def _act(
        self,
        actor: str,
        action: Action,
        now: int,
        ref: str | None,
        key: str | None,
        *,
        lag: int,
        guessed: bool,
    ) -> Refusal | None:
        if self._stalled is not None:
            await self._give_back()
        for _ in range(_TRIES):
            done = self._decide(actor, action, now, key, lag=lag, guessed=guessed)
            if isinstance(done, Refusal):
                # Refused now, but perhaps accepted before this process, or this line, broke down.
                if ref is None or not await self.hall.store.knows(self.id, actor, ref):
                    return done
                await self._catch_up()
                return None
            try:
                await self._commit(done, ref)
            except Repeated:
                await self._catch_up()
                return None
            except Taken:
                await self._catch_up()
                continue
            return None
        return refuse("wire.busy")

    def _decide(
        self, actor: str, action: Action, now: int, key: str | None, *, lag: int, guessed: bool
    ) -> server_actions.Followed | Refusal:
        if key is not None and view.is_stale(self.key, action.type, key):
            return refuse("wire.stale")
        if actor in self._kept_actors:
            # Never upon another state than this one: the keeper would take it for the match's present.
            action = self._keeper.dress(self.session, Side.of(actor), action)
        try:
            return server_actions.follow(
                self.session,
                actor,
                action,
                now,
                keeper=self._keeper,
                engines=self._kept,
                lag=lag,
                guessed=guessed,
            )
        except NotationError:
            return refuse("wire.text")

    async def _commit(self, done: server_actions.Followed, ref: str | None) -> None:
        """Store events, then let everybody know of them."""
        if not done.events:
            return
        secrets = self._keeper.tips()
        writing = Writing(self.table, done.events, done.after, ref, secrets - self._tips)
        at = done.events[-1].at
        try:
            await self.hall.store.append(writing)
        except BaseException as error:
            # The keeper has gone ahead with what was not stored.
            self._keeper = self._keeper_of(self._tips)
            if isinstance(error, UnavailableError) and self._stalled is None:
                self._stalled = at
            raise
        if self.now() - at >= _SLOW:
            self._stalled = at
        self._tips |= secrets
        news = [self.gallery.note(*each) for each in zip(done.before, done.events, strict=True)]
        self.session = done.after
        self.gallery.turn_page(done.before[0])
        self.gallery.announce(news)
        self.hall.announce(self)
        self.thinking.judge(done)
        self.stir()

    async def _settle_stall(self) -> None:
        """What was stored is stored, even where the time that it took cannot be given back yet."""
        if self._stalled is not None:
            try:
                await self._give_back()
            except Exception as error:
                log.warning("match %s: a clock cannot be set right yet: %s", self.id, error)

    async def _give_back(self) -> None:
        """Time in which nothing could be stored is nobody's: take it off the running clock.

        This is an event like others, so that the clocks are the same in all processes and after a restart.
        """
        for _ in range(_TRIES):
            since, now = self._stalled, self.now()
            clock = self.session.clock
            if since is None or clock.deadline() is None:
                break
            # What came before the last event is settled, perhaps by another process.
            ms = min(now - max(since, self.session.at), clock.elapsed(now))
            if ms <= 0:
                break
            done = server_actions.follow(
                self.session, SERVER, actions.Credit(ms), now, keeper=self._keeper, engines=self._kept
            )
            assert not isinstance(done, Refusal), done
            self._stalled = None
            try:
                await self._commit(done, None)
            except UnavailableError:
                self._stalled = since
                raise
            except Taken:
                self._stalled = since
                await self._catch_up()
        self._stalled = None

    async def perform(self) -> None:
        """Do what the server owes this match: as it begins, and after a restart."""
        async with self._lock:
            for _ in range(_TRIES):
                try:
                    done = server_actions.perform(self.session, self.now(), self._keeper, self._kept)
                    await self._commit(done, None)
                except Taken:
                    await self._catch_up()
                else:
                    break
        self.stir()

    async def catch_up(self, v: int | None = None) -> None:
        """Take over what another process has stored, up to event `v` at least."""
        async with self._lock:
            # What was heard of later may have come with what was read before.
            if v is None or self.version < v:
                await self._catch_up()

    async def _catch_up(self) -> None:
        events = await self.hall.store.tail(self.id, self.version)
        if not events:
            return
        self.adopted = monotonic()
        news = [self._adopt_stored(event) for event in events]
        if any(event.action.type in _COMMITS for event in events):
            self._tips = frozenset(await self.hall.store.tips(self.id))
            self._keeper = self._keeper_of(self._tips)
        self.gallery.announce(news)
        self.stir()

    def _adopt_stored(self, event: Event) -> str:
        applied = follow(self.session, event)
        if isinstance(applied, Refusal):  # it was accepted once, so the rules have changed under it
            raise RuntimeError(f"event {event.n} of match {self.id} no longer follows: {applied}")
        before = self.session
        text = self.gallery.note(before, event)
        self.session = applied.state
        self.gallery.turn_page(before)
        return text

    def stir(self) -> None:
        """Set clocks and engines going as the state asks."""
        self.clockwork.set()
        self.thinking.wake()
