"""One chouette in this process: its state, its viewers, and what its bots and timers do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sheshbesh.rules import Side
from sheshbesh.server.chouettes import follow_up, view
from sheshbesh.server.chouettes.bots import BotTurns
from sheshbesh.server.chouettes.port import ChouettePort
from sheshbesh.server.chouettes.presence import ChouettePresence
from sheshbesh.server.chouettes.table import ChouetteTable, Sitter
from sheshbesh.server.matches.event_log import Taken, UnavailableError
from sheshbesh.server.matches.messages import State, dump, members
from sheshbesh.server.matches.server_actions import Followed
from sheshbesh.server.matches.session_room import SessionRoom
from sheshbesh.server.matches.timers import Timers
from sheshbesh.server.matches.viewer import Viewer
from sheshbesh.session import Action, AdviseAction, Chouette, ChouetteHeader, Event, Session

FREE = frozenset(
    {"link", "anchor", "ready", "join", "leave", "stop", "hand_over", "advise", "agree", "decline", "time"}
)
"""Actions that are not decided upon a position: they name no key, or what they answer."""


class ChouetteRoom(SessionRoom[Chouette]):
    """A chouette that has begun."""

    def __init__(
        self, port: ChouettePort, table: ChouetteTable, events: Iterable[Event], tips: Iterable[bytes]
    ) -> None:
        assert table.header is not None
        super().__init__(table.header.session())
        self.port, self.table = port, table
        self.turns: list[Mapping[str, Any]] = []
        """The plays of the game in progress, for those who come in."""
        self.advice: dict[str, str] = {}
        """What each member proposes about the present decision."""
        self.viewers: set[Viewer] = set()
        self.presence = ChouettePresence()
        self.timers = Timers(self)
        self.bot_turns = BotTurns(self)
        self.watchers: Counter[str] = Counter()
        self._restore(events, tips)

    # State

    @property
    def id(self) -> str:
        """The chouette's id."""
        return self.table.id

    @property
    def session(self) -> Session:
        """The board."""
        return self.state.board

    @property
    def version(self) -> int:
        """The number of the last event."""
        return self.state.events

    @property
    def key(self) -> str:
        """What an action must name that is decided upon the present position."""
        return self.state.key

    @property
    def is_idle(self) -> bool:
        """Whether nothing needs the room now: no viewer, no bot at work, no time that is up soon.

        It may be dropped, and is loaded again when it is due.
        """
        busy = self.viewers or self.timers.is_needed or self.bot_turns.is_busy
        return not busy and self._stalled is None

    def now(self) -> int:
        """The time of this chouette in ms: that of the world without the time the server was down."""
        return self.port.now(self.table)

    # Change

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
        """Let a person by name, or "server", take an action, which is stored then; Refused if it was refused.

        `ref`, `key` and `lag` as for a match; actions that are not `FREE` need the key, unless None is
        given. It counts as taken when it came.
        """
        name = self.state.player_for(actor) if isinstance(actor, Side) else actor
        await self._take(name, action, ref, key, lag=lag, guessed=guessed)
        await self._go_on()

    async def _go_on(self) -> None:
        """Do the server's part again where an action has changed who plays."""
        before = -1
        while before != self.version:
            before = self.version
            await self._do_due_actions(
                lambda: follow_up.perform(Followed(self.state, (), ()), self.now(), self._keeper, self.table)
            )

    async def perform(self) -> None:
        """Take the actions of the server that are due: at the beginning, and after a restart."""
        await self._go_on()
        self.schedule()

    def _kept_sides(self) -> tuple[Side, ...]:
        return follow_up.kept_sides(self.state, self.table.bots)

    def _kept_side(self, actor: str) -> Side | None:
        side = self.state.side_of(actor)
        return side if side in self._kept and actor == self.state.player_for(side) else None

    def _is_stale(self, action: Action, key: str) -> bool:  # noqa: ARG002 -- for matches
        return key != self.key

    def _follow(
        self, actor: str, action: Action, now: int, *, lag: int = 0, guessed: bool = False
    ) -> Followed[Chouette]:
        return follow_up.follow(
            self.state, actor, action, now, keeper=self._keeper, table=self.table, lag=lag, guessed=guessed
        )

    @property
    def _header(self) -> ChouetteHeader:
        assert self.table.header is not None
        return self.table.header

    # What is stored

    def _append(self, done: Followed[Chouette], ref: str | None, tips: frozenset[bytes]) -> Awaitable[None]:
        return self.port.store.append(self.table, done, ref, tips)

    async def _stored_after(self, version: int) -> Sequence[Event]:
        events = await self.port.store.log.tail(self.id, version)
        if any(event.action.type == "join" for event in events):
            self.table = replace(self.table, people=await self.port.store.people(self.id))
        return events

    async def _stored_tips(self) -> Iterable[bytes]:
        return await self.port.store.log.tips(self.id)

    async def _has_action(self, actor: str, ref: str) -> bool:
        return await self.port.store.log.has_action(self.id, actor, ref)

    # What follows

    def _note(self, before: Chouette, event: Event, after: Chouette) -> str:
        if after.board.game_no > before.board.game_no:
            self.turns.clear()
        line = view.turn_of(before, event)
        if line is not None:
            self.turns.append(line)
        if isinstance(event.action, AdviseAction):
            self.advice[event.actor] = event.action.advice
        elif before.key != after.key:
            self.advice.clear()
        return dump(view.event_data(before, event))

    def _announce(self, done: Followed[Chouette]) -> None:  # noqa: ARG002 -- for matches
        self.port.announce(self)

    async def reseat(self) -> None:
        """Read again who sits here: somebody came, or the program has taken over a seat or given it back."""
        people: tuple[Sitter, ...] = await self.port.store.people(self.id)
        if people == self.table.people:
            return
        self.table = replace(self.table, people=people)
        self._update_kept()
        self._send_state(())
        try:
            await self.perform()
        except (Taken, UnavailableError):
            self.schedule()  # the rooms try again in a second

    def schedule(self) -> None:
        """Set the timers and wake the bots as the state requires."""
        self.timers.set()
        self.bot_turns.wake()

    def stop(self) -> None:
        """Stop timers and bots."""
        self.timers.stop()

    # Viewers

    def enter(self, viewer: Viewer) -> None:
        """A viewer has come."""
        self.viewers.add(viewer)
        self.look()
        viewer.send(self._frame(viewer, (), history=True))
        self.schedule()

    def leave(self, viewer: Viewer) -> None:
        """A viewer's socket is closed."""
        self.viewers.discard(viewer)
        self.look()

    def here(self) -> frozenset[str]:
        """The names whose people are connected to this process."""
        present = {viewer.user for viewer in self.viewers if viewer.user is not None and viewer.is_here}
        return frozenset(sitter.name for sitter in self.table.people if sitter.user in present)

    def look(self) -> None:
        """Update who is there, and send the state to all viewers if that has changed."""
        if self.presence.look(self.here(), self.table.persons):
            self._send_state(())
        if self.presence.is_to_be_announced():
            self.port.announce_people(self)

    def _send_state(self, events: Sequence[str]) -> None:
        for viewer in self.viewers:
            viewer.send(self._frame(viewer, events, history=False))

    def _frame(self, viewer: Viewer, events: Sequence[str], *, history: bool) -> str:
        data = view.state_data(self, viewer.user)
        if history:
            data["history"] = self.turns
        return State(self.version, self.key, self.now(), (members(data),), tuple(events)).to_text()
