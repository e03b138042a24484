"""The tables of reviews and of engine work.

A change here needs a migration, as in `tables`.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

from sheshbesh.server.storage.json_column import JsonColumn
from sheshbesh.server.storage.tables import metadata, of_person

# Reviews, and what is made of them: cards to practise, positions to be found

# Match files that somebody has uploaded; nobody else sees them.
uploads = Table(
    "uploads",
    metadata,
    Column("id", Text, primary_key=True),
    of_person("owner"),
    Column("name", Text, nullable=False),  # of the file
    Column("format", Text, nullable=False),
    Column("content", LargeBinary, nullable=False),  # the file, by zlib
    Column("created", BigInteger, nullable=False),
    Index(None, "owner", "created"),
)

reviews = Table(
    "reviews",
    metadata,
    Column("id", Text, primary_key=True),
    of_person("owner"),
    Column("source", Text, nullable=False),  # the kind: match or upload
    Column("source_id", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("progress", JsonColumn(dict), nullable=False, server_default="{}"),  # done, total, plies
    Column("plies", Integer, nullable=False),
    Column("net", Text, nullable=False, server_default=""),
    Column("error", Text, nullable=False, server_default=""),
    # Of a match: the players as White and Black, the side of the owner where there is one, and the end.
    Column("about", JsonColumn(dict), nullable=False, server_default="{}"),
    # JSON by zlib, as `Report.save` writes it; what a stopped review goes on from; what lists show of it.
    Column("report", LargeBinary),
    Column("partial", LargeBinary),
    Column("summary", JsonColumn(dict), nullable=False, server_default="{}"),
    # When work on it began, and the process that does it: people take turns by it.
    Column("started", BigInteger),
    Column("process", Text),
    # The secret of the link by which others may read it.
    Column("share", Text, unique=True),
    Column("names", Boolean, nullable=False, server_default=false()),  # the link shows both names
    # Others may find its positions; which version of the cards and positions below was made of it, 0: none.
    Column("public", Boolean, nullable=False, server_default=false()),
    Column("indexed", Integer, nullable=False, server_default="0"),
    CheckConstraint("source IN ('match', 'upload')", name="source"),
    CheckConstraint("state IN ('waiting', 'running', 'done', 'failed')", name="state"),
    UniqueConstraint("owner", "source", "source_id"),
    Index(None, "state", "created"),
    Index(None, "source", "source_id"),
    Index(None, "state", "indexed"),
)


def _review(*, primary_key: bool = False) -> Column[str]:
    key = ForeignKey("reviews.id", ondelete="CASCADE")
    return Column("review_id", Text, key, primary_key=primary_key, nullable=False)


# What somebody got wrong, to be asked again. It goes with the review that it comes from.
practice_cards = Table(
    "practice_cards",
    metadata,
    Column("id", Text, primary_key=True),
    of_person("owner"),
    _review(),
    Column("n", Integer, nullable=False),  # the decision of the review
    Column("question", Text, nullable=False),  # PracticeCard.id: nobody is asked the same thing by two cards
    Column("variant", Text, nullable=False),
    Column("loss", Float, nullable=False),
    Column("content", LargeBinary, nullable=False),  # PracticeCard.kept() as JSON, by zlib
    Column("state", Text, nullable=False),
    Column("due", BigInteger, nullable=False),
    Column("memory", JsonColumn(dict), nullable=False, server_default="{}"),  # the schedule's own state
    Column("asked", Integer, nullable=False, server_default="0"),
    Column("correct", Integer, nullable=False, server_default="0"),
    Column("last", BigInteger),  # when it was answered last
    CheckConstraint("state IN ('active', 'suspended', 'removed')", name="state"),
    UniqueConstraint("owner", "question"),
    Index(None, "owner", "state", "due"),
    Index(None, "review_id"),
)

# The first answer of a person to the puzzle of each day.
daily_answers = Table(
    "daily_answers",
    metadata,
    of_person("owner", primary_key=True),
    Column("day", Text, primary_key=True),  # as 2026-11-24
    Column("puzzle", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("correct", Boolean, nullable=False),
    Column("answered", BigInteger, nullable=False),
)

_OUTLINE = (
    "loss",
    "kind",
    "themes",
    "own",
    "made",
    "their",
    "their_made",
    "back",
    "their_back",
    "pins",
    "pinned",
    "head",
    "lead",
)
"""The numbers of `reviews.search.Outline`."""

# The decisions of finished reviews as numbers by which they are found.
positions = Table(
    "positions",
    metadata,
    _review(primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    of_person("owner"),
    Column("public", Boolean, nullable=False),
    Column("variant", Text, nullable=False),
    Column("board", Text, nullable=False),  # the id in the game's own notation
    Column("side", Text, nullable=False),
    Column("dice", Integer, nullable=False),  # 31 for 3 and 1, 0 for a cube decision
    *(Column(name, Integer, nullable=False) for name in _OUTLINE),
    # A search is answered from one of these alone, the largest loss first; a row is read only if it matches.
    Index("ix_positions_own", "owner", "variant", *_OUTLINE),
    Index(
        "ix_positions_public",
        "variant",
        *_OUTLINE,
        sqlite_where=text("public = 1"),
        postgresql_where=text("public"),
    ),
)


# Engine work that is done on other hosts: what is asked, and who answers
#
# Times in both are milliseconds of the database's own clock, since hosts differ. A row is a question of
# seconds: it is no part of a backup, and on PostgreSQL, the only database that has any, these tables are not
# logged. So a database that crashed has none of them, and everybody asks again.

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
