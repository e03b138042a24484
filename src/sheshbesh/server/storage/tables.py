"""The tables. Times are milliseconds of the wall clock; a text marked JSON is JSON.

A change here needs a migration in `migrations/versions`; a test compares the two.
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
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from sheshbesh.server.storage.json_column import JsonColumn

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


_OF_A_PROCESS = 16 * 1024 * 1024
"""Bytes that a process may say of all who are connected to it."""


def _person(name: str, *, primary_key: bool = False, nullable: bool = False) -> Column[str]:
    key = ForeignKey("users.id", ondelete="CASCADE")
    return Column(name, Text, key, primary_key=primary_key, nullable=nullable)


def _match(*, primary_key: bool = False) -> Column[str]:
    key = ForeignKey("matches.id", ondelete="CASCADE")
    return Column("match_id", Text, key, primary_key=primary_key, nullable=False)


# People

users = Table(
    "users",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    # The name as it is compared: no two may look alike but for case and width.
    Column("folded", Text, nullable=False, unique=True),
    # Its shape: no two may look alike by letters of another script either.
    Column("skeleton", Text, nullable=False, server_default=""),
    Column("kind", Text, nullable=False),
    Column("password", Text),  # argon2
    Column("owner", Text, ForeignKey("users.id", ondelete="CASCADE"), index=True),  # of a bot
    Column("settings", JsonColumn(dict), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    CheckConstraint("kind IN ('guest', 'user', 'bot')", name="kind"),
    Index(None, "skeleton", unique=True),
)

sign_ins = Table(
    "sign_ins",
    metadata,
    Column("id", Text, primary_key=True),
    Column("hash", Text, nullable=False, unique=True),  # of the cookie's secret
    _person("user_id"),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("agent", Text, nullable=False),
    Index(None, "user_id"),
)

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", LargeBinary, primary_key=True),  # the authenticator's credential id
    _person("user_id"),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Index(None, "user_id"),
)

# Questions that an authenticator has still to answer, each once.
challenges = Table(
    "challenges",
    metadata,
    Column("id", Text, primary_key=True),
    Column("purpose", Text, nullable=False),
    Column("challenge", LargeBinary, nullable=False),
    _person("user_id", nullable=True),
    Column("at", BigInteger, nullable=False),
    Index(None, "at"),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", Text, primary_key=True),
    Column("hash", Text, nullable=False, unique=True),
    _person("user_id"),
    Column("name", Text, nullable=False),
    Column("scopes", JsonColumn(list), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger),
    Index(None, "user_id"),
)

# Names of accounts that were deleted, which nobody takes for a while.
retired_names = Table(
    "retired_names",
    metadata,
    Column("hash", Text, primary_key=True),  # of the folded name
    Column("until", BigInteger, nullable=False),
)

# Wrong passwords of the last hour, each in one of the slots of its name.
wrong_passwords = Table(
    "wrong_passwords",
    metadata,
    Column("name", Text, primary_key=True),  # the hash of the folded name, of an account or of none
    Column("slot", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Index(None, "at"),
)

notes = Table(
    "notes",
    metadata,
    _person("owner", primary_key=True),
    _person("about", primary_key=True),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

blocks = Table(
    "blocks",
    metadata,
    _person("owner", primary_key=True),
    _person("blocked", primary_key=True),
    Column("at", BigInteger, nullable=False),
    Index(None, "blocked"),
)

# Matches

matches = Table(
    "matches",
    metadata,
    Column("id", Text, primary_key=True),
    Column("header", JsonColumn(dict), nullable=False),  # session.Header.to_data()
    Column("card", Text, nullable=False),
    Column("game", Text, nullable=False),  # for display
    Column("rules", Text, nullable=False),  # the fingerprint
    Column("time_class", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("rated", Boolean, nullable=False, server_default=false()),
    Column("private", Boolean, nullable=False, server_default=false()),
    Column("tutor", Boolean, nullable=False, server_default=false()),
    _person("owner", nullable=True),
    Column("invite", Text, unique=True),  # the secret of /j/…, while it is open
    Column("created", BigInteger, nullable=False),
    Column("started", BigInteger),
    Column("ended", BigInteger),
    # How long no server had been up when it was made: what came since is no time of the match.
    Column("down", BigInteger, nullable=False, server_default="0"),
    Column("winner", Text),
    Column("ending", Text),
    Column("white_score", Integer),
    Column("black_score", Integer),
    Column("rematch_of", Text),
    CheckConstraint("state IN ('open', 'live', 'over')", name="state"),
    CheckConstraint("kind IN ('engine', 'hotseat', 'people')", name="kind"),
    Index(None, "state", "started"),
    Index(None, "rematch_of"),
)

seats = Table(
    "seats",
    metadata,
    _match(primary_key=True),
    Column("side", Text, primary_key=True),
    _person("user_id", nullable=True),
    Column("level", Text),  # of the engine that sits here
    Column("name", Text, nullable=False),
    Column("keeper", Text, nullable=False),  # who keeps this seat's chain of dice: server or page
    Column("again", Boolean, nullable=False, server_default=false()),  # asked for a rematch
    CheckConstraint("side IN ('white', 'black')", name="side"),
    CheckConstraint("keeper IN ('server', 'page')", name="keeper"),
    Index(None, "user_id"),
)

events = Table(
    "events",
    metadata,
    _match(primary_key=True),
    # The referee between processes: two cannot both write event n.
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", JSON, nullable=False),
    Column("then", JSON, nullable=False),
    Column("ref", Text),
    UniqueConstraint("match_id", "actor", "ref"),
)

dice_secrets = Table(
    "dice_secrets",
    metadata,
    _match(primary_key=True),
    # The tip of a chain that the server keeps: its own, or that of an engine.
    Column("secret", LargeBinary, primary_key=True),
)

uptime = Table(
    "uptime",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    # When a server was last up, and for how long in all none was.
    Column("alive", BigInteger, nullable=False),
    Column("down", BigInteger, nullable=False),
)

chat = Table(
    "chat",
    metadata,
    _match(primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    _person("user_id"),
    Column("name", Text, nullable=False),
    Column("text", Text),
    Column("phrase", Text),
    CheckConstraint("(text IS NULL) <> (phrase IS NULL)", name="one"),
)

# Ratings

ratings = Table(
    "ratings",
    metadata,
    _person("user_id", primary_key=True),
    Column("rules", Text, primary_key=True),  # the fingerprint
    Column("time_class", Text, primary_key=True),
    Column("pool", Text, primary_key=True),  # people, or bots: matches in which one plays
    Column("game", Text, nullable=False),  # for display
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    CheckConstraint("pool IN ('people', 'bots')", name="pool"),
)

rated_matches = Table(
    "rated_matches",
    metadata,
    # The key says that a match is rated once for each of its players.
    _match(primary_key=True),
    _person("user_id", primary_key=True),
    # Of the match, kept here since its other player may be gone.
    Column("pool", Text, nullable=False, server_default="people"),
    Column("before", Float, nullable=False),
    Column("after", Float, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index(None, "user_id"),
)

# Reviews

# Match files that somebody has uploaded; nobody else sees them.
uploads = Table(
    "uploads",
    metadata,
    Column("id", Text, primary_key=True),
    _person("owner"),
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
    _person("owner"),
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
    CheckConstraint("source IN ('match', 'upload')", name="source"),
    CheckConstraint("state IN ('waiting', 'running', 'done', 'failed')", name="state"),
    UniqueConstraint("owner", "source", "source_id"),
    Index(None, "state", "created"),
    Index(None, "source", "source_id"),
)

# The lobby

seeks = Table(
    "seeks",
    metadata,
    Column("id", Text, primary_key=True),
    _person("user_id"),
    Column("card", Text, nullable=False),
    Column("side", Text, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    # The process whose socket keeps it open; it goes with the process. Empty for a challenge, which waits.
    Column("process", Text, nullable=False),
    # A challenge is a seek for one person: until when it may be answered, and why it was declined.
    _person("invited", nullable=True),
    Column("expires", BigInteger),
    Column("declined", Text),
    Index(None, "user_id"),
    Index(None, "process"),
    Index(None, "invited"),
)

processes = Table(
    "processes",
    metadata,
    Column("id", Text, primary_key=True),
    Column("started", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("people", JsonColumn(list, _OF_A_PROCESS), nullable=False),  # ids of those connected to it
    # The sides that sit at it, by match.
    Column("boards", JsonColumn(dict, _OF_A_PROCESS), nullable=False, server_default="{}"),
)
