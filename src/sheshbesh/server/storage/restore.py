"""Reading a backup back: it is checked and brought up to date beside the database before that is touched."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import JSON, Column, Connection, Text, bindparam, cast, insert, select, text
from sqlalchemy import inspect as sqlalchemy_inspect
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from sheshbesh.server.ids import now_ms
from sheshbesh.server.storage.backup import (
    ROWS,
    BackupError,
    Content,
    beside,
    copy_file,
    inspect,
    is_json,
    url_of,
)
from sheshbesh.server.storage.check import alone, check, file_of, in_words
from sheshbesh.server.storage.database import BUSY_TIMEOUT, Database, make_engine
from sheshbesh.server.storage.failures import reason_of
from sheshbesh.server.storage.tables import matches, metadata, processes, users

_ALIVE = 15_000
"""Milliseconds since its last heartbeat for which a server counts as running."""


class Restored(NamedTuple):
    """The rows that were read back, and the new place of the database that was there before, where it was a
    file."""

    content: Content
    before: Path | None = None


async def restore(file: Path, url: str, *, replace: bool = False) -> Restored:
    """Put a backup in the place of the database at `url`.

    No server may run on it. BackupError where the backup is none, where the database has accounts or matches
    and is not to be replaced, or where something does not fit; then the database is as it was before.
    """
    database = Database(url)  # SettingsError for an address of nothing that is known
    await asyncio.to_thread(inspect, file)
    if database.is_postgres:
        with beside(file) as copy:
            content = await _upgraded(file, copy)
            with in_words(url, "opened"):
                await asyncio.to_thread(_is_free, database, replace=replace)
            await check(url)
            await asyncio.to_thread(_into_postgres, copy, database, content, replace=replace)
        return Restored(content)
    target = file_of(url)
    if target is None:
        raise BackupError("a backup is restored into a file or into PostgreSQL, not into memory")
    if target.exists() and not target.is_file():
        raise BackupError(f"{target} is no file: nothing was replaced")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BackupError(f"{target} cannot be written: {error.strerror or error}") from error
    with alone(url), beside(target) as copy:
        content = await _upgraded(file, copy)
        before = None
        if target.exists():
            if not replace and not _is_empty(target):
                raise _not_empty(str(target))
            before = _free_name(target)
            _keep_aside(target, before)
        copy.replace(target)
    return Restored(content, before)


def _not_empty(where: str) -> BackupError:
    return BackupError(f"{where} has accounts or matches already: --force replaces them")


async def _upgraded(file: Path, copy: Path) -> Content:
    """Copy a backup, bring the copy up to date, and check it once more."""
    await asyncio.to_thread(copy_file, file, copy)
    await check(url_of(copy))
    with closing(sqlite3.connect(copy)) as found:
        # The server of those days runs no more: the seeks that its connections kept open go with it.
        found.execute("DELETE FROM processes")
        found.execute("DELETE FROM seeks WHERE process <> ''")
        found.commit()
        found.execute("PRAGMA journal_mode=DELETE")
    return await asyncio.to_thread(inspect, copy)


# SQLite


def _is_empty(file: Path) -> bool:
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as found:
            return all(
                found.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchone() is None
                for name in ("users", "matches")
            )
    except sqlite3.Error:  # whatever it is, it is not ours to replace unasked
        return file.stat().st_size == 0


def _free_name(file: Path) -> Path:
    """The name under which a database that is replaced is kept."""
    at = f"{datetime.now(UTC):%Y%m%d-%H%M%S}"
    names = [file.with_name(f"{file.name}.before-{at}{more}") for more in ("", "a", "b", "c")]
    return next(name for name in names if not name.exists())


def _keep_aside(file: Path, name: Path) -> None:
    """Rename a database, all of it in one file."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(file, timeout=BUSY_TIMEOUT)) as old:
        old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        old.execute("PRAGMA journal_mode=DELETE")
    file.replace(name)
    for end in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            # What could not be written into it goes with it.
            file.with_name(f"{file.name}{end}").replace(name.with_name(f"{name.name}{end}"))


# PostgreSQL


def _into_postgres(copy: Path, database: Database, content: Content, *, replace: bool) -> None:
    """Replace all rows of tables that are up to date in one transaction, which fails as a whole."""
    engine = make_engine(database.address, poolclass=NullPool)
    try:
        with engine.begin() as connection:
            # Nobody writes meanwhile, and who reads sees all of it or nothing.
            names = ", ".join(f'"{table.name}"' for table in metadata.sorted_tables)
            connection.execute(text(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE"))
            _may_replace(connection, database.url, replace=replace)
            connection.execute(text(f"TRUNCATE {names}"))
            _load(connection, copy)
            _count(connection, content)
    except SQLAlchemyError as error:
        raise BackupError(f"the backup does not fit into {database.url}: {reason_of(error)}") from error
    finally:
        engine.dispose()


def _is_free(database: Database, *, replace: bool) -> None:
    """BackupError where a database of PostgreSQL may not be replaced."""
    engine = make_engine(database.address, poolclass=NullPool)
    try:
        with engine.connect() as connection:
            _may_replace(connection, database.url, replace=replace)
    finally:
        engine.dispose()


def _may_replace(connection: Connection, where: str, *, replace: bool) -> None:
    """BackupError where a server runs on the tables, of whatever version, or where they hold something."""
    if not sqlalchemy_inspect(connection).has_table(processes.name):
        return
    alive = select(processes.c.id).where(processes.c.seen > now_ms() - _ALIVE)
    if connection.execute(alive).first() is not None:
        raise BackupError("a server runs on this database: stop it first")
    if not replace and not _has_nobody(connection):
        raise _not_empty(where)


def _has_nobody(connection: Connection) -> bool:
    return all(connection.execute(select(table.c.id).limit(1)).first() is None for table in (users, matches))


def _load(connection: Connection, copy: Path) -> None:
    """Put the rows of a backup that is up to date into the empty tables."""
    with closing(sqlite3.connect(copy)) as source:
        for table in metadata.sorted_tables:
            names = [column.name for column in table.c]
            # A bot comes after its owner.
            order = " ORDER BY owner IS NOT NULL" if table is users else ""
            listed = ", ".join(f'"{name}"' for name in names)
            found = source.execute(f'SELECT {listed} FROM "{table.name}"{order}')
            statement = insert(table).values({column.name: _given(column) for column in table.c})
            while rows := found.fetchmany(ROWS):
                values = [
                    {f"_{name}": _read(table.c[name], value) for name, value in zip(names, row, strict=True)}
                    for row in rows
                ]
                connection.execute(statement, values)


def _count(connection: Connection, content: Content) -> None:
    for name, rows in content.rows.items():
        found = connection.execute(text(f'SELECT count(*) FROM "{name}"')).scalar()
        if found != rows:
            raise BackupError(f"{found} of {rows} rows of {name} arrived: nothing was replaced")


def _given(column: Column[Any]) -> Any:
    """A value of a column, given by its name with a line before it: no column is called so."""
    if is_json(column):
        return cast(bindparam(f"_{column.name}", type_=Text()), JSON)
    return bindparam(f"_{column.name}", type_=column.type)


def _read(column: Column[Any], value: Any) -> Any:
    """A value of SQLite's as the column's: it has no booleans."""
    return bool(value) if value is not None and column.type.python_type is bool else value
