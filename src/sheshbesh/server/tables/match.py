"""The kind of table that is a match of two: what the server owes it, the engine's seats and the tutor."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sheshbesh.players import coach
from sheshbesh.players.data import question_data
from sheshbesh.rules import Refusal, Refused, Side
from sheshbesh.rules.side import SIDE_NAMES
from sheshbesh.server.engine.questions import Questions
from sheshbesh.server.engine.queue import EngineBusyError
from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.tables import view
from sheshbesh.server.tables.kind import Asked, Kind, Speaker
from sheshbesh.server.tables.line import Line
from sheshbesh.server.tables.presence import Patience, Presence
from sheshbesh.server.tables.programs import TurnTaking
from sheshbesh.server.tables.seats import MatchAgreement
from sheshbesh.server.tables.store import MatchStore
from sheshbesh.server.tables.table import Table
from sheshbesh.server.tables.wire import Do, Note, dump, members
from sheshbesh.session import (
    SERVER,
    AbandonAction,
    Action,
    ClaimAction,
    DiceAction,
    DiceKeeper,
    Event,
    Phase,
    ReadyAction,
    RetryAction,
    RollAction,
    Session,
)
from sheshbesh.session.table_state import Outcome

log = logging.getLogger(__name__)

_DECIDES = frozenset(
    {
        *(Phase.ROLL, Phase.CHOOSE, Phase.MOVE, Phase.RESIGNED),
        *(Phase.DOUBLED, Phase.BEAVERED, Phase.RACCOONED),
    }
)

_JUDGED = frozenset({"play", "confirm", "roll", "double", "take", "drop", "beaver"})
"""Actions of players that the tutor judges."""
_LATEST = 4
"""Decisions that a browser may still hand back because it could not judge them."""

_PACE = {Phase.ROLL: 0.5, Phase.MOVE: 0.9}
"""Seconds that an engine takes at least, so that people can follow it."""


class EngineTurns(TurnTaking[Side]):
    """The engine's seats at one match: a turn is its side that has something to decide."""

    __slots__ = ()

    _table: Match

    def due(self) -> Side | None:
        """Return the engine's side that has something to decide."""
        session = self._table.session
        if self._awaits_another_try:
            return None
        if session.paused or session.phase is Phase.OVER:
            return None
        proposal = session.proposal
        for side in self._table.agreement.engine_sides:
            if proposal is not None and proposal.by is not side and session.may(side, "accept"):
                return side
            if session.phase in _DECIDES and side in session.to_act and not session.awaits_chains:
                return side
        return None

    @property
    def _awaits_another_try(self) -> bool:
        """True while a person may take a play back, and the process where they sit waits for them.

        Where they are at another process alone, that one lets the engine go on.
        """
        table = self._table
        session, players = table.session, [line for line in table.viewers if line.names]
        if players:
            return self._held == session.events and any(line.retries for line in players)
        side = session.retriable
        if side is None or not table.agreement.tutor:
            return False
        return side in table.agreement.persons and side in table.kind.presence.elsewhere(table.id)

    async def _take(self, turn: Side) -> bool:
        table = self._table
        session, clock = table.session, table.kind.clock
        began = clock.monotonic()
        table.viewers.send_all(Note("thinking", {"side": turn.value}).to_text())
        made = await table.kind.engines.decide(
            session, turn, table.agreement.seats[turn].level, who=asker(table, turn.other)
        )
        pause = table.kind.pace(session) - (clock.monotonic() - began)
        if pause > 0:
            await clock.sleep(pause)
        if table.session.key != session.key:
            return True
        try:
            await table.act(turn, made.action, key=session.key, guessed=made.guessed)
        except Refused as refused:
            # Late is not wrong: another process may have been quicker.
            if refused.refusal.rule != "wire.stale":
                log.error("match %s: the engine's %s was refused: %s", table.id, made.action, refused)
                return False
        return True


class MatchKind(Kind[Session, MatchAgreement]):
    """The matches of one process.

    `announce` tells other processes and people that a match has gone on; the rest as for `Kind`.
    """

    news = "match"
    free = frozenset({"link", "anchor", "ready", "time"})
    patience = Patience(goodbye=10.0, silence=120.0)
    seat_names = SIDE_NAMES
    tells_missed = True
    store: MatchStore

    def __init__(
        self,
        store: MatchStore,
        engines: Questions,
        presence: Presence,
        *,
        pace: float = 1.0,
        down: Callable[[], int] = lambda: 0,
        announce: Callable[[MatchAgreement, Session], None] = lambda _table, _session: None,
        acted: Callable[[float, Refusal | None], None] = lambda _seconds, _refusal: None,
        clock: Clock = CLOCK,
    ) -> None:
        super().__init__(store, engines, presence, pace=pace, down=down, acted=acted, clock=clock)
        self.announce = announce

    # What people ask for

    async def actor_for(self, table: Match, names: Sequence[str], asked: Do) -> Asked:
        """Return who takes an action for the player of these sides, of the one named or else the obvious one.

        Where somebody claims an untimed match, the server ends it at the least that who has left is certain
        to lose; where somebody types the engine's dice, the server does. Refused where nobody may.
        """
        side = _side_meant(table, names, asked.side)
        action, ref = asked.action, f"{side.value}:{asked.ref}"  # two players may use the same name
        self.check_renewal(table, side.value, action)
        key = self.key_of(asked)
        if isinstance(action, RetryAction):
            if not table.agreement.tutor:
                raise Refused.of("tutor.off")
            return Asked(SERVER, RetryAction(side.value), ref, key)
        if isinstance(action, ClaimAction) and table.session.clock.deadline() is None:
            return Asked(SERVER, await self._abandoned(table, side.other), ref, None)
        if isinstance(action, ClaimAction) and not table.is_up:
            raise Refused.of("clock.running")
        typed = isinstance(action, DiceAction) and bool(table.agreement.engine_sides)
        if typed and not table.session.may(side, "dice"):
            return Asked(SERVER, action, ref, key)
        return Asked(side, action, asked.ref, key)

    async def _abandoned(self, table: Match, side: Side) -> AbandonAction:
        """Return how a match ends whose player has left; Refused while they may come back."""
        if side not in claimable(table):
            raise Refused.of("claim.early")
        kind = await self.engines.level_of_loss(table.session, side)
        # They may have come back meanwhile, or at another process.
        await self.presence.read()
        table.viewers.look()
        if side not in claimable(table):
            raise Refused.of("claim.early")
        return AbandonAction(side.value, kind)

    def speaker(self, table: Match, user: str | None) -> Speaker:
        """Return a player's name; Refused for others."""
        sides, seats = table.agreement.names_of(user), table.agreement.seats
        if user is None or not sides:
            raise Refused.of("chat.players")
        others = {seat.user for seat in seats.values() if seat.user is not None} - {user}
        return Speaker(table.id, user, seats[sides[0]].name, others)

    # What happens

    def is_stale(self, present: str, action: Action, key: str) -> bool:
        """Tell whether the state has changed in more than the offer that this action does not answer."""
        return view.is_stale(present, action.type, key)

    def kept_sides(self, state: Session, agreement: MatchAgreement) -> tuple[Side, ...]:  # noqa: ARG002
        """Return the sides of programs, which stay the same."""
        return agreement.kept_sides

    def owed(
        self, state: Session, keeper: DiceKeeper, agreement: MatchAgreement
    ) -> tuple[str, Action] | None:
        """Return the server's next share of the dice, or a program's readiness or opening throw."""
        due = next(iter(keeper.due_actions(state)), None)
        if due is not None:
            return due
        for side in agreement.kept_sides:
            if state.phase is Phase.READY and state.may(side, "ready") and not state.paused:
                return side.value, keeper.with_share(state, side, ReadyAction())
            if state.phase is Phase.OPENING and state.may(side, "roll"):
                return side.value, keeper.with_share(state, side, RollAction())
        return None

    def programs(self, table: Match) -> EngineTurns:
        """Make the task in which the engine plays its seats."""
        return EngineTurns(table)

    def pace(self, session: Session) -> float:
        """Return the seconds that an engine lets pass before it acts."""
        turn = session.turn
        forced = turn is not None and turn.forced is not None
        return self._pace * (_PACE.get(session.phase, 0.7) if not forced else _PACE[Phase.MOVE])

    def told(self, table: Match, before: Session, outcomes: Sequence[Outcome[Session]]) -> None:
        """Notify other processes, and have the tutor judge a player's actions, for that player alone."""
        self.announce(table.agreement, table.session)
        if not table.agreement.tutor:
            return
        engines = table.agreement.engine_sides
        for outcome in outcomes:
            actor, kind = outcome.event.actor, outcome.event.action.type
            if actor in ("white", "black") and Side.of(actor) not in engines and kind in _JUDGED:
                if outcome.state.retriable is not None:
                    table.programs.hold(outcome.event.n)
                table.spawn(self._judge(table, before, outcome.event))
            before = outcome.state

    async def _judge(self, table: Match, before: Session, event: Event) -> None:
        """Have a player's decision judged: by their browsers that can, for the others by an engine."""
        lines = [line for line in table.viewers if event.actor in line.names]
        able = [line for line in lines if line.has_core]
        asked = await asyncio.to_thread(coach.judgement, before, event) if able else None
        if asked is None and able:
            table.programs.release(event.n)  # there was nothing to decide
        elif asked is not None:
            asked["question"] = question_data(asked["question"])
            frame = Note("ask", {"n": event.n, "side": event.actor, **asked}).to_text()
            for line in able:
                line.judging[event.n] = partial(self._have_judged, table, before, event, [line])
                if len(line.judging) > _LATEST:
                    del line.judging[min(line.judging)]
                line.send(frame)
        if others := [line for line in lines if not line.has_core]:
            self._have_judged(table, before, event, others)

    def _have_judged(self, table: Match, before: Session, event: Event, lines: Sequence[Line]) -> None:
        """Send the verdict of an engine on a player's decision to these lines of theirs."""
        table.spawn(self._verdict(table, before, event, lines))

    async def _verdict(self, table: Match, before: Session, event: Event, lines: Sequence[Line]) -> None:
        who = asker(table, Side.of(event.actor))
        verdict = await self.engines.verdict(before, event, lines[0].lang, who=who)
        if verdict is None:
            table.programs.release(event.n)
        else:
            frame = Note("verdict", {"n": event.n, "side": event.actor, **verdict}).to_text()
            for line in lines:
                line.send(frame)

    # What viewers are sent

    def note(self, table: Match, before: Session, event: Event, after: Session) -> tuple[str, str | None]:  # noqa: ARG002
        """Return an event without the seed of seeded dice, and the turn that it ends."""
        turn = view.turn_of(before, event)
        return dump(view.shown_event(event).to_data()), None if turn is None else dump(turn)

    def shared(self, table: Match) -> str:
        """Return what everybody sees: what never changes, what the position says, and the rest."""
        viewers, session = table.viewers, table.session
        fixed = viewers.once("fixed", table.agreement, view.fixed)
        position = viewers.once("position", view.placed(session), view.position_data)
        return f"{fixed},{position},{members(view.common(session, table.now()))}"

    def personal(self, table: Match, names: Sequence[str], *, known: bool) -> tuple[str, str]:  # noqa: ARG002
        """Return what the player of these sides may do, and how their turn may continue."""
        you = tuple(map(Side.of, names))
        claims = [side.other for side in claimable(table) if side.other in you]
        typed = table.agreement.engine_sides if you else ()
        tutor = table.agreement.tutor
        return members(view.personal(table.session, you, claims=claims, typed_for=typed, tutor=tutor)), ""

    def presence_frame(self, table: Match) -> str:
        """Return who is here, and how good their lines are, as a frame."""
        presence, engines = table.viewers.presence, table.agreement.engine_sides
        data: dict[str, Any] = {
            side.value: {
                "here": side in engines or presence.is_here(side),
                "rtt": presence.shown_lag(side),
            }
            for side in Side
        }
        data["watchers"] = sum(not line.names for line in table.viewers)
        return Note("presence", data).to_text()

    # The tutor

    async def finish(self, table: Match, names: Sequence[str]) -> str:
        """Find the play of a bear-off for the player of these sides, who makes it; Refused if there is none.

        Given in rated matches too: where it is given, there was nothing to decide.
        """
        session = table.session
        side = session.on_roll
        if session.phase is not Phase.MOVE or side is None or side not in names:
            raise Refused.of("tutor.not_now")
        try:
            play = await self.engines.finish(session, who=asker(table, side))
        except EngineBusyError:
            raise Refused.of("tutor.busy") from None
        if play is None:
            raise Refused.of("finish.choice")
        return play

    async def hint(
        self, table: Match, names: Sequence[str], lang: str, on_place: Callable[[int], None]
    ) -> dict[str, Any]:
        """Ask the tutor for these sides; `on_place` is called with the place of a waiting question."""
        session = table.session
        self._check_hint(table, names)
        try:
            advice = await self.engines.hint(
                session, lang, who=asker(table, Side.of(names[0])), on_place=on_place
            )
        except EngineBusyError:
            raise Refused.of("tutor.busy") from None
        if advice is None:
            # No decision, no coach for this game, or a machine too busy to answer in time.
            raise Refused.of("tutor.silent")
        return advice

    async def question(self, table: Match, names: Sequence[str]) -> dict[str, Any] | None:
        """Return the numbers by which the player's browser gives the hint itself."""
        self._check_hint(table, names)
        asked = await asyncio.to_thread(coach.question, table.session)
        return None if asked is None else {"question": question_data(asked)}

    def _check_hint(self, table: Match, names: Sequence[str]) -> None:
        """Refuse a hint where the tutor is not to be asked."""
        session = table.session
        if table.agreement.forbids("hints"):
            raise Refused.of("event.hints")
        if not table.agreement.tutor:
            raise Refused.of("tutor.off")
        if session.phase not in _DECIDES or not set(session.to_act) & set(names):
            raise Refused.of("tutor.not_now")


def _side_meant(table: Match, names: Sequence[str], named: str | None) -> Side:
    if not names or (named is not None and named not in names):
        raise Refused.of("wire.seat")
    if named is not None:
        return Side.of(named)
    acting = [Side.of(names[0])] if len(names) == 1 else table.session.to_act
    if len(acting) != 1:
        raise Refused.of("wire.side")
    return acting[0]


def claimable(table: Match) -> tuple[Side, ...]:
    """Return the sides from whose missing players an untimed match may be claimed now."""
    presence = table.viewers.presence
    away = presence.away()
    if not away or not table.session.may(SERVER, "abandon"):
        return ()
    return tuple(side for side in Side if side in away and presence.is_here(side.other))


def asker(table: Match, side: Side) -> str:
    """Return for whom the engine is asked where the player of this side asks: people take turns."""
    return table.agreement.seats[side].user or ""


Match = Table[MatchKind, Session, MatchAgreement]
"""A match in this process."""
