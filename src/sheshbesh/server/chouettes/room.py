"""One chouette in this process: its state, its viewers, and what its bots and timers do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from secrets import token_bytes
from time import monotonic
from typing import Any

from sheshbesh.errors import NotationError
from sheshbesh.rules import Refusal, Side
from sheshbesh.server.chouettes import follow_up, view
from sheshbesh.server.chouettes.bots import BotTurns
from sheshbesh.server.chouettes.port import ChouettePort
from sheshbesh.server.chouettes.presence import Presence
from sheshbesh.server.chouettes.table import ChouetteTable, Sitter
from sheshbesh.server.matches.clocked_room import ClockedRoom
from sheshbesh.server.matches.event_log import Taken, UnavailableError
from sheshbesh.server.matches.messages import State, dump, members
from sheshbesh.server.matches.server_actions import Followed
from sheshbesh.server.matches.timers import Timers
from sheshbesh.server.matches.viewer import Viewer
from sheshbesh.server.refusals import refuse
from sheshbesh.session import (
    SERVER,
    Action,
    AdviseAction,
    Chouette,
    CreditAction,
    DiceKeeper,
    Event,
    Session,
)
from sheshbesh.session.chouette.apply import apply_chouette

FREE = frozenset(
    {"link", "anchor", "ready", "join", "leave", "stop", "hand_over", "advise", "agree", "decline", "time"}
)
"""Actions that are not decided upon a position: they name no key, or what they answer."""

_COMMITS = frozenset({"ready", "anchor"})


class ChouetteRoom(ClockedRoom[Followed[Chouette]]):
    """A chouette that has begun."""

    def __init__(
        self, port: ChouettePort, table: ChouetteTable, events: Iterable[Event], tips: Iterable[bytes]
    ) -> None:
        super().__init__()
        assert table.header is not None
        self.port, self.table = port, table
        self.state: Chouette = table.header.session()
        self.turns: list[Mapping[str, Any]] = []
        """The plays of the game in progress, for those who come in."""
        self.advice: dict[str, str] = {}
        """What each member proposes about the present decision."""
        self.viewers: set[Viewer] = set()
        self.presence = Presence()
        self.timers = Timers(self)
        self.bot_turns = BotTurns(self)
        self.adopted = float("-inf")
        self.watchers: Counter[str] = Counter()
        for event in events:
            self._adopt(event)
        self._tips = frozenset(tips)
        self._kept = follow_up.kept_sides(self.state, table.bots)
        self._keeper = self._new_keeper()

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
        return view.key_of(self.state)

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

    def _new_keeper(self) -> DiceKeeper:
        keeper = DiceKeeper((SERVER, *self._kept), token_bytes)
        if self.session.throwing.table is not None and self.version:
            keeper.restore(self.session, self._tips)
        return keeper

    def _see_hands(self) -> None:
        """Keep the chains of those hands that are bots now."""
        kept = follow_up.kept_sides(self.state, self.table.bots)
        if kept != self._kept:
            self._kept = kept
            self._keeper = self._new_keeper()

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
    ) -> Refusal | None:
        """Let a person by name, or "server", take an action; None if it was accepted and is stored.

        `ref`, `key` and `lag` as for a match; actions that are not `FREE` need the key, unless None is
        given. It counts as taken when it came.
        """
        name = self.state.hand(actor) if isinstance(actor, Side) else actor
        now = self.now()

        def decide() -> Followed[Chouette] | Refusal:
            return self._decide(name, action, now, key, lag=lag, guessed=guessed)

        outcome = await self._in_order(name, ref, decide)
        if outcome is None:
            await self._go_on()
        return outcome

    def _decide(
        self, actor: str, action: Action, now: int, key: str | None, *, lag: int, guessed: bool
    ) -> Followed[Chouette] | Refusal:
        if key is not None and key != self.key:
            return refuse("wire.stale")
        side = self.state.side_of(actor)
        if side in self._kept and actor == self.state.hand(side):
            action = self._keeper.with_share(self.session, side, action)
        try:
            return follow_up.follow(
                self.state,
                actor,
                action,
                now,
                keeper=self._keeper,
                table=self.table,
                lag=lag,
                guessed=guessed,
            )
        except NotationError:
            return refuse("wire.text")

    def _board(self) -> Session:
        return self.session

    def _credited(self, ms: int, now: int) -> Followed[Chouette]:
        done = follow_up.follow(
            self.state, SERVER, CreditAction(ms), now, keeper=self._keeper, table=self.table
        )
        assert not isinstance(done, Refusal), done
        return done

    async def _commit(self, done: Followed[Chouette], ref: str | None) -> None:
        if not done.events:
            return
        secrets = self._keeper.tips()
        try:
            storing = self.port.store.append(self.table, done, ref, secrets - self._tips)
            await self._stored(done.events[-1].at, storing)
        except BaseException:
            # The dice keeper has used what was not stored.
            self._keeper = self._new_keeper()
            raise
        self._tips |= secrets
        news = []
        for before, event, after in zip(
            done.before, done.events, (*done.before[1:], done.after), strict=True
        ):
            news.append(self._note(before, event, after))
        self.state = done.after
        self._see_hands()
        self._tell(news)
        self.port.announce(self)
        self.schedule()

    async def _go_on(self) -> None:
        """Do the server's part again where an action has changed the hands."""
        before = -1
        while before != self.version:
            before = self.version
            await self._do_duties(
                lambda: follow_up.perform(Followed(self.state, (), ()), self.now(), self._keeper, self.table)
            )

    async def perform(self) -> None:
        """Take the actions of the server that are due: at the beginning, and after a restart."""
        await self._go_on()
        self.schedule()

    async def _knows(self, actor: str, ref: str) -> bool:
        return await self.port.store.log.knows(self.id, actor, ref)

    async def _catch_up(self) -> None:
        events = await self.port.store.log.tail(self.id, self.version)
        if not events:
            return
        self.adopted = monotonic()
        if any(event.action.type == "join" for event in events):
            self.table = replace(self.table, people=await self.port.store.people(self.id))
        news = [self._adopt(event) for event in events]
        if any(event.action.type in _COMMITS for event in events):
            self._tips = frozenset(await self.port.store.log.tips(self.id))
            self._kept = follow_up.kept_sides(self.state, self.table.bots)
            self._keeper = self._new_keeper()
        self._see_hands()
        self._tell(news)
        self.schedule()

    def _adopt(self, event: Event) -> str:
        applied = apply_chouette(self.state, event.actor, event.action, event.at, lag=event.lag)
        if isinstance(applied, Refusal):  # it was accepted once, so the rules have changed under it
            raise RuntimeError(f"event {event.n} of chouette {self.id} no longer follows: {applied}")
        text = self._note(self.state, event, applied.state)
        self.state = applied.state
        return text

    def _note(self, before: Chouette, event: Event, after: Chouette) -> str:
        """Keep what an event means for those who come in later; the event as JSON."""
        if after.board.game_no > before.board.game_no:
            self.turns.clear()
        line = view.turn_of(before, event)
        if line is not None:
            self.turns.append(line)
        if isinstance(event.action, AdviseAction):
            self.advice[event.actor] = event.action.advice
        elif view.key_of(before) != view.key_of(after):
            self.advice.clear()
        return dump(view.event_data(before, event))

    async def reseat(self) -> None:
        """Read again who sits here: somebody came, or the program has taken over a seat or given it back."""
        people: tuple[Sitter, ...] = await self.port.store.people(self.id)
        if people == self.table.people:
            return
        self.table = replace(self.table, people=people)
        self._see_hands()
        self._tell(())
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
        """See who is there, and tell if that has changed."""
        if self.presence.look(self.here(), self.table.persons):
            self._tell(())
        if self.presence.is_to_be_told():
            self.port.tell_here(self)

    def _tell(self, news: Collection[str]) -> None:
        for viewer in self.viewers:
            viewer.send(self._frame(viewer, news, history=False))

    def _frame(self, viewer: Viewer, news: Collection[str], *, history: bool) -> str:
        data = view.state_data(self, viewer.user)
        if history:
            data["history"] = self.turns
        return State(self.version, self.key, self.now(), (members(data),), tuple(news)).to_text()
