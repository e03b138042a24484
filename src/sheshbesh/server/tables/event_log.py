"""The events of a table in the database, and the secrets of the dice that belong to them.

A table is a match or a chouette. The number of an event is the referee between processes: two cannot both
write event n.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from sqlalchemy import Table, insert, select

from sheshbesh.errors import SheshbeshError
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage.database import Conflict, Database, Rows, Step
from sheshbesh.server.storage.failures import is_unavailable
from sheshbesh.server.tables.seats import Agreed
from sheshbesh.session import Action, Event
from sheshbesh.session.actions import ACTIONS
from sheshbesh.session.table_state import State

log = logging.getLogger(__name__)

_OWN = ("n", "at", "actor", "then")


class Taken(Exception):  # noqa: N818 - not an error: another process was quicker
    """The number of the first event is taken: somebody else went on with the match meanwhile."""


class Repeated(Exception):  # noqa: N818 - not an error: an action was sent again
    """This actor's `ref` is stored already: the action was accepted before."""


def damaged(match: str) -> Failure:
    """What is said of a match that lies in the database and cannot be read; called where that is caught."""
    log.exception("match %s cannot be read", match)
    return Failure(410, "this match is damaged and cannot be opened", code="damaged")


class UnavailableError(Exception):
    """Nothing can be stored just now, by anybody: the disk is full, or the database is away."""


@dataclass(frozen=True, slots=True)
class Writing(Generic[State, Agreed]):
    """Events to be stored together with all that must not be lost when they are announced.

    `ref` is the sender's name for the first event's action, `after` the state after the last event.
    """

    table: Agreed
    events: Sequence[Event]
    after: State
    ref: str | None = None
    tips: Iterable[bytes] = ()
    before: State | None = None
    """The state before the first event; None where it is not known."""


class EventLog(ABC, Generic[State, Agreed]):
    """Events by the id of their table, which stands in the first column; `kinds` are their actions."""

    def __init__(
        self,
        database: Database,
        events: Table,
        secrets: Table,
        kinds: Mapping[str, type[Action]] = ACTIONS,
    ) -> None:
        self._database = database
        self._events, self._secrets, self._kinds = events, secrets, kinds
        self._of, self._secret_of = next(iter(events.columns)), next(iter(secrets.columns))
        self._insert, self._keep = insert(events), insert(secrets)

    async def tail(self, table: str, after: int) -> Sequence[Event]:
        """The events after number `after`; Failure 410 where they cannot be read."""
        columns = self._events.c
        query = (
            select(columns.n, columns.at, columns.actor, columns.action, columns.then)
            .where(self._of == table, columns.n > after)
            .order_by(columns.n)
        )
        rows = await self._database.all(query)
        try:
            return [
                Event.from_data(
                    {**row.action, "n": row.n, "at": row.at, "actor": row.actor, "then": {**row.then}},
                    self._kinds,
                )
                for row in rows
            ]
        except (SheshbeshError, LookupError, TypeError, ValueError):
            raise damaged(table) from None

    async def tips(self, table: str) -> Sequence[bytes]:
        """The secrets of the chains that the server keeps."""
        query = select(self._secrets.c.secret).where(self._secret_of == table)
        return [row.secret for row in await self._database.all(query)]

    @abstractmethod
    def _belonging(self, writing: Writing[State, Agreed]) -> list[Step]:
        """Return what is stored with events in their transaction, such as how the table stands after them."""

    async def append(self, writing: Writing[State, Agreed]) -> None:
        """Store events with all that belongs to them; return once they are safe.

        Taken where the number of the first one is, Repeated where its `ref` is, UnavailableError where
        nothing can be stored.
        """
        table, events, ref = writing.table.id, writing.events, writing.ref
        first = events[0]
        rows = [
            {
                self._of.name: table,
                "n": event.n,
                "at": event.at,
                "actor": event.actor,
                "action": _kept(event),
                "then": dict(event.then),
                "ref": ref if event is first else None,
            }
            for event in events
        ]
        steps: list[Step] = [Rows(self._insert, rows)]
        if kept := [{self._secret_of.name: table, "secret": tip} for tip in writing.tips]:
            steps.append(Rows(self._keep, kept))
        try:
            await self._database.write(*steps, *self._belonging(writing))
        except Conflict:
            if ref is not None and await self.has_action(table, first.actor, ref):
                raise Repeated from None
            raise Taken from None
        except Exception as error:
            if is_unavailable(error):
                raise UnavailableError(str(error)) from error
            raise

    async def has_action(self, table: str, actor: str, ref: str) -> bool:
        """Whether an action of this name was accepted before."""
        columns = self._events.c
        query = select(columns.n).where(self._of == table, columns.actor == actor, columns.ref == ref)
        return await self._database.first(query) is not None


def _kept(event: Event) -> dict[str, Any]:
    """All of an event that has no column of its own."""
    return {name: value for name, value in event.to_data().items() if name not in _OWN}
