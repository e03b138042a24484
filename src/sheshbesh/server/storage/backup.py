"""Backups: one file that holds a whole site, made while it runs, and read back into either kind of database.

A backup is a database of SQLite, whatever the site runs on: SQLite's own backup of a file, or the rows of
PostgreSQL as one snapshot has them. So a backup can be looked into with any tool that reads SQLite, and takes
a site from one kind of database to the other. Everything that the database has is in it: accounts with their
settings, matches, the secrets of fair dice, reviews. What the environment holds is not.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import JSON, Column, Connection, Select, Table, Text, cast, select
from sqlalchemy.pool import NullPool

from sheshbesh.errors import SheshbeshError
from sheshbesh.server.storage.check import check, file_of, in_words
from sheshbesh.server.storage.database import Database, make_engine
from sheshbesh.server.storage.json_column import JsonColumn
from sheshbesh.server.storage.schema import known_revisions
from sheshbesh.server.storage.tables import metadata

ROWS = 500
"""Rows that are copied at once."""


class BackupError(SheshbeshError):
    """A backup cannot be made, or is none that can be read back; the text says why."""


class Content(NamedTuple):
    """The content of a backup: the version of its tables, and the number of rows in each of them."""

    revision: str
    rows: dict[str, int]

    @property
    def total(self) -> int:
        """All rows."""
        return sum(self.rows.values())


async def backup(url: str, file: Path, *, replace: bool = False) -> Content:
    """Make a backup of the database at `url` while the site runs; what it holds.

    The file is there only when it is whole and was checked. BackupError where it exists already and is not to
    be replaced, or cannot be written; SettingsError for a database that cannot be opened.
    """
    if file.is_dir():
        raise BackupError(f"{file} is a folder: name a file")
    if file.exists() and not replace:
        raise BackupError(f"{file} exists: choose another name, or --force")
    database = Database(url)
    with beside(file) as made:
        if database.is_postgres:
            # A server of another version may run on these tables.
            await check(url, as_it_is=True)
            await check(url_of(made))
            with in_words(url, "read"):
                await asyncio.to_thread(_dump, database, made)
        else:
            await asyncio.to_thread(_copy_live, existing_file(url), made)
        content = await asyncio.to_thread(inspect, made, source=f"the database {database.url}")
        try:
            with made.open("rb") as written:
                os.fsync(written.fileno())
            made.replace(file)
        except OSError as error:
            raise BackupError(f"{file} cannot be written: {error.strerror or error}") from error
    return content


@contextmanager
def beside(file: Path) -> Iterator[Path]:
    """An empty file beside another one, readable by its owner alone; at the end it is gone or renamed."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    except OSError as error:
        raise BackupError(f"{file} cannot be written: {error.strerror or error}") from error
    os.close(handle)
    made = Path(name)
    try:
        yield made
    except sqlite3.Error as error:
        raise BackupError(f"{file} cannot be written: {error}") from error
    finally:
        for leftover in (
            made,
            *(made.with_name(f"{made.name}{end}") for end in ("-wal", "-shm", "-journal")),
        ):
            leftover.unlink(missing_ok=True)


def url_of(file: Path) -> str:
    """The address of a database of SQLite."""
    return f"sqlite:///{file}"


def existing_file(url: str) -> Path:
    """The file of a database of SQLite; BackupError where there is none."""
    file = file_of(url)
    if file is None:
        raise BackupError("a database in memory cannot be backed up")
    if not file.is_file():
        raise BackupError(f"there is no database {file}")
    return file


def _copy_live(source: Path, made: Path) -> None:
    """`copy_file`; BackupError where it is the database that cannot be read."""
    try:
        copy_file(source, made)
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            raise BackupError(f"the database {source} is damaged, or none: {error}") from error
        raise


def copy_file(source: Path, made: Path) -> None:
    """Copy a database of SQLite as it is at one moment; writers go on meanwhile."""
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=rw", uri=True)) as live,
        closing(sqlite3.connect(made)) as copy,
    ):
        live.backup(copy)
        # The file is one alone, without others beside it.
        copy.execute("PRAGMA journal_mode=DELETE")


def _dump(database: Database, made: Path) -> None:
    """Copy the rows of PostgreSQL, as they were at one moment, into the empty tables of a file of SQLite."""
    engine = make_engine(database.address, poolclass=NullPool, isolation_level="REPEATABLE READ")
    try:
        with (
            engine.connect().execution_options(postgresql_readonly=True) as snapshot,
            closing(sqlite3.connect(made)) as copy,
        ):
            for table in metadata.sorted_tables:
                _dump_table(snapshot, table, copy)
            copy.commit()
            copy.execute("PRAGMA journal_mode=DELETE")
    finally:
        engine.dispose()


def _dump_table(connection: Connection, table: Table, copy: sqlite3.Connection) -> None:
    names = ", ".join(f'"{column.name}"' for column in table.c)
    row = f"({', '.join('?' * len(table.c))})"
    for rows in connection.execution_options(yield_per=ROWS).execute(_texts(table)).partitions():
        values = [tuple(each) for each in rows]
        copy.executemany(f'INSERT INTO "{table.name}" ({names}) VALUES {row}', values)


def _texts(table: Table) -> Select[Any]:
    """All rows of a table, JSON as the text that is stored."""
    return select(*(cast(column, Text) if is_json(column) else column for column in table.c))


def is_json(column: Column[Any]) -> bool:
    """Return True if a column holds JSON."""
    return isinstance(column.type, JSON | JsonColumn)


def inspect(file: Path, *, source: str | None = None) -> Content:
    """Return what a backup holds. BackupError where it is none, is damaged, or was made by a newer version.

    Errors name the `source` of one that was just made, in place of its file.
    """
    shown, kind = (source, "database") if source else (str(file), "backup")
    if not file.is_file():
        raise BackupError(f"there is no file {file}")
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as found:
            (state,) = found.execute("PRAGMA integrity_check(1)").fetchone()
            if state != "ok":
                raise BackupError(f"{shown} is damaged: {state}")
            tables = {
                name for (name,) in found.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            }
            if not {"alembic_version", "users", "matches", "events"} <= tables:
                raise BackupError(f"{shown} is no {kind} of a site")
            (revision,) = found.execute("SELECT version_num FROM alembic_version").fetchone() or ("",)
            if revision not in known_revisions():
                raise BackupError(f"{shown} was made by a newer version of the program ({revision})")
            if (lost := found.execute("PRAGMA foreign_key_check").fetchone()) is not None:
                raise BackupError(f"{shown} is damaged: a row of {lost[0]} refers to nothing in {lost[2]}")
            counted = sorted(tables & set(metadata.tables))
            rows = {name: found.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in counted}
    except sqlite3.DatabaseError as error:
        raise BackupError(f"{shown} is no {kind} of a site, or damaged: {error}") from error
    return Content(revision, rows)
