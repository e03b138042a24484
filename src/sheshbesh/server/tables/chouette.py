"""The kind of table that is a chouette: what the server owes it, its bots, and what its people may ask for.

What is owed needs no decision: shares of the dice that the server keeps, new chains for a bot that has
taken over the team's dice, the opening throws of bots, and their votes on ending the chouette, which follow
those of the people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sheshbesh.rules import Side
from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.news.bus import Bus
from sheshbesh.server.tables.chouette_bots import BotTurns
from sheshbesh.server.tables.chouette_viewers import ChouetteViewers
from sheshbesh.server.tables.kind import Kind
from sheshbesh.server.tables.port import EnginePort
from sheshbesh.server.tables.seats import ChouetteAgreement
from sheshbesh.server.tables.store import ChouetteStore
from sheshbesh.server.tables.table import Table
from sheshbesh.session import SERVER, Action, Chouette, DiceKeeper, Phase, RollAction, StopAction
from sheshbesh.session.table_state import Outcome

GONE_ON, HERE = "chouette", "chouette.here"
"""Topics: a chouette has gone on to event `v`, the people of `names` are connected somewhere."""

FREE = frozenset(
    {"link", "anchor", "ready", "join", "leave", "stop", "hand_over", "advise", "agree", "decline", "time"}
)
"""Actions that are not decided upon a position: they name no key, or what they answer."""


class ChouetteKind(Kind[Chouette, ChouetteAgreement]):
    """The chouettes of one process, of which `bus` notifies other processes; the rest as for `Kind`."""

    seating = frozenset({"join"})
    store: ChouetteStore

    def __init__(
        self,
        store: ChouetteStore,
        engines: EnginePort,
        bus: Bus,
        *,
        pace: float = 1.0,
        down: Callable[[], int] = lambda: 0,
        clock: Clock = CLOCK,
    ) -> None:
        super().__init__(store, engines, pace=pace, down=down, clock=clock)
        self._bus = bus

    def is_stale(self, present: str, action: Action, key: str) -> bool:  # noqa: ARG002 -- for matches
        """Tell whether the position has changed."""
        return key != present

    def kept_sides(self, state: Chouette, agreement: ChouetteAgreement) -> tuple[Side, ...]:
        """Return the sides that bots play now."""
        bots = agreement.bots
        return tuple(side for side in Side if state.player_for(side) in bots)

    def owed(
        self, state: Chouette, keeper: DiceKeeper, agreement: ChouetteAgreement
    ) -> tuple[str, Action] | None:
        """Return the next action that needs no decision, and who takes it."""
        if state.is_over:
            return None
        board, kept = state.board, self.kept_sides(state, agreement)
        table_of_dice = board.throwing.table
        for side in kept:
            # New chains that have been asked for already are waited for.
            is_renewing = table_of_dice is not None and table_of_dice.renewal is not None
            if not is_renewing and keeper.lacks(board, side) and board.may(side, "anchor"):
                return state.player_for(side), keeper.renewed(side)
        due = next(iter(keeper.due_actions(board)), None)
        if due is not None:
            party, action = due
            return (SERVER if party == SERVER else state.player_for(Side.of(party))), action
        for side in kept:
            if board.phase is Phase.OPENING and board.may(side, "roll"):
                return state.player_for(side), keeper.with_share(board, side, RollAction())
        return _vote_to_end(state, agreement)

    def viewers(self, table: ChouetteInPlay) -> ChouetteViewers:
        """Make the viewers of a chouette."""
        return ChouetteViewers(table, self._announce_people)

    def programs(self, table: ChouetteInPlay) -> BotTurns:
        """Make the task in which bots play."""
        return BotTurns(table, self.engines, self._pace)

    def told(self, table: ChouetteInPlay, before: Chouette, outcomes: Sequence[Outcome[Chouette]]) -> None:  # noqa: ARG002 -- for matches
        """Notify other processes that a chouette has new events."""
        self._bus.tell_others(GONE_ON, id=table.id, v=table.version)

    def _announce_people(self, chouette: str, names: Iterable[str]) -> None:
        self._bus.tell_others(HERE, id=chouette, names=sorted(names))


def _vote_to_end(state: Chouette, table: ChouetteAgreement) -> tuple[str, Action] | None:
    """A bot votes for ending the chouette when more than half of the people are, or nobody is left."""
    seated, bots = state.seats.people, table.bots
    present = [name for name in seated if name not in bots]
    votes = not any(name in table.persons for name in seated)
    votes |= 2 * sum(name in state.stopping for name in present) > len(present) > 0
    for name in seated:
        if name in bots and votes != (name in state.stopping):
            return name, StopAction(on=votes)
    return None


ChouetteInPlay = Table[ChouetteKind, Chouette, ChouetteAgreement, ChouetteViewers]
"""A chouette that has begun, in this process."""
