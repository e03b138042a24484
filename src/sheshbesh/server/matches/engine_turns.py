"""The engine's seats of a room, and its tutor: asked outside the event loop, answered in good time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from sheshbesh.rules import Refusal, Side
from sheshbesh.server.engine_queue import EngineBusyError
from sheshbesh.server.matches import view
from sheshbesh.server.matches.messages import Note
from sheshbesh.server.refusals import refuse
from sheshbesh.session import Event, Phase, Session

if TYPE_CHECKING:
    from sheshbesh.server.engines.pool import Decision
    from sheshbesh.server.matches.room import Room
    from sheshbesh.server.matches.server_actions import Followed

log = logging.getLogger(__name__)

_DECIDES = frozenset(
    {
        *(Phase.ROLL, Phase.CHOOSE, Phase.MOVE, Phase.RESIGNED),
        *(Phase.DOUBLED, Phase.BEAVERED, Phase.RACCOONED),
    }
)
_MOST_REFUSALS = 3
"""An engine whose actions are refused again and again stops, rather than trying for ever."""


class Thinker(Protocol):
    """Decides for the engine's seats and advises players. Every answer comes within bounded time.

    `who` is the person for whom it is asked: people take turns. EngineBusyError where too many questions
    wait.
    """

    async def decide(self, session: Session, side: Side, level: str | None, *, who: str = "") -> Decision:
        """What the engine does now, being asked to act or to answer a proposal."""

    async def hint(
        self, session: Session, lang: str, *, who: str = "", tell: Callable[[int], None] | None = None
    ) -> dict[str, Any] | None:
        """What the tutor thinks of the decision to be made; None where there is none.

        `tell` hears the place of a question that has to wait.
        """

    async def verdict(
        self, before: Session, event: Event, lang: str, *, who: str = ""
    ) -> dict[str, Any] | None:
        """How good a player's action was; None for what is no decision."""

    async def finish(self, session: Session, *, who: str = "") -> str | None:
        """The play of a bear-off that leaves nothing to decide; None where the player must."""

    async def level_of_loss(self, session: Session, loser: Side) -> str:
        """The result class at which a player who has left loses the game."""


class Thinking:
    """The engine's part in one room."""

    __slots__ = ("_room", "_task")

    def __init__(self, room: Room) -> None:
        self._room = room
        self._task: asyncio.Task[bool] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether the engine is at work on its next action."""
        return self._task is not None

    def wake(self) -> None:
        """Let the engine act if it is its turn."""
        if self._task is None and self._turn() is not None:
            self._task = self._room.hall.spawn(self._act())
            self._task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[bool]) -> None:
        self._task = None
        # Something may have happened between the engine's last look and this call, when `wake` still
        # saw it at work. An engine that has failed or was refused is not woken by itself.
        if not task.cancelled() and task.exception() is None and task.result():
            self.wake()

    def _turn(self) -> Side | None:
        """The engine's side that has something to decide."""
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

    async def _act(self) -> bool:
        """Act as long as it is the engine's turn; whether no action was refused too often."""
        room, refused = self._room, 0
        while refused < _MOST_REFUSALS and (side := self._turn()) is not None:
            session, began = room.session, monotonic()
            room.gallery.send_all(Note("thinking", {"side": side.value}).to_text())
            made = await room.hall.thinker.decide(
                session, side, room.table.seats[side].level, who=self._asker(side.other)
            )
            pause = room.hall.pace(session) - (monotonic() - began)
            if pause > 0:
                await asyncio.sleep(pause)
            if view.key_of(room.session) != view.key_of(session):
                continue
            outcome = await room.act(side, made.action, key=view.key_of(session), guessed=made.guessed)
            # Late is not wrong: another process may have been quicker.
            if outcome is not None and outcome.rule != "wire.stale":
                refused += 1
                log.error("match %s: the engine's %s was refused: %s", room.id, made.action, outcome)
        return refused < _MOST_REFUSALS

    def _asker(self, side: Side) -> str:
        """Who asks, where the player of this side does; people take turns at the engine."""
        return self._room.table.seats[side].user or ""

    # Tutor

    def judge(self, done: Followed) -> None:
        """Have the tutor judge a player's action, for that player alone."""
        if not self._room.table.tutor:
            return
        for before, event in zip(done.before, done.events, strict=True):
            if event.actor not in ("white", "black") or Side.of(event.actor) in self._room.engines:
                continue
            if event.action.type in ("play", "confirm", "roll", "double", "take", "drop", "beaver"):
                self._room.hall.spawn(self._judge(before, event))

    async def _judge(self, before: Session, event: Event) -> None:
        side = Side.of(event.actor)
        lang = next((viewer.lang for viewer in self._room.gallery.viewers if side in viewer.sides), None)
        if lang is None:
            return
        verdict = await self._room.hall.thinker.verdict(before, event, lang, who=self._asker(side))
        if verdict is not None:
            body = {"n": event.n, "side": event.actor, **verdict}
            self._room.gallery.send_to(side, Note("verdict", body).to_text())

    async def finish(self, sides: tuple[Side, ...]) -> str | Refusal:
        """The play of a bear-off for whoever plays these sides; it is theirs to make.

        Given in rated matches too: where it is given, there was nothing to think about.
        """
        session = self._room.session
        if session.phase is not Phase.MOVE or session.on_roll not in sides:
            return refuse("tutor.not_now")
        try:
            play = await self._room.hall.thinker.finish(session, who=self._asker(session.on_roll))
        except EngineBusyError:
            return refuse("tutor.busy")
        return refuse("finish.choice") if play is None else play

    async def hint(
        self, sides: tuple[Side, ...], lang: str, tell: Callable[[int], None]
    ) -> dict[str, Any] | Refusal:
        """The tutor's advice for who plays these sides; `tell` hears the place of a question that waits."""
        session = self._room.session
        if not self._room.table.tutor:
            return refuse("tutor.off")
        if session.phase not in _DECIDES or not set(session.to_act) & set(sides):
            return refuse("tutor.not_now")
        try:
            advice = await self._room.hall.thinker.hint(session, lang, who=self._asker(sides[0]), tell=tell)
        except EngineBusyError:
            return refuse("tutor.busy")
        # No decision, no coach for this game, or a machine too busy to think in time.
        return refuse("tutor.silent") if advice is None else advice
