"""The tournaments of one process: a cache of their states, and the one door by which they change.

Every change goes through `act`: decided under the lock of the tournament, stored, and only then told. No
process owns a tournament: one that loses the race for an event's number takes over what another has stored,
and decides again.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from math import inf
from secrets import token_bytes
from typing import Any

from msgspec.structs import replace

from sheshbesh.errors import SheshbeshError
from sheshbesh.rules import Refused
from sheshbesh.server.ids import CLOCK, Clock, new_id, new_secret
from sheshbesh.server.news.bus import GAP, Bus
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Conflict, Step
from sheshbesh.server.storage.failures import is_unavailable
from sheshbesh.server.tournaments.matches import made_pairings
from sheshbesh.server.tournaments.store import TournamentStore
from sheshbesh.server.tournaments.view import lines
from sheshbesh.tournaments import (
    SERVER,
    Action,
    Event,
    Outcome,
    Settings,
    Status,
    Tournament,
    apply,
    check_settings,
    new,
)
from sheshbesh.tournaments.actions import (
    AddAction,
    AnnounceAction,
    CheckInAction,
    CorrectAction,
    DisqualifyAction,
    EnterAction,
    LeaveAction,
    PairAction,
    PauseAction,
    PlayoffAction,
    RepairAction,
    ResumeAction,
    StartAction,
    TickAction,
)
from sheshbesh.tournaments.draw import commitment
from sheshbesh.tournaments.settings import card_of

CHANGED = "tournament"
"""News that a tournament (`id`) has gone on to event `n`."""

SOON = "soon "
"""How the name begins under which the server calls those who have entered, before each start."""

_MOST = 200
"""Tournaments that are kept in memory."""
_TRIES = 5
"""The number of times that an action is decided anew when another process was quicker."""
LARGE = 128
"""Entrants from which on the state is worked out in a thread: it may take longer than others should wait."""
_SHOWN_FOR, _OLD = 1.0, 3.0
"""Seconds after which the standings of a large field are worked out anew, and after which those who ask wait
for it: until then they are shown the old ones."""
_TOLD_AT_ONCE = 16
"""Sockets that are told of a change each time around the event loop: thousands would hold it up."""
_GONE_FOR = 10.0
"""Seconds for which those whose account was deleted are not read again."""
_WISHES = 32
"""Actions of entrants that share a transaction at most: others who write wait for no more than these."""

_THEIRS = EnterAction, LeaveAction, CheckInAction, PauseAction, ResumeAction
"""Actions that many take at the same time."""

Told = Callable[[Tournament, Tournament, Event], None]
"""Called with the state before and after a stored event, in the process that stored it."""


@dataclass(slots=True)
class _Wish:
    """An action of an entrant that waits for its turn; `also` is stored with it."""

    actor: str
    action: Action
    also: Sequence[Step]
    granted: asyncio.Future[Outcome] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


@dataclass(slots=True)
class Held:
    """A tournament in memory."""

    state: Tournament
    secret: str
    owner: str | None
    down: int
    series: str | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    work: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while this process does what is due."""
    wishes: list[_Wish] = field(default_factory=list)
    """What entrants ask for while others' is being stored."""
    granting: asyncio.Future[None] | None = None
    """Done when all that entrants asked for is stored."""
    is_stale: bool = False
    """True if another process may have stored more."""
    is_renamed: bool = False
    """True if what was read may have changed since: somebody is called by another name."""
    reading: bool = False
    """True if that is being read just now, under the lock."""
    shown: Tournament | None = None
    """The state whose standings were worked out last, which in a large field may be a second old."""
    shown_at: float = -inf
    showing: asyncio.Future[None] | None = None
    """Done when standings are worked out, while they are."""
    gone: tuple[float, frozenset[int]] = (-inf, frozenset())
    """The time at which those whose account was deleted were read last, and their ids."""
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while those are read."""
    failures: int = 0
    wait_until: int = 0
    """The time to look again after something has failed."""

    @property
    def is_idle(self) -> bool:
        """Return whether no action is being applied to it or waiting."""
        return not self.work.locked() and not self.lock.locked()


class Tournaments:
    """The tournaments of the site, by its `clock`; `down` is the time without any server, in ms."""

    def __init__(
        self,
        store: TournamentStore,
        bus: Bus,
        *,
        down: Callable[[], int] = lambda: 0,
        clock: Clock = CLOCK,
    ) -> None:
        self.store, self._bus, self.down, self.clock = store, bus, down, clock
        self._held: OrderedDict[str, Held] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Held | None]] = {}
        self._outdated: dict[str, bool] = {}
        """Tournaments that are being loaded and may have changed meanwhile; True if somebody was renamed."""
        self.told: list[Told] = []
        self.hearers: dict[str, set[Callable[[str], None]]] = {}
        """Those who look on in this process, by tournament: each is called with the frames for all."""
        self.telling = asyncio.Semaphore(_TOLD_AT_ONCE)
        """Held while it is worked out what one socket is told."""

    def __len__(self) -> int:
        return len(self._held)

    def listen(self) -> None:
        """Subscribe to what other processes store."""
        self._bus.subscribe(CHANGED, self._changed)
        self._bus.subscribe(GAP, lambda _news: self._forget())

    def _changed(self, news: Mapping[str, Any]) -> None:
        identity = str(news["id"])
        held = self._held.get(identity)
        if held is not None and held.state.n < int(news["n"]):
            held.is_stale = True
        if identity in self._loading:
            self._outdated.setdefault(identity, False)

    def _forget(self) -> None:
        """Read everything again: any news may have been lost, that of another name too."""
        for held in self._held.values():
            held.is_stale = held.is_renamed = True
        self._outdated |= dict.fromkeys(self._loading, True)

    def forget(self, user: str) -> None:
        """Read again what somebody has entered, whose name is another one now, or who has left the site."""
        for held in self._held.values():
            if user in held.state.by_id:
                held.is_stale = held.is_renamed = True
        self._outdated |= dict.fromkeys(self._loading, True)

    def now(self) -> int:
        """Return the time of the world in ms."""
        return self.clock.now_ms()

    @contextmanager
    def hearing(self, identity: str, hear: Callable[[str], None]) -> Iterator[None]:
        """Somebody looks on at a tournament for as long as this lasts."""
        self.hearers.setdefault(identity, set()).add(hear)
        try:
            yield
        finally:
            self.hearers[identity].discard(hear)
            if not self.hearers[identity]:
                del self.hearers[identity]

    def show(self, identity: str, frame: str) -> None:
        """Send a frame to all who look on at a tournament in this process."""
        for hear in tuple(self.hearers.get(identity, ())):
            hear(frame)

    # Reading

    async def find(self, identity: str) -> Tournament | None:
        """Return the state of a tournament; None if there is none."""
        held = await self.held(identity)
        return None if held is None else held.state

    async def held(self, identity: str) -> Held | None:
        """Return a tournament as this process keeps it, up to date."""
        held = self._held.get(identity)
        if held is None:
            task = self._loading.get(identity)
            if task is None:
                task = self._loading[identity] = asyncio.ensure_future(self._load(identity))
                task.add_done_callback(lambda _done: self._is_loaded(identity))
            held = await asyncio.shield(task)
            if held is None:
                return None
        self._held.move_to_end(identity)
        if held.is_stale or held.reading:
            async with held.lock:
                if held.is_stale:
                    await self._catch_up(held)
        return held

    def series(self, identity: str) -> str | None:
        """Return the id of the series of a tournament that is in memory, as one is that has just changed."""
        held = self._held.get(identity)
        return None if held is None else held.series

    async def shown(self, identity: str, *, waits: bool = False) -> Tournament | None:
        """Return a state whose standings have been worked out, once for all who ask; None if there is none.

        In a large field it may be a second old, and where that is being worked out just now some seconds,
        unless one `waits` for it.
        """
        held = await self.held(identity)
        if held is None or len(held.state.entrants) < LARGE:
            return None if held is None else held.state
        if held.shown is not held.state:
            age = self.clock.monotonic() - held.shown_at
            if held.showing is None and age >= _SHOWN_FOR:
                held.showing = asyncio.ensure_future(self._work_out(held))
            if held.showing is not None and (waits or age >= _OLD):
                await asyncio.shield(held.showing)
        return held.shown

    async def _work_out(self, held: Held) -> None:
        state = held.state
        try:
            await asyncio.to_thread(lines, state)
            held.shown, held.shown_at = state, self.clock.monotonic()
        finally:
            held.showing = None

    async def gone(self, identity: str) -> frozenset[int]:
        """Return the entrants whose account was deleted, as of the last seconds: they are asked for often."""
        held = await self.held(identity)
        if held is None:
            return frozenset()
        async with held.asking:
            at, found = held.gone
            if self.clock.monotonic() - at > _GONE_FOR:
                found = await self.store.gone(identity)
                held.gone = self.clock.monotonic(), found
        return found

    def _is_loaded(self, identity: str) -> None:
        self._loading.pop(identity, None)
        self._outdated.pop(identity, None)

    async def _load(self, identity: str) -> Held | None:
        stored = await self.store.load(identity)
        if stored is None:
            return None
        # The first who asks for a card waits for its game to be read.
        await asyncio.to_thread(card_of, stored.state.settings.card)
        held = Held(stored.state, stored.secret, stored.owner, stored.down, stored.series)
        held.is_stale = identity in self._outdated
        held.is_renamed = self._outdated.get(identity, False)
        self._held[identity] = held
        while len(self._held) > _MOST:
            idle = next((key for key, each in self._held.items() if each.is_idle), None)
            if idle is None or idle == identity:
                break
            del self._held[idle]
        return held

    async def _catch_up(self, held: Held) -> None:
        """Read what others have stored, under the lock; who reads meanwhile waits for it."""
        held.reading, held.is_stale = held.is_stale, False
        # Before it is read: somebody may get another name while it is.
        is_renamed, held.is_renamed = held.is_renamed, False
        try:
            if is_renamed:
                stored = await self.store.load(held.state.id)
                assert stored is not None, "tournaments are not deleted"
                held.state, held.shown_at = stored.state, -inf
            else:
                held.state = await self.store.caught_up(held.state)
        except BaseException:
            held.is_stale = held.is_stale or held.reading
            held.is_renamed = held.is_renamed or is_renamed
            raise
        finally:
            held.reading = False

    # Changing

    async def create(
        self, settings: Settings, owner: str | None, *, identity: str | None = None, **more: Any
    ) -> Tournament:
        """Make a draft, directed by its owner; one that is not public is named by a secret link.

        Refused where no tournament can be played by these settings, Failure 409 for too many in the list.
        """
        now = self.now()
        with suppress(SheshbeshError):  # what is wrong with the card is said below
            await asyncio.to_thread(card_of, settings.card)
        if owner is not None and owner not in settings.directors:
            settings = replace(settings, directors=(owner, *settings.directors))
        check_settings(settings, now)
        name = identity or (new_id() if settings.public else new_secret())
        state = new(settings, name, now)
        await self.store.create(state, owner=owner, secret=token_bytes(32), down=self.down(), **more)
        return state

    async def act(
        self,
        identity: str,
        actor: str,
        action: Action,
        *,
        ref: str | None = None,
        key: int | None = None,
        told_down: int | None = None,
        also: Sequence[Step] = (),
    ) -> Outcome:
        """Let somebody act; return when it is stored. With `ref` an action sent again has its first outcome.

        `also` is stored with it. `key` is the number of the event up to which the actor knew the tournament.
        Failure 404 if there is none, 409 `stale` where it has gone on in what a director decides upon.
        Refused if it may not be done.
        """
        held = await self.held(identity)
        if held is None:
            raise Failure(404, "there is no such tournament")
        if isinstance(action, _THEIRS) and ref is None:
            return await self._act_together(held, _Wish(actor, action, also))
        async with held.lock:
            for _ in range(_TRIES):
                # News of other processes may be on its way; within one process nothing is missed.
                if held.is_stale or self._bus.reaches_others:
                    await self._catch_up(held)
                if ref is not None:
                    known = await self.store.answered(identity, actor, ref)
                    if known is not None:
                        return Outcome(held.state, known.then, known)
                if key is not None:
                    await self._refuse_stale(held, key)
                try:
                    await self._tell_begun(held, action)
                except Conflict:
                    held.is_stale = True
                    continue
                completed = self._completed(held, action)
                outcome = await self._applied(held.state, actor, completed, ref)
                if outcome.event is None:
                    return outcome
                try:
                    down = self.down()
                    await self.store.append(held.state, outcome, down=down, told_down=told_down, also=also)
                except Conflict:
                    held.is_stale = True
                    continue
                before, held.state = held.state, outcome.state
                if told_down is not None:
                    held.down = told_down
                self._tell((before, outcome))
                return outcome
        raise Refused.of("wire.busy")

    async def _act_together(self, held: Held, wish: _Wish) -> Outcome:
        """Let somebody do what many do at the same time: those who come meanwhile share one transaction."""
        held.wishes.append(wish)
        if held.granting is None:
            held.granting = asyncio.ensure_future(self._grant(held))
        return await asyncio.shield(wish.granted)

    async def _grant(self, held: Held) -> None:
        try:
            while held.wishes:
                # Taken anew for each: directors, and what is due, come between.
                async with held.lock:
                    wishes, held.wishes = held.wishes[:_WISHES], held.wishes[_WISHES:]
                    # What cannot be stored for one of them is tried for each alone.
                    if await self._is_granted(held, wishes):
                        continue
                    for wish in wishes:
                        await self._is_granted(held, [wish])
        finally:
            held.granting = None

    async def _is_granted(self, held: Held, wishes: Sequence[_Wish]) -> bool:
        """Try to do what is wished for; False where it may fail for one of them alone.

        What fails for one, or for all since the database is away, is told to them.
        """
        try:
            await self._grant_all(held, wishes)
        except Exception as error:
            if len(wishes) > 1 and not is_unavailable(error):
                return False
            for wish in wishes:
                wish.granted.set_exception(error)
                wish.granted.exception()  # they may have gone meanwhile
        return True

    async def _grant_all(self, held: Held, wishes: Sequence[_Wish]) -> None:
        entry = next((each.action for each in wishes if isinstance(each.action, EnterAction)), None)
        for _ in range(_TRIES):
            if held.is_stale or self._bus.reaches_others:
                await self._catch_up(held)
            try:
                if entry is not None:
                    await self._tell_begun(held, entry)
            except Conflict:
                held.is_stale = True
                continue
            state = held.state
            done: list[tuple[Tournament, Outcome, Sequence[Step]]] = []
            answers: list[Outcome | Refused] = []
            for wish in wishes:
                try:
                    outcome = await self._applied(state, wish.actor, wish.action, None)
                except Refused as refused:
                    answers.append(refused)
                    continue
                answers.append(outcome)
                if outcome.event is not None:
                    done.append((state, outcome, wish.also))
                    state = outcome.state
            try:
                if done:
                    await self.store.append_all(done, self.down())
            except Conflict:
                held.is_stale = True
                continue
            held.state = state
            self._tell(*((before, outcome) for before, outcome, _also in done))
            for wish, answer in zip(wishes, answers, strict=True):
                if isinstance(answer, Refused):
                    wish.granted.set_exception(answer)
                    wish.granted.exception()
                else:
                    wish.granted.set_result(answer)
            return
        raise Refused.of("wire.busy")

    async def _tell_begun(self, held: Held, action: Action) -> None:
        """Tell of matches that have begun, before an action annuls pairings whose match has not."""
        state = held.state
        if state.status is not Status.RUNNING:
            return
        annuls = isinstance(action, RepairAction) or (
            state.stage == "bracket"
            and isinstance(action, EnterAction | AddAction | CorrectAction | DisqualifyAction)
        )
        if not annuls:
            return
        begun = tuple(
            match.number
            for match in await self.store.unsettled(state.id)
            if (match.has_begun or match.result is not None)
            and match.number <= len(state.pairings)
            and state.pairing(match.number).status == "made"
        )
        if begun:
            outcome = apply(state, SERVER, TickAction(began=begun), self.now())
            await self.store.append(state, outcome, down=self.down())
            held.state = outcome.state
            self._tell((state, outcome))

    async def _applied(self, state: Tournament, actor: str, action: Action, ref: str | None) -> Outcome:
        now = self.now()
        if len(state.entrants) < LARGE:
            return apply(state, actor, action, now, ref=ref)
        return await asyncio.to_thread(apply, state, actor, action, now, ref=ref)

    async def _refuse_stale(self, held: Held, key: int) -> None:
        events = await self.store.tail(held.state.id, key, 50)
        changed = {event.action.type for event in events} - {"tick", "enter", "leave", "check_in", "message"}
        if changed:
            raise Failure(
                409,
                "the tournament has gone on meanwhile: look again",
                code="stale",
                where=", ".join(sorted(changed)),
            )

    def _completed(self, held: Held, action: Action) -> Action:
        """Return an action with what only the server knows: secrets and the ids of matches."""
        on_site = held.state.settings.boards == "site"
        if isinstance(action, AnnounceAction):
            return AnnounceAction(commitment(held.secret))
        if isinstance(action, StartAction):
            return StartAction(held.secret)
        if isinstance(action, PairAction) and on_site:
            return replace(action, matches=tuple(new_id() for _ in action.pairs))
        if isinstance(action, PlayoffAction) and on_site:
            return replace(action, match=new_id())
        return action

    def _tell(self, *stored: tuple[Tournament, Outcome]) -> None:
        """Tell of events that were stored together, each with the state before it."""
        for before, outcome in stored:
            assert outcome.event is not None
            for listener in self.told:
                listener(before, outcome.state, outcome.event)
        for _before, outcome in stored[-1:]:
            self._bus.publish(CHANGED, id=outcome.state.id, n=outcome.state.n)

    async def tell_down(self, identity: str, held: Held) -> bool:
        """Put off all deadlines by the time in which no server was up; return whether there was any."""
        down = self.down()
        if down <= held.down:
            return False
        # Another process may have told it meanwhile.
        held.down = await self.store.down(identity)
        if down <= held.down:
            return False
        action = TickAction(down=down - held.down)
        await self.act(identity, SERVER, action, ref=f"down {down}", told_down=down)
        held.down = down
        return True


def begun_pairs(before: Tournament, after: Tournament) -> list[tuple[str, str]]:
    """Return who is to be told of a match that an event has made, and its id."""
    return [
        (after.entrant(number).id, each.match)
        for each in made_pairings(before, after)
        for number in each.both
    ]
