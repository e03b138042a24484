"""One match: its session and its lock.

Every change goes through `act`: decided under the lock, stored, and only then announced. A process that
loses the race for an event's number to another takes over what that one stored, and decides again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from secrets import token_bytes
from time import monotonic

from sheshbesh.errors import NotationError
from sheshbesh.rules import Refusal, Side
from sheshbesh.server.matches import server_actions, view
from sheshbesh.server.matches.clocked_room import ClockedRoom
from sheshbesh.server.matches.engine_turns import EngineTurns
from sheshbesh.server.matches.port import RoomPort
from sheshbesh.server.matches.spectators import Spectators
from sheshbesh.server.matches.store import Stored, Writing
from sheshbesh.server.matches.timers import Timers
from sheshbesh.server.matches.viewer import Viewer
from sheshbesh.server.refusals import refuse
from sheshbesh.session import SERVER, Action, CreditAction, DiceKeeper, Event, Session, follow

_COMMITS = frozenset({"ready", "anchor"})
"""Actions by which chains of dice come into a match. Others leave the secrets of them as they are: to read
them again and to hash a chain of 400 links after each event would cost more than all the rest."""


class Room(ClockedRoom[server_actions.Followed[Session]]):
    """A match in progress in this process."""

    def __init__(self, port: RoomPort, stored: Stored) -> None:
        super().__init__()
        self.port = port
        self.table = stored.table
        self.session: Session = stored.table.header.session()
        self.engines = stored.table.engine_sides()
        self._kept = stored.table.kept_sides()
        self._kept_actors = frozenset(side.value for side in self._kept)
        self.spectators = Spectators(self)
        self.timers = Timers(self)
        self.engine_turns = EngineTurns(self, self.spectators)
        self.adopted = float("-inf")
        """When events of another process were last taken over, by the monotonic clock."""
        self._keyed: Session | None = None
        self._key = ""
        for event in stored.events:
            self._adopt_stored(event)
        self._tips = frozenset(stored.tips)
        self._keeper = self._keeper_of(self._tips)

    # State

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
        """Whether nobody views it, no search runs and no time is up soon: it is loaded again when due."""
        busy = self.spectators.viewers or self.timers.is_needed or self.engine_turns.is_busy
        return not busy and self._stalled is None

    @property
    def viewers(self) -> Collection[Viewer]:
        """Who looks."""
        return self.spectators.viewers

    def look(self) -> None:
        """See who is there."""
        self.spectators.look()

    def stop(self) -> None:
        """Stop the clocks."""
        self.timers.stop()

    def now(self) -> int:
        """The time of this match in ms: that of the world without the time the server was down."""
        return self.port.now(self.table)

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
        a player acts upon; None for the present one. `lag` is the round trip of their connection;
        `guessed` marks a decision that no engine made in time. UnavailableError where nothing can be stored.

        It counts as taken when it came: time in which other things are stored is nobody's.
        """
        actor = side.value if isinstance(side, Side) else side
        now, began = self.now(), monotonic()

        def decide() -> server_actions.Followed[Session] | Refusal:
            return self._decide(actor, action, now, key, lag=lag, guessed=guessed)

        outcome = await self._in_order(actor, ref, decide)
        self.port.acted(monotonic() - began, outcome)
        return outcome

    async def _knows(self, actor: str, ref: str) -> bool:
        return await self.port.store.knows(self.id, actor, ref)

    def _decide(
        self, actor: str, action: Action, now: int, key: str | None, *, lag: int, guessed: bool
    ) -> server_actions.Followed[Session] | Refusal:
        if key is not None and view.is_stale(self.key, action.type, key):
            return refuse("wire.stale")
        if actor in self._kept_actors:
            # Never upon another state than this one: the keeper would take it for the match's present.
            action = self._keeper.with_share(self.session, Side.of(actor), action)
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

    async def _commit(self, done: server_actions.Followed[Session], ref: str | None) -> None:
        """Store events, then let everybody know of them."""
        if not done.events:
            return
        secrets = self._keeper.tips()
        writing = Writing(self.table, done.events, done.after, ref, secrets - self._tips, done.before[0])
        try:
            await self._stored(done.events[-1].at, self.port.store.append(writing))
        except BaseException:
            # The keeper has gone ahead with what was not stored.
            self._keeper = self._keeper_of(self._tips)
            raise
        self._tips |= secrets
        news = [self.spectators.note(*each) for each in zip(done.before, done.events, strict=True)]
        self.session = done.after
        self.spectators.turn_page(done.before[0])
        self.spectators.announce(news)
        self.port.announce(self.table, self.session)
        self.engine_turns.judge(done)
        self.schedule()

    def _board(self) -> Session:
        return self.session

    def _credited(self, ms: int, now: int) -> server_actions.Followed[Session]:
        done = server_actions.follow(
            self.session, SERVER, CreditAction(ms), now, keeper=self._keeper, engines=self._kept
        )
        assert not isinstance(done, Refusal), done
        return done

    async def perform(self) -> None:
        """Do what the server owes this match: as it begins, and after a restart."""
        await self._do_duties(
            lambda: server_actions.perform(self.session, self.now(), self._keeper, self._kept)
        )
        self.schedule()

    async def _catch_up(self) -> None:
        events = await self.port.store.tail(self.id, self.version)
        if not events:
            return
        self.adopted = monotonic()
        news = [self._adopt_stored(event) for event in events]
        if any(event.action.type in _COMMITS for event in events):
            self._tips = frozenset(await self.port.store.tips(self.id))
            self._keeper = self._keeper_of(self._tips)
        self.spectators.announce(news)
        self.schedule()

    def _adopt_stored(self, event: Event) -> str:
        applied = follow(self.session, event)
        if isinstance(applied, Refusal):  # it was accepted once, so the rules have changed under it
            raise RuntimeError(f"event {event.n} of match {self.id} no longer follows: {applied}")
        before = self.session
        text = self.spectators.note(before, event)
        self.session = applied.state
        self.spectators.turn_page(before)
        return text

    def schedule(self) -> None:
        """Set clocks and engines going as the state asks."""
        self.timers.set()
        self.engine_turns.wake()
