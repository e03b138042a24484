"""The version of the tables: which it is, and how they are brought up to date."""

from __future__ import annotations

import sqlite3
from functools import cache
from pathlib import Path
from typing import cast

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import OperationalError, ProgrammingError

from sheshbesh.errors import SettingsError
from sheshbesh.server.storage.failures import reason_of
from sheshbesh.server.storage.tables import metadata

_FOLDER = Path(__file__).with_name("migrations")
_LOCK = 0x5E5BE5
"""PostgreSQL's advisory lock, so that processes that start together do not both migrate."""


def configuration(connection: Connection | None = None) -> Config:
    """Alembic's configuration, for one connection."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    return config


def known_revisions() -> frozenset[str]:
    """The versions of the tables that this program can bring up to date."""
    return frozenset(each.revision for each in _scripts().walk_revisions())


@cache
def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(configuration())


def current(connection: Connection) -> None:
    """SettingsError where the tables are not of this version of the program."""
    found = _revision(connection)
    if found != (wanted := _scripts().get_current_head()):
        if found is None:
            raise SettingsError("it has no tables of a site yet: start the site first")
        raise SettingsError(
            f"its tables have version {found}, this program needs {wanted}: use the version of the site"
        )


def _revision(connection: Connection) -> str | None:
    """The version of the tables; None where there are none yet."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return cast("str | None", connection.execute(text("SELECT version_num FROM alembic_version")).scalar())


def migrate(connection: Connection, *, is_postgres: bool) -> None:
    """Run the migrations that the database has not seen, in one transaction.

    SettingsError, and nothing is changed, where the tables are those of a newer version of the program, or
    not those of the version that they say.
    """
    with connection.begin():
        if is_postgres:
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        else:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        found = _revision(connection)
        if found is not None and found not in known_revisions():
            raise SettingsError(
                f"its tables are of a newer version of the program ({found}): use that one, "
                "or restore a backup that this one made"
            )
        try:
            if found != _scripts().get_current_head():
                command.upgrade(configuration(connection), "head")
        except (ProgrammingError, OperationalError) as error:
            # An operational error of SQLite's is one of a statement only if it has no code of its own.
            if getattr(error.orig, "sqlite_errorcode", sqlite3.SQLITE_ERROR) != sqlite3.SQLITE_ERROR:
                raise
            if isinstance(error, OperationalError) and is_postgres:
                raise
            raise _unlike(found, reason_of(error)) from error
        if missing := _missing(connection):
            raise _unlike(found, f"{', '.join(missing)} missing")


def _unlike(revision: str | None, reason: str) -> SettingsError:
    """Return what is said of tables that are not what their version says."""
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
