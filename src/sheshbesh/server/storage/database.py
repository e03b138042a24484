"""The database: reads in threads of their own, and one thread that commits the writes of many at once."""

from __future__ import annotations

import asyncio
import logging
import math
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

from sqlalchemy import (
    URL,
    Connection,
    CursorResult,
    Dialect,
    Engine,
    Executable,
    Insert,
    Row,
    Update,
    create_engine,
    event,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.pool import QueuePool, StaticPool

from sheshbesh.errors import SettingsError
from sheshbesh.server.storage import json_column, postgres
from sheshbesh.server.storage.failures import is_unavailable, reason_of
from sheshbesh.server.storage.schema import current, migrate

log = logging.getLogger(__name__)

Conflict = IntegrityError
"""The error of a write that breaks a key: somebody else was first."""

_DRIVERS = {
    "sqlite": "sqlite",
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
}
_MOST_AT_ONCE = 200
"""Writes from which on a transaction takes no more: bounds how long the first one waits for the last."""
_GATHER = 0.005
"""Seconds for which a write waits for others to share its transaction: one costs more than its rows."""
_READERS = 8
_BEGIN = "BEGIN IMMEDIATE"
"""Begins a transaction of SQLite: one that reads first and writes later could find its snapshot too old."""
_QUIET = 60.0
"""Seconds in which it is logged once that writes are stored again."""
BUSY_TIMEOUT = 10
"""Seconds that SQLite waits for another process, and PostgreSQL may take to answer a connection."""

_COMMON: Mapping[str, Any] = {
    "json_serializer": json_column.write,
    "json_deserializer": json_column.read,
    # Of insertions, too: SQLAlchemy forgets theirs otherwise.
    "execution_options": {"preserve_rowcount": True},
}
"""The options of engines of either database."""

Answer = TypeVar("Answer")


class Rows(NamedTuple):
    """Rows for a statement, however many they are.

    They are the new rows of a plain insertion, or the values of an update that names its row by a column
    equal to a `bindparam`; all rows for one statement have the same keys. Writes that come together are done
    in one go for each statement, so what a statement writes must not depend on rows of other writes; of
    updates of one row the last one counts.
    """

    statement: Insert | Update
    rows: Sequence[Mapping[str, Any]]


Step: TypeAlias = Executable | Rows | Callable[[Connection], Any]
"""A statement, rows for one, or a function that works within the transaction, in the thread that writes. It
may be called again after a rollback, so it must have no effect but on the database."""


@dataclass(frozen=True, slots=True)
class Written:
    """The effect of a statement: the number of rows it touched, and those it returned."""

    count: int
    rows: Sequence[Row[Any]]


@dataclass(slots=True)
class _Job:
    steps: tuple[Step, ...]
    done: asyncio.Future[list[Any]]
    outcome: list[Any] | Exception | None = None

    def answer(self) -> None:
        """Give the outcome to the caller, if they still wait."""
        if self.done.done():
            return
        if isinstance(self.outcome, Exception):
            self.done.set_exception(self.outcome)
            self.done.exception()  # a caller that was cancelled will not fetch it
        else:
            self.done.set_result(self.outcome or [])


class Database:
    """One database, open between `open` and `close`.

    `url` is `sqlite:///file.db` or `postgresql://user@host/name`; SettingsError for others. `committed` is
    called with the seconds that each transaction of the writer took, in its thread.
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
        self._writer: Engine | None = None
        self._connection: Connection | None = None
        self._rows: postgres.RowWriter | None = None
        self._prepared: dict[Insert | Update, _Prepared] = {}
        self._reader: Engine | None = None
        self._readers: ThreadPoolExecutor | None = None
        self._gathered: list[_Job] = []
        self._jobs: SimpleQueue[list[_Job] | None] = SimpleQueue()
        self._thread: Thread | None = None

    async def open(self, *, as_it_is: bool = False) -> None:
        """Connect, bring the tables up to date, and begin to take writes.

        `as_it_is` leaves the tables alone, for a role that may not change them: SettingsError where they are
        not those of this version of the program.
        """
        await asyncio.to_thread(self._connect, as_it_is=as_it_is)
        self._thread = Thread(
            target=self._write_for_ever,
            args=(asyncio.get_running_loop(),),
            name="database writer",
            daemon=True,
        )
        self._thread.start()

    def _connect(self, *, as_it_is: bool) -> None:
        if self._url.drivername == "sqlite" and self._url.database in (None, "", ":memory:"):
            # There is one connection, so that the thread that writes reads, too.
            self._writer = make_engine(self._url, poolclass=StaticPool)
        else:
            if not self.is_postgres:
                _keep_journal_ahead(str(self._url.database))
            self._writer = make_engine(self._url, poolclass=QueuePool, pool_size=1, max_overflow=0)
            # One query needs no transaction, whose every word would be a way there and back.
            alone = (
                {"isolation_level": "AUTOCOMMIT", "pool_reset_on_return": None} if self.is_postgres else {}
            )
            self._reader = make_engine(
                self._url, poolclass=QueuePool, pool_size=_READERS + 1, max_overflow=0, **alone
            )
            self._readers = ThreadPoolExecutor(_READERS, "database reader")
            if self.is_postgres:
                self._rows = postgres.RowWriter(self._reader)
        with self._writer.connect() as connection:
            if as_it_is:
                current(connection)
            else:
                migrate(connection, is_postgres=self.is_postgres)

    async def close(self) -> None:
        """Commit what has been handed in, and disconnect."""
        thread, self._thread = self._thread, None
        self._hand_over()
        self._jobs.put(None)
        if thread is not None:
            await asyncio.to_thread(thread.join)
        if self._readers is not None:
            await asyncio.to_thread(self._readers.shutdown)
        for writing in (self._connection, self._rows):
            if writing is not None:
                writing.close()
        for engine in (self._reader, self._writer):
            if engine is not None:
                engine.dispose()
        self._connection = self._rows = self._reader = self._writer = self._readers = None
        self._jobs = SimpleQueue()

    @property
    def url(self) -> str:
        """Its address, without its password."""
        plain = self._url.set(drivername=self._url.get_backend_name())
        return plain.render_as_string(hide_password=True)

    @property
    def address(self) -> URL:
        """Its address, for an engine of one's own."""
        return self._url

    # Reading

    async def all(self, statement: Executable, values: Mapping[str, Any] | None = None) -> Sequence[Row[Any]]:
        """All rows of a query, with these values of its parameters."""
        return await self._read(lambda connection: connection.execute(statement, values).all())

    async def first(self, statement: Executable) -> Row[Any] | None:
        """The first row of a query, None where it has none."""
        return await self._read(lambda connection: connection.execute(statement).first())

    async def _read(self, query: Callable[[Connection], Answer]) -> Answer:
        if self._readers is None:
            (found,) = await self.write(query)
            return cast("Answer", found)
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._query, query)

    def _query(self, query: Callable[[Connection], Answer]) -> Answer:
        assert self._reader is not None

        def ask(reader: Engine) -> Answer:
            with reader.connect() as connection:
                return query(connection)

        return _twice(ask, self._reader)

    # Writing

    async def write(self, *steps: Step) -> list[Any]:
        """Do all steps or none; return after they are committed.

        The answers are a `Written` for each statement and for each function what it returned. Writes
        that come together share a transaction; one that fails, fails alone. Conflict where a key
        exists. A caller that is cancelled does not know whether it was written.
        """
        if self._thread is None:
            raise RuntimeError("the database is not open")
        loop = asyncio.get_running_loop()
        job = _Job(steps, loop.create_future())
        # Gathered here, not in the thread: to wake that costs as much as the rows of a small transaction.
        if not self._gathered:
            loop.call_later(_GATHER, self._hand_over)
        self._gathered.append(job)
        return await job.done

    def _hand_over(self) -> None:
        """Give the thread what has been gathered; what waits there for a slow disk is committed together."""
        while self._gathered:
            self._jobs.put(self._gathered[:_MOST_AT_ONCE])
            del self._gathered[:_MOST_AT_ONCE]

    def _write_for_ever(self, loop: asyncio.AbstractEventLoop) -> None:
        """Commit what is handed in, and answer each transaction's callers together; None ends it."""
        while (jobs := self._jobs.get()) is not None:
            with suppress(Empty):
                while len(jobs) < _MOST_AT_ONCE:
                    if (more := self._jobs.get_nowait()) is None:
                        self._jobs.put(None)
                        break
                    jobs += more
            self._commit(jobs)
            with suppress(RuntimeError):  # a loop that has ended has nobody who waits
                loop.call_soon_threadsafe(_answer, jobs)

    def _commit(self, jobs: Sequence[_Job]) -> None:
        """Commit jobs together; if one of them fails, each half, so that the others still share some."""
        # One order in all processes: two that wait for each other's rows would wait for ever.
        jobs, began = sorted(jobs, key=_place), perf_counter()
        try:
            answers = _twice(self._transact, jobs)
        except Exception as error:  # whatever it is, it belongs to the callers
            if is_unavailable(error):
                self._failed(error)
                for job in jobs:
                    job.outcome = error
            elif (half := len(jobs) // 2) > 0:
                self._commit(jobs[:half])
                self._commit(jobs[half:])
            else:
                jobs[0].outcome = error
            return
        self._failed(None)
        self._committed(perf_counter() - began)
        for job, answer in zip(jobs, answers, strict=True):
            job.outcome = answer

    def _transact(self, jobs: Sequence[_Job]) -> list[list[Any]]:
        """Do all jobs in one transaction; what each step answered."""
        groups: Sequence[Rows] = ()
        if all(isinstance(step, Rows) for job in jobs for step in job.steps):
            groups = by_statement([step for step in job.steps if isinstance(step, Rows)] for job in jobs)
        if groups and self._rows is not None and postgres.are_independent(groups):
            self._rows.write(groups)
            return [[None] * len(job.steps) for job in jobs]
        assert self._writer is not None
        # Kept from one transaction to the next: to ask the pool for it costs as much as a small transaction.
        connection = self._connection = self._connection or self._writer.connect()
        try:
            if groups and not self.is_postgres:
                self._write_rows(connection, groups)
                return [[None] * len(job.steps) for job in jobs]
            if not self.is_postgres:
                connection.exec_driver_sql(_BEGIN)
            answers = _perform(connection, [job.steps for job in jobs])
            try:
                connection.commit()
            except DBAPIError as error:
                if error.connection_invalidated:  # perhaps it is stored: not again
                    raise ConnectionError(reason_of(error)) from error
                raise
        except BaseException:
            self._connection = None
            connection.close()
            raise
        return answers

    def _write_rows(self, connection: Connection, groups: Sequence[Rows]) -> None:
        """Do a transaction that is nothing but rows, by the driver of SQLite itself.

        SQLAlchemy would cost twice what SQLite does. Errors are those that it raises.
        """
        driver: Any = connection.connection.driver_connection
        try:
            driver.execute(_BEGIN)
            for group in groups:
                prepared = self._prepared.get(group.statement)
                if prepared is None:
                    prepared = _Prepared(group, connection.dialect)
                    self._prepared[group.statement] = prepared
                driver.executemany(prepared.text, prepared.values(group.rows))
            driver.execute("COMMIT")
        except sqlite3.Error as error:
            raise DBAPIError.instance(None, None, error, sqlite3.Error, dialect=connection.dialect) from error

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


def _answer(jobs: Iterable[_Job]) -> None:
    for job in jobs:
        job.answer()


def _place(job: _Job) -> str:
    """The match whose rows a job inserts; jobs with none come first."""
    rows = next((step.rows for step in job.steps if isinstance(step, Rows) and step.rows), ())
    return str(rows[0].get("match_id", "")) if rows else ""


Given = TypeVar("Given")


def _twice(work: Callable[[Given], Answer], given: Given) -> Answer:
    """Do something with the database, once more where its connection was found to be cut."""
    try:
        return work(given)
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
    return work(given)


class _Prepared:
    """A statement for rows as SQLAlchemy gives it to the driver: its text, and what is made of values."""

    def __init__(self, group: Rows, dialect: Dialect) -> None:
        compiled = group.statement.compile(dialect=dialect, column_keys=[*group.rows[0]])
        self.text = str(compiled)
        self._made = [
            (name, compiled.binds[name].type.dialect_impl(dialect).bind_processor(dialect))
            for name in compiled.positiontup or ()
        ]

    def values(self, rows: Iterable[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
        """The rows in the order of the text."""
        return [
            tuple(row[name] if make is None else make(row[name]) for name, make in self._made) for row in rows
        ]


def by_statement(jobs: Iterable[Sequence[Rows]]) -> Sequence[Rows]:
    """The rows of jobs together, one entry for each statement; each job's stay in their order."""
    found: list[tuple[Insert | Update, list[Mapping[str, Any]]]] = []
    for steps in jobs:
        place = 0
        for step in steps:
            while place < len(found) and found[place][0] is not step.statement:
                place += 1
            if place == len(found):
                found.append((step.statement, []))
            found[place][1].extend(step.rows)
    return [Rows(statement, rows) for statement, rows in found]


def _perform(connection: Connection, jobs: Sequence[Sequence[Step]]) -> list[list[Any]]:
    """Do the steps of all jobs, rows of different ones in one go."""
    rows = [[step for step in steps if isinstance(step, Rows)] for steps in jobs]
    plain = [len(found) == len(steps) for found, steps in zip(rows, jobs, strict=True)]
    for group in by_statement(found for found, is_plain in zip(rows, plain, strict=True) if is_plain):
        connection.execute(group.statement, group.rows)
    return [
        [None] * len(steps) if is_plain else [_do(connection, step) for step in steps]
        for steps, is_plain in zip(jobs, plain, strict=True)
    ]


def _do(connection: Connection, step: Step) -> Any:
    if isinstance(step, Rows):
        connection.execute(step.statement, step.rows)
        return None
    if isinstance(step, Executable):
        result: CursorResult[Any] = connection.execute(step)
        return Written(result.rowcount, result.all() if result.returns_rows else ())
    return step(connection)


# Connections


def make_engine(url: URL, **more: Any) -> Engine:
    """An engine for either database. A transaction of SQLite begins when it is told to, not by itself."""
    if url.get_backend_name() == "postgresql":
        return create_engine(url, connect_args={"connect_timeout": BUSY_TIMEOUT}, **_COMMON, **more)
    arguments = {"timeout": BUSY_TIMEOUT, "check_same_thread": False, "isolation_level": None}
    engine = create_engine(url, connect_args=arguments, **_COMMON, **more)

    @event.listens_for(engine, "connect")
    def _set_up(connection: sqlite3.Connection, _record: object) -> None:
        # FULL: a transaction that is acknowledged is on the disk, whatever becomes of the power.
        for pragma in ("synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    return engine


def _keep_journal_ahead(path: str) -> None:
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
