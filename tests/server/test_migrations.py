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
from sheshbesh.server.storage.tables import metadata, seeks
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


async def test_seeks_of_the_first_version_are_for_anybody(bare_database_url: str) -> None:
    made_by(
        "0001",
        bare_database_url,
        "INSERT INTO users (id, name, folded, kind, settings, created, seen)"
        " VALUES ('u', 'Nava', 'nava', 'user', '{}', 1, 1)",
        "INSERT INTO seeks (id, user_id, card, side, rated, created, process)"
        " VALUES ('s', 'u', 'tavla.p1', 'white', false, 1, 'p')",
    )
    database = Database(bare_database_url)
    await database.open()
    try:
        (row,) = await database.all(select(seeks))
        assert (row.card, row.process, row.invited, row.expires) == ("tavla.p1", "p", None, None)
    finally:
        await database.close()


@pytest.mark.parametrize(
    "revision", sampled(REVISIONS, lambda revision: revision in (*REVISIONS[:-2:5], *REVISIONS[-2:]))
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


@pytest.mark.parametrize(
    ("revision", "statement", "said"),
    [
        (
            "head",
            "UPDATE alembic_version SET version_num = '9999'",
            "of a newer version of the program (9999)",
        ),
        # As the first revision was before it was finished: later ones pass such a table by.
        ("0001", "DROP TABLE chat", "not those of their version, 0001: chat missing"),
        (
            "head",
            "ALTER TABLE users DROP COLUMN seen",
            f"not those of their version, {HEAD}: users.seen missing",
        ),
        ("0001", "DROP TABLE matches", "not those of their version, 0001: "),
    ],
)
async def test_tables_that_are_not_what_they_say_are_refused_in_a_sentence_and_left_alone(
    bare_database_url: str, revision: str, statement: str, said: str
) -> None:
    cascade = " CASCADE" if statement.startswith("DROP") and "postgres" in bare_database_url else ""
    made_by(revision, bare_database_url, statement + cascade)
    for _ in range(2):
        with pytest.raises(SettingsError, match="cannot be opened") as error:
            await check(bare_database_url)
        assert said in str(error.value)
    with make_engine(Database(bare_database_url).address, poolclass=NullPool).connect() as connection:
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    assert found == {"head": HEAD}.get(revision, revision) or "9999" in said
