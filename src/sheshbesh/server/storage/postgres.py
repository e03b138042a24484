"""The writer of rows to PostgreSQL: a connection of its own for transactions of nothing but rows."""

from __future__ import annotations

from collections.abc import Sequence

import asyncpg
from sqlalchemy import URL, Dialect
from sqlalchemy.exc import IntegrityError

from sheshbesh.server.storage.steps import PreparedStatements, Rows

_LOST = (
    asyncpg.InterfaceError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
)
"""What the driver raises where the database itself is what failed."""


class Writer:
    """The connection that writes rows; one transaction at a time.

    SQLAlchemy asks a connection of its pool whether it still stands before each transaction, which are ways
    there and back, and takes longer for a statement than the driver takes for all rows of it.
    """

    def __init__(self, url: URL, dialect: Dialect) -> None:
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._prepared = PreparedStatements(dialect)
        self._connection: asyncpg.Connection[asyncpg.Record] | None = None

    async def commit(self, groups: Sequence[Rows]) -> None:
        """Write rows in one transaction.

        IntegrityError where a key is taken, OSError where the database is away; another error of the
        driver's where it refuses a row. Nothing is written then, unless the connection was lost during the
        commit.
        """
        try:
            connection = await self._connected()
            if len(groups) == 1:  # the rows of one statement are a transaction by themselves
                await self._write(connection, groups[0])
                return
            async with connection.transaction():
                for group in groups:
                    await self._write(connection, group)
        except asyncpg.IntegrityConstraintViolationError as error:
            raise IntegrityError("INSERT", None, error) from error
        except _LOST as error:
            raise ConnectionError(str(error)) from error

    async def close(self) -> None:
        """Disconnect."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.close()

    async def _connected(self) -> asyncpg.Connection[asyncpg.Record]:
        if self._connection is None or self._connection.is_closed():
            self._connection = await asyncpg.connect(self._address)
        return self._connection

    async def _write(self, connection: asyncpg.Connection[asyncpg.Record], group: Rows) -> None:
        prepared = self._prepared.of(group)
        await connection.executemany(prepared.text, prepared.values(group.rows))
