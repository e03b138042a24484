"""The database: reads of their own, and one writer that commits the writes of many at once."""

from __future__ import annotations

import asyncio
import logging
import math
import re
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, cast

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Executable, Row, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import StaticPool

from sheshbesh.errors import SettingsError
from sheshbesh.server.storage import postgres, sqlite
from sheshbesh.server.storage.schema import metadata
from sheshbesh.server.storage.steps import Rows, Step, Written, by_statement, written

__all__ = ["UNAVAILABLE", "Conflict", "Database", "Rows", "Step", "Written", "is_unavailable"]


UNAVAILABLE = (
    OSError,
    sqlite3.OperationalError,
    OperationalError,
    InterfaceError,
    PoolTimeoutError,
    *postgres.LOST,
)
"""What is raised where the database itself is what failed: by SQLAlchemy, by the drivers without it."""

Conflict = IntegrityError
"""What a write raises that breaks a key: somebody else was first."""

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
_MOST_AT_ONCE = 200
"""Writes in one transaction: bounds how long the first of them waits for the last."""
_GATHER = 0.002
"""Seconds for which a write waits for others to share its transaction: one costs more than its rows."""
_READERS = 8
_QUIET = 60.0
"""Seconds in which it is logged once that writes are stored again."""

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Job:
    steps: tuple[Step, ...]
    done: asyncio.Future[list[Any]]


class Database:
    """One database, open between `open` and `close`.

    `url` is `sqlite:///file.db` or `postgresql://user@host/name`; SettingsError for others. `committed` is
    called with the seconds that each transaction of the writer took.
    """

    def __init__(self, url: str, *, committed: Callable[[float], None] = lambda _seconds: None) -> None:
        self._committed = committed
        try:
            parsed = make_url(url)
            self._url = parsed.set(drivername=_DRIVERS[parsed.drivername])
        except Exception as error:
            raise SettingsError(
                f"a database is sqlite:///FILE or postgresql://USER@HOST/NAME, not {url!r}"
            ) from error
        self.is_postgres = parsed.drivername.startswith("postgres")
        self.failure: str | None = None
        """Why the last transaction could not be stored, where the database or its disk is what failed."""
        self._recovered = -math.inf
        self._reader: AsyncEngine | None = None
        self._writer: AsyncEngine | None = None
        # A file of SQLite is written without a detour through the event loop for each statement.
        self._plain: sqlite.Writer | None = None
        self._rows: postgres.Writer | None = None
        self._thread: ThreadPoolExecutor | None = None
        self._jobs: asyncio.Queue[_Job] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def open(self, *, as_it_is: bool = False) -> None:
        """Connect, bring the tables up to date, and begin to take writes.

        `as_it_is` leaves the tables alone, for a role that may not change them: SettingsError where they are
        not those of this version of the program.
        """

        if self.is_postgres:
            pool = {"pool_size": _READERS, "max_overflow": 0, "pool_pre_ping": True, **sqlite.JSON}
            self._writer = create_async_engine(self._url, **pool)
            # One query needs no transaction, whose every word would be a way there and back.
            self._reader = create_async_engine(self._url, isolation_level="AUTOCOMMIT", **pool)
            self._rows = postgres.Writer(self._url, self._writer.dialect)
        else:
            await self._open_sqlite()
        async with self.writer.connect() as connection:
            await (current(connection) if as_it_is else migrate(connection, is_postgres=self.is_postgres))
        self._task = asyncio.create_task(self._write_for_ever(), name="database writer")

    async def close(self) -> None:
        """Commit what has been handed in, and disconnect."""
        if self._task is not None:
            if not self._task.done():
                await self._jobs.join()
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None
        for engine in {self._reader, self._writer} - {None}:
            assert engine is not None
            await engine.dispose()
        if self._plain is not None and self._thread is not None:
            self._thread.shutdown()
            self._plain.close()
        if self._rows is not None:
            await self._rows.close()
        self._reader = self._writer = self._plain = self._thread = self._rows = None

    @property
    def url(self) -> str:
        """Where it is, without its password."""
        plain = self._url.set(drivername=self._url.get_backend_name())
        return plain.render_as_string(hide_password=True)

    @property
    def address(self) -> URL:
        """Where it is, for an engine of one's own."""
        return self._url

    @property
    def writer(self) -> AsyncEngine:
        """The engine that may write; only the writer and migrations use it."""
        if self._writer is None:
            raise RuntimeError("the database is not open")
        return self._writer

    # Reading

    async def all(self, statement: Executable) -> Sequence[Row[Any]]:
        """All rows of a query."""
        async with self._reading() as connection:
            return (await connection.execute(statement)).all()

    async def first(self, statement: Executable) -> Row[Any] | None:
        """The first row of a query, None where it has none."""
        async with self._reading() as connection:
            return (await connection.execute(statement)).first()

    def _reading(self) -> AsyncConnection:
        """A connection for one query."""
        if self._reader is None:
            raise RuntimeError("the database is not open")
        return self._reader.connect()

    # Writing

    async def write(self, *steps: Step) -> list[Any]:
        """Do all steps or none; return after they are committed.

        The answers are a `Written` for each statement and for each function what it returned. Writes
        that come together share a transaction; one that fails, fails alone. Conflict where a key
        exists. A caller that is cancelled does not know whether it was written.
        """
        if self._task is None or self._task.done():
            raise RuntimeError("the database is not open")
        job = _Job(steps, asyncio.get_running_loop().create_future())
        self._jobs.put_nowait(job)
        return await asyncio.shield(job.done)

    async def _write_for_ever(self) -> None:
        jobs: list[_Job] = []
        try:
            while True:
                jobs.append(await self._jobs.get())
                await asyncio.sleep(_GATHER)
                while len(jobs) < _MOST_AT_ONCE and not self._jobs.empty():
                    jobs.append(self._jobs.get_nowait())
                await self._commit(jobs)
                self._let_go(jobs)
        finally:
            # A loop that ends cancels all its tasks at once, and the others must not wait for this one.
            while not self._jobs.empty():
                jobs.append(self._jobs.get_nowait())
            self._let_go(jobs)

    def _let_go(self, jobs: list[_Job]) -> None:
        """Be done with jobs: whose answer is open gets none."""
        for job in jobs:
            if not job.done.done():
                job.done.cancel()
            self._jobs.task_done()
        jobs.clear()

    async def _commit(self, jobs: Sequence[_Job]) -> None:
        """Commit jobs together; if one of them fails, each half, so that the others still share some."""
        # One order in all processes: two that wait for each other's rows would wait for ever.
        jobs, began = sorted(jobs, key=_place), perf_counter()
        try:
            if self._plain is not None and all(_is_plain(step) for job in jobs for step in job.steps):
                loop, steps = asyncio.get_running_loop(), [job.steps for job in jobs]
                answers = await loop.run_in_executor(self._thread, self._plain.commit, steps)
            elif self._rows is not None and (rows := by_statement([job.steps for job in jobs])) is not None:
                await self._rows.commit(rows)
                answers = [[None] * len(job.steps) for job in jobs]
            else:
                async with self.writer.begin() as connection:
                    answers = [await _perform(connection, job.steps) for job in jobs]
        except Exception as error:  # whatever it is, it belongs to the callers
            if is_unavailable(error):
                self._failed(error)
                for job in jobs:
                    _fail(job, error)
            elif (half := len(jobs) // 2) > 0:
                await self._commit(jobs[:half])
                await self._commit(jobs[half:])
            else:
                _fail(jobs[0], error)
            return
        self._failed(None)
        self._committed(perf_counter() - began)
        for job, answer in zip(jobs, answers, strict=True):
            if not job.done.done():
                job.done.set_result(answer)

    def _failed(self, error: Exception | None) -> None:
        """Note whether writes are stored; the log has where that begins and ends.

        On a disk that is nearly full small writes are stored and large ones are not, many times a second.
        """
        failure = None if error is None else reason_of(error)
        if failure is not None and failure != self.failure:
            log.error("the database stores nothing: %s", failure, exc_info=error)
        elif failure is None and self.failure is not None and perf_counter() - self._recovered > _QUIET:
            self._recovered = perf_counter()
            log.warning("the database stores again")
        self.failure = failure

    async def _open_sqlite(self) -> None:
        arguments = {"timeout": sqlite.BUSY_TIMEOUT}
        if self._url.database in (None, "", ":memory:"):
            self._writer = self._reader = create_async_engine(
                self._url, connect_args=arguments, poolclass=StaticPool, **sqlite.JSON
            )
            sqlite.prepare(self._writer, begin="BEGIN")
            return
        await asyncio.to_thread(sqlite.keep_journal_ahead, str(self._url.database))
        self._reader = create_async_engine(
            self._url, connect_args=arguments, pool_size=_READERS, max_overflow=0, **sqlite.JSON
        )
        self._writer = create_async_engine(
            self._url, connect_args=arguments, pool_size=1, max_overflow=0, **sqlite.JSON
        )
        self._plain = sqlite.Writer(self._url)
        self._thread = ThreadPoolExecutor(1, "database writer")
        sqlite.prepare(self._reader, begin="BEGIN")
        # A transaction that reads first and writes later could find its snapshot too old.
        sqlite.prepare(self._writer, begin="BEGIN IMMEDIATE")


def _place(job: _Job) -> str:
    """The match whose rows a job inserts; jobs with none come first."""
    rows = next((step.rows for step in job.steps if isinstance(step, Rows) and step.rows), ())
    return str(rows[0].get("match_id", "")) if rows else ""


async def _perform(connection: AsyncConnection, steps: Sequence[Step]) -> list[Any]:
    answers: list[Any] = []
    for step in steps:
        if isinstance(step, Executable):
            answers.append(written(await connection.execute(step)))
        elif isinstance(step, Rows):
            await connection.execute(step.statement, step.rows)
            answers.append(None)
        else:
            answers.append(await step(connection))
    return answers


_AROUND = re.compile(r"^\((sqlalchemy|sqlite3|asyncpg)[\w.]+\) |<class '[\w.]+'>: ")


def reason_of(error: BaseException) -> str:
    """The first line of an error, without what SQLAlchemy and the driver put around it."""
    reason = _AROUND.sub("", str(error).partition("\n")[0]) or type(error).__name__
    return f"{reason} (the disk is full, or fails)" if reason == "disk I/O error" else reason


def is_unavailable(error: BaseException) -> bool:
    """Whether the database itself is what failed, so that no part of the jobs would fare better."""
    if isinstance(error, DBAPIError):
        cause = error.orig.__cause__ if error.orig is not None else None
        if error.connection_invalidated or isinstance(cause, postgres.LOST):
            return True
    return isinstance(error, UNAVAILABLE)


def _is_plain(step: Step) -> bool:
    return isinstance(step, Executable | Rows)


def _fail(job: _Job, error: Exception) -> None:
    if not job.done.done():
        job.done.set_exception(error)
        job.done.exception()  # a caller that was cancelled will not fetch it


_FOLDER = Path(__file__).with_name("migrations")
_LOCK = 0x5E5BE5
"""PostgreSQL's advisory lock, so that processes that start together do not both migrate."""


def configuration(connection: Connection) -> Config:
    """Alembic's configuration for one connection."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    return config


def known_revisions() -> frozenset[str]:
    """The versions of the tables that this program can bring up to date."""
    return frozenset(each.revision for each in _scripts().walk_revisions())


def _scripts() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    return ScriptDirectory.from_config(config)


async def current(connection: AsyncConnection) -> None:
    """SettingsError where the tables are not of this version of the program."""
    found = await _revision(connection)
    if found != (wanted := _scripts().get_current_head()):
        if found is None:
            raise SettingsError("it has no tables of a site yet: start the site first")
        raise SettingsError(
            f"its tables have version {found}, this program needs {wanted}: use the version of the site"
        )


async def _revision(connection: AsyncConnection) -> str | None:
    """The version of the tables; None where there are none yet."""
    if not await connection.run_sync(lambda sync: inspect(sync).has_table("alembic_version")):
        return None
    found = await connection.execute(text("SELECT version_num FROM alembic_version"))
    return cast("str | None", found.scalar())


async def migrate(connection: AsyncConnection, *, is_postgres: bool) -> None:
    """Run the migrations that the database has not seen, in one transaction.

    SettingsError, and nothing is changed, where the tables are those of a newer version of the program, or
    not those of the version that they say.
    """
    async with connection.begin():
        if is_postgres:
            await connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        found = await _revision(connection)
        if found is not None and found not in known_revisions():
            raise SettingsError(
                f"its tables are of a newer version of the program ({found}): use that one, "
                "or restore a backup that this one made"
            )
        try:
            await connection.run_sync(lambda sync: command.upgrade(configuration(sync), "head"))
        except (ProgrammingError, OperationalError) as error:
            # An operational error of SQLite's is one of a statement only if it has no code of its own.
            if getattr(error.orig, "sqlite_errorcode", sqlite3.SQLITE_ERROR) != sqlite3.SQLITE_ERROR:
                raise
            if isinstance(error, OperationalError) and is_postgres:
                raise
            raise _unlike(found, reason_of(error)) from error
        if missing := await connection.run_sync(_missing):
            raise _unlike(found, f"{', '.join(missing)} missing")


def _unlike(revision: str | None, reason: str) -> SettingsError:
    """What is said of tables that are not what their version says."""
    return SettingsError(f"its tables are not those of their version, {revision}: {reason}; restore a backup")


def _missing(connection: Connection) -> list[str]:
    """The tables, and the columns of others, that this program knows and the database does not have."""
    columns = inspect(connection).get_multi_columns()
    there = {table: {column["name"] for column in found} for (_, table), found in columns.items()}
    return [
        name if name not in there else f"{name}.{column.name}"
        for name, table in sorted(metadata.tables.items())
        for column in ([*table.c] if name in there else [*table.c][:1])
        if column.name not in there.get(name, ())
    ]
