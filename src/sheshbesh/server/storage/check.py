"""A check that a database can be had at all and for oneself, before a server is started on it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from alembic.util import CommandError
from sqlalchemy import delete, insert, make_url
from sqlalchemy.exc import SQLAlchemyError

from sheshbesh.errors import SettingsError
from sheshbesh.server.storage.database import Database
from sheshbesh.server.storage.failures import reason_of
from sheshbesh.server.storage.tables import uptime

_FAULTS = (
    SettingsError,
    OSError,
    sqlite3.Error,
    SQLAlchemyError,
    CommandError,
)


_UNKNOWN = re.compile(r'invalid (?:connection option|URI query parameter:?) "(\w+)"')


async def check(url: str, *, as_it_is: bool = False) -> None:
    """Open a database, bring its tables up to date, close it; SettingsError says why that cannot be.

    `as_it_is` makes no file and changes no table, as for `Database.open`.
    """
    database = Database(url)
    file = file_of(url)
    if as_it_is and file is not None and not file.is_file():
        raise SettingsError(f"there is no database {file}")
    try:
        with in_words(url, "opened"):
            await database.open(as_it_is=as_it_is)
        if not as_it_is:
            with in_words(url, "written"):
                # Something that is to be on the disk: a full one is told now.
                await database.write(
                    insert(uptime).values(id=0, alive=0, down=0), delete(uptime).where(uptime.c.id == 0)
                )
    finally:
        await database.close()


@contextmanager
def in_words(url: str, done: str) -> Iterator[None]:
    """A fault of a database, while something is `done` with it, as a SettingsError that says why."""
    try:
        yield
    except _FAULTS as error:
        where = make_url(url).render_as_string(hide_password=True)
        raise SettingsError(f"the database {where} cannot be {done}: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    """Return what an error says, in one line."""
    if (option := _UNKNOWN.search(str(error))) is not None:
        return f"its address has no option {option[1]}; for encryption write ?sslmode=require"
    return reason_of(error)


def file_of(url: str) -> Path | None:
    """The file of a database of SQLite; None for any other, and for one in memory."""
    parsed = make_url(url)
    if not parsed.drivername.startswith("sqlite") or parsed.database in (None, "", ":memory:"):
        return None
    return Path(str(parsed.database))


@contextmanager
def alone(url: str) -> Iterator[None]:
    """Lock a file of SQLite, which notifies no other server of a change; SettingsError if one has it.

    The lock goes with the process, however that ends. PostgreSQL is for as many servers as there are.
    """
    file = file_of(url)
    if file is None:
        yield
        return
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    with ExitStack() as stack:
        with in_words(url, "locked"):
            lock = stack.enter_context(Path(f"{file}.lock").open("a"))
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise SettingsError(
                f"another server uses {file}: SQLite is for one process, several share PostgreSQL"
            ) from error
        yield
