"""Tables in the database: loaded, read and continued. What has been stored here survives the process.

The number of an event is the referee between processes: two cannot both write event n of one table.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic

from sqlalchemy import (
    JSON,
    BindParameter,
    Connection,
    Integer,
    Row,
    Select,
    Table,
    Text,
    Update,
    bindparam,
    cast,
    delete,
    insert,
    select,
    update,
)

from sheshbesh.errors import SheshbeshError
from sheshbesh.match import Card
from sheshbesh.rules import Side
from sheshbesh.rules.side import SIDES, name_or_none
from sheshbesh.server.ids import now_ms
from sheshbesh.server.people.ratings import Pool, ratings_for
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage.database import Conflict, Database, Rows, Step
from sheshbesh.server.storage.failures import is_unavailable
from sheshbesh.server.storage.json_column import read
from sheshbesh.server.storage.packed import StoredEvent, pack, unpack
from sheshbesh.server.storage.tables import (
    chouette_events,
    chouette_people,
    chouette_secrets,
    chouettes,
    dice_secrets,
    events,
    matches,
    packed_chouette_events,
    packed_events,
    seats,
    users,
)
from sheshbesh.server.storage.together import Together
from sheshbesh.server.tables.seats import (
    BOT,
    ENGINE,
    GUEST,
    LIVE,
    OPEN,
    OVER,
    Agreed,
    ChouetteAgreement,
    MatchAgreement,
    Seat,
    Sitter,
)
from sheshbesh.session import Action, Chouette, ChouetteHeader, Consultation, Event, Header, Phase, Session
from sheshbesh.session.actions import ACTIONS
from sheshbesh.session.chouette.apply import CHOUETTE_ACTIONS
from sheshbesh.session.table_state import State

log = logging.getLogger(__name__)

_REST = 24 * 3600 * 1000
"""Milliseconds after its end for which the events of a table stay rows: until nobody looks at it any more."""

_TABLES: BindParameter[Any] = bindparam("tables", expanding=True)

_CLOCK = ("white", "black", "since", "allowance")


class Taken(Exception):  # noqa: N818 - not an error: another process was quicker
    """The number of the first event is taken: somebody else went on with the table meanwhile."""


class Repeated(Exception):  # noqa: N818 - not an error: an action was sent again
    """This actor's `ref` is stored already: the action was accepted before."""


class UnavailableError(Exception):
    """Nothing can be stored just now, by anybody: the disk is full, or the database is away."""


def damaged(table: str) -> Failure:
    """Log the present exception, and return the Failure which says that a stored table cannot be read."""
    log.exception("table %s cannot be read", table)
    return Failure(410, "this match is damaged and cannot be opened", code="damaged")


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


@dataclass(frozen=True, slots=True)
class Stored(Generic[Agreed]):
    """A table that has begun, as it lies in the database; `tips` are the secrets of the server's chains."""

    table: Agreed
    events: Sequence[Event] = ()
    tips: Sequence[bytes] = ()
    has_standing: bool = True
    """True if its row says how it stands."""


class TableStore(ABC, Generic[State, Agreed]):
    """The store of the tables of one kind: `rows` has one for each, `events` and `secrets` name it first.

    A day after a table is over its events are in `packed`, all in one row, instead of in `events`.
    `kinds` are the actions of its events. `when_over` are functions that give the steps that belong to the
    end of a table, such as those of ratings: they are done in the same transaction as its last events.
    """

    def __init__(
        self,
        database: Database,
        rows: Table,
        events: Table,
        packed: Table,
        secrets: Table,
        kinds: Mapping[str, type[Action]],
    ) -> None:
        self._database = database
        self.rows = rows
        self.when_over: list[Callable[[Agreed, State], Sequence[Step]]] = []
        self._events, self._packed, self._secrets, self.kinds = events, packed, secrets, kinds
        self._of, self._secret_of = next(iter(events.columns)), next(iter(secrets.columns))
        self._packed_of = next(iter(packed.columns))
        self._insert, self._keep = insert(events), insert(secrets)
        # What is read to open a table: of many that are opened at the same time by one query each.
        columns = (events.c[name] for name in StoredEvent._fields)
        self._all_events = Together(
            self._read_by(select(self._of, *columns).where(self._of.in_(_TABLES)).order_by(events.c.n))
        )
        self._all_packed = Together(
            self._read_by(select(self._packed_of, packed.c.events).where(self._packed_of.in_(_TABLES)))
        )
        self._all_tips = Together(
            self._read_by(select(self._secret_of, secrets.c.secret).where(self._secret_of.in_(_TABLES)))
        )
        self._updates: dict[tuple[str, ...], Update] = {}
        # What is asked every few seconds is made once: that costs more than to find that nothing is due.
        self._due = (
            select(rows.c.id)
            .where(rows.c.state == bindparam("state"), rows.c.due <= bindparam("now"))
            .order_by(rows.c.due)
            .limit(bindparam("most", type_=Integer))
        )

    def _read_by(
        self, query: Select[Any]
    ) -> Callable[[Sequence[str]], Awaitable[Mapping[str, Sequence[Row[Any]]]]]:
        """Return what reads the rows of a query by their first column, which names the table."""

        async def read_rows(tables: Sequence[str]) -> Mapping[str, Sequence[Row[Any]]]:
            found: dict[str, list[Row[Any]]] = {}
            for row in await self._database.all(query, {"tables": tables}):
                found.setdefault(row[0], []).append(row)
            return found

        return read_rows

    # How it was agreed on, and what has happened

    @abstractmethod
    async def table(self, table: str) -> Agreed | None:
        """Return how a table was agreed on, None if there is none; Failure 410 where it cannot be read."""

    async def reread(self, agreement: Agreed) -> Agreed:
        """Return the same with those who sit there now."""
        return agreement

    async def load(self, table: str, known: Agreed | None = None) -> Stored[Agreed] | None:
        """Return a table that has begun, with all its events; None if there is none, Failure 410 as above.

        `known` is how it was agreed on, where that was read just now.
        """
        found = await self.table(table) if known is None else known
        if found is None or found.header is None:
            return None
        return Stored(found, await self.tail(table, 0), await self.tips(table))

    async def tail(self, table: str, after: int) -> Sequence[Event]:
        """Return the events after number `after`; Failure 410 where they cannot be read."""
        try:
            rows: Sequence[Any] = (
                await self._database.all(self._rows_of(table, after))
                if after
                else await self._all_events.get(table) or ()
            )
            if not rows or rows[0].n != after + 1:
                rows = [row for row in await self._unpacked(table) if row.n > after] or rows
            return [
                Event.from_data(
                    {**row.action, "n": row.n, "at": row.at, "actor": row.actor, "then": {**row.then}},
                    self.kinds,
                )
                for row in rows
            ]
        except (SheshbeshError, LookupError, TypeError, ValueError):
            raise damaged(table) from None

    async def tips(self, table: str) -> Sequence[bytes]:
        """Return the secrets of the chains that the server keeps."""
        return [row.secret for row in await self._all_tips.get(table) or ()]

    async def has_action(self, table: str, actor: str, ref: str, *, is_over: bool = False) -> bool:
        """Tell whether an action of this name was accepted before.

        Events that are packed are looked at only where the table `is_over`; Failure 410 where they cannot be
        read.
        """
        columns = self._events.c
        query = select(columns.n).where(self._of == table, columns.actor == actor, columns.ref == ref)
        if await self._database.first(query) is not None:
            return True
        if not is_over:
            return False
        try:
            return any(row.actor == actor and row.ref == ref for row in await self._unpacked(table))
        except (LookupError, TypeError, ValueError):
            raise damaged(table) from None

    def _rows_of(self, table: str, after: int) -> Select[Any]:
        columns = self._events.c
        return (
            select(*(columns[name] for name in StoredEvent._fields))
            .where(self._of == table, columns.n > after)
            .order_by(columns.n)
        )

    async def _unpacked(self, table: str) -> Sequence[StoredEvent]:
        """Return all events of a table whose events are packed; none of any other."""
        rows = await self._all_packed.get(table)
        return await asyncio.to_thread(unpack, rows[0].events) if rows else ()

    async def due(self, now: int, most: int) -> Sequence[str]:
        """Return the ids of at most this many tables at which somebody's time has run out by `now`.

        `now` is the time of the process, less all in which no server was up; see `due_of`.
        """
        found = await self._database.all(self._due, {"state": LIVE, "now": now, "most": most})
        return [row.id for row in found]

    # What happens

    async def stand(self, table: Agreed, state: State) -> None:
        """Say in a table's row how it stands, where no event has said so yet."""

    @abstractmethod
    def row(self, writing: Writing[State, Agreed]) -> dict[str, Any]:
        """Return the columns of the table's row that these events change."""

    async def pack(self, now: int, most: int) -> int:
        """Pack the events of tables that are to be by `now`, by the clock of the world, of `most` at once.

        Return how many they were. A table whose events cannot be packed keeps its rows, and the log says so.
        """
        found = await self._database.all(self._due, {"state": OVER, "now": now, "most": most})
        for row in found:
            try:
                await self._pack(row.id)
            except Exception as error:  # the others are to be packed, too
                if is_unavailable(error):
                    raise
                log.exception("the events of table %s cannot be packed, and stay rows", row.id)
                await self._database.write(update(self.rows).where(self.rows.c.id == row.id).values(due=None))
        return len(found)

    async def _pack(self, table: str) -> None:
        columns = [self._events.c[name] for name in StoredEvent._fields]
        # JSON as text, which the thread that writes compares with what stands there then: to read it once
        # more would hold up all other writes.
        texts = [cast(column, Text) if isinstance(column.type, JSON) else column for column in columns]
        query, own = self._rows_of(table, 0).with_only_columns(*texts), self.rows.c.id == table
        rows = await self._database.all(query)
        packed = await asyncio.to_thread(_pack, rows) if rows else None

        def replace_rows(connection: Connection) -> None:
            # Locked as where a name is taken out: neither may write upon what the other has changed since.
            connection.execute(select(self.rows.c.id).where(own).with_for_update())
            if packed is not None:
                if connection.execute(query).all() != rows:
                    return  # packed by another process, or a name was taken out: looked at again next time
                connection.execute(
                    insert(self._packed).values({self._packed_of.name: table, "events": packed})
                )
                connection.execute(delete(self._events).where(self._of == table))
            connection.execute(update(self.rows).where(own).values(due=None))

        await self._database.write(replace_rows)

    async def append(self, writing: Writing[State, Agreed]) -> None:
        """Store events with all that belongs to them, in one transaction; return once they are safe.

        Taken where the number of the first one is, Repeated where its `ref` is, UnavailableError where
        nothing can be stored.
        """
        table, first, ref = writing.table.id, writing.events[0], writing.ref
        rows = [
            {
                self._of.name: table,
                "n": event.n,
                "at": event.at,
                "actor": event.actor,
                "action": event.action_data(),
                "then": dict(event.then),
                "ref": ref if event is first else None,
            }
            for event in writing.events
        ]
        steps: list[Step] = [Rows(self._insert, rows)]
        if kept := [{self._secret_of.name: table, "secret": tip} for tip in writing.tips]:
            steps.append(Rows(self._keep, kept))
        if changed := self.row(writing):
            steps.append(Rows(self._update(tuple(changed)), [{"table": table, **changed}]))
        if writing.after.is_over:
            steps += [
                step for belonging in self.when_over for step in belonging(writing.table, writing.after)
            ]
        try:
            await self._database.write(*steps)
        except Conflict:
            if ref is not None and await self.has_action(table, first.actor, ref):
                raise Repeated from None
            raise Taken from None
        except Exception as error:
            if is_unavailable(error):
                raise UnavailableError(str(error)) from error
            raise

    def _update(self, columns: tuple[str, ...]) -> Update:
        """Return the update of a row in these columns: written with almost every event, so made once."""
        if (found := self._updates.get(columns)) is None:
            found = self._updates[columns] = update(self.rows).where(self.rows.c.id == bindparam("table"))
        return found


def _pack(rows: Iterable[Sequence[Any]]) -> bytes:
    """Pack rows of events, whose JSON is text."""
    return pack(
        StoredEvent(n, at, actor, read(action), read(then), ref) for n, at, actor, action, then, ref in rows
    )


def due_of(down: int, session: Session) -> int | None:
    """Return when the server has to act if nobody does (`Session.due`); None where it need not.

    In milliseconds that can be compared between tables: those of the table without the `down` for which no
    server was up before it was made. A process compares them with its clock less all such time.
    """
    due = session.due
    return None if due is None else due - down


def _ended() -> dict[str, Any]:
    """Return the columns of a row whose table ends now."""
    now = now_ms()
    return {"state": OVER, "ended": now, "due": now + _REST}


_MATCH_ROWS = select(matches).where(matches.c.id.in_(_TABLES))
_SITTING = select(seats, users.c.kind).join(users, isouter=True).where(seats.c.match_id.in_(_TABLES))
_UNKNOWN = (
    select(matches.c.id)
    .where(matches.c.state == LIVE, matches.c.standing.is_(None))
    .order_by(matches.c.started)
    .limit(bindparam("most", type_=Integer))
)
_STANDING = select(matches.c.id, matches.c.standing).where(matches.c.id.in_(_TABLES))


class MatchStore(TableStore[Session, MatchAgreement]):
    """The store of matches."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, matches, events, packed_events, dice_secrets, ACTIONS)
        self._all_rows = Together(self._read_by(_MATCH_ROWS))
        self._all_seats = Together(self._read_by(_SITTING))
        self._all_standing = Together(self._read_by(_STANDING))
        self._all_ratings = Together(self._read_ratings)

    async def table(self, table: str) -> MatchAgreement | None:
        """Return how a match that has begun was agreed on; None if there is none."""
        rows = await self._all_rows.get(table)
        if not rows or rows[0].state == OPEN:
            return None
        found = agreement_of(rows[0], await self._all_seats.get(table) or ())
        return await self._rated(found) if found.is_between_people else found

    async def load(self, table: str, known: MatchAgreement | None = None) -> Stored[MatchAgreement] | None:
        """Return a match that has begun, with all its events, and whether its row says how it stands."""
        stored = await super().load(table, known)
        if stored is None or stored.table.state == OVER:
            return stored
        rows = await self._all_standing.get(table) or ()
        return replace(stored, has_standing=any(row.standing is not None for row in rows))

    async def _rated(self, table: MatchAgreement) -> MatchAgreement:
        """Return the same with the players' ratings beside their names."""
        people = {seat.user for seat in table.seats.values() if seat.user is not None}
        pool = Pool.of(table.card, with_bot=any(seat.kind == BOT for seat in table.seats.values()))
        found = await asyncio.gather(*(self._all_ratings.get((pool, each)) for each in people))
        known = dict(zip(people, found, strict=True))
        return replace(
            table,
            seats={
                side: replace(seat, rating=known.get(seat.user or "")) for side, seat in table.seats.items()
            },
        )

    async def _read_ratings(self, keys: Sequence[tuple[Pool, str]]) -> Mapping[tuple[Pool, str], int]:
        people: dict[Pool, list[str]] = {}
        for pool, user in keys:
            people.setdefault(pool, []).append(user)
        return {
            (pool, user): rating
            for pool, several in people.items()
            for user, rating in (await ratings_for(self._database, pool, several)).items()
        }

    def row(self, writing: Writing[Session, MatchAgreement]) -> dict[str, Any]:
        """Return how the match stands and when time is up, score and end, where they have changed."""
        before, after = writing.before, writing.after
        found: dict[str, Any] = {}
        if before is None or _has_turned(before, after):
            found |= standing_row(writing.table, after)
        if any("game" in event.then or "match" in event.then for event in writing.events):
            found |= {"white_score": after.score.white, "black_score": after.score.black}
            if after.is_over:
                found |= _ended() | {"winner": name_or_none(after.winner), "ending": after.ending}
        return found

    async def due(self, now: int, most: int) -> Sequence[str]:
        """Return those that are due, and those of an earlier version that have no standing in their row."""
        rows = await self._database.all(_UNKNOWN, {"most": most})
        return [*await super().due(now, most), *(row.id for row in rows)]

    async def stand(self, table: MatchAgreement, state: Session) -> None:
        """Say in the match's row how it stands, where no event has said so yet."""
        row = update(matches).where(matches.c.id == table.id, matches.c.standing.is_(None))
        await self._database.write(row.values(standing_row(table, state)))


def standing_row(table: MatchAgreement, session: Session) -> dict[str, Any]:
    """Return the columns `due` and `standing` of a match: for lists, and to load it when time has run out."""
    if session.phase is Phase.OVER:
        return {"due": None, "standing": None}
    clock = session.clock
    running = name_or_none(clock.running)
    standing = {
        "phase": session.phase.value,
        "to_act": [side.value for side in session.to_act],
        "paused": session.paused,
        "score": {side.value: session.score.score(side) for side in SIDES},
        "clock": {name: getattr(clock, name) for name in _CLOCK} | {"running": running},
    }
    if session.forbids("analysis") and session.position is not None:
        standing["position"] = session.position.id
    return {"due": due_of(table.down, session), "standing": standing}


def clock_fields(kept: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the clock in a `standing`, besides its settings."""
    running = Side.of(kept["running"]) if kept["running"] is not None else None
    return {"running": running, **{name: kept[name] for name in _CLOCK}}


def _has_turned(before: Session, after: Session) -> bool:
    """Tell whether it is another turn now, or another time at which it is up."""
    return (
        before.clock is not after.clock
        or before.call_at != after.call_at
        or before.phase is not after.phase
        or before.paused is not after.paused
        or before.to_act != after.to_act
    )


def agreement_of(row: Row[Any], sitting: Sequence[Row[Any]], nobody: Seat | None = None) -> MatchAgreement:
    """Return a match as it was agreed on, from its row and those of its seats with their users' kinds.

    `nobody` sits where nobody does yet.
    """
    try:
        # Its table finds out whether it can begin: a wave opens hundreds at once.
        header = Header.from_data(row.header, tried=False)
    except (SheshbeshError, LookupError, TypeError, ValueError):
        raise damaged(row.id) from None
    found = {}
    for seat in sitting:
        # No engine and nobody: an account that was deleted, of which the row keeps what to call it.
        kind = ENGINE if seat.level is not None else seat.kind or GUEST
        found[Side.of(seat.side)] = Seat(kind, seat.name, seat.user_id, seat.level)
    return MatchAgreement(
        row.id,
        header.card,
        {side: found.get(side) or _seated(nobody) for side in Side},
        rated=row.rated,
        tutor=row.tutor,
        private=row.private,
        created=row.created,
        seed=header.seed,
        down=row.down,
        state=row.state,
        event=header.event,
        tags=header.tags,
    )


def _seated(nobody: Seat | None) -> Seat:
    if nobody is None:
        raise LookupError("a match that has begun lacks a player")
    return nobody


class ChouetteStore(TableStore[Chouette, ChouetteAgreement]):
    """The store of chouettes."""

    def __init__(self, database: Database) -> None:
        super().__init__(
            database, chouettes, chouette_events, packed_chouette_events, chouette_secrets, CHOUETTE_ACTIONS
        )

    async def table(self, table: str) -> ChouetteAgreement | None:
        """Return a chouette with those who sit or have sat at it, begun or not; None if there is none."""
        row = await self._database.first(select(chouettes).where(chouettes.c.id == table))
        if row is None:
            return None
        people = await self.people(table)
        try:
            header = ChouetteHeader.from_data(row.header) if row.state != OPEN else None
            return ChouetteAgreement(
                row.id,
                Card.from_code(row.card) if header is None else header.card,
                people,
                header,
                row.throws,
                Consultation(row.consultation),
                row.chosen_members,
                row.private,
                row.state,
                row.owner,
                row.created,
                row.down,
            )
        except (SheshbeshError, LookupError, TypeError, ValueError):
            raise damaged(table) from None

    async def people(self, chouette: str) -> tuple[Sitter, ...]:
        """Return those who sit or have sat there, in the order in which they came."""
        people = chouette_people.c
        query = select(chouette_people).where(people.chouette_id == chouette).order_by(people.place)
        return tuple(Sitter(row.name, row.user_id, row.level) for row in await self._database.all(query))

    async def reread(self, agreement: ChouetteAgreement) -> ChouetteAgreement:
        """Return the same with those who sit there now."""
        return replace(agreement, people=await self.people(agreement.id))

    def row(self, writing: Writing[Chouette, ChouetteAgreement]) -> dict[str, Any]:
        """Return when somebody's time is up, and the end, where they have changed."""
        down, before, after = writing.table.down or 0, writing.before, writing.after
        due = due_of(down, after.board)
        found: dict[str, Any] = (
            {} if before is not None and due == due_of(down, before.board) else {"due": due}
        )
        return found | _ended() if after.is_over else found
