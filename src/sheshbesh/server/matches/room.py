"""One match: its session and its lock.

Every change goes through `act`: decided under the lock, stored, and only then announced. A process that
loses the race for an event's number to another takes over what that one stored, and decides again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from time import monotonic

from sheshbesh.rules import Refused, Side
from sheshbesh.server.matches import server_actions, view
from sheshbesh.server.matches.engine_turns import EngineTurns
from sheshbesh.server.matches.port import RoomPort
from sheshbesh.server.matches.server_actions import Followed
from sheshbesh.server.matches.session_room import SessionRoom
from sheshbesh.server.matches.store import Stored, Writing
from sheshbesh.server.matches.timers import Timers
from sheshbesh.server.matches.viewers import Viewers
from sheshbesh.session import Action, Event, Header, Session


class Room(SessionRoom[Session]):
    """A match in progress in this process."""

    def __init__(self, port: RoomPort, stored: Stored) -> None:
        super().__init__(stored.table.header.session())
        self.port = port
        self.table = stored.table
        self.engines = stored.table.engine_sides()
        self.viewers = Viewers(self)
        self.timers = Timers(self)
        self.engine_turns = EngineTurns(self, self.viewers)
        self._keyed: Session | None = None
        self._key = ""
        self._restore(stored.events, stored.tips)

    # State

    @property
    def id(self) -> str:
        """The match's name."""
        return self.table.id

    @property
    def session(self) -> Session:
        """The match as it stands."""
        return self.state

    @property
    def version(self) -> int:
        """The number of the last event."""
        return self.session.events

    @property
    def key(self) -> str:
        """What an action must name that is decided upon the present state; see `Session.key`."""
        if self._keyed is not self.session:
            self._keyed, self._key = self.session, self.session.key
        return self._key

    @property
    def is_idle(self) -> bool:
        """Whether nobody views it, no search runs and no time is up soon: it is loaded again when due."""
        busy = self.viewers or self.timers.is_needed or self.engine_turns.is_busy
        return not busy and self._stalled is None

    def look(self) -> None:
        """See who is there."""
        self.viewers.look()

    def stop(self) -> None:
        """Stop the clocks."""
        self.timers.stop()

    def now(self) -> int:
        """The time of this match in ms: that of the world without the time the server was down."""
        return self.port.now(self.table)

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
    ) -> None:
        """Let a side, or the server, take an action, which is stored then; Refused if it was not accepted.

        With `ref` an action that comes again has its first outcome. `key` is that of the state which
        a player acts upon; None for the present one. `lag` is the round trip of their connection;
        `guessed` marks a decision that no engine made in time. UnavailableError where nothing can be stored.

        It counts as taken when it came: time in which other things are stored is nobody's.
        """
        actor = side.value if isinstance(side, Side) else side
        began = monotonic()
        try:
            await self._take(actor, action, ref, key, lag=lag, guessed=guessed)
        except Refused as refused:
            self.port.acted(monotonic() - began, refused.refusal)
            raise
        self.port.acted(monotonic() - began, None)

    async def perform(self) -> None:
        """Do what the server owes this match: as it begins, and after a restart."""
        await self._do_due_actions(
            lambda: server_actions.perform(self.session, self.now(), self._keeper, self._kept)
        )
        self.schedule()

    def _kept_sides(self) -> tuple[Side, ...]:
        return self.table.kept_sides()

    def _kept_side(self, actor: str) -> Side | None:
        return next((side for side in self._kept if side.value == actor), None)

    def _is_stale(self, action: Action, key: str) -> bool:
        return view.is_stale(self.key, action.type, key)

    def _follow(
        self, actor: str, action: Action, now: int, *, lag: int = 0, guessed: bool = False
    ) -> Followed[Session]:
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

    @property
    def _header(self) -> Header:
        return self.table.header

    # What is stored

    def _append(self, done: Followed[Session], ref: str | None, tips: frozenset[bytes]) -> Awaitable[None]:
        return self.port.store.append(Writing(self.table, done.events, done.after, ref, tips, done.before[0]))

    async def _stored_after(self, version: int) -> Sequence[Event]:
        return await self.port.store.tail(self.id, version)

    async def _stored_tips(self) -> Sequence[bytes]:
        return await self.port.store.tips(self.id)

    async def _has_action(self, actor: str, ref: str) -> bool:
        return await self.port.store.has_action(self.id, actor, ref)

    # What follows

    def _note(self, before: Session, event: Event, after: Session) -> str:  # noqa: ARG002 -- for chouettes
        return self.viewers.note(before, event)

    def _state_changed(self, before: Session) -> None:
        self.viewers.turn_page(before)

    def _send_state(self, events: Sequence[str]) -> None:
        self.viewers.announce(events)

    def _announce(self, done: Followed[Session]) -> None:
        self.port.announce(self.table, self.session)
        self.engine_turns.judge(done)

    def schedule(self) -> None:
        """Set clocks and engines going as the state asks."""
        self.timers.set()
        self.engine_turns.wake()
