"""The questions of tables to the engines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from sheshbesh.rules import Side
from sheshbesh.session import Action, Event, Session


class Decision(Protocol):
    """The action of an engine's seat; `guessed` by heuristics, since no process had an answer in time."""

    @property
    def action(self) -> Action:
        """The action."""

    @property
    def guessed(self) -> bool:
        """True if no search stands behind it."""


class EnginePort(Protocol):
    """Decides for the engine's seats and advises players. Every answer comes within bounded time.

    `who` is the person for whom it is asked: people take turns. EngineBusyError where too many questions
    wait.
    """

    async def decide(self, session: Session, side: Side, level: str | None, *, who: str = "") -> Decision:
        """Return what the engine does now, being asked to act or to answer a proposal."""

    async def hint(
        self, session: Session, lang: str, *, who: str = "", on_place: Callable[[int], None] | None = None
    ) -> dict[str, Any] | None:
        """The tutor's advice on the decision to be made; None where there is none.

        `on_place` is called with the place of a question that has to wait.
        """

    async def verdict(
        self, before: Session, event: Event, lang: str, *, who: str = ""
    ) -> dict[str, Any] | None:
        """Judge how good a player's action was; None for what is no decision."""

    async def finish(self, session: Session, *, who: str = "") -> str | None:
        """The play of a bear-off that leaves nothing to decide; None where the player must."""

    async def level_of_loss(self, session: Session, loser: Side) -> str:
        """The result class at which a player who has left loses the game."""
