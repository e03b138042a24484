"""Whether a database can be had at all, asked before a server is started on it."""

from __future__ import annotations

import sqlite3

import asyncpg
from alembic.util import CommandError
from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from sheshbesh.errors import SettingsError
from sheshbesh.server.storage.database import Database

_FAULTS = (
    OSError,
    sqlite3.Error,
    SQLAlchemyError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    CommandError,
)


async def check(url: str) -> None:
    """Open a database, bring its tables up to date, close it; SettingsError says why that cannot be."""
    database = Database(url)
    try:
        await database.open()
    except _FAULTS as error:
        # SQLAlchemy adds a line on where to read more.
        reason = str(error).partition("\n")[0]
        where = make_url(url).render_as_string(hide_password=True)
        raise SettingsError(f"the database {where} cannot be opened: {reason}") from error
    finally:
        await database.close()
