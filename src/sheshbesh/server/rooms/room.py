"""One match: its session, its lock, and the sockets of those who look at it.

Every change goes through `act`: decided under the lock, stored, and only then announced. Whoever loses
the race for an event's number to another process takes over what that one stored, and decides again.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Iterable, Sequence
from secrets import token_bytes
from typing import TYPE_CHECKING

from sheshbesh.errors import NotationError
from sheshbesh.rules import Position, Refusal, Side
from sheshbesh.server import view
from sheshbesh.server.messages import dump
from sheshbesh.server.refusals import refuse
from sheshbesh.server.rooms import duties
from sheshbesh.server.rooms.clockwork import Clockwork
from sheshbesh.server.rooms.presence import Presence
from sheshbesh.server.rooms.store import Repeated, Stored, Taken, Writing
from sheshbesh.server.rooms.thinking import Thinking
from sheshbesh.server.rooms.viewer import Viewer
from sheshbesh.session import SERVER, Action, DiceKeeper, Event, Session, actions, follow
from sheshbesh.session.rules import refuse as refuse_in_session

if TYPE_CHECKING:
    from sheshbesh.server.rooms.hall import Hall

_RING = 24
"""Events kept at hand for viewers who come back after a moment; older ones are in the database."""

_REFS = 16
"""Outcomes of actions kept at hand, so that one sent twice has one answer."""

_TRIES = 5
"""How often an action is decided anew when another process was quicker."""


class Room:
    """A match in progress in this process."""

    def __init__(self, hall: Hall, stored: Stored) -> None:
        self.hall = hall
        self.table = stored.table
        self.session: Session = stored.table.header.session()
        self.engines = stored.table.engine_sides()
        self._kept = stored.table.kept_sides()
        self.viewers: set[Viewer] = set()
        self.presence = Presence(side for side in Side if side not in self.engines)
        self.clockwork = Clockwork(self)
        self.thinking = Thinking(self)
        self.lines: list[str] = []
        """The turns of the game in progress as JSON, for those who come in."""
        self.game_began = 0
        """The number of the last event before this game."""
        self._lock = asyncio.Lock()
        self._ring: deque[tuple[int, str]] = deque(maxlen=_RING)
        self._outcomes: OrderedDict[tuple[str, str], Refusal | None] = OrderedDict()
        self._keyed: Session | None = None
        self._key = ""
        self._claimable: tuple[Side, ...] = ()
        self._fixed = dump(view.fixed(stored.table))[1:-1]
        self._scenery: str | None = None
        self._placed: Position | None = None
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
        return not self.viewers and not self.clockwork.is_running and not self.thinking.is_busy

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
        `guessed` marks what an engine could not think about.
        """
        actor = side.value if isinstance(side, Side) else side
        async with self._lock:
            known = (actor, ref)
            if ref is not None and known in self._outcomes:
                return self._outcomes[actor, ref]
            outcome = await self._act(actor, action, ref, key, lag=lag, guessed=guessed)
            if ref is not None:
                self._outcomes[actor, ref] = outcome
                if len(self._outcomes) > _REFS:
                    self._outcomes.popitem(last=False)
        return outcome

    async def _act(
        self, actor: str, action: Action, ref: str | None, key: str | None, *, lag: int, guessed: bool
    ) -> Refusal | None:
        for _ in range(_TRIES):
            done = self._decide(actor, action, key, lag=lag, guessed=guessed)
            if isinstance(done, Refusal):
                # Refused now, but perhaps accepted before this process, or this line, broke down.
                seen = ref is not None and await self.hall.store.knows(self.id, actor, ref)
                return None if seen else done
            try:
                await self._commit(done, ref)
            except Repeated:
                return None
            except Taken:
                await self._catch_up()
                continue
            return None
        return refuse("wire.busy")

    def _decide(
        self, actor: str, action: Action, key: str | None, *, lag: int, guessed: bool
    ) -> duties.Followed | Refusal:
        if key is not None and view.is_stale(self.key, action.type, key):
            return refuse("wire.stale")
        try:
            return duties.follow(
                self.session,
                actor,
                action,
                self.now(),
                keeper=self._keeper,
                engines=self._kept,
                lag=lag,
                guessed=guessed,
            )
        except NotationError:
            return refuse("wire.text")

    async def _commit(self, done: duties.Followed, ref: str | None) -> None:
        """Store events, then let everybody know of them."""
        if not done.events:
            return
        secrets = self._keeper.tips()
        writing = Writing(self.table, done.events, done.after, ref, secrets - self._tips)
        try:
            await self.hall.store.append(writing)
        except BaseException:
            # The keeper has gone ahead with what was not stored.
            self._keeper = self._keeper_of(self._tips)
            raise
        self._tips |= secrets
        news = [self._note(*each) for each in zip(done.before, done.events, strict=True)]
        self.session = done.after
        self._turn_page(done.before[0])
        self._announce(news)
        self.hall.announce(self)
        self.thinking.judge(done)
        self.stir()

    def dressed(self, side: Side, action: Action) -> Action:
        """A program's action with its share of the dice, where it has to carry one."""
        return self._keeper.dress(self.session, side, action)

    async def perform(self) -> None:
        """Do what the server owes this match: as it begins, and after a restart."""
        async with self._lock:
            for _ in range(_TRIES):
                try:
                    done = duties.perform(self.session, self.now(), self._keeper, self._kept)
                    await self._commit(done, None)
                except Taken:
                    await self._catch_up()
                else:
                    break
        self.stir()

    async def catch_up(self) -> None:
        """Take over what another process has stored."""
        async with self._lock:
            await self._catch_up()

    async def _catch_up(self) -> None:
        events = await self.hall.store.tail(self.id, self.version)
        if not events:
            return
        news = [self._adopt_stored(event) for event in events]
        self._tips = frozenset(await self.hall.store.tips(self.id))
        self._keeper = self._keeper_of(self._tips)
        self._announce(news)
        self.stir()

    def _adopt_stored(self, event: Event) -> str:
        applied = follow(self.session, event)
        if isinstance(applied, Refusal):  # it was accepted once, so the rules have changed under it
            raise RuntimeError(f"event {event.n} of match {self.id} no longer follows: {applied}")
        before = self.session
        text = self._note(before, event)
        self.session = applied.state
        self._turn_page(before)
        return text

    def _note(self, before: Session, event: Event) -> str:
        """Keep what an event means for those who come in later; the event as JSON."""
        text = dump(event.to_data())
        self._ring.append((event.n, text))
        line = view.turn_of(before, event)
        if line is not None:
            self.lines.append(dump(line))
        return text

    def _turn_page(self, before: Session) -> None:
        """Begin the list of turns anew with a new game; until then the last one stays."""
        if self.session.game_no > before.game_no > 0:
            self.lines = []
            self.game_began = before.events

    def stir(self) -> None:
        """Set clocks and engines going as the state asks."""
        self.clockwork.set()
        self.thinking.wake()

    # Showing

    def enter(self, viewer: Viewer, events: Sequence[str]) -> None:
        """A viewer has come; `events` are those of this game that he has not seen."""
        viewer.send(self.frame(viewer.sides, events, history=True))
        self.viewers.add(viewer)
        self.look()
        viewer.send(self.presence_frame())

    async def missed(self, v: int | None) -> list[str]:
        """The events of this game after number `v`, as JSON; all of them without a number."""
        after = self.game_began if v is None or v < self.game_began or v > self.version else v
        if after >= self.version:
            return []
        if self._ring and self._ring[0][0] <= after + 1:
            return [text for n, text in self._ring if n > after]
        return [dump(event.to_data()) for event in await self.hall.store.tail(self.id, after)]

    def leave(self, viewer: Viewer, *, goodbye: bool) -> None:
        """A viewer's socket is closed."""
        self.viewers.discard(viewer)
        if goodbye:
            for side in viewer.sides:
                if not any(side in other.sides for other in self.viewers):
                    self.presence.goodbye(side)
        self.look()

    def look(self) -> None:
        """See who is there, and tell if that has changed."""
        people = [side for side in Side if side not in self.engines]
        if self.presence.look(self.viewers, people):
            self.send_all(self.presence_frame())
        if (claimable := self._claims()) != self._claimable:
            self._claimable = claimable
            self._announce(())

    def _claims(self) -> tuple[Side, ...]:
        """The sides whose untimed match may be claimed now."""
        if not self.session.may(SERVER, "abandon"):
            return ()
        return tuple(
            side
            for side in Side
            if side not in self.engines
            and self.presence.claim_in(side) == 0.0
            and self.presence.is_here(side.other)
        )

    def presence_frame(self) -> str:
        """Who is here, as a message."""
        return dump({"t": "presence", "d": self.presence.to_data(self.viewers, self.engines)})

    def frame(self, you: tuple[Side, ...], events: Iterable[str] = (), *, history: bool = False) -> str:
        """The state for a viewer who plays these sides, as a message."""
        return self._frame(self._common(), you, events, history=history)

    def _common(self) -> str:
        session = self.session
        if self._scenery is None or session.position is not self._placed:
            self._scenery, self._placed = dump(view.scenery(session.position))[1:-1], session.position
        return f"{self._scenery},{dump(view.common(session, self.now()))[1:-1]}"

    def _frame(self, common: str, you: tuple[Side, ...], events: Iterable[str], *, history: bool) -> str:
        claims = [side.other for side in self._claimable if side.other in you]
        typed = self.table.engine_sides() if you else ()
        own = dump(view.personal(self.session, you, claims=claims, typed_for=typed))[1:-1]
        past = f',"history":[{",".join(self.lines)}]' if history else ""
        return (
            f'{{"t":"state","v":{self.version},"key":"{self.key}","now":{self.now()},'
            f'"events":[{",".join(events)}],"d":{{{self._fixed},{common},{own}{past}}}}}'
        )

    def _announce(self, news: Sequence[str]) -> None:
        """Send everybody the state, with the events (as JSON) that led to it."""
        if not self.viewers:
            return
        common = self._common()
        frames: dict[tuple[Side, ...], str] = {}
        for viewer in self.viewers:
            if viewer.sides not in frames:
                frames[viewer.sides] = self._frame(common, viewer.sides, news, history=False)
            viewer.send(frames[viewer.sides])

    def send_all(self, frame: str) -> None:
        """Send a frame to everybody who looks."""
        for viewer in self.viewers:
            viewer.send(frame)

    def send_to(self, side: Side, frame: str) -> None:
        """Send a frame to those who play this side."""
        for viewer in self.viewers:
            if side in viewer.sides:
                viewer.send(frame)

    # What players ask for

    async def act_for(
        self,
        sides: tuple[Side, ...],
        action: Action,
        *,
        ref: str,
        key: str | None,
        named: str | None,
        lag: int = 0,
    ) -> Refusal | None:
        """Let whoever plays these sides act for one of them: the one `named`, else the obvious one."""
        side = self._side_meant(sides, named)
        if isinstance(side, Refusal):
            return side
        if isinstance(action, actions.Abandon | actions.Withhold):
            return await self.act(side, action, ref=ref)  # refused by the session, in its words
        if isinstance(action, actions.ClaimTime) and self.session.clock.deadline() is None:
            return await self._claim(side, ref)
        if isinstance(action, actions.ClaimTime) and not self.clockwork.is_up:
            return refuse_in_session("clock.running")
        if isinstance(action, actions.Dice) and not self.session.may(side, "dice") and self.engines:
            # Whoever sits at the real board also types what falls for the engine.
            return await self.act(SERVER, action, ref=ref, key=key)
        free = isinstance(action, actions.Link | actions.Anchor | actions.Ready | actions.ClaimTime)
        if not free and key is None:
            return refuse("wire.stale")
        return await self.act(side, action, ref=ref, key=None if free else key, lag=lag)

    def _side_meant(self, sides: tuple[Side, ...], named: str | None) -> Side | Refusal:
        if not sides:
            return refuse("wire.seat")
        if named is not None:
            return Side.of(named) if named in sides else refuse("wire.seat")
        if len(sides) == 1:
            return sides[0]
        acting = self.session.to_act
        return acting[0] if len(acting) == 1 else refuse("wire.side")

    async def _claim(self, side: Side, ref: str) -> Refusal | None:
        """End an untimed match whose other player is gone, at what he is certain to lose at least."""
        if side.other not in self._claims():
            return refuse("claim.early")
        kind = await self.hall.thinker.level_of_loss(self.session, side.other)
        return await self.act(SERVER, actions.Abandon(side.other.value, kind), ref=ref)
