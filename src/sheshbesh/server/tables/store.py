"""Matches in the database: created, loaded and continued."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, insert, select, update
from sqlalchemy.sql import Insert

from sheshbesh.errors import SheshbeshError
from sheshbesh.i18n import Text
from sheshbesh.rules import Side
from sheshbesh.rules.side import name_or_none
from sheshbesh.server.ids import now_ms
from sheshbesh.server.people.ratings import Pool, ratings_for, time_class
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage.database import Database, Rows, Step
from sheshbesh.server.storage.tables import dice_secrets, events, matches, seats, users
from sheshbesh.server.tables import standing
from sheshbesh.server.tables.event_log import EventLog, Writing, damaged
from sheshbesh.server.tables.seats import BOT, ENGINE, GUEST, Arrangement, Seat
from sheshbesh.session import Event, Header, Phase, Session

MOST_MATCHES = 40
"""Matches that one person may have going on at once."""

_STAND = update(matches).where(matches.c.id == bindparam("match"))
"""How a match stands, with `standing.row_of`: written with almost every event, so compiled once."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A match as it lies in the database."""

    table: Arrangement
    events: Sequence[Event] = field(default=())
    tips: Sequence[bytes] = field(default=())
    """The secrets behind the chains of dice that the server keeps for this match."""
    has_standing: bool = True
    """Whether its row says how it stands."""


OPEN, LIVE, OVER = "open", "live", "over"


def kind_of(table: Arrangement) -> str:
    """The kind of a match, as the column `kind` has it: engine, hotseat or people."""
    return "people" if table.is_between_people else "hotseat" if table.is_hot_seat else "engine"


def match_row(table: Arrangement, *, state: str = LIVE, **more: object) -> dict[str, Any]:
    """The row of a match that is made."""
    return {
        "id": table.id,
        "header": table.header.to_data(),
        "card": table.card.code,
        "game": table.card.game,
        "rules": table.card.rules.fingerprint,
        "time_class": time_class(table.card.clock).value,
        "state": state,
        "kind": kind_of(table),
        "rated": table.rated,
        "private": table.private,
        "tutor": table.tutor,
        "created": table.created,
        "started": table.created if state == LIVE else None,
        "down": table.down,
        **more,
    }


def seat_row(match: str, side: Side, seat: Seat) -> dict[str, Any]:
    """The row of somebody who sits down."""
    keeper = "server" if seat.kind in (BOT, ENGINE) else "page"
    return {
        "match_id": match,
        "side": side.value,
        "user_id": seat.user,
        "level": seat.level,
        "name": seat.name,
        "keeper": keeper,
    }


def insert_match(table: Arrangement, **more: Any) -> list[Insert]:
    """The statements that make a match."""
    rows = [seat_row(table.id, side, seat) for side, seat in table.seats.items()]
    return [insert(matches).values(match_row(table, **more)), insert(seats).values(rows)]


def refuse_too_many(connection: Connection, players: Iterable[Seat], asking: str | None) -> None:
    """Within the transaction that begins a match: Failure where one of its players has too many already.

    Those count that have begun, loaded or not, and those that wait for a second player. `asking` is who
    begins it; None where there is one person alone.
    """
    names = {seat.user: seat.name for seat in players if seat.user is not None}
    # Locked, so that of two matches that begin at the same time the second sees the first.
    of_them = users.c.id.in_(names)
    connection.execute(select(users.c.id).where(of_them).order_by(users.c.id).with_for_update(key_share=True))
    going_on = (
        select(seats.c.user_id)
        .join(matches, matches.c.id == seats.c.match_id)
        .where(seats.c.user_id.in_(names), matches.c.state != OVER)
        .group_by(seats.c.user_id)
        .having(func.count(seats.c.match_id.distinct()) >= MOST_MATCHES)
    )
    full = {row.user_id for row in connection.execute(going_on)}
    if full and (asking is None or asking in full):
        text = Text("you can play at most {most} matches at once", most=MOST_MATCHES)
        raise Failure(429, text, wait=60)
    for user in full:
        text = Text("{name} plays {most} matches already", name=names[user], most=MOST_MATCHES)
        raise Failure(409, text, code="too_many_matches")


class MatchStore(EventLog[Session, Arrangement]):
    """Where matches are kept. What it has accepted survives the process.

    `when_over` gives the steps, such as those of ratings, that belong to a finished match and are
    done in the same transaction as its last events.
    """

    def __init__(
        self,
        database: Database,
        when_over: Callable[[Arrangement, Session], Sequence[Step]] = lambda _table, _session: (),
    ) -> None:
        super().__init__(database, events, dice_secrets)
        self.when_over = when_over

    async def create(self, table: Arrangement) -> None:
        """Begin a match. Failure 429 where its player has too many already."""

        def check(connection: Connection) -> None:
            refuse_too_many(connection, table.seats.values(), None)

        await self._database.write(check, *insert_match(table))

    async def table(self, match: str) -> tuple[Arrangement, bool] | None:
        """How a match that has begun was agreed on, and whether it is over."""
        row = await self._database.first(select(matches).where(matches.c.id == match))
        if row is None or row.state == OPEN:
            return None
        sitting = select(seats, users.c.kind).join(users, isouter=True).where(seats.c.match_id == match)
        table = arrangement_of(row, await self._database.all(sitting))
        if kind_of(table) == "people":
            table = await self._rated(table)
        return table, row.state == OVER

    async def load(self, match: str) -> Stored | None:
        """A match that has begun, with all its events."""
        found = await self.table(match)
        if found is None:
            return None
        query = select(matches.c.standing).where(matches.c.id == match)
        row = await self._database.first(query)
        known = found[1] or (row is not None and row.standing is not None)
        return Stored(found[0], await self.tail(match, 0), await self.tips(match), has_standing=known)

    async def _rated(self, table: Arrangement) -> Arrangement:
        """The same with the players' ratings beside their names."""
        people = {seat.user for seat in table.seats.values() if seat.user is not None}
        pool = Pool.of(table.card, with_bot=any(seat.kind == BOT for seat in table.seats.values()))
        known = await ratings_for(self._database, pool, people)
        return replace(
            table,
            seats={
                side: replace(seat, rating=known.get(seat.user or "")) for side, seat in table.seats.items()
            },
        )

    def _belonging(self, writing: Writing[Session, Arrangement]) -> list[Step]:
        match = writing.table.id
        more: list[Step] = []
        if writing.before is None or standing.changes(writing.before, writing.after):
            more.append(Rows(_STAND, [{"match": match, **standing.row_of(writing.table, writing.after)}]))
        if any("game" in event.then or "match" in event.then for event in writing.events):
            more.append(update(matches).where(matches.c.id == match).values(_outcome(writing.after)))
        if writing.after.phase is Phase.OVER:
            more += self.when_over(writing.table, writing.after)
        return more

    async def stand(self, table: Arrangement, session: Session) -> None:
        """Say in the match's row how it stands, where no event has said so yet."""
        row = update(matches).where(matches.c.id == table.id, matches.c.standing.is_(None))
        await self._database.write(row.values(standing.row_of(table, session)))


def _outcome(session: Session) -> Mapping[str, object]:
    """What a match's row says of its score, and of its end."""
    over = session.phase is Phase.OVER
    values: dict[str, object] = {
        "white_score": session.score.white,
        "black_score": session.score.black,
    }
    if over:
        winner = name_or_none(session.winner)
        values |= {"state": OVER, "ended": now_ms(), "winner": winner, "ending": session.ending}
    return values


def arrangement_of(row: Row[Any], sitting: Sequence[Row[Any]], nobody: Seat | None = None) -> Arrangement:
    """A match as it was agreed on, from its row and those of its seats with their users' kinds.

    `nobody` sits where nobody does yet.
    """
    try:
        header = Header.from_data(row.header)
    except (SheshbeshError, LookupError, TypeError, ValueError):
        raise damaged(row.id) from None
    found = {}
    for seat in sitting:
        # No engine and nobody: an account that was deleted, of which the row keeps what to call it.
        kind = ENGINE if seat.level is not None else seat.kind or GUEST
        found[Side.of(seat.side)] = Seat(kind, seat.name, seat.user_id, seat.level)
    return Arrangement(
        row.id,
        header.card,
        {side: found.get(side) or _seated(nobody) for side in Side},
        rated=row.rated,
        tutor=row.tutor,
        private=row.private,
        created=row.created,
        seed=header.seed,
        down=row.down,
    )


def _seated(nobody: Seat | None) -> Seat:
    if nobody is None:
        raise LookupError("a match that has begun lacks a player")
    return nobody
