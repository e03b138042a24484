"""Bringing the tables up to date, at the start of every process."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection

_FOLDER = Path(__file__).with_name("migrations")
_LOCK = 0x5E5BE5
"""PostgreSQL's advisory lock, so that processes that start together do not both migrate."""


def configuration(connection: Connection) -> Config:
    """Alembic's configuration for one connection."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    return config


async def migrate(connection: AsyncConnection, *, is_postgres: bool) -> None:
    """Run the migrations that the database has not seen, in one transaction."""
    async with connection.begin():
        if is_postgres:
            await connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        await connection.run_sync(lambda sync: command.upgrade(configuration(sync), "head"))
