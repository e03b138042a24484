"""A table as those see it who only watch one whose event asks for a delay: as it was some minutes ago."""

from __future__ import annotations

from collections import deque
from typing import Any
from weakref import proxy

from sheshbesh.server.tables.viewers import Viewers
from sheshbesh.session import Event, Session


class Delayed:
    """What a table was `by` milliseconds ago, with all of a table that frames are made of."""

    delayed = None

    def __init__(self, table: Any, state: Any, by: int) -> None:
        self._table, self._by = proxy(table), by
        self.kind, self.id = table.kind, table.id
        self.state = state
        self._waiting: deque[tuple[Any, Event, Any]] = deque()
        self.viewers = Viewers(self)
        self.viewers.presence = table.viewers.presence

    @property
    def agreement(self) -> Any:
        """How the table was agreed on."""
        return self._table.agreement

    @property
    def session(self) -> Session:
        """The board as it stood then."""
        session: Session = self.state.board
        return session

    @property
    def version(self) -> int:
        """The number of the last event that is shown."""
        return int(self.state.events)

    @property
    def key(self) -> str:
        """The key of the state that is shown: no action can name it."""
        return str(self.state.key)

    def now(self) -> int:
        """Return the time of the table that is shown, in ms."""
        return int(self._table.now()) - self._by

    def add(self, before: Any, event: Event, after: Any) -> None:
        """Keep an event until it may be shown."""
        self._waiting.append((before, event, after))

    def advance(self) -> None:
        """Go on to what may be shown by now, and tell those who watch."""
        texts, now = [], self.now()
        while self._waiting and self._waiting[0][1].at <= now:
            before, event, after = self._waiting.popleft()
            texts.append(self.viewers.note(before, event, after))
            self.state = after
        if texts:
            self._table.viewers.announce(texts, shown=self)
