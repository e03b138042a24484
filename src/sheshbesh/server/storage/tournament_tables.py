"""The tables of tournaments.

A change here needs a migration, as in `tables`. Times are milliseconds of the wall clock.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    false,
    true,
)

from sheshbesh.server.storage.json_column import JsonColumn
from sheshbesh.server.storage.tables import chat_table, metadata, of_person

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", Text, primary_key=True),
    # How it was made; amendments are events. The columns after it are a projection of the events.
    Column("settings", JsonColumn(dict), nullable=False),
    # The settings as they are by now, where they were amended.
    Column("amended", JsonColumn(dict), nullable=False, server_default="{}"),
    Column("status", Text, nullable=False),
    Column("n", Integer, nullable=False, server_default="0"),
    Column("next_due", BigInteger),
    Column("starts", BigInteger),
    Column("ended", BigInteger),
    Column("title", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("system", Text, nullable=False),
    Column("entrants", Integer, nullable=False, server_default="0"),
    Column("public", Boolean, nullable=False, server_default=true()),
    Column("owner", Text, ForeignKey("users.id", ondelete="SET NULL")),
    Column("created", BigInteger, nullable=False),
    # The secret behind the draw, which the first event of the start tells everybody.
    Column("secret", LargeBinary, nullable=False),
    # How much of the time in which no server was up it has been told of.
    Column("down", BigInteger, nullable=False, server_default="0"),
    # Of a series, one for each local date.
    Column("series_id", Text),
    Column("series_date", Text),
    CheckConstraint(
        "status IN ('draft', 'announced', 'open', 'check_in', 'running', 'confirming', 'over', 'cancelled')",
        name="status",
    ),
    UniqueConstraint("series_id", "series_date"),
    Index(None, "next_due"),
    Index(None, "public", "status", "starts"),
    Index(None, "owner"),
)


def _tournament() -> Column[str]:
    key = ForeignKey("tournaments.id", ondelete="CASCADE")
    return Column("tournament_id", Text, key, primary_key=True, nullable=False)


tournament_events = Table(
    "tournament_events",
    metadata,
    _tournament(),
    # The key lets no two processes both write event n.
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", JSON, nullable=False),
    Column("then", JSON, nullable=False),
    Column("ref", Text),
    UniqueConstraint("tournament_id", "actor", "ref"),
)

# The state after event n, so that a long tournament is not replayed from its first event.
tournament_snapshots = Table(
    "tournament_snapshots",
    metadata,
    _tournament(),
    Column("n", Integer, nullable=False),
    Column("state", LargeBinary, nullable=False),  # JSON by zlib
)

# The matches of a tournament: made with the event that pairs, their result written with their last event.
tournament_pairings = Table(
    "tournament_pairings",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("tournament_id", Text, ForeignKey("tournaments.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("result", JSON(none_as_null=True)),
    # Whether an event of the tournament says so too, so that nothing is left to be done.
    Column("settled", Boolean, nullable=False, server_default=false()),
    # How it was given away, if it was: moderators look at pairs for whom that happens again.
    Column("sign", Text),
    UniqueConstraint("tournament_id", "number"),
    Index(None, "settled", "tournament_id"),
)

# Who is entered where, for lists: a projection of the events.
tournament_entrants = Table(
    "tournament_entrants",
    metadata,
    _tournament(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("user_id", Text, ForeignKey("users.id", ondelete="SET NULL")),
    Column("name", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("place", Integer),  # in the final standings
    Index(None, "user_id"),
)

# Until a tournament is over, the addresses from which people entered it, as marks by a keyed hash.
tournament_addresses = Table(
    "tournament_addresses",
    metadata,
    _tournament(),
    of_person("user_id", primary_key=True),
    Column("mark", Text, nullable=False),
)

tournament_chat = chat_table("tournament_chat", _tournament())


def title_data(title: str, series: str | None) -> dict[str, Any]:
    """Return how a page names a tournament: its title, and the kind and zone of the series with this id."""
    kind, *_, zone = (series or " ").split(" ")
    return {"title": title, "series": kind or None, "zone": zone or "UTC"}
