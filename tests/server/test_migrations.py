"""Databases of earlier versions are brought up to date with what is in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from alembic import command
from sqlalchemy import Connection, select, text
from sqlalchemy.ext.asyncio import create_async_engine

from sheshbesh.server.storage import Database
from sheshbesh.server.storage.database import configuration, known_revisions
from sheshbesh.server.storage.schema import metadata
from sheshbesh.server.storage.tables import seeks
from tests.server.rows import fill

pytestmark = pytest.mark.anyio

Rows: TypeAlias = dict[str, dict[str, Any]]

_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}


async def made_by(
    revision: str, url: str, *statements: str, rows: Callable[[Connection], Rows] | None = None
) -> Rows:
    """A database as an earlier version of the program left it; what `rows` has put into it."""
    scheme, _, rest = url.partition("://")
    engine = create_async_engine(f"{_DRIVERS[scheme]}://{rest}")

    def upgrade(connection: Connection) -> None:
        command.upgrade(configuration(connection), revision)

    async with engine.begin() as connection:
        await connection.run_sync(upgrade)
        for statement in statements:
            await connection.execute(text(statement))
        made = {} if rows is None else await connection.run_sync(rows)
    await engine.dispose()
    return made


async def test_seeks_of_the_first_version_are_for_anybody(bare_database_url: str) -> None:
    await made_by(
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


@pytest.mark.parametrize("revision", sorted(known_revisions()))
async def test_a_row_of_every_table_survives_from_every_version(
    revision: str, bare_database_url: str
) -> None:
    before = await made_by(revision, bare_database_url, rows=fill)
    assert {"users", "matches", "events"} <= set(before)
    database = Database(bare_database_url)
    await database.open()
    try:
        for name, row in before.items():
            table = metadata.tables[name]
            kept = [table.c[column] for column in row]
            assert [dict(each._mapping) for each in await database.all(select(*kept))] == [row], name
        assert (await database.first(text("SELECT version_num FROM alembic_version"))) == (
            max(known_revisions()),
        )
    finally:
        await database.close()
