"""The engine's seats of a room, and its tutor: asked outside the event loop, answered in good time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any

from sheshbesh.rules import Refused, Side
from sheshbesh.server.engines.queue import EngineBusyError
from sheshbesh.server.matches.messages import Note
from sheshbesh.server.matches.port import MatchRoom
from sheshbesh.server.matches.turn_taking import TurnTaking
from sheshbesh.server.matches.viewers import Viewers
from sheshbesh.session import Event, Phase, Session

if TYPE_CHECKING:
    from sheshbesh.server.matches.server_actions import Followed

log = logging.getLogger(__name__)

_DECIDES = frozenset(
    {
        *(Phase.ROLL, Phase.CHOOSE, Phase.MOVE, Phase.RESIGNED),
        *(Phase.DOUBLED, Phase.BEAVERED, Phase.RACCOONED),
    }
)


class EngineTurns(TurnTaking[Side]):
    """The engine's part in one room: a turn is its side that has something to decide."""

    __slots__ = ("_room", "_viewers")

    def __init__(self, room: MatchRoom, viewers: Viewers) -> None:
        super().__init__(room.port)
        self._room, self._viewers = room, viewers

    def _due(self) -> Side | None:
        session = self._room.session
        if session.paused or session.phase is Phase.OVER:
            return None
        proposal = session.proposal
        for side in self._room.engines:
            if proposal is not None and proposal.by is not side and session.may(side, "accept"):
                return side
            if session.phase in _DECIDES and side in session.to_act and not session.awaits_chains:
                return side
        return None

    async def _take(self, turn: Side) -> bool:
        room = self._room
        session, began = room.session, monotonic()
        self._viewers.send_all(Note("thinking", {"side": turn.value}).to_text())
        made = await room.port.engines.decide(
            session, turn, room.table.seats[turn].level, who=self._asker(turn.other)
        )
        pause = room.port.pace(session) - (monotonic() - began)
        if pause > 0:
            await asyncio.sleep(pause)
        if room.session.key != session.key:
            return True
        try:
            await room.act(turn, made.action, key=session.key, guessed=made.guessed)
        except Refused as refused:
            # Late is not wrong: another process may have been quicker.
            if refused.refusal.rule != "wire.stale":
                log.error("match %s: the engine's %s was refused: %s", room.id, made.action, refused)
                return False
        return True

    def _asker(self, side: Side) -> str:
        """Who asks, where the player of this side does; people take turns at the engine."""
        return self._room.table.seats[side].user or ""

    # Tutor

    def judge(self, done: Followed[Session]) -> None:
        """Have the tutor judge a player's action, for that player alone."""
        if not self._room.table.tutor:
            return
        for before, event in zip(done.before, done.events, strict=True):
            if event.actor not in ("white", "black") or Side.of(event.actor) in self._room.engines:
                continue
            if event.action.type in ("play", "confirm", "roll", "double", "take", "drop", "beaver"):
                self._room.port.spawn(self._judge(before, event))

    async def _judge(self, before: Session, event: Event) -> None:
        side = Side.of(event.actor)
        lang = next((viewer.lang for viewer in self._viewers if side in viewer.sides), None)
        if lang is None:
            return
        verdict = await self._room.port.engines.verdict(before, event, lang, who=self._asker(side))
        if verdict is not None:
            body = {"n": event.n, "side": event.actor, **verdict}
            self._viewers.send_to(side, Note("verdict", body).to_text())

    async def finish(self, sides: tuple[Side, ...]) -> str:
        """Find the play of a bear-off for the player of these sides, who makes it; Refused if there is none.

        Given in rated matches too: where it is given, there was nothing to decide.
        """
        session = self._room.session
        if session.phase is not Phase.MOVE or session.on_roll not in sides:
            raise Refused.of("tutor.not_now")
        try:
            play = await self._room.port.engines.finish(session, who=self._asker(session.on_roll))
        except EngineBusyError:
            raise Refused.of("tutor.busy") from None
        if play is None:
            raise Refused.of("finish.choice")
        return play

    async def hint(
        self, sides: tuple[Side, ...], lang: str, on_place: Callable[[int], None]
    ) -> dict[str, Any]:
        """Ask the tutor for these sides; `on_place` is called with the place of a waiting question."""
        session = self._room.session
        if not self._room.table.tutor:
            raise Refused.of("tutor.off")
        if session.phase not in _DECIDES or not set(session.to_act) & set(sides):
            raise Refused.of("tutor.not_now")
        try:
            advice = await self._room.port.engines.hint(
                session, lang, who=self._asker(sides[0]), on_place=on_place
            )
        except EngineBusyError:
            raise Refused.of("tutor.busy") from None
        if advice is None:
            # No decision, no coach for this game, or a machine too busy to answer in time.
            raise Refused.of("tutor.silent")
        return advice
