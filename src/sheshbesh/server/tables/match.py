"""The kind of table that is a match of two: what the server owes it, the engine's seats and the tutor."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from sheshbesh.rules import Refusal, Refused, Side
from sheshbesh.server.engine.queue import EngineBusyError
from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.tables import view
from sheshbesh.server.tables.kind import Kind
from sheshbesh.server.tables.port import EnginePort
from sheshbesh.server.tables.programs import TurnTaking
from sheshbesh.server.tables.seat_presence import SeatPresence
from sheshbesh.server.tables.seats import MatchAgreement
from sheshbesh.server.tables.store import MatchStore
from sheshbesh.server.tables.table import Table
from sheshbesh.server.tables.viewers import MatchViewers
from sheshbesh.server.tables.wire import Note
from sheshbesh.session import Action, DiceKeeper, Event, Phase, ReadyAction, RollAction, Session
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

_PACE = {Phase.ROLL: 0.5, Phase.MOVE: 0.9}
"""Seconds that an engine takes at least, so that people can follow it."""


class EngineTurns(TurnTaking[Side]):
    """The engine's seats at one match: a turn is its side that has something to decide."""

    __slots__ = ("_table",)

    def __init__(self, table: Match) -> None:
        super().__init__(table.spawn)
        self._table = table

    def _due(self) -> Side | None:
        session = self._table.session
        if session.paused or session.phase is Phase.OVER:
            return None
        proposal = session.proposal
        for side in self._table.agreement.engine_sides():
            if proposal is not None and proposal.by is not side and session.may(side, "accept"):
                return side
            if session.phase in _DECIDES and side in session.to_act and not session.awaits_chains:
                return side
        return None

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

    `announce` notifies other processes that a match has gone on; `seats` has the players of matches in
    other processes; the rest as for `Kind`.
    """

    store: MatchStore

    def __init__(
        self,
        store: MatchStore,
        engines: EnginePort,
        *,
        pace: float = 1.0,
        down: Callable[[], int] = lambda: 0,
        announce: Callable[[MatchAgreement, Session], None] = lambda _table, _session: None,
        acted: Callable[[float, Refusal | None], None] = lambda _seconds, _refusal: None,
        seats: SeatPresence | None = None,
        clock: Clock = CLOCK,
    ) -> None:
        super().__init__(store, engines, pace=pace, down=down, acted=acted, clock=clock)
        self.announce = announce
        self.seats = seats or SeatPresence()

    def is_stale(self, present: str, action: Action, key: str) -> bool:
        """Tell whether the state has changed in more than the offer that this action does not answer."""
        return view.is_stale(present, action.type, key)

    def kept_sides(self, state: Session, agreement: MatchAgreement) -> tuple[Side, ...]:  # noqa: ARG002
        """Return the sides of programs, which stay the same."""
        return agreement.kept_sides()

    def owed(
        self, state: Session, keeper: DiceKeeper, agreement: MatchAgreement
    ) -> tuple[str, Action] | None:
        """Return the server's next share of the dice, or a program's readiness or opening throw."""
        due = next(iter(keeper.due_actions(state)), None)
        if due is not None:
            return due
        for side in agreement.kept_sides():
            if state.phase is Phase.READY and state.may(side, "ready") and not state.paused:
                return side.value, keeper.with_share(state, side, ReadyAction())
            if state.phase is Phase.OPENING and state.may(side, "roll"):
                return side.value, keeper.with_share(state, side, RollAction())
        return None

    def viewers(self, table: Match) -> MatchViewers:
        """Make the viewers of a match."""
        return MatchViewers(table, self.seats, self.store)

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
        engines = table.agreement.engine_sides()
        for outcome in outcomes:
            actor, kind = outcome.event.actor, outcome.event.action.type
            if actor in ("white", "black") and Side.of(actor) not in engines and kind in _JUDGED:
                table.spawn(self._judge(table, before, outcome.event))
            before = outcome.state

    async def _judge(self, table: Match, before: Session, event: Event) -> None:
        side = Side.of(event.actor)
        lang = next((viewer.lang for viewer in table.viewers if side in viewer.sides), None)
        if lang is None:
            return
        verdict = await self.engines.verdict(before, event, lang, who=asker(table, side))
        if verdict is not None:
            body = {"n": event.n, "side": event.actor, **verdict}
            table.viewers.send_to(side, Note("verdict", body).to_text())

    async def finish(self, table: Match, sides: tuple[Side, ...]) -> str:
        """Find the play of a bear-off for the player of these sides, who makes it; Refused if there is none.

        Given in rated matches too: where it is given, there was nothing to decide.
        """
        session = table.session
        if session.phase is not Phase.MOVE or session.on_roll not in sides:
            raise Refused.of("tutor.not_now")
        try:
            play = await self.engines.finish(session, who=asker(table, session.on_roll))
        except EngineBusyError:
            raise Refused.of("tutor.busy") from None
        if play is None:
            raise Refused.of("finish.choice")
        return play

    async def hint(
        self, table: Match, sides: tuple[Side, ...], lang: str, on_place: Callable[[int], None]
    ) -> dict[str, Any]:
        """Ask the tutor for these sides; `on_place` is called with the place of a waiting question."""
        session = table.session
        if table.agreement.forbids("hints"):
            raise Refused.of("event.hints")
        if not table.agreement.tutor:
            raise Refused.of("tutor.off")
        if session.phase not in _DECIDES or not set(session.to_act) & set(sides):
            raise Refused.of("tutor.not_now")
        try:
            advice = await self.engines.hint(session, lang, who=asker(table, sides[0]), on_place=on_place)
        except EngineBusyError:
            raise Refused.of("tutor.busy") from None
        if advice is None:
            # No decision, no coach for this game, or a machine too busy to answer in time.
            raise Refused.of("tutor.silent")
        return advice


def asker(table: Match, side: Side) -> str:
    """Return for whom the engine is asked where the player of this side asks: people take turns."""
    return table.agreement.seats[side].user or ""


Match = Table[MatchKind, Session, MatchAgreement, MatchViewers]
"""A match in this process."""
