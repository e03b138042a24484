"""Databases of earlier versions are brought up to date with what is in them."""

from __future__ import annotations

import pytest
from alembic import command
from sqlalchemy import Connection, select, text
from sqlalchemy.ext.asyncio import create_async_engine

from sheshbesh.server.storage import Database
from sheshbesh.server.storage.database import configuration
from sheshbesh.server.storage.tables import seeks

pytestmark = pytest.mark.anyio

_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}


async def made_by(revision: str, url: str, *statements: str) -> None:
    """A database as an earlier version of the program left it."""
    scheme, _, rest = url.partition("://")
    engine = create_async_engine(f"{_DRIVERS[scheme]}://{rest}")

    def upgrade(connection: Connection) -> None:
        command.upgrade(configuration(connection), revision)

    async with engine.begin() as connection:
        await connection.run_sync(upgrade)
        for statement in statements:
            await connection.execute(text(statement))
    await engine.dispose()


async def test_seeks_of_the_first_version_are_for_anybody(database_url: str) -> None:
    await made_by(
        "0001",
        database_url,
        "INSERT INTO users (id, name, folded, kind, settings, created, seen)"
        " VALUES ('u', 'Nava', 'nava', 'user', '{}', 1, 1)",
        "INSERT INTO seeks (id, user_id, card, side, rated, created, process)"
        " VALUES ('s', 'u', 'tavla.p1', 'white', false, 1, 'p')",
    )
    database = Database(database_url)
    await database.open()
    try:
        (row,) = await database.all(select(seeks))
        assert (row.card, row.process, row.invited, row.expires) == ("tavla.p1", "p", None, None)
    finally:
        await database.close()
