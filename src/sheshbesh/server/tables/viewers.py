"""The viewers of a match: who is connected, what each is sent, what is kept for later ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from sheshbesh.rules import Position, Side
from sheshbesh.server.tables import view
from sheshbesh.server.tables.kind import Viewers
from sheshbesh.server.tables.line import Viewer
from sheshbesh.server.tables.seat_presence import MatchPresence, SeatPresence
from sheshbesh.server.tables.seats import MatchAgreement
from sheshbesh.server.tables.store import MatchStore
from sheshbesh.server.tables.table import Table
from sheshbesh.server.tables.view import shown_event
from sheshbesh.server.tables.wire import Note, State, dump, members
from sheshbesh.session import SERVER, Event, Session

_RING = 24
"""Events kept at hand for viewers who come back after a moment; older ones are in the database."""


class MatchViewers(Viewers):
    """The viewers of one match: players and spectators. `seats` has the players at other processes."""

    __slots__ = (
        *("_began", "_claimable", "_fixed", "_people", "_placed", "_position_members", "_ring", "_seats"),
        *("_store", "_table", "fallback", "lines", "presence"),
    )

    def __init__(
        self, table: Table[Any, Session, MatchAgreement, Any], seats: SeatPresence, store: MatchStore
    ) -> None:
        super().__init__()
        self._table, self._seats, self._store = table, seats, store
        engines = table.agreement.engine_sides()
        self._people = tuple(side for side in Side if side not in engines)
        self.presence = MatchPresence(self._people, table.kind.clock)
        self.lines: list[str] = []
        """The turns of the game in progress as JSON, for those who come in."""
        self.fallback: frozenset[str] = frozenset()
        """The sides whose engines do not answer at present, so that heuristics decide."""
        self._began = 0
        """The number of the last event before this game."""
        self._ring: deque[tuple[int, str]] = deque(maxlen=_RING)
        self._claimable: tuple[Side, ...] = ()
        self._fixed = members(view.fixed(table.agreement))
        self._position_members: str | None = None
        self._placed: Position | None = None

    # Events of this game

    def note(self, before: Session, event: Event, after: Session) -> str:  # noqa: ARG002 -- for chouettes
        """Keep what an event means for those who come in later; the event as JSON."""
        text = dump(shown_event(event).to_data())
        self._ring.append((event.n, text))
        line = view.turn_of(before, event)
        if line is not None:
            self.lines.append(dump(line))
        self.fallback = view.fallback_after(self.fallback, event)
        return text

    def turn_page(self, before: Session) -> None:
        """Begin the list of turns anew with a new game; until then the last one stays."""
        if self._table.session.game_no > before.game_no > 0:
            self.lines = []
            self._began = before.events

    async def missed(self, v: int | None) -> list[str]:
        """The events of this game after number `v`, as JSON; all of them without a number."""
        after = self._began if v is None or v < self._began or v > self._table.version else v
        if after >= self._table.version:
            return []
        if self._ring and self._ring[0][0] <= after + 1:
            return [text for n, text in self._ring if n > after]
        stored = await self._store.tail(self._table.id, after)
        return [dump(shown_event(event).to_data()) for event in stored]

    # Who is there

    def enter(self, viewer: Viewer, events: Sequence[str]) -> None:
        """A viewer has come; `events` are those of this game that they have not seen."""
        viewer.send(self.frame(viewer.sides, events, history=True))
        self.connected.add(viewer)
        self.look()
        viewer.send(self.presence_frame())

    def leave(self, viewer: Viewer, *, goodbye: bool = False) -> None:
        """A viewer's socket is closed."""
        self.connected.discard(viewer)
        if goodbye:
            for side in viewer.sides:
                if not any(side in other.sides for other in self.connected):
                    self.presence.goodbye(side)
                    self._seats.parted(self._table.id, side)
        self.look()

    def look(self) -> None:
        """Update who is there, and send that to all viewers if it has changed."""
        match, seats = self._table.id, self._seats
        changed = self.presence.look(self.connected, self._people, seats.elsewhere(match))
        if not self._table.is_stopped:  # else another is in its place
            seats.sit(match, self.presence.sitting)
        if changed:
            self.send_all(self.presence_frame())
        if (claimable := self.claims()) != self._claimable:
            self._claimable = claimable
            self.announce(())

    def claims(self) -> tuple[Side, ...]:
        """The sides whose untimed match may be claimed now."""
        if self.presence.is_complete or not self._table.session.may(SERVER, "abandon"):
            return ()
        return tuple(
            side
            for side in Side
            if side in self._people
            and self.presence.claim_in(side) == 0.0
            and self.presence.is_here(side.other)
        )

    # What they are sent

    def presence_frame(self) -> str:
        """Who is here, as a message."""
        return Note(
            "presence", self.presence.to_data(self.connected, self._table.agreement.engine_sides())
        ).to_text()

    def frame(self, you: tuple[Side, ...], events: Iterable[str] = (), *, history: bool = False) -> str:
        """The state for a viewer who plays these sides, as a message."""
        return self._frame(self._common(), you, events, history=history)

    def _common(self) -> str:
        session = self._table.session
        placed = view.placed(session)
        if self._position_members is None or placed is not self._placed:
            self._position_members, self._placed = members(view.position_data(placed)), placed
        return f"{self._position_members},{members(view.common(session, self._table.now()))}"

    def _frame(self, common: str, you: tuple[Side, ...], events: Iterable[str], *, history: bool) -> str:
        claims = [side.other for side in self._claimable if side.other in you]
        typed = self._table.agreement.engine_sides() if you else ()
        own = members(view.personal(self._table.session, you, claims=claims, typed_for=typed))
        past = f'"history":[{",".join(self.lines)}]' if history else ""
        table = self._table
        parts = (self._fixed, common, own, members({"fallback": sorted(self.fallback)}), past)
        return State(table.version, table.key, table.now(), parts, tuple(events)).to_text()

    def announce(self, events: Sequence[str]) -> None:
        """Send everybody the state, with the events (as JSON) that led to it."""
        if not self.connected:
            return
        common = self._common()
        frames: dict[tuple[Side, ...], str] = {}
        for viewer in self.connected:
            if viewer.sides not in frames:
                frames[viewer.sides] = self._frame(common, viewer.sides, events, history=False)
            viewer.send(frames[viewer.sides])

    def send_to(self, side: Side, frame: str) -> None:
        """Send a frame to those who play this side."""
        for viewer in self.connected:
            if side in viewer.sides:
                viewer.send(frame)
