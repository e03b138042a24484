"""Databases of earlier versions are brought up to date with what is in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from alembic import command
from sqlalchemy import Connection, NullPool, select, text

from sheshbesh.errors import SettingsError
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.check import check
from sheshbesh.server.storage.database import make_engine
from sheshbesh.server.storage.schema import configuration, known_revisions
from sheshbesh.server.storage.tables import metadata, rated_matches, retired_names, seeks
from sheshbesh.server.storage.tournament_tables import tournament_entrants, tournaments
from tests.server.rows import fill
from tests.sizes import sampled

pytestmark = pytest.mark.anyio

REVISIONS = sorted(known_revisions())
HEAD = REVISIONS[-1]

Rows: TypeAlias = dict[str, dict[str, Any]]


def made_by(
    revision: str, url: str, *statements: str, rows: Callable[[Connection], Rows] | None = None
) -> Rows:
    """A database as an earlier version of the program left it; what `rows` has put into it."""
    with make_engine(Database(url).address, poolclass=NullPool).begin() as connection:
        command.upgrade(configuration(connection), revision)
        for statement in statements:
            connection.execute(text(statement))
        return {} if rows is None else rows(connection)


_USER = "INSERT INTO users (id, name, folded, kind, settings, created, seen) VALUES"
_MATCH = "INSERT INTO matches (id, header, card, game, rules, time_class, state, kind, created) VALUES"
_SEAT = "INSERT INTO seats (match_id, side, user_id, name, keeper) VALUES"
_FIRST_VERSION = (
    f"{_USER} ('a', 'a', 'a', 'user', '{{}}', 0, 0), ('b', 'b', 'b', 'user', '{{}}', 0, 0),"
    " ('c', 'c', 'c', 'bot', '{}', 0, 0)",
    *(
        f"{_MATCH} ('{m}', '{{}}', 'tavla.p1', 'tavla', 'r', 'slow', 'over', 'people', 0)"
        for m in ("m1", "m2")
    ),
    f"{_SEAT} ('m1', 'white', 'a', 'a', 'page'), ('m1', 'black', 'b', 'b', 'page'),"
    " ('m2', 'white', 'a', 'a', 'page'), ('m2', 'black', 'c', 'c', 'server')",
    "INSERT INTO rated_matches (match_id, user_id, before, after, at) VALUES"
    " ('m1', 'a', 1500, 1600, 0), ('m2', 'a', 1600, 1700, 0)",
    "INSERT INTO seeks (id, user_id, card, side, rated, created, process)"
    " VALUES ('s', 'a', 'tavla.p1', 'white', false, 1, 'p')",
)


async def test_a_database_of_the_first_version_is_brought_up_to_date(bare_database_url: str) -> None:
    """Its seeks are for anybody, and ratings against bots are told apart."""
    made_by("0001", bare_database_url, *_FIRST_VERSION)
    database = Database(bare_database_url)
    await database.open()
    try:
        (row,) = await database.all(select(seeks))
        assert (row.card, row.process, row.invited, row.expires) == ("tavla.p1", "p", None, None)
        pools = await database.all(
            select(rated_matches.c.match_id, rated_matches.c.pool).order_by("match_id")
        )
        assert [tuple(row) for row in pools] == [("m1", "people"), ("m2", "bots")]
        assert await database.all(select(retired_names)) == []
    finally:
        await database.close()


_TOURNAMENT = (
    "INSERT INTO tournaments (id, settings, amended, system, status, title, game, created, secret) VALUES"
)
_PLACE = "INSERT INTO tournament_entrants (tournament_id, number, name, status, place) VALUES"
_PLACES = tuple(
    statement
    for name, settings, amended, system in (
        ("by default", "{}", "{}", "knockout"),
        ("none", '{"consolation": "none"}', "{}", "knockout"),
        ("amended", '{"consolation": "none"}', '{"last_chance": true}', "knockout"),
        ("swiss", "{}", "{}", "swiss"),
    )
    for statement in (
        f"{_TOURNAMENT} ('{name}', '{settings}', '{amended}', '{system}', 'over', 't', 'g', 0, '')",
        f"{_PLACE} ('{name}', 1, 'a', 'out', 1)",
    )
)


async def test_places_that_may_be_those_of_a_consolation_are_forgotten(bare_database_url: str) -> None:
    """A knockout has a consolation bracket where its settings do not say otherwise."""
    made_by("0023", bare_database_url, *_PLACES)
    database = Database(bare_database_url)
    await database.open()
    try:
        table = tournament_entrants.c
        found = await database.all(select(table.tournament_id, table.place))
        assert {row.tournament_id: row.place for row in found} == {
            "by default": None,
            "none": 1,
            "amended": None,
            "swiss": 1,
        }
    finally:
        await database.close()


async def test_a_series_gets_the_time_zone_that_it_was_held_in(bare_database_url: str) -> None:
    """The weekly one was that in which the games take turns."""
    insert = _TOURNAMENT.replace("secret)", "secret, series_id, series_date)")
    zone = '{"zone": "Europe/Istanbul"}'
    series = (("a", "{}", "'daily'"), ("b", zone, "'daily'"), ("c", zone, "'weekly'"), ("d", zone, "NULL"))
    made_by(
        "0024",
        bare_database_url,
        *(
            f"{insert} ('{name}', '{settings}', '{{}}', 'swiss', 'over', 't', 'g', 0, '', {kept}, '{name}')"
            for name, settings, kept in series
        ),
    )
    database = Database(bare_database_url)
    await database.open()
    try:
        table = tournaments.c
        found = await database.all(select(table.id, table.series_id, table.series_date))
        assert {(row.id, row.series_id, row.series_date) for row in found} == {
            ("a", "daily UTC", "a"),
            ("b", "daily Europe/Istanbul", "b"),
            ("c", "medley Europe/Istanbul", "c"),
            ("d", None, "d"),
        }
    finally:
        await database.close()


@pytest.mark.parametrize(
    "revision", sampled(REVISIONS, lambda revision: revision in (REVISIONS[0], REVISIONS[9]))
)
async def test_a_row_of_every_table_survives_from_every_version(
    revision: str, bare_database_url: str
) -> None:
    before = made_by(revision, bare_database_url, rows=fill)
    assert {"users", "matches", "events"} <= set(before)
    database = Database(bare_database_url)
    await database.open()
    try:
        assert before.keys() - metadata.tables.keys() <= {"engine_jobs", "engine_workers"}
        for name, row in before.items():
            table = metadata.tables.get(name)
            if table is None:  # what was in it was asked again by each process
                continue
            kept = [table.c[column] for column in row]
            assert [dict(each._mapping) for each in await database.all(select(*kept))] == [row], name
        assert (await database.first(text("SELECT version_num FROM alembic_version"))) == (HEAD,)
    finally:
        await database.close()


async def _opened_once(url: str) -> None:
    database = Database(url)
    await database.open()
    await database.close()


@pytest.mark.parametrize(
    ("bare_database_url", "revision", "statement", "said"),
    [
        (
            "sqlite",
            "head",
            "UPDATE alembic_version SET version_num = '9999'",
            "of a newer version of the program (9999)",
        ),
        # As the first revision was before it was finished: later ones pass such a table by.
        ("sqlite", "0001", "DROP TABLE chat", "not those of their version, 0001: chat missing"),
        *(
            (
                kind,
                "head",
                "ALTER TABLE users DROP COLUMN seen",
                f"not those of their version, {HEAD}: users.seen missing",
            )
            for kind in ("sqlite", "postgres")
        ),
        ("sqlite", "0001", "DROP TABLE matches", "not those of their version, 0001: "),
    ],
    indirect=["bare_database_url"],
)
async def test_tables_that_are_not_what_they_say_are_refused_in_a_sentence_and_left_alone(
    bare_database_url: str, revision: str, statement: str, said: str
) -> None:
    url = bare_database_url
    if revision == "head":  # as it is there already
        await _opened_once(url)
    made_by(revision, url, statement)
    for _ in range(2):
        with pytest.raises(SettingsError, match="cannot be opened") as error:
            await check(url)
        assert said in str(error.value)
    with make_engine(Database(url).address, poolclass=NullPool).connect() as connection:
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    assert found == {"head": HEAD}.get(revision, revision) or "9999" in said
