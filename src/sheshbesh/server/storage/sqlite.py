"""The one writer of a file of SQLite: a thread and a connection that write for everybody."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import chain, groupby
from typing import Any, TypeAlias

from sqlalchemy import URL, Engine, Executable, Insert, create_engine, event
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import PoolProxiedConnection, StaticPool

from sheshbesh.errors import SettingsError
from sheshbesh.server.storage import json_column
from sheshbesh.server.storage.steps import Rows, Step, written

BUSY_TIMEOUT = 10
"""Seconds that SQLite waits for another process."""

_MOST_ROWS = 32
"""Rows inserted in one go; times the columns it must stay below what SQLite takes, 999 at the least."""

JSON: Mapping[str, Any] = {
    "json_serializer": json_column.write,
    "json_deserializer": json_column.read,
}
"""How engines, of either database, write and read columns of JSON."""

_Processor: TypeAlias = Callable[[Any], Any]
_Prepared: TypeAlias = tuple[str, Sequence[tuple[str, _Processor | None]]]


class Writer:
    """The connection that writes. It may be used by one thread at a time.

    Most transactions are nothing but rows of events, and SQLAlchemy's way through engine, pool and
    statement takes several times as long as SQLite takes for them: those go to the driver directly.
    """

    def __init__(self, url: URL) -> None:
        self._engine = create_engine(
            url.set(drivername="sqlite"),
            connect_args={"timeout": BUSY_TIMEOUT, "check_same_thread": False},
            poolclass=StaticPool,
            **JSON,
        )
        prepare(self._engine, begin="BEGIN IMMEDIATE")
        self._prepared: dict[Insert, _Prepared] = {}

    def close(self) -> None:
        """Disconnect."""
        self._engine.dispose()

    def commit(self, jobs: Sequence[Sequence[Step]]) -> list[list[Any]]:
        """Do all steps (none is a function) in one transaction; IntegrityError where a key is taken."""
        answers: list[list[Any]] = [[None] * len(steps) for steps in jobs]
        steps = [(job, place, step) for job, each in enumerate(jobs) for place, step in enumerate(each)]
        try:
            if all(isinstance(step, Rows) for _, _, step in steps):
                with closing(self._engine.raw_connection()) as pooled, _transaction(pooled) as driver:
                    self._insert(driver, [step for _, _, step in steps])
                return answers
            with self._engine.begin() as connection:
                for are_rows, group in groupby(steps, key=lambda entry: isinstance(entry[2], Rows)):
                    if are_rows:
                        driver = _driver(connection.connection)
                        self._insert(driver, [step for _, _, step in group])
                        continue
                    for job, place, step in group:
                        assert isinstance(step, Executable)
                        answers[job][place] = written(connection.execute(step))
        except sqlite3.IntegrityError as error:
            raise IntegrityError("INSERT", None, error) from error
        return answers

    def _insert(self, driver: sqlite3.Connection, steps: Sequence[Any]) -> None:
        """Insert rows; those for one statement that come one behind the other in few goes.

        The driver lets go of the interpreter at every go, and a busy event loop takes its time to give it
        back: with one row at a time, a thousand rows a second were all that this thread could write.
        """
        for statement, group in groupby(steps, key=lambda step: step.statement):
            text, columns = self._prepare(statement)
            values = [
                [row[name] if make is None else make(row[name]) for name, make in columns]
                for step in group
                for row in step.rows
            ]
            one = f"({', '.join('?' * len(columns))})"
            for part in _parts(values):
                driver.execute(text.replace(one, ", ".join([one] * len(part)), 1), list(chain(*part)))

    def _prepare(self, statement: Insert) -> _Prepared:
        """A statement as SQLite's text, and its columns with what makes their values SQLite's."""
        found = self._prepared.get(statement)
        if found is None:
            dialect = self._engine.dialect
            table = statement.table
            compiled = statement.compile(dialect=dialect)
            columns = [table.c[name] for name in compiled.positiontup or ()]
            found = self._prepared[statement] = (
                str(compiled),
                [
                    (column.name, column.type.dialect_impl(dialect).bind_processor(dialect))
                    for column in columns
                ],
            )
        return found


def _parts(rows: Sequence[list[Any]]) -> Iterator[Sequence[list[Any]]]:
    """Rows in parts whose sizes are few, so that the driver knows their statements: powers of two."""
    begin = 0
    while left := len(rows) - begin:
        size = min(_MOST_ROWS, 1 << (left.bit_length() - 1))
        yield rows[begin : begin + size]
        begin += size


def _driver(pooled: PoolProxiedConnection) -> sqlite3.Connection:
    connection = pooled.driver_connection
    assert isinstance(connection, sqlite3.Connection)
    return connection


@contextmanager
def _transaction(pooled: PoolProxiedConnection) -> Iterator[sqlite3.Connection]:
    """A transaction of the driver's own."""
    connection = _driver(pooled)
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def keep_journal_ahead(path: str) -> None:
    """Let readers and the writer of a file not wait for each other; the file remembers it.

    SQLite does not wait by itself here while another process opens the same file.
    """
    until = time.monotonic() + BUSY_TIMEOUT
    while True:
        try:
            with closing(sqlite3.connect(path, timeout=BUSY_TIMEOUT)) as connection:
                connection.execute("PRAGMA journal_mode=WAL")
                return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise SettingsError(f"the database {path} cannot be opened: {error}") from error
            time.sleep(0.05)


def prepare(engine: AsyncEngine | Engine, *, begin: str) -> None:
    """Settings of each connection; transactions begin when SQLAlchemy says so, not when sqlite3 does."""
    plain = engine.sync_engine if isinstance(engine, AsyncEngine) else engine

    @event.listens_for(plain, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("synchronous=NORMAL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(plain, "begin")
    def _begin(connection: Any) -> None:
        connection.exec_driver_sql(begin)
