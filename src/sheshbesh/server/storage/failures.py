"""Failures of the database: their sentences, and the difference between one that is away and a refusal of one
thing."""

from __future__ import annotations

import re
import sqlite3

import psycopg
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

UNAVAILABLE = (
    OSError,
    OperationalError,
    InterfaceError,
    PoolTimeoutError,
    sqlite3.OperationalError,
    psycopg.OperationalError,
    psycopg.InterfaceError,
)
"""The errors raised where the database itself is what failed: by SQLAlchemy, by the drivers without it."""

_AROUND = re.compile(
    r"^(\((sqlite3|psycopg)[\w.]*\) )?(connection (failed|to server at [^:]*?): )*(FATAL: +)?"
)
_AWAY = frozenset({"08", "53", "57", "58"})
"""Classes of PostgreSQL's errors in which the database itself has failed: connections, resources, an
operator, the system."""


def reason_of(error: BaseException) -> str:
    """The first line of an error, without what SQLAlchemy and the driver put around it."""
    reason = _AROUND.sub("", str(error).partition("\n")[0]) or type(error).__name__
    return f"{reason} (the disk is full, or fails)" if reason == "disk I/O error" else reason


def is_unavailable(error: BaseException) -> bool:
    """Return True if the database itself is what failed, so that no part of the jobs would fare better."""
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    # Operational errors, too, but of one thing alone: a stored text that is no UTF-8, and two transactions
    # that waited for each other.
    if "Could not decode to UTF-8" in str(error):
        return False
    state = getattr(getattr(error, "orig", error), "sqlstate", None)
    return isinstance(error, UNAVAILABLE) and (state is None or state[:2] in _AWAY)
