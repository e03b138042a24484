"""A kind of table, a match or a chouette: all that a `Table` does not know of it.

A kind belongs to one process and has what that process gives its tables: store, engines, presence, time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from sheshbesh.rules import Refusal, Refused, Side
from sheshbesh.server.engine.questions import Questions
from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.limits import Limiter
from sheshbesh.server.tables.presence import Patience, Presence
from sheshbesh.server.tables.programs import TurnTaking
from sheshbesh.server.tables.seats import Agreed
from sheshbesh.server.tables.store import TableStore
from sheshbesh.server.tables.wire import Do
from sheshbesh.session import Action, AnchorAction, DiceKeeper, Event
from sheshbesh.session.table_state import Outcome, State

_RENEWALS_A_SECOND, _MOST_RENEWALS = 1 / 60, 5
"""The number of times that a player may say that their chain of dice is lost: each time new ones are made and
kept."""


_SERVERS = frozenset({"abandon", "call", "credit", "forfeit", "withhold"})
"""Actions that are the server's own: from others they are refused by the session, in its words."""


class Asked(NamedTuple):
    """An action that somebody has asked for: taken by themselves, or in their stead by the server."""

    actor: Side | str
    action: Action
    ref: str
    key: str | None


class Speaker(NamedTuple):
    """The author of a message: the table's id, who they are and by which name, and who else is there."""

    table: str
    user: str
    name: str
    others: Collection[str]


class Kind(ABC, Generic[State, Agreed]):
    """The kind of a table, a match or a chouette.

    `pace` scales the time that programs take at least, `down` gives the ms for which no server was up, ever,
    `acted` is called with the seconds that each action took, and why it was refused; `clock` is the time by
    which its tables go.
    """

    news: ClassVar[str]
    """The topic by which processes tell each other that a table has gone on."""
    free: ClassVar[frozenset[str]]
    """The actions that are not decided upon a position: they name no key."""
    seating: ClassVar[frozenset[str]] = frozenset()
    """The actions by which somebody new sits down."""
    patience: Patience
    """The time for which people may be missing before others may act."""
    seat_names: ClassVar[Collection[str] | None] = None
    """The names of seats that a `do` may say; None where these are those of people."""
    tells_missed: ClassVar[bool] = False
    """True if a page that comes back is sent the events of this game that it has not seen."""

    def __init__(
        self,
        store: TableStore[State, Agreed],
        engines: Questions,
        presence: Presence,
        *,
        pace: float = 1.0,
        down: Callable[[], int] = lambda: 0,
        acted: Callable[[float, Refusal | None], None] = lambda _seconds, _refusal: None,
        clock: Clock = CLOCK,
    ) -> None:
        self.store = store
        self.clock = clock
        self.engines = engines
        self.presence = presence
        self.acted = acted
        self.down = down
        self._pace = pace
        self._renewals = Limiter(_RENEWALS_A_SECOND, _MOST_RENEWALS, what="renewals", clock=clock)

    def now(self, agreement: Agreed) -> int:
        """Return the time of a table in ms: that of the world without the time in which no server was up."""
        return self.clock.steady_ms() - (self.down() - agreement.down if agreement.down is not None else 0)

    # What people ask for

    @abstractmethod
    async def actor_for(self, table: Any, names: Sequence[str], asked: Do) -> Asked:
        """Return who takes an action for somebody who acts by these names; Refused where nobody may."""

    def key_of(self, asked: Do) -> str | None:
        """Return the key that an action names, None where it needs none; Refused where it is missing."""
        if asked.action.type in self.free or asked.action.type in _SERVERS:
            return None
        if asked.key is None:
            raise Refused.of("wire.stale")
        return asked.key

    def check_renewal(self, table: Any, name: str, action: Action) -> None:
        """Refuse that somebody says too often that their chain of dice is lost."""
        if isinstance(action, AnchorAction) and action.lost and self._renewals.take(f"{table.id} {name}"):
            raise Refused.of("dice.renewals")

    @abstractmethod
    def speaker(self, table: Any, user: str | None) -> Speaker:
        """Return by which name somebody speaks at a table; Refused where they may not."""

    @abstractmethod
    async def hint(
        self, table: Any, names: Sequence[str], lang: str, on_place: Callable[[int], None]
    ) -> Mapping[str, Any]:
        """Ask the tutor for those of these names; `on_place` is called with the place of a waiting question.

        Refused where it says nothing.
        """

    async def question(self, table: Any, names: Sequence[str]) -> Mapping[str, Any] | None:  # noqa: ARG002
        """Return what a browser is asked instead of the tutor; None where that is not to be had.

        Refused as by `hint`.
        """
        return None

    @abstractmethod
    async def finish(self, table: Any, names: Sequence[str]) -> str:
        """Find the play of a bear-off that leaves nothing to decide; Refused if there is none."""

    # What happens

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
    def programs(self, table: Any) -> TurnTaking[Any]:
        """Make the task in which programs play at a table."""

    @abstractmethod
    def told(self, table: Any, before: State, outcomes: Sequence[Outcome[State]]) -> None:
        """Let other processes and this one's engines know of stored events."""

    # What viewers are sent

    def awaited(self, state: State) -> Collection[str]:
        """Return the names of those for whom the table waits."""
        return [state.player_for(side) for side in state.board.to_act]

    @abstractmethod
    def note(self, table: Any, before: State, event: Event, after: State) -> tuple[str, str | None]:
        """Return an event as viewers are sent it, and the line that it adds to the list of turns, as JSON."""

    @abstractmethod
    def shared(self, table: Any) -> str:
        """Return the members of the body of a state that all viewers are sent, as JSON.

        The last one may be an object that is not closed: `personal` goes on with it.
        """

    @abstractmethod
    def personal(self, table: Any, names: Sequence[str], *, known: bool) -> tuple[str, str]:
        """Return what those are sent who act by these names: members, and the end of what is shared, as JSON.

        `known` is false for strangers, who have no account and could not sit down.
        """

    def presence_frame(self, table: Any) -> str | None:  # noqa: ARG002
        """Return the frame that says who is there; None where the state says it."""
        return None


KindT = TypeVar("KindT", bound=Kind[Any, Any])
