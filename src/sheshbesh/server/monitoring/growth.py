"""The growth of a site: the size of its database, the room that is left for it, the age of its newest
backup."""

from __future__ import annotations

import asyncio
import math
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import text

from sheshbesh.server.storage import Database
from sheshbesh.server.storage.check import file_of

_SIZE = text("SELECT pg_database_size(current_database())")
_MAY_SEE_JOURNAL = text("SELECT has_function_privilege('pg_ls_waldir()', 'execute')")
_JOURNAL = text("SELECT coalesce(sum(size), 0) FROM pg_ls_waldir()")
_VERSION = text("SELECT version_num FROM alembic_version")


@dataclass(frozen=True, slots=True)
class Growth:
    """Figures of the whole site, NaN for what cannot be known.

    `size` and `journal` (the write-ahead log) are bytes of the database, `free` those left on its disk, known
    for SQLite alone; `backup_age` is in seconds, `schema` the version of the tables.
    """

    size: float = math.nan
    journal: float = math.nan
    free: float = math.nan
    backup_age: float = math.nan
    schema: float = math.nan


async def look(database: Database, backups: str) -> Growth:
    """Read the figures; `backups` is the folder of backups, or "". Errors of the database are passed on."""
    backup_age = await asyncio.to_thread(age_of_newest, backups)
    row = await database.first(_VERSION)
    schema = math.nan if row is None else float(row.version_num)
    if database.is_postgres:
        size, journal = await _sizes(database)
        return Growth(size, journal, backup_age=backup_age, schema=schema)
    file = file_of(database.url)
    if file is None:
        return Growth(backup_age=backup_age, schema=schema)
    size, journal, free = await asyncio.to_thread(_sizes_of_file, file)
    return Growth(size, journal, free, backup_age, schema)


async def _sizes(database: Database) -> tuple[float, float]:
    """The bytes of a database of PostgreSQL, and of the log of its server where this role may see that."""
    size = await database.first(_SIZE)
    may = await database.first(_MAY_SEE_JOURNAL)
    journal = await database.first(_JOURNAL) if may is not None and may[0] else None
    return (
        math.nan if size is None else float(size[0]),
        math.nan if journal is None else float(journal[0]),
    )


def _sizes_of_file(file: Path) -> tuple[float, float, float]:
    """The bytes of a file of SQLite, of its log, and those that its disk has left."""
    log = file.with_name(f"{file.name}-wal")
    try:
        return file.stat().st_size, log.stat().st_size if log.exists() else 0, shutil.disk_usage(file).free
    except OSError:  # the file is gone, which is told where the site writes
        return math.nan, math.nan, math.nan


def age_of_newest(backups: str) -> float:
    """Seconds since the newest backup in a folder was made; NaN where there is none."""
    try:
        made = [file.stat().st_mtime for file in Path(backups).glob("*.db")] if backups else []
    except OSError:
        return math.nan
    return max(time.time() - max(made), 0.0) if made else math.nan
