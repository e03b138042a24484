"""The writer of rows to PostgreSQL: a connection of its own for transactions of nothing but rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import asyncpg
from sqlalchemy import (
    CTE,
    URL,
    BinaryExpression,
    BindParameter,
    Dialect,
    Insert,
    Update,
    bindparam,
    func,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.exc import IntegrityError

from sheshbesh.server.storage.steps import Prepared, PreparedStatements, Rows

LOST = (
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
        self._dialect = dialect
        self._prepared = PreparedStatements(dialect)
        self._batches: dict[tuple[Insert | Update, ...], Batch] = {}
        self._connection: asyncpg.Connection[asyncpg.Record] | None = None

    async def commit(self, groups: Sequence[Rows]) -> None:
        """Write rows in one transaction.

        IntegrityError where a key is taken, OSError where the database is away; another error of the
        driver's where it refuses a row. Nothing is written then, unless the connection was lost during the
        commit.
        """
        try:
            connection = await self._connected()
            if are_independent(groups):
                batch = self._batch(groups)
                await connection.execute(batch.text, *batch.values(groups))
                return
            async with connection.transaction():
                for group in groups:
                    await self._write(connection, group)
        except asyncpg.IntegrityConstraintViolationError as error:
            raise IntegrityError("INSERT", None, error) from error
        except LOST as error:
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

    def _batch(self, groups: Sequence[Rows]) -> Batch:
        statements = tuple(group.statement for group in groups)
        found = self._batches.get(statements)
        if found is None:
            prepared = [self._prepared.of(group) for group in groups]
            found = self._batches[statements] = Batch(statements, prepared, self._dialect)
        return found

    async def _write(self, connection: asyncpg.Connection[asyncpg.Record], group: Rows) -> None:
        prepared = self._prepared.of(group)
        await connection.executemany(prepared.text, prepared.values(group.rows))


def are_independent(groups: Sequence[Rows]) -> bool:
    """Whether the rows may be written in any order: the parts of one statement do not see each other's."""
    return len({group.statement.table for group in groups}) == len(groups)


class Batch:
    """The rows of several statements as one statement, which is a transaction and one way there and back.

    Its parameters are arrays, one for each column of each statement, so that its text is the same however
    many rows there are.
    """

    def __init__(
        self, statements: Sequence[Insert | Update], prepared: Sequence[Prepared], dialect: Dialect
    ) -> None:
        self._prepared = prepared
        self._keys = [key_of(statement) for statement in statements]
        parts = [
            _part(number, statement, each.names)
            for number, (statement, each) in enumerate(zip(statements, prepared, strict=True))
        ]
        self.text = str(select(literal_column("1")).add_cte(*parts).compile(dialect=dialect))

    def values(self, groups: Sequence[Rows]) -> list[list[Any]]:
        """The arrays, in the order of the text."""
        arrays: list[list[Any]] = []
        for group, prepared, key in zip(groups, self._prepared, self._keys, strict=True):
            # A row that is updated twice would get either of its values: the last one counts.
            rows = group.rows if key is None else [*{row[key]: row for row in group.rows}.values()]
            arrays += map(list, zip(*prepared.values(rows), strict=True))
        return arrays


def key_of(statement: Insert | Update) -> str | None:
    """The value by which an update of `Rows` names its row; None for an insertion."""
    return None if isinstance(statement, Insert) else str(_named(statement)[1].key)


def _named(statement: Update) -> tuple[Any, BindParameter[Any]]:
    where = statement.whereclause
    if not (isinstance(where, BinaryExpression) and isinstance(where.right, BindParameter)):
        raise TypeError(f"an update of rows names them by a column and a value: {statement}")
    return where.left, where.right


def _part(number: int, statement: Insert | Update, names: Sequence[str]) -> CTE:
    table = statement.table
    kinds: Mapping[str, Any] = {column.name: column.type for column in table.columns}
    if isinstance(statement, Update):
        column, value = _named(statement)
        kinds = {**kinds, str(value.key): column.type}
    arrays = (bindparam(f"p{number}_{name}", type_=ARRAY(kinds[name])) for name in names)
    rows = func.unnest(*arrays).table_valued(*names).render_derived(name=f"v{number}")
    written: Insert | Update
    if isinstance(statement, Update):
        new = {name: rows.c[name] for name in names if name != value.key}
        written = update(table).where(column == rows.c[str(value.key)]).values(new)
    else:
        written = insert(table).from_select(list(names), select(*rows.c), include_defaults=False)
    return written.cte(f"w{number}")
