"""The database: reads of their own, and one writer for all writes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import Executable, Row
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from sheshbesh.errors import SettingsError
from sheshbesh.server.storage.engines import Engines, open_postgres, open_sqlite
from sheshbesh.server.storage.migrate import migrate
from sheshbesh.server.storage.writer import Rows, Step, Writer, Written

__all__ = ["Conflict", "Database", "Rows", "Step", "Written"]

Conflict = IntegrityError
"""What a write raises that breaks a key: somebody else was first."""

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}


class Database:
    """One database, open between `open` and `close`.

    `url` is `sqlite:///file.db` or `postgresql://user@host/name`; SettingsError for others.
    """

    def __init__(self, url: str) -> None:
        try:
            parsed = make_url(url)
            self._url = parsed.set(drivername=_DRIVERS[parsed.drivername])
        except Exception as error:
            raise SettingsError(
                f"a database is sqlite:///FILE or postgresql://USER@HOST/NAME, not {url!r}"
            ) from error
        self.is_postgres = parsed.drivername.startswith("postgres")
        self._engines: Engines | None = None
        self._writer: Writer | None = None

    async def open(self) -> None:
        """Connect, bring the tables up to date, and begin to take writes."""
        self._engines = await (open_postgres if self.is_postgres else open_sqlite)(self._url)
        async with self._engines.writer.connect() as connection:
            await migrate(connection, is_postgres=self.is_postgres)
        self._writer = Writer(self._engines.writer, self._engines.plain)

    async def close(self) -> None:
        """Commit what has been handed in, and disconnect."""
        if self._writer is not None:
            await self._writer.close()
        if self._engines is not None:
            await self._engines.dispose()
        self._engines = self._writer = None

    @property
    def url(self) -> str:
        """Where it is, without its password."""
        return self._url.render_as_string(hide_password=True)

    # Reading

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection that sees one consistent state."""
        if self._engines is None:
            raise RuntimeError("the database is not open")
        async with self._engines.reader.connect() as connection:
            yield connection

    async def all(self, statement: Executable) -> Sequence[Row[Any]]:
        """All rows of a query."""
        async with self.read() as connection:
            return (await connection.execute(statement)).all()

    async def first(self, statement: Executable) -> Row[Any] | None:
        """The first row of a query, None where it has none."""
        async with self.read() as connection:
            return (await connection.execute(statement)).first()

    # Writing

    async def write(self, *steps: Step) -> list[Any]:
        """Do all steps or none; return after they are committed.

        The answers are a `Written` for each statement and for each function what it returned. Writes
        that come together share a transaction; one that fails, fails alone. Conflict where a key
        exists. A caller that is cancelled does not know whether it was written.
        """
        if self._writer is None:
            raise RuntimeError("the database is not open")
        return await self._writer.write(steps)
