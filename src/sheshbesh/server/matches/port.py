"""What a room and its parts are given: the process around a room, the engine, and the room itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Protocol, TypeVar

from sheshbesh.rules import Refusal, Side
from sheshbesh.server.matches.seat_presence import SeatPresence
from sheshbesh.server.matches.seats import Arrangement
from sheshbesh.server.matches.store import Store
from sheshbesh.session import Action, Event, Session

Result = TypeVar("Result")


class Decision(Protocol):
    """What an engine's seat does; `guessed` by heuristics, since no process had an answer in time."""

    @property
    def action(self) -> Action:
        """The action."""

    @property
    def guessed(self) -> bool:
        """Whether no search stands behind it."""


class EnginePort(Protocol):
    """Decides for the engine's seats and advises players. Every answer comes within bounded time.

    `who` is the person for whom it is asked: people take turns. EngineBusyError where too many questions
    wait.
    """

    async def decide(self, session: Session, side: Side, level: str | None, *, who: str = "") -> Decision:
        """What the engine does now, being asked to act or to answer a proposal."""

    async def hint(
        self, session: Session, lang: str, *, who: str = "", on_place: Callable[[int], None] | None = None
    ) -> dict[str, Any] | None:
        """The tutor's advice on the decision to be made; None where there is none.

        `on_place` is called with the place of a question that has to wait.
        """

    async def verdict(
        self, before: Session, event: Event, lang: str, *, who: str = ""
    ) -> dict[str, Any] | None:
        """How good a player's action was; None for what is no decision."""

    async def finish(self, session: Session, *, who: str = "") -> str | None:
        """The play of a bear-off that leaves nothing to decide; None where the player must."""

    async def level_of_loss(self, session: Session, loser: Side) -> str:
        """The result class at which a player who has left loses the game."""


class Spawner(Protocol):
    """Runs tasks beside the requests."""

    def spawn(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Run something beside what asks for it; its errors are logged."""


class RoomPort(Spawner, Protocol):
    """The process around a room. `RoomRegistry` is one; tests have smaller ones."""

    @property
    def store(self) -> Store:
        """Where matches are stored."""

    @property
    def engines(self) -> EnginePort:
        """The engine that decides for its seats."""

    @property
    def seats(self) -> SeatPresence:
        """Which players are connected, in this process and in others."""

    def now(self, table: Arrangement) -> int:
        """Milliseconds of the match's time."""

    def pace(self, session: Session) -> float:
        """Seconds that an engine lets pass before it acts."""

    def announce(self, table: Arrangement, session: Session) -> None:
        """Notify other processes that the match has new events."""

    def acted(self, seconds: float, refusal: Refusal | None) -> None:
        """An action was stored, or refused, this long after it came."""

    def holds(self, room: object) -> bool:
        """Whether this is the match's room, and not one that was dropped."""

    def may_renew_chain(self, who: str) -> bool:
        """Count one more chain of dice that was lost; False where there were too many."""


class LiveRoom(Protocol):
    """A table in memory, as its parts use it."""

    @property
    def id(self) -> str:
        """The id of the table."""

    @property
    def version(self) -> int:
        """The number of the last event."""

    @property
    def key(self) -> str:
        """What an action must name that is decided upon the present state."""

    def now(self) -> int:
        """The time of this table in ms."""


class TimedRoom(LiveRoom, Protocol):
    """A room as its timers use it."""

    @property
    def port(self) -> Spawner:
        """The process around it."""

    @property
    def session(self) -> Session:
        """The board as it stands."""

    @property
    def adopted(self) -> float:
        """When events of another process were last taken over, by the monotonic clock."""

    async def act(self, side: Side | str, action: Action) -> None:
        """Let a side, or the server, take an action, which is stored then; Refused if it is not accepted."""

    async def catch_up(self, v: int | None = None) -> None:
        """Take over what another process has stored, up to event `v` at least."""


class MatchRoom(TimedRoom, Protocol):
    """A room as its parts (viewers, timers, engine turns) use it."""

    @property
    def port(self) -> RoomPort:
        """The process around it."""

    @property
    def table(self) -> Arrangement:
        """What was agreed on."""

    @property
    def engines(self) -> tuple[Side, ...]:
        """The sides the engine plays."""

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
        """Let a side, or the server, take an action, which is stored then; Refused if it is not accepted."""
