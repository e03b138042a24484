"""The tables of engine work that is done on other hosts: what is asked, and who answers.

Times in both are milliseconds of the database's own clock, since hosts differ. A row is a question of
seconds: it is no part of a backup, and on PostgreSQL, the only database that has any, these tables are not
logged. So a database that crashed has none of them, and everybody asks again.

A change here needs a migration, as in `tables`.
"""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, CheckConstraint, Column, Float, Index, Integer, Table, Text

from sheshbesh.server.storage.schema import metadata

engine_jobs = Table(
    "engine_jobs",
    metadata,
    Column("id", Text, primary_key=True),
    # The server process that waits for the answer, and the person it is asked for; they refer to nothing.
    Column("process", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("urgency", Integer, nullable=False),
    Column("ask", JSON, nullable=False),  # the request of the line protocol
    # Seconds that an engine has for it, and when nobody waits for it any more.
    Column("seconds", Float, nullable=False),
    Column("until", BigInteger, nullable=False),
    # Later than that of every question asked before, even of one asked in the same millisecond.
    Column("asked", BigInteger, nullable=False),
    # The place in the circle of people: when it was asked, or when its person's question before it was taken;
    # likewise later than all before.
    Column("turn", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    # Who has taken it, when, until when it is theirs, and how many have.
    Column("worker", Text),
    Column("taken", BigInteger),
    Column("lease", BigInteger),
    Column("tries", Integer, nullable=False, server_default="0"),
    # The engine's answer or its error.
    Column("answer", JSON(none_as_null=False)),
    Column("error", Text),
    CheckConstraint("state IN ('waiting', 'taken', 'done')", name="state"),
    Index(None, "state", "urgency", "turn"),
    Index(None, "process"),
    Index(None, "worker"),
)

engine_workers = Table(
    "engine_workers",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),  # of its host, for people
    Column("processes", Integer, nullable=False),  # engine processes that are ready
    Column("started", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
)
