"""Rows for several tables of PostgreSQL as one statement: a transaction, and one way there and back.

Row by row, as SQLAlchemy and the driver write them, they cost two to three times the processor.
"""

from __future__ import annotations

import selectors
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import (
    CTE,
    JSON,
    BinaryExpression,
    BindParameter,
    Connection,
    Dialect,
    Engine,
    Insert,
    LargeBinary,
    Text,
    Update,
)
from sqlalchemy.exc import DBAPIError

from sheshbesh.server.storage import json_column
from sheshbesh.server.storage.failures import reason_of
from sheshbesh.server.storage.json_column import JsonColumn

Group = tuple[Insert | Update, Sequence[Mapping[str, Any]]]
"""A statement, and the rows for it."""

_Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)
"""`select` takes no file from number 1,024 on, and a busy site has thousands."""


class RowWriter:
    """Writes rows by a connection of its own, of an engine that commits each statement."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None
        self._batches: dict[tuple[Insert | Update, ...], _Batch] = {}

    def close(self) -> None:
        """Disconnect."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def write(self, groups: Sequence[Group]) -> None:
        """Write rows of different tables, all or none.

        IntegrityError where a key is taken, ConnectionError where the connection broke: perhaps they are
        written.
        """
        statements = tuple(statement for statement, _ in groups)
        batch = self._batches.get(statements)
        if batch is None:
            batch = self._batches[statements] = _Batch(groups, self._engine.dialect)
        connection = self._connected()
        try:
            connection.exec_driver_sql(batch.text, batch.values(groups))
            connection.commit()
        except BaseException as error:
            self.close()
            if isinstance(error, DBAPIError) and error.connection_invalidated:
                raise ConnectionError(reason_of(error)) from error
            raise

    def _connected(self) -> Connection:
        """The connection; another one where the database has cut it meanwhile."""
        if self._connection is not None:
            driver: Any = self._connection.connection.driver_connection
            if driver.closed or _is_readable(driver.fileno()):
                self._connection.invalidate()
                self.close()
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection


def _is_readable(file: int) -> bool:
    """Return whether something has come unasked, which is the end of the connection."""
    with _Selector() as watched:
        watched.register(file, selectors.EVENT_READ)
        return bool(watched.select(0))


def are_independent(groups: Sequence[Group]) -> bool:
    """Return True if the rows may be written in any order: the parts of one statement do not see each
    other's."""
    return len({statement.table for statement, _ in groups}) == len(groups)


class _Batch:
    """One statement for rows of several. The rows for each are one parameter, a text of JSON: arrays, one for
    each column, cost the driver three times as much."""

    def __init__(self, groups: Sequence[Group], dialect: Dialect) -> None:
        self._keys: list[str | None] = []
        self._made: list[dict[str, Callable[[Any], Any]]] = []
        parts = []
        for number, (statement, rows) in enumerate(groups):
            kinds: dict[str, Any] = {column.name: column.type for column in statement.table.columns}
            key = None
            if isinstance(statement, Update):
                column, value = _named(statement)
                key = str(value.key)
                kinds[key] = column.type
            self._keys.append(key)
            kinds = {name: kinds[name] for name in rows[0]}
            made = {name: _made(kind) for name, kind in kinds.items()}
            self._made.append({name: make for name, make in made.items() if make is not None})
            parts.append(_part(number, statement, kinds))
        self.text = str(sa.select(sa.literal_column("1")).add_cte(*parts).compile(dialect=dialect))

    def values(self, groups: Sequence[Group]) -> dict[str, str]:
        """The rows by the names of the text."""
        texts = {}
        for number, ((_, rows), key, made) in enumerate(zip(groups, self._keys, self._made, strict=True)):
            # A row that is updated twice would get either of its values: the last one counts.
            told = rows if key is None else [*{row[key]: row for row in rows}.values()]
            if made:
                told = [{**row, **{name: make(row[name]) for name, make in made.items()}} for row in told]
            texts[f"p{number}"] = json_column.write(told)
        return texts


def _made(kind: Any) -> Callable[[Any], Any] | None:
    """Return what is done to values of a type before they are written as JSON."""
    if isinstance(kind, JsonColumn):
        return kind.check
    if isinstance(kind, LargeBinary):
        return lambda value: None if value is None else f"\\x{value.hex()}"
    return None


def _named(statement: Update) -> tuple[Any, BindParameter[Any]]:
    """The column by which an update of rows names its row, and the value's parameter."""
    where = statement.whereclause
    if not (isinstance(where, BinaryExpression) and isinstance(where.right, BindParameter)):
        raise TypeError(f"an update of rows names them by a column and a value: {statement}")
    return where.left, where.right


def _part(number: int, statement: Insert | Update, kinds: Mapping[str, Any]) -> CTE:
    """The statement with the rows of a text of JSON in the place of values."""
    table, given = statement.table, sa.bindparam(f"p{number}", type_=Text)
    columns = [sa.column(name, kind) for name, kind in kinds.items()]
    rows = (
        sa.func.json_to_recordset(sa.cast(given, JSON))
        .table_valued(*columns)
        .render_derived(name=f"v{number}", with_types=True)
    )
    written: Insert | Update
    if isinstance(statement, Update):
        column, value = _named(statement)
        new = {name: rows.c[name] for name in kinds if name != value.key}
        written = sa.update(table).where(column == rows.c[str(value.key)]).values(new)
    else:
        written = sa.insert(table).from_select([*kinds], sa.select(*rows.c), include_defaults=False)
    return written.cte(f"w{number}")
