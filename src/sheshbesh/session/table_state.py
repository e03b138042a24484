"""The interface of every kind of table: its state at one moment, and the outcome of an action."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from sheshbesh.rules import Side
from sheshbesh.session.actions import Event

if TYPE_CHECKING:
    from sheshbesh.session.state import Session


class TableState(ABC):
    """A table at one moment: a match, or a chouette, which has the board of one.

    `events` counts the actions accepted so far, `at` is when the last was, in milliseconds.
    """

    events: int
    at: int

    if TYPE_CHECKING:  # a property here would hide the field of a chouette

        @property
        def board(self) -> Session:
            """The match on the board."""

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """True if the table has ended."""

    @property
    @abstractmethod
    def key(self) -> str:
        """A digest of what is decided upon, not changed by links of the dice and by readiness."""

    @abstractmethod
    def side_of(self, actor: str) -> Side | None:
        """Return the side that an actor plays on; None for a stranger, and for the server."""

    @abstractmethod
    def player_for(self, side: Side) -> str:
        """Return the actor who throws and moves for a side."""

    @abstractmethod
    def allowed(self, actor: str) -> tuple[str, ...]:
        """List the types of action that an actor may take now, if there is time left for them."""

    def may(self, actor: str, kind: str) -> bool:
        """Tell whether this type of action is among the allowed ones."""
        return kind in self.allowed(actor)


State = TypeVar("State", bound=TableState)


class Outcome(NamedTuple, Generic[State]):
    """An accepted action: the state after it, and what its event records of the consequences."""

    state: State
    then: Mapping[str, Any] = {}
    event: Event = None  # type: ignore[assignment]  # made of the rest, as the last thing, by `apply`

    def noting(self, **more: Any) -> Outcome[State]:
        """Return the outcome with more to record; entries without content are left out."""
        return self._replace(then={**self.then, **{key: value for key, value in more.items() if value}})
