"""All that the site keeps of somebody, as a ZIP file that is made while it is sent.

No more than one match, review or uploaded file is in memory at a time, however much there is. What
proves who somebody is (hashes of passwords, codes and tokens, public keys) is left out.
"""

from __future__ import annotations

import asyncio
import io
import json
import re
import zlib
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from sqlalchemy import ColumnElement, Row, Select, Table, and_, select, tuple_

from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.review_tables import (
    daily_answers,
    puzzle_answers,
    reviews,
    solver_ratings,
    uploads,
)
from sheshbesh.server.storage.tables import (
    blocks,
    chat,
    chouette_chat,
    follows,
    mail_addresses,
    matches,
    notes,
    passkeys,
    push_subscriptions,
    rated_matches,
    ratings,
    reports,
    sanctions,
    seats,
    sign_ins,
    tokens,
    users,
    vacations,
)
from sheshbesh.server.storage.tournament_tables import tournament_addresses, tournament_chat
from sheshbesh.server.tables.seats import OVER
from sheshbesh.server.tables.store import MatchStore
from sheshbesh.server.tables.view import shown_events, shown_header
from sheshbesh.session import Record

_PAGE = 500
"""Rows that are read at once."""

_ABOUT = """What the site has stored about this account.

account.json    the account: settings, mail address, devices, passkeys, tokens, bots, vacations, browsers that
                are notified of turns, sanctions, own reports, and until a tournament is over a mark of the
                address from which it was entered
people.json     notes about other players, who is blocked and who is followed
ratings.json    ratings, and what each rated match has changed
matches.jsonl   every match: one line of JSON each; times are milliseconds since 1970
matches/        the record of every match that has begun
chat.jsonl      chat at matches, chouette-chat.jsonl at chouettes, and tournament-chat.jsonl in tournaments
puzzles.json    the answers to the puzzles of the days, the first answer to every puzzle, and ratings
reviews/        the reports of reviews
uploads/        the match files that were uploaded
"""


class _Outgoing(io.RawIOBase):
    """Bytes that the archive has written and nobody has fetched yet."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        """It is written to."""
        return True

    def write(self, data: Any) -> int:
        """Keep a part."""
        part = bytes(data)
        self._parts.append(part)
        return len(part)

    def fetch(self) -> bytes:
        """All that has come since this was asked last."""
        found, self._parts = b"".join(self._parts), []
        return found


async def export(database: Database, store: MatchStore, person: Person) -> AsyncIterator[bytes]:
    """The archive in parts."""
    outgoing = _Outgoing()
    with ZipFile(outgoing, "w", ZIP_DEFLATED) as archive:

        def put(name: str, content: str | bytes) -> None:
            archive.writestr(name, content)

        put("README.txt", _ABOUT)
        put("account.json", _text(await _account(database, person)))
        put("people.json", _text(await _people(database, person)))
        put("ratings.json", _text(await _ratings(database, person)))
        put("puzzles.json", _text(await _puzzles(database, person)))
        yield outgoing.fetch()
        for name, pages in (
            ("matches.jsonl", _match_rows(database, person)),
            ("chat.jsonl", _messages(database, person, chat)),
            ("chouette-chat.jsonl", _messages(database, person, chouette_chat)),
            ("tournament-chat.jsonl", _messages(database, person, tournament_chat)),
        ):
            with archive.open(name, "w") as entry:
                async for lines in pages:
                    entry.write("".join(f"{_line(line)}\n" for line in lines).encode())
                    yield outgoing.fetch()
        async for name, content in _files(database, store, person):
            await asyncio.to_thread(put, name, content)
            yield outgoing.fetch()
    yield outgoing.fetch()


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n"


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


async def _rows(
    database: Database, table: Table, condition: ColumnElement[bool], *names: str
) -> list[dict[str, Any]]:
    """These columns of the rows of which a condition is true."""
    found = await database.all(select(*(table.c[name] for name in names)).where(condition))
    return [dict(row._mapping) for row in found]


async def _account(database: Database, person: Person) -> dict[str, Any]:
    mine = users.c.id == person.id
    names = ("id", "name", "kind", "moderator", "hidden", "settings", "created", "seen")
    (about,) = await _rows(database, users, mine, *names)

    async def own(table: Table, *names: str) -> list[Any]:
        return await _rows(database, table, table.c.user_id == person.id, *names)

    who = (
        select(users.c.name, reports.c.kind, reports.c.text, reports.c.match_id, reports.c.at)
        .join(users, users.c.id == reports.c.reported)
        .where(reports.c.reporter == person.id)
    )
    return about | {
        "devices": await own(sign_ins, "agent", "created", "seen"),
        "passkeys": await own(passkeys, "name", "created"),
        "tokens": await own(tokens, "name", "scopes", "created", "used"),
        "bots": await _rows(database, users, users.c.owner == person.id, "id", "name", "created", "seen"),
        "mail": await own(mail_addresses, "address", "wanted", "asked"),
        "vacations": await own(vacations, "since", "until"),
        # The address at a push service, without the secrets by which it is written to.
        "push": await own(push_subscriptions, "endpoint", "lang", "created"),
        "sanctions": await own(sanctions, "kind", "at", "until", "reason"),
        "reports": [dict(row._mapping) for row in await database.all(who)],
        "tournament_addresses": await own(tournament_addresses, "tournament_id", "mark"),
    }


async def _people(database: Database, person: Person) -> dict[str, Any]:
    written = (
        select(users.c.name, notes.c.text, notes.c.at)
        .join(users, users.c.id == notes.c.about)
        .where(notes.c.owner == person.id)
    )
    blocked = (
        select(users.c.name, blocks.c.at)
        .join(users, users.c.id == blocks.c.blocked)
        .where(blocks.c.owner == person.id)
    )
    followed = (
        select(users.c.name, follows.c.at)
        .join(users, users.c.id == follows.c.followed)
        .where(follows.c.owner == person.id)
    )
    return {
        "notes": [dict(row._mapping) for row in await database.all(written)],
        "blocked": [dict(row._mapping) for row in await database.all(blocked)],
        "followed": [dict(row._mapping) for row in await database.all(followed)],
    }


async def _ratings(database: Database, person: Person) -> dict[str, Any]:
    names = [column.name for column in ratings.c if column.name != "user_id"]
    changed = [column.name for column in rated_matches.c if column.name != "user_id"]
    return {
        "ratings": await _rows(database, ratings, ratings.c.user_id == person.id, *names),
        "matches": await _rows(database, rated_matches, rated_matches.c.user_id == person.id, *changed),
    }


async def _puzzles(database: Database, person: Person) -> dict[str, Any]:
    async def own(table: Table) -> list[dict[str, Any]]:
        names = [column.name for column in table.c if column.name != "owner"]
        return await _rows(database, table, table.c.owner == person.id, *names)

    return {
        "days": sorted(await own(daily_answers), key=lambda row: str(row["day"])),
        "answers": await own(puzzle_answers),
        "ratings": await own(solver_ratings),
    }


_TOLD = ("id", "card", "game", "time_class", "state", "kind", "rated", "private", "created", "started")
_RESULT = ("ended", "winner", "ending", "white_score", "black_score")


def _sat(person: Person) -> ColumnElement[bool]:
    return matches.c.id.in_(select(seats.c.match_id).where(seats.c.user_id == person.id))


async def _match_rows(database: Database, person: Person) -> AsyncIterator[Sequence[dict[str, Any]]]:
    columns = [matches.c[name] for name in (*_TOLD, *_RESULT)]
    last = ""
    while True:
        query = select(*columns).where(_sat(person), matches.c.id > last).order_by(matches.c.id)
        rows = await database.all(query.limit(_PAGE))
        if not rows:
            return
        last = rows[-1].id
        sides = await database.all(
            select(seats.c.match_id, seats.c.side, seats.c.name).where(
                seats.c.match_id.in_([row.id for row in rows])
            )
        )
        names: dict[str, dict[str, str]] = {}
        for seat in sides:
            names.setdefault(seat.match_id, {})[seat.side] = seat.name
        yield [dict(row._mapping) | {"players": names.get(row.id, {})} for row in rows]


async def _messages(
    database: Database, person: Person, lines: Table
) -> AsyncIterator[Sequence[dict[str, Any]]]:
    table = next(iter(lines.columns))
    place = ("", 0)
    while True:
        after = tuple_(table, lines.c.n) > tuple_(*place)
        rows = await database.all(
            select(table, lines.c.n, lines.c.at, lines.c.text, lines.c.phrase)
            .where(and_(lines.c.user_id == person.id, after))
            .order_by(table, lines.c.n)
            .limit(_PAGE)
        )
        if not rows:
            return
        place = (rows[-1][0], rows[-1].n)
        yield [dict(row._mapping) for row in rows]


async def _files(
    database: Database, store: MatchStore, person: Person
) -> AsyncIterator[tuple[str, str | bytes]]:
    begun = select(matches.c.id).where(_sat(person), matches.c.state != "open")
    async for row in _each(database, begun, matches.c.id):
        with suppress(Failure):  # one that is damaged is left out
            table = await store.table(row.id)
            if table is not None:
                over = table.state == OVER
                events = shown_events(await store.tail(row.id, 0), over=over)
                record = Record(shown_header(table.header, over=over), tuple(events))
                yield f"matches/{table.card.game}-{row.id}.jsonl", await asyncio.to_thread(record.to_text)
    made = select(reviews.c.id).where(reviews.c.owner == person.id, reviews.c.report.is_not(None))
    async for row in _each(database, made, reviews.c.id):
        content = await database.first(select(reviews.c.report).where(reviews.c.id == row.id))
        if content is not None and content.report is not None:
            yield f"reviews/{row.id}.json", zlib.decompress(content.report)
    given = select(uploads.c.id, uploads.c.name).where(uploads.c.owner == person.id)
    async for row in _each(database, given, uploads.c.id):
        content = await database.first(select(uploads.c.content).where(uploads.c.id == row.id))
        if content is not None:
            name = re.sub(r"[^\w.-]+", "_", row.name).lstrip(".")[-80:]
            yield f"uploads/{row.id}-{name}", zlib.decompress(content.content)


async def _each(database: Database, query: Select[Any], key: ColumnElement[str]) -> AsyncIterator[Row[Any]]:
    """The rows of a query, read in pages by their key."""
    last = ""
    while rows := await database.all(query.where(key > last).order_by(key).limit(_PAGE)):
        for row in rows:
            yield row
        last = rows[-1].id
