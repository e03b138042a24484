"""The tables of reviews.

A change here needs a migration, as in `tables`.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
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


def _rating() -> list[Column[Any]]:
    """A Glicko-2 rating: `answers` are those that it was made of, `at` the time of the last one."""
    return [
        Column("rating", Float, nullable=False),
        Column("deviation", Float, nullable=False),
        Column("volatility", Float, nullable=False),
        Column("answers", Integer, nullable=False),
        Column("at", BigInteger, nullable=False),
    ]


# The rating of a person at the puzzles of a game.
solver_ratings = Table(
    "solver_ratings",
    metadata,
    of_person("owner", primary_key=True),
    Column("game", Text, primary_key=True),
    *_rating(),
    Index(None, "game", "rating"),
)

# The rating of a puzzle, as that of an opponent who wins where somebody is wrong.
puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("puzzle", Text, primary_key=True),
    *_rating(),
)

# The first answer of a person to each puzzle, by which both were rated; its owner's rating before and after.
puzzle_answers = Table(
    "puzzle_answers",
    metadata,
    of_person("owner", primary_key=True),
    Column("puzzle", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("correct", Boolean, nullable=False),
    Column("before", Float, nullable=False),
    Column("after", Float, nullable=False),
    Column("deviation", Float, nullable=False),  # that of the rating afterwards
    Column("at", BigInteger, nullable=False),
    Index(None, "owner", "at"),
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
