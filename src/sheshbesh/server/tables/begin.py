"""The beginning of a match: the wish, the seats; by a friend's link, or once more.

Requests for a rematch are stored with the seats, so that the two players may be connected to different
processes.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update
from sqlalchemy.sql import Insert

from sheshbesh.engines.strength import levels
from sheshbesh.i18n import Text
from sheshbesh.match import Card, Contest, DiceSource
from sheshbesh.match.timing import ClockSettings
from sheshbesh.rules import Refused, Side
from sheshbesh.server.ids import new_id, new_secret, now_ms
from sheshbesh.server.news.bus import Bus
from sheshbesh.server.people.person import Person, clean_name
from sheshbesh.server.people.ratings import time_class
from sheshbesh.server.people.social import Social
from sheshbesh.server.refusals import Failure, refuse
from sheshbesh.server.storage import Database, Rows
from sheshbesh.server.storage.tables import matches, seats, users
from sheshbesh.server.tables.match import Match
from sheshbesh.server.tables.seats import BOT, ENGINE, LIVE, OPEN, OVER, MatchAgreement, Seat, tags_of
from sheshbesh.server.tables.store import agreement_of, standing_row
from sheshbesh.server.tables.tables import MatchTables
from sheshbesh.server.tables.wire import Note
from sheshbesh.session import Phase

_LONGEST_CODE = 400

MOST_MATCHES = 40
"""Matches that one person may have going on at once."""

NOBODY = Seat("guest", "")
"""The free seat of a match that waits for its second player."""

REMATCH = "rematch"
"""News that somebody has asked for one."""


class TooLateError(Exception):
    """Somebody else has taken the invitation, or it was withdrawn."""


# What is asked for


def read_card(given: object) -> Card:
    """A card from its code or its fields; MatchError and VariantError list what is wrong with it."""
    if isinstance(given, str):
        if len(given) > _LONGEST_CODE:
            raise Failure(422, "this card is too long", where="card")
        return Card.from_code(given)
    if not isinstance(given, Mapping) or not isinstance(given.get("game"), str):
        raise Failure(422, "a card is a code such as tavla.p5, or an object that names a game", where="card")
    fields: dict[str, Any] = dict(given)
    unknown = sorted(set(fields) - set(Card.__dataclass_fields__))
    if unknown:
        text = Text("a card has no {fields}", fields=", ".join(map(repr, unknown)))
        raise Failure(422, text, where="card")
    if "clock" in fields:
        if not isinstance(fields["clock"], str):
            raise Failure(422, "a clock is written as d12-120", where="card.clock")
        fields["clock"] = ClockSettings.from_code(fields["clock"])
    if not isinstance(fields.get("options", {}), Mapping):
        raise Failure(422, "options is an object", where="card.options")
    for name in ("crawford", "jacoby", "beavers", "raccoons", "one_pair"):
        if not isinstance(fields.get(name, True), bool):
            raise Failure(422, refuse("field.flag", field=name).text, where=f"card.{name}")
    return Card(**fields)


def against_engine(card: Card) -> Card:
    """The card for a match against the engine: it must not know a player's share before the throw."""
    return replace(card, dice=DiceSource.STRICT) if card.dice is DiceSource.CHAINS else card


def seed_for(card: Card, given: str | None) -> str | None:
    """The seed of seeded dice: the one asked for, else a new one."""
    if card.dice is not DiceSource.SEEDED:
        return None
    return secrets.token_hex(16) if given is None else given


def own_side(wish: str | None) -> Side:
    """The side somebody asked for."""
    if wish in (None, "random"):
        return secrets.choice(tuple(Side))
    if wish not in ("white", "black"):
        raise Failure(422, "a side is white, black or random", where="side")
    return Side.of(wish)


def seat_of(person: Person) -> Seat:
    """The seat of a person or a program."""
    return Seat(person.kind, person.name, person.id)


def engine_seat(level: str | None) -> Seat:
    """The seat of the engine at a level."""
    name = levels.DEFAULT if level is None else level
    if not levels.is_level(name):
        text = Text("the levels are {levels}", levels=", ".join(levels.names()))
        raise Failure(422, text, where="opponent.level")
    return Seat(ENGINE, name, level=name)


def hot_seats(person: Person, names: Sequence[str] | None) -> dict[Side, Seat]:
    """Both seats of one person, under two names."""
    if names is None:
        names = ["", ""]
    if len(names) != 2:
        raise Failure(422, "names is a list of two names, White's first", where="opponent.names")
    own = (clean_name(name) if name else person.name for name in names)
    return {side: Seat(person.kind, name, person.id) for side, name in zip(Side, own, strict=True)}


def check_dice(table: MatchAgreement) -> None:
    """Failure if two people cannot play with these dice, or a match of this kind cannot be rated."""
    if table.is_between_people and table.card.dice is DiceSource.SEEDED:
        # A seed says all throws beforehand, and one of the two may have it.
        raise Failure(422, "dice from a seed are for study, and not for matches between people", where="card")
    fair = table.card.dice in (DiceSource.CHAINS, DiceSource.STRICT)
    if table.rated and (not fair or table.card.contest is Contest.MONEY):
        raise Failure(422, "rated are matches with fair dice, to points or games", where="rated")


# Its rows


def kind_of(table: MatchAgreement) -> str:
    """The kind of a match, as the column `kind` has it: engine, hotseat or people."""
    return "people" if table.is_between_people else "hotseat" if table.is_hot_seat else "engine"


def match_row(table: MatchAgreement, *, state: str = LIVE, **more: object) -> dict[str, Any]:
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


def insert_match(table: MatchAgreement, **more: Any) -> list[Insert]:
    """The statements that make a match."""
    rows = [seat_row(table.id, side, seat) for side, seat in table.seats.items()]
    return [insert(matches).values(match_row(table, **more)), insert(seats).values(rows)]


_MATCHES, _SEATS = insert(matches), insert(seats)


def insert_matches(tables: Sequence[MatchAgreement]) -> list[Rows]:
    """The rows of many matches that begin together; how they stand is said with them."""
    sitting = [seat_row(table.id, side, seat) for table in tables for side, seat in table.seats.items()]
    rows = [match_row(table, **standing_row(table, table.header.session())) for table in tables]
    return [Rows(_MATCHES, rows), Rows(_SEATS, sitting)]


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


async def begin(database: Database, table: MatchAgreement) -> None:
    """Begin a match. Failure 429 where its player has too many already."""

    def check(connection: Connection) -> None:
        refuse_too_many(connection, table.seats.values(), None)

    await database.write(check, *insert_match(table))


# By a friend's link


async def offer(database: Database, table: MatchAgreement, side: Side) -> str:
    """Make a match in which only `side` sits so far; return the secret of its link.

    Failure 429 where its player has too many already.
    """
    secret = new_secret()
    owner = table.seats[side]
    row = match_row(table, state=OPEN, invite=secret, owner=owner.user) | {"kind": "people"}

    def check(connection: Connection) -> None:
        refuse_too_many(connection, [owner], owner.user)

    own = insert(seats).values(seat_row(table.id, side, owner))
    await database.write(check, insert(matches).values(row), own)
    return secret


async def find(database: Database, secret: str) -> tuple[Row[object], MatchAgreement] | None:
    """The match that waits behind a link, with nobody on the free seat."""
    row = await database.first(select(matches).where(matches.c.invite == secret, matches.c.state == OPEN))
    return None if row is None else (row, await waiting(database, row))


async def find_taken(database: Database, secret: str, user: str) -> str | None:
    """Return the id of the match that began by a link, for one of its players; None for others."""
    here = matches.c.invite == secret, matches.c.state != OPEN, seats.c.user_id == user
    row = await database.first(
        select(matches.c.id).join(seats, seats.c.match_id == matches.c.id).where(*here)
    )
    return None if row is None else str(row.id)


async def find_open(database: Database, match: str) -> MatchAgreement | None:
    """A match that waits for its second player; None where it does not."""
    row = await database.first(select(matches).where(matches.c.id == match, matches.c.state == OPEN))
    return None if row is None else await waiting(database, row)


async def waiting(database: Database, row: Row[object]) -> MatchAgreement:
    """An open match as it was arranged so far."""
    query = select(seats, users.c.kind).join(users, isouter=True).where(seats.c.match_id == row.id)
    return agreement_of(row, await database.all(query), nobody=NOBODY)


async def take(database: Database, secret: str, table: MatchAgreement, seat: Seat) -> MatchAgreement:
    """Sit down on the free seat and begin; TooLateError for all but the first.

    Failure 429 where the person who sits down has too many matches already.
    """
    free = next(side for side in Side if table.seats[side] is NOBODY)
    full = replace(table, seats={**table.seats, free: seat})

    def begin(connection: Connection) -> None:
        begun = connection.execute(
            update(matches)
            .where(matches.c.invite == secret, matches.c.state == OPEN)
            .values(state=LIVE, started=now_ms(), header=full.header.to_data())
        )
        if begun.rowcount != 1:
            raise TooLateError
        refuse_too_many(connection, [seat], seat.user)
        connection.execute(insert(seats).values(seat_row(full.id, free, seat)))

    await database.write(begin)
    return full


async def open_of(database: Database, user: str) -> Sequence[Row[Any]]:
    """The rows of the open matches of a user, the newest first."""
    waits = select(matches).where(matches.c.owner == user, matches.c.state == OPEN)
    return await database.all(waits.order_by(matches.c.created.desc()))


async def withdraw(database: Database, secret: str, user: str) -> str | None:
    """Withdraw an invitation of one's own with its match; return the id of the match.

    None where there is no such invitation, or it was taken.
    """
    mine = delete(matches).where(matches.c.invite == secret, matches.c.owner == user, matches.c.state == OPEN)
    (written,) = await database.write(mine.returning(matches.c.id))
    return str(written.rows[0].id) if written.rows else None


# Once more


class Rematches:
    """The offers of rematches, over all processes."""

    def __init__(self, database: Database, bus: Bus, social: Social) -> None:
        self._database, self._bus, self._social = database, bus, social

    async def ask(
        self, table: Match, person: str, sides: tuple[Side, ...], *, down: int
    ) -> MatchAgreement | str | bool:
        """Ask as this person, for these sides of theirs; programs of the site are always willing.

        Returns the arrangement of a match that this has begun, or the id of one that had begun before; while
        the other side has not asked, whether this person asks for the first time. Failure 409 before the end,
        403 if one has blocked the other, 429 or 409 where one of them has too many matches already; Refused
        where an event forbids it.
        """
        if table.agreement.forbids("rematch"):
            raise Refused.of("event.rematch")
        if table.session.phase is not Phase.OVER:
            raise Failure(409, "the match is not over yet")
        players = [seat.user for seat in table.agreement.seats.values() if seat.user is not None]
        if len(set(players)) == 2 and await self._social.are_apart(*players):
            raise Failure(403, "you two do not play with each other", code="apart")
        again = _once_more(table.agreement, down)
        check_dice(again)

        def agree(connection: Connection) -> MatchAgreement | str | bool:
            # Locked, so that of two who ask at the same time the second sees the first.
            connection.execute(select(matches.c.id).where(matches.c.id == table.id).with_for_update())
            known = connection.execute(select(matches.c.id).where(matches.c.rematch_of == table.id))
            if (found := known.scalar()) is not None:
                return str(found)
            here = seats.c.match_id == table.id
            mine = seats.c.side.in_([side.value for side in (*sides, *table.agreement.engine_sides)])
            asked = connection.execute(update(seats).where(here, mine, ~seats.c.again).values(again=True))
            willing = connection.execute(select(seats.c.side).where(here, seats.c.again))
            if len(willing.all()) < len(Side):
                return asked.rowcount > 0
            refuse_too_many(connection, again.seats.values(), person)
            for statement in insert_match(again, rematch_of=table.id):
                connection.execute(statement)
            return again

        (outcome,) = await self._database.write(agree)
        self._bus.publish(REMATCH, id=table.id)
        return outcome  # type: ignore[no-any-return]

    async def frames(self, match: str) -> list[str]:
        """The messages for viewers of a finished match: the new match, or who has asked for one."""
        row = await self._database.first(select(matches.c.id).where(matches.c.rematch_of == match))
        if row is not None:
            return [Note("rematch", {"id": row.id, "url": f"/m/{row.id}"}).to_text()]
        asked = select(seats.c.side).where(seats.c.match_id == match, seats.c.again)
        return [Note("rematch", {"by": row.side}).to_text() for row in await self._database.all(asked)]

    def listen(self, tables: MatchTables) -> None:
        """Show what was asked for, at whichever process, at the tables of this one."""

        async def show(table: Match) -> None:
            for frame in await self.frames(table.id):
                table.viewers.send_all(frame)

        def on_news(news: Mapping[str, Any]) -> None:
            if (table := tables.loaded.get(news["id"])) is not None:
                tables.spawn(show(table))

        self._bus.subscribe(REMATCH, on_news)


def _once_more(table: MatchAgreement, down: int) -> MatchAgreement:
    around = {side: table.seats[side.other] for side in table.seats}
    return replace(
        table,
        id=new_id(),
        seats=around,
        tags=tags_of(around),
        created=now_ms(),
        seed=seed_for(table.card, None),
        down=down,
    )
