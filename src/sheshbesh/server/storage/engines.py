"""Connections to either kind of database: who reads, who writes, and what SQLite must be told."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import StaticPool

from sheshbesh.errors import SettingsError

_BUSY_TIMEOUT = 10
"""Seconds that SQLite waits for another process."""
_READERS = 8


@dataclass(frozen=True, slots=True)
class Engines:
    """Engines to one database: for reading, for writing, and for writes of statements alone where that is
    another one."""

    reader: AsyncEngine
    writer: AsyncEngine
    plain: Engine | None = None

    async def dispose(self) -> None:
        """Disconnect."""
        for engine in {self.reader, self.writer}:
            await engine.dispose()
        if self.plain is not None:
            self.plain.dispose()


async def open_postgres(url: URL) -> Engines:
    """Engines to PostgreSQL."""
    engine = create_async_engine(url, pool_size=_READERS, max_overflow=0, pool_pre_ping=True)
    return Engines(engine, engine)


async def open_sqlite(url: URL) -> Engines:
    """Engines to SQLite, in a file or in memory."""
    arguments = {"timeout": _BUSY_TIMEOUT}
    if url.database in (None, "", ":memory:"):
        engine = create_async_engine(url, connect_args=arguments, poolclass=StaticPool)
        _prepare(engine.sync_engine, begin="BEGIN")
        return Engines(engine, engine)
    await asyncio.to_thread(_keep_journal_ahead, str(url.database))
    reader = create_async_engine(url, connect_args=arguments, pool_size=_READERS, max_overflow=0)
    writer = create_async_engine(url, connect_args=arguments, pool_size=1, max_overflow=0)
    plain = create_engine(
        url.set(drivername="sqlite"),
        connect_args={**arguments, "check_same_thread": False},
        poolclass=StaticPool,
    )
    _prepare(reader.sync_engine, begin="BEGIN")
    # A transaction that reads first and writes later could find its snapshot too old.
    _prepare(writer.sync_engine, begin="BEGIN IMMEDIATE")
    _prepare(plain, begin="BEGIN IMMEDIATE")
    return Engines(reader, writer, plain)


def _keep_journal_ahead(path: str) -> None:
    """Let readers and the writer of a file not wait for each other; the file remembers it.

    SQLite does not wait by itself here while another process opens the same file.
    """
    until = time.monotonic() + _BUSY_TIMEOUT
    while True:
        try:
            with closing(sqlite3.connect(path, timeout=_BUSY_TIMEOUT)) as connection:
                connection.execute("PRAGMA journal_mode=WAL")
                return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise SettingsError(f"the database {path} cannot be opened: {error}") from error
            time.sleep(0.05)


def _prepare(engine: Engine, *, begin: str) -> None:
    """Settings of each connection; transactions begin when SQLAlchemy says so, not when sqlite3 does."""

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("synchronous=NORMAL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        connection.exec_driver_sql(begin)
