"""The viewers of a chouette: who is connected, what each is sent, what is kept for later ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sheshbesh.server.tables import chouette_view
from sheshbesh.server.tables.chouette_presence import ChouettePresence
from sheshbesh.server.tables.kind import Viewers
from sheshbesh.server.tables.line import Viewer
from sheshbesh.server.tables.seats import ChouetteAgreement
from sheshbesh.server.tables.table import Table
from sheshbesh.server.tables.view import fallback_after
from sheshbesh.server.tables.wire import State, dump, members
from sheshbesh.session import AdviseAction, Chouette, Event


class ChouetteViewers(Viewers):
    """The viewers of one chouette. `announce_people` notifies other processes of the names that are here."""

    __slots__ = ("_announce_people", "_table", "advice", "fallback", "presence", "turns")

    def __init__(
        self,
        table: Table[Any, Chouette, ChouetteAgreement, Any],
        announce_people: Callable[[str, Iterable[str]], None],
    ) -> None:
        super().__init__()
        self._table, self._announce_people = table, announce_people
        self.turns: list[Mapping[str, Any]] = []
        """The plays of the game in progress, for those who come in."""
        self.advice: dict[str, str] = {}
        """What each member proposes about the present decision."""
        self.fallback: frozenset[str] = frozenset()
        """The names of bots whose engine does not answer at present, so that heuristics decide."""
        self.presence = ChouettePresence(table.kind.clock)

    def note(self, before: Chouette, event: Event, after: Chouette) -> str:
        """Keep what an event means for those who come in later; return the event as JSON."""
        if after.board.game_no > before.board.game_no:
            self.turns.clear()
        line = chouette_view.turn_of(before, event)
        if line is not None:
            self.turns.append(line)
        if isinstance(event.action, AdviseAction):
            self.advice[event.actor] = event.action.advice
        elif before.key != after.key:
            self.advice.clear()
        self.fallback = fallback_after(self.fallback, event)
        return dump(chouette_view.event_data(before, event))

    # Who is there

    def enter(self, viewer: Viewer, events: Sequence[str]) -> None:
        """Send a viewer who has come the state."""
        self.connected.add(viewer)
        self.look()
        viewer.send(self._frame(viewer, events, history=True))

    def leave(self, viewer: Viewer, *, goodbye: bool = False) -> None:  # noqa: ARG002 -- for matches
        """Forget a viewer whose socket is closed."""
        self.connected.discard(viewer)
        self.look()

    def here(self) -> frozenset[str]:
        """Return the names whose people are connected to this process."""
        present = {viewer.user for viewer in self.connected if viewer.user is not None and viewer.is_here}
        return frozenset(sitter.name for sitter in self._table.agreement.people if sitter.user in present)

    def look(self) -> None:
        """Update who is there, and send the state to all viewers if that has changed."""
        here = self.here()
        if self.presence.look(here, self._table.agreement.persons):
            self.announce(())
        if self.presence.is_to_be_announced():
            self._announce_people(self._table.id, here)

    # What they are sent

    def announce(self, events: Sequence[str]) -> None:
        """Send everybody the state, with the events (as JSON) that led to it."""
        for viewer in self.connected:
            viewer.send(self._frame(viewer, events, history=False))

    def _frame(self, viewer: Viewer, events: Sequence[str], *, history: bool) -> str:
        table = self._table
        data = chouette_view.state_data(table, viewer.user)
        data["fallback"] = sorted(self.fallback)
        if history:
            data["history"] = self.turns
        return State(table.version, table.key, table.now(), (members(data),), tuple(events)).to_text()
