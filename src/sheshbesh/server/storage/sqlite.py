"""The one writer of a file of SQLite: a thread and a connection that write for everybody."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import chain, groupby
from typing import Any

from sqlalchemy import URL, Engine, Executable, Update, create_engine, event
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import PoolProxiedConnection, StaticPool

from sheshbesh.server.storage import json_column
from sheshbesh.server.storage.steps import PreparedStatements, Rows, Step, by_statement, written

BUSY_TIMEOUT = 10
"""Seconds that SQLite waits for another process."""

_MOST_ROWS = 32
"""Rows inserted in one go; times the columns it must stay below what SQLite takes, 999 at the least."""

JSON: Mapping[str, Any] = {
    "json_serializer": json_column.write,
    "json_deserializer": json_column.read,
}
"""How engines, of either database, write and read columns of JSON."""


class Writer:
    """The connection that writes. It may be used by one thread at a time.

    Most transactions are nothing but rows of events and of how matches stand, and SQLAlchemy's way through
    engine, pool and statement takes several times as long as SQLite takes for them: those go to the driver
    directly.
    """

    def __init__(self, url: URL) -> None:
        self._engine = create_engine(
            url.set(drivername="sqlite"),
            connect_args={"timeout": BUSY_TIMEOUT, "check_same_thread": False},
            poolclass=StaticPool,
            **JSON,
        )
        prepare(self._engine, begin="BEGIN IMMEDIATE")
        self._prepared = PreparedStatements(self._engine.dialect)

    def close(self) -> None:
        """Disconnect."""
        self._engine.dispose()

    def commit(self, jobs: Sequence[Sequence[Step]]) -> list[list[Any]]:
        """Do all steps (none is a function) in one transaction; IntegrityError where a key is taken."""
        answers: list[list[Any]] = [[None] * len(steps) for steps in jobs]
        try:
            if (rows := by_statement(jobs)) is not None:
                with closing(self._engine.raw_connection()) as pooled, _transaction(pooled) as driver:
                    self._write(driver, rows)
                return answers
            steps = [(job, place, step) for job, each in enumerate(jobs) for place, step in enumerate(each)]
            with self._engine.begin() as connection:
                for are_rows, group in groupby(steps, key=lambda entry: isinstance(entry[2], Rows)):
                    if are_rows:
                        together = by_statement([[step] for _, _, step in group])
                        assert together is not None
                        self._write(_driver(connection.connection), together)
                        continue
                    for job, place, step in group:
                        assert isinstance(step, Executable)
                        answers[job][place] = written(connection.execute(step))
        except sqlite3.IntegrityError as error:
            raise IntegrityError("INSERT", None, error) from error
        return answers

    def _write(self, driver: sqlite3.Connection, groups: Sequence[Rows]) -> None:
        """Write rows, those that are inserted in few goes.

        The driver lets go of the interpreter at every go, and a busy event loop takes its time to give it
        back: with one row at a time, a thousand rows a second were all that this thread could write.
        """
        for group in groups:
            prepared = self._prepared.of(group)
            values = prepared.values(group.rows)
            if isinstance(group.statement, Update):
                driver.executemany(prepared.text, values)
                continue
            one = f"({', '.join('?' * prepared.width)})"
            for part in _parts(values):
                driver.execute(
                    prepared.text.replace(one, ", ".join([one] * len(part)), 1), list(chain(*part))
                )


def _parts(rows: Sequence[list[Any]]) -> Iterator[Sequence[list[Any]]]:
    """Rows in parts of a few sizes, powers of two, so that the driver's cache has their statements."""
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
                raise
            time.sleep(0.05)


def prepare(engine: AsyncEngine | Engine, *, begin: str) -> None:
    """Settings of each connection; transactions begin when SQLAlchemy says so, not when sqlite3 does."""
    plain = engine.sync_engine if isinstance(engine, AsyncEngine) else engine

    @event.listens_for(plain, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        # FULL: a transaction that is acknowledged is on the disk, whatever becomes of the power.
        for pragma in ("synchronous=FULL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(plain, "begin")
    def _begin(connection: Any) -> None:
        connection.exec_driver_sql(begin)
