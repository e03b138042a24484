"""The viewers of one table, and their frames. Nothing waits here: a writer empties each line's outbox."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any
from weakref import ref

from sheshbesh.server.tables.line import OFTEN, QUICK, SELDOM, Line
from sheshbesh.server.tables.presence import TablePresence
from sheshbesh.server.tables.view import fallback_after, shown_event
from sheshbesh.server.tables.wire import State, dump, members
from sheshbesh.session import Event

_RING = 24
"""Events kept at hand for viewers who come back after a moment; older ones are in the database."""


class Viewers(Collection[Line]):
    """The lines of a table in this process, who is there, and what is kept for those who come later."""

    __slots__ = (
        "_away",
        "_began",
        "_of",
        "_once",
        "_quiet_until",
        "_ring",
        "advice",
        "connected",
        "fallback",
        "presence",
        "turns",
    )

    def __init__(self, table: Any) -> None:
        # No cycle: a table that is dropped is freed at once, not with the next collection of old garbage.
        self._of = ref(table)
        self.connected: set[Line] = set()
        self.presence = TablePresence(table.kind.patience, table.kind.clock)
        self.turns: list[str] = []
        """The turns of the game in progress as JSON, for those who come in."""
        self.advice: dict[str, str] = {}
        """The proposal of each member of a team about the present decision."""
        self.fallback: frozenset[str] = frozenset()
        """The actors whose engines do not answer at present, so that heuristics decide."""
        self._began = 0
        """The number of the last event before this game."""
        self._ring: deque[tuple[int, str]] = deque(maxlen=_RING)
        self._away: frozenset[str] = frozenset()
        self._once: dict[str, tuple[object, str]] = {}
        self._quiet_until = float("-inf")

    @property
    def _table(self) -> Any:
        return self._of()

    def __len__(self) -> int:
        return len(self.connected)

    def __iter__(self) -> Iterator[Line]:
        return iter(self.connected)

    def __contains__(self, line: object) -> bool:
        return line in self.connected

    # Events of this game

    def note(self, before: Any, event: Event, after: Any) -> str:
        """Keep what an event means for those who come in later; return the event as JSON."""
        if after.board.game_no > before.board.game_no > 0:  # until then the last game's turns stay
            self.turns, self._began = [], event.n - 1
        text: str
        text, turn = self._table.kind.note(self._table, before, event, after)
        if turn is not None:
            self.turns.append(turn)
        self._ring.append((event.n, text))
        self.fallback = fallback_after(self.fallback, event)
        return text

    async def missed(self, v: int | None) -> list[str]:
        """Return the events of this game after number `v` as JSON; all of them without a number."""
        table = self._table
        after = self._began if v is None or v < self._began or v > table.version else v
        if after >= table.version or not table.kind.tells_missed:
            return []
        if self._ring and self._ring[0][0] <= after + 1:
            return [text for n, text in self._ring if n > after]
        stored = await table.kind.store.tail(table.id, after)
        return [dump(shown_event(event).to_data()) for event in stored if event.n <= table.version]

    # Who is there

    def enter(self, line: Line, events: Sequence[str]) -> None:
        """Send a viewer who has come the state; `events` are those of this game that they have not seen."""
        line.names = self._table.agreement.names_of(line.user)
        self.connected.add(line)
        self.look(entering=line)
        beat = _beat(line.names, self._table.kind.awaited(self._table.state))
        line.ask(beat)
        shown = self._table.shown_to(line.names).viewers
        line.send(shown.frame(line.names, events, beat, known=line.user is not None, history=True))
        if (frame := self._table.kind.presence_frame(self._table)) is not None:
            line.send(frame)

    def leave(self, line: Line, *, goodbye: bool = False) -> None:
        """Forget a viewer whose line is closed; `goodbye` where they have closed the page."""
        self.connected.discard(line)
        if goodbye:
            for name in line.names:
                if not any(name in other.names for other in self.connected):
                    self.presence.goodbye(name)
                    self._table.kind.presence.parted(self._table.id, name)
        self.look()
        if not self._table.is_stopped:
            self._table.programs.wake()  # it may have waited for who has left

    def rename(self) -> None:
        """Note by which names each of the viewers acts, now that others sit here than before."""
        for line in self.connected:
            line.names = self._table.agreement.names_of(line.user)
        self._quiet_until = float("-inf")

    @property
    def are_quiet(self) -> bool:
        """True if a look would find nothing new: all players sit here, and no line can be gone yet."""
        now: float = self._table.kind.clock.monotonic()
        return now < self._quiet_until

    def look(self, *, entering: Line | None = None) -> None:
        """Update who is there, and tell all viewers but the one `entering` if that has changed."""
        table, presence = self._table, self._table.kind.presence
        changed = self.presence.look(self.connected, table.agreement.persons, presence.elsewhere(table.id))
        if not table.is_stopped:  # else another is in its place
            presence.sit(table.id, self.presence.sitting)
        frame = table.kind.presence_frame(table) if changed or self.presence.has_lag_changed else None
        if frame is not None:
            self.send_all(frame, but=entering)
        self._quiet_until = float("-inf")
        if self.presence.sitting.issuperset(table.agreement.persons) and self.presence.is_complete:
            # Of a line that is asked for more from now on, too, something is to come before that.
            soonest = min((line.gone_at for line in self.connected if line.names), default=0.0)
            self._quiet_until = min(soonest, table.kind.clock.monotonic() + QUICK)
        away, self._away = self._away, self.presence.away()
        if away != self._away or (changed and frame is None):
            self.announce((), but=entering)

    # What they are sent

    def once(self, name: str, of: object, make: Callable[[Any], Mapping[str, Any]]) -> str:
        """Return what is made `of` something as JSON members; made anew where it is another than before."""
        found = self._once.get(name)
        if found is None or found[0] is not of:
            found = self._once[name] = of, members(make(of))
        return found[1]

    def frame(
        self,
        names: tuple[str, ...],
        events: Sequence[str] = (),
        beat: float = OFTEN,
        *,
        known: bool = True,
        history: bool = False,
        shared: str | None = None,
    ) -> str:
        """Return the state as those are sent it who act by these names; `known` are those with an account.

        `events` are JSON, `beat` is how often their page is to be heard, `shared` is what the kind says that
        all are sent, where it is at hand.
        """
        table = self._table
        shared = table.kind.shared(table) if shared is None else shared
        own, end = table.kind.personal(table, names, known=known)
        parts = (
            shared + end,
            members({"fallback": sorted(self.fallback & table.agreement.programs)}),
            f'"history":[{",".join(self.turns)}]' if history else "",
            own,
            f'"beat":{beat}',
        )
        return State(table.version, table.key, table.now(), parts, tuple(events)).to_text()

    def announce(self, events: Sequence[str], *, but: Line | None = None, shown: Any = None) -> None:
        """Send the state, with the events (as JSON) that led to it, to all who see this table.

        With `shown`, the table as it was a while ago, to those who see that one.
        """
        table, lines = self._table, self.connected
        if table.delayed is not None:
            lines = {line for line in lines if bool(line.names) is (shown is None)}
        if not lines:
            return
        shown = table if shown is None else shown
        shared, awaited = table.kind.shared(shown), table.kind.awaited(table.state)
        frames: dict[tuple[tuple[str, ...], bool], tuple[float, str]] = {}
        for line in lines:
            if line is not but:
                who = line.names, line.user is not None
                if who not in frames:
                    beat = _beat(line.names, awaited)
                    frame = shown.viewers.frame(line.names, events, beat, known=who[1], shared=shared)
                    frames[who] = beat, frame
                beat, frame = frames[who]
                line.ask(beat)
                line.send(frame)

    def send_all(self, frame: str, *, to: str | None = None, but: Line | None = None) -> None:
        """Send a frame to every viewer, or to those who act by the name `to`."""
        for line in self.connected:
            if line is not but and (to is None or to in line.names):
                line.send(frame)


def _beat(names: Sequence[str], awaited: Collection[str]) -> float:
    """Return the seconds between two messages that are asked of those who act by these names."""
    return OFTEN if any(name in awaited for name in names) else SELDOM
