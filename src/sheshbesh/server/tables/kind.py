"""A kind of table, a match or a chouette: all that a `Table` does not know of it.

A kind belongs to one process and has what that process gives its tables: the store, the engines, the time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from sheshbesh.rules import Refusal, Side
from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.limits import Limiter
from sheshbesh.server.tables.line import Viewer
from sheshbesh.server.tables.port import EnginePort
from sheshbesh.server.tables.programs import TurnTaking
from sheshbesh.server.tables.seats import Agreed
from sheshbesh.server.tables.store import TableStore
from sheshbesh.session import Action, DiceKeeper, Event
from sheshbesh.session.table_state import Outcome, State

_RENEWALS_A_SECOND, _MOST_RENEWALS = 1 / 60, 5
"""How often a player may say that their chain of dice is lost: each time new ones are made and kept."""


class Viewers(Collection[Viewer]):
    """Who looks at one table, and what they are sent. Nothing waits here: a writer empties each outbox."""

    __slots__ = ("connected",)

    def __init__(self) -> None:
        self.connected: set[Viewer] = set()

    def __len__(self) -> int:
        return len(self.connected)

    def __iter__(self) -> Iterator[Viewer]:
        return iter(self.connected)

    def __contains__(self, viewer: object) -> bool:
        return viewer in self.connected

    @abstractmethod
    def note(self, before: Any, event: Event, after: Any) -> str:
        """Keep what an event means for those who come in later; return the event as JSON."""

    def turn_page(self, before: Any) -> None:
        """Update what is kept for those who come in later, now that events have led on from this state."""

    async def missed(self, v: int | None) -> list[str]:  # noqa: ARG002 -- for matches
        """Return the events after number `v` that a viewer is sent who comes in, as JSON."""
        return []

    @abstractmethod
    def enter(self, viewer: Viewer, events: Sequence[str]) -> None:
        """Send a viewer who has come the state; `events` are those of `missed`."""

    @abstractmethod
    def leave(self, viewer: Viewer, *, goodbye: bool = False) -> None:
        """Forget a viewer whose socket is closed; `goodbye` where they have closed the page."""

    @abstractmethod
    def look(self) -> None:
        """Update who is there, and send that to all viewers if it has changed."""

    @abstractmethod
    def announce(self, events: Sequence[str]) -> None:
        """Send everybody the state, with the events (as JSON) that led to it."""

    def send_all(self, frame: str) -> None:
        """Send a frame to every viewer."""
        for viewer in self.connected:
            viewer.send(frame)


class Kind(ABC, Generic[State, Agreed]):
    """What a table is of, a match or a chouette.

    `pace` scales the time that programs take at least, `down` gives the ms for which no server was up, ever,
    `acted` is called with the seconds that each action took, and why it was refused; `clock` is the time by
    which its tables go.
    """

    seating: ClassVar[frozenset[str]] = frozenset()
    """The actions by which somebody new sits down."""

    def __init__(
        self,
        store: TableStore[State, Agreed],
        engines: EnginePort,
        *,
        pace: float = 1.0,
        down: Callable[[], int] = lambda: 0,
        acted: Callable[[float, Refusal | None], None] = lambda _seconds, _refusal: None,
        clock: Clock = CLOCK,
    ) -> None:
        self.store = store
        self.clock = clock
        self.engines = engines
        self.acted = acted
        self._pace, self._down = pace, down
        self._renewals = Limiter(_RENEWALS_A_SECOND, _MOST_RENEWALS, what="renewals", clock=clock)

    def now(self, agreement: Agreed) -> int:
        """Return the time of a table in ms: that of the world without the time in which no server was up."""
        return self.clock.steady_ms() - (self._down() - agreement.down if agreement.down is not None else 0)

    def may_renew_chain(self, who: str) -> bool:
        """Count one more chain of dice that was lost; False where there were too many."""
        return not self._renewals.take(who)

    @abstractmethod
    def is_stale(self, present: str, action: Action, key: str) -> bool:
        """Tell whether an action that names `key` was decided upon another state than the `present` one."""

    @abstractmethod
    def kept_sides(self, state: State, agreement: Agreed) -> tuple[Side, ...]:
        """Return the sides that programs play: the server keeps their chains of dice."""

    @abstractmethod
    def owed(self, state: State, keeper: DiceKeeper, agreement: Agreed) -> tuple[str, Action] | None:
        """Return what the server, or a program without deciding, has to do now, and who does it."""

    @abstractmethod
    def viewers(self, table: Any) -> Viewers:
        """Make the viewers of a table."""

    @abstractmethod
    def programs(self, table: Any) -> TurnTaking[Any]:
        """Make the task in which programs play at a table."""

    @abstractmethod
    def told(self, table: Any, before: State, outcomes: Sequence[Outcome[State]]) -> None:
        """Let other processes and this one's engines know of stored events."""


KindT = TypeVar("KindT", bound=Kind[Any, Any])
ViewersT = TypeVar("ViewersT", bound=Viewers)
