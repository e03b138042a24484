"""A room whose state follows from its stored events, with the dice chains that the server keeps for programs.

A match and a chouette are such rooms. What they add is how an action is applied, what viewers are sent and
who plays.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Iterable, Sequence
from secrets import token_bytes
from time import monotonic
from typing import Generic

from sheshbesh.errors import NotationError
from sheshbesh.rules import Refused, Side
from sheshbesh.server.matches.clocked_room import ClockedRoom
from sheshbesh.server.matches.server_actions import Followed
from sheshbesh.session import SERVER, Action, CreditAction, DiceKeeper, Event
from sheshbesh.session.record_header import TableHeader
from sheshbesh.session.table_state import State

_COMMITS = frozenset({"ready", "anchor"})
"""Actions by which chains of dice come into a match. Others leave the secrets of them as they are: to read
them again and to hash a chain of 400 links after each event would cost more than all the rest."""


class SessionRoom(ClockedRoom[Followed[State]], Generic[State]):
    """The state of a table in memory; a subclass calls `_restore` before it is used."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self.state = state
        self.adopted = float("-inf")
        """When events of another process were last taken over, by the monotonic clock."""
        self._kept: tuple[Side, ...] = ()
        self._tips: frozenset[bytes] = frozenset()
        self._keeper: DiceKeeper

    def _restore(self, events: Iterable[Event], tips: Iterable[bytes]) -> None:
        """Apply the stored events, and take up the chains with these last links."""
        for event in events:
            self._adopt(event)
        self._tips = frozenset(tips)
        self._renew_keeper()

    # What a kind of room adds

    @abstractmethod
    def _kept_sides(self) -> tuple[Side, ...]:
        """The sides whose chains the server keeps in the present state."""

    @abstractmethod
    def _kept_side(self, actor: str) -> Side | None:
        """The side that the actor plays, if the server keeps its chain."""

    @abstractmethod
    def _is_stale(self, action: Action, key: str) -> bool:
        """Whether the action was decided upon another state than the present one."""

    @abstractmethod
    def _follow(
        self, actor: str, action: Action, now: int, *, lag: int = 0, guessed: bool = False
    ) -> Followed[State]:
        """The action and the server's part after it. NotationError if a play cannot be read."""

    @property
    @abstractmethod
    def _header(self) -> TableHeader[State]:
        """By what the table is played: the door by which its state changes."""

    @abstractmethod
    def _append(self, done: Followed[State], ref: str | None, tips: frozenset[bytes]) -> Awaitable[None]:
        """Store events and new last links of chains."""

    @abstractmethod
    async def _stored_after(self, version: int) -> Sequence[Event]:
        """The stored events after that number, and what is stored with them."""

    @abstractmethod
    async def _stored_tips(self) -> Iterable[bytes]:
        """The last links of all chains that the server keeps."""

    @abstractmethod
    def _note(self, before: State, event: Event, after: State) -> str:
        """Keep what an event means for viewers who come later; the event as JSON."""

    def _state_changed(self, before: State) -> None:
        """Update what depends on the state besides `_note`."""

    @abstractmethod
    def _send_state(self, events: Sequence[str]) -> None:
        """Send all viewers the state, with the events (as JSON) that led to it."""

    @abstractmethod
    def _announce(self, done: Followed[State]) -> None:
        """Let other processes and this one's engines know of stored events."""

    @abstractmethod
    def schedule(self) -> None:
        """Set the timers and wake the programs as the state requires."""

    # Change

    def _renew_keeper(self) -> None:
        """Restore the dice keeper from what is stored."""
        self._kept = self._kept_sides()
        self._keeper = DiceKeeper((SERVER, *self._kept), token_bytes)
        if self.session.throwing.table is not None and self.version:
            self._keeper.restore(self.session, self._tips)

    def _update_kept(self) -> None:
        """Keep the chains of those sides that programs play now."""
        if self._kept_sides() != self._kept:
            self._renew_keeper()

    async def _take(
        self, actor: str, action: Action, ref: str | None, key: str | None, *, lag: int, guessed: bool
    ) -> None:
        """Decide, store and announce an action. It counts as taken when it came."""
        now = self.now()

        def decide() -> Followed[State]:
            return self._decide(actor, action, now, key, lag=lag, guessed=guessed)

        await self._in_order(actor, ref, decide)

    def _decide(
        self, actor: str, action: Action, now: int, key: str | None, *, lag: int, guessed: bool
    ) -> Followed[State]:
        if key is not None and self._is_stale(action, key):
            raise Refused.of("wire.stale")
        side = self._kept_side(actor)
        if side is not None:
            # Never upon another state than this one: the keeper would take it for the present one.
            action = self._keeper.with_share(self.session, side, action)
        try:
            return self._follow(actor, action, now, lag=lag, guessed=guessed)
        except NotationError:
            raise Refused.of("wire.text") from None

    def _credited(self, ms: int, now: int) -> Followed[State]:
        return self._follow(SERVER, CreditAction(ms), now)

    async def _commit(self, done: Followed[State], ref: str | None) -> None:
        """Store events, then announce them."""
        if not done.events:
            return
        secrets = self._keeper.tips()
        try:
            await self._stored(done.events[-1].at, self._append(done, ref, secrets - self._tips))
        except BaseException:
            # The keeper has used what was not stored.
            self._renew_keeper()
            raise
        self._tips |= secrets
        events = [self._note(*step) for step in done.steps()]
        before, self.state = self.state, done.after
        self._state_changed(before)
        self._update_kept()
        self._send_state(events)
        self._announce(done)
        self.schedule()

    async def _catch_up(self) -> None:
        stored = await self._stored_after(self.version)
        if not stored:
            return
        self.adopted = monotonic()
        events = [self._adopt(event) for event in stored]
        if any(event.action.type in _COMMITS for event in stored):
            self._tips = frozenset(await self._stored_tips())
            self._renew_keeper()
        else:
            self._update_kept()
        self._send_state(events)
        self.schedule()

    def _adopt(self, event: Event) -> str:
        """Apply a stored event; the event as JSON."""
        try:
            after = self._header.follow(self.state, event).state
        except Refused as refused:  # it was accepted once, so the rules have changed under it
            raise RuntimeError(f"event {event.n} of table {self.id} no longer follows: {refused}") from None
        text = self._note(self.state, event, after)
        before, self.state = self.state, after
        self._state_changed(before)
        return text
