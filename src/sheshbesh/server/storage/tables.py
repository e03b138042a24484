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


def of_person(name: str, *, primary_key: bool = False, nullable: bool = False) -> Column[str]:
    """A column that names an account, and goes with it."""
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
    Column("moderator", Boolean, nullable=False, server_default=false()),
    Column("hidden", Boolean, nullable=False, server_default=false()),  # others do not see that they are here
    Column("owner", Text, ForeignKey("users.id", ondelete="CASCADE"), index=True),  # of a bot
    Column("settings", JsonColumn(dict), nullable=False),
    # How often the address of their own calendar was withdrawn, which is signed with it.
    Column("calendar", Integer, nullable=False, server_default="0"),
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
    of_person("user_id"),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("agent", Text, nullable=False),
    Index(None, "user_id"),
)

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", LargeBinary, primary_key=True),  # the authenticator's credential id
    of_person("user_id"),
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
    of_person("user_id", nullable=True),
    Column("at", BigInteger, nullable=False),
    Index(None, "at"),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", Text, primary_key=True),
    Column("hash", Text, nullable=False, unique=True),
    of_person("user_id"),
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

# Codes by which somebody who has lost the password sets a new one, each once.
recovery_codes = Table(
    "recovery_codes",
    metadata,
    of_person("user_id", primary_key=True),
    # The code's first letter: it says which hash to compare with.
    Column("letter", Text, primary_key=True),
    Column("hash", Text, nullable=False),  # argon2
    Column("created", BigInteger, nullable=False),
)

# Where mail for an account goes, if its owner has entered an address.
mail_addresses = Table(
    "mail_addresses",
    metadata,
    of_person("user_id", primary_key=True),
    Column("address", Text, index=True),  # confirmed by a link that was sent there
    Column("wanted", Text),  # one that is still to be confirmed
    Column("asked", BigInteger, nullable=False),  # when it was given
)

vacations = Table(
    "vacations",
    metadata,
    of_person("user_id", primary_key=True),
    # In ms of the world's time; one that is prolonged is a row of its own.
    Column("since", BigInteger, primary_key=True, autoincrement=False),
    Column("until", BigInteger, nullable=False),
)

push_subscriptions = Table(
    "push_subscriptions",
    metadata,
    Column("endpoint", Text, primary_key=True),
    of_person("user_id"),
    Column("p256dh", Text, nullable=False),
    Column("auth", Text, nullable=False),
    Column("lang", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Index(None, "user_id"),
)

notes = Table(
    "notes",
    metadata,
    of_person("owner", primary_key=True),
    of_person("about", primary_key=True),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

blocks = Table(
    "blocks",
    metadata,
    of_person("owner", primary_key=True),
    of_person("blocked", primary_key=True),
    Column("at", BigInteger, nullable=False),
    Index(None, "blocked"),
)

# Whom somebody follows.
follows = Table(
    "follows",
    metadata,
    of_person("owner", primary_key=True),
    of_person("followed", primary_key=True),
    Column("at", BigInteger, nullable=False),
    Index(None, "followed"),
)

# Moderation

reports = Table(
    "reports",
    metadata,
    Column("id", Text, primary_key=True),
    of_person("reported"),
    # Who reported it; their account may be gone.
    Column("reporter", Text, ForeignKey("users.id", ondelete="SET NULL")),
    Column("match_id", Text, ForeignKey("matches.id", ondelete="SET NULL")),
    Column("kind", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    # What a moderator made of it; open until then.
    Column("answer", Text),
    Column("resolved", BigInteger),
    Column("resolved_by", Text),
    CheckConstraint("kind IN ('talk', 'cheating', 'leaving', 'name', 'other')", name="kind"),
    Index(None, "reported"),
    Index(None, "resolved", "at"),
    Index(None, "reporter"),
    Index(None, "match_id"),
)

sanctions = Table(
    "sanctions",
    metadata,
    of_person("user_id", primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("until", BigInteger),  # for ever where there is none
    Column("reason", Text, nullable=False),
    CheckConstraint("kind IN ('ban', 'mute')", name="kind"),
)

# What moderators have done. It refers to nobody, so that it outlives accounts.
moderation_log = Table(
    "moderation_log",
    metadata,
    Column("id", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("actor", Text, nullable=False),  # a moderator's name, or that of a user of the machine
    Column("action", Text, nullable=False),
    Column("target", Text, nullable=False),  # the id of an account
    Column("name", Text, nullable=False),  # its name at that time
    Column("reason", Text, nullable=False),
    Column("detail", JsonColumn(dict), nullable=False, server_default="{}"),
    Index(None, "at"),
    Index(None, "target"),
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
    of_person("owner", nullable=True),
    Column("invite", Text, unique=True),  # the secret of /j/…, by which its players come back, too
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
    # While it goes on: when somebody's time runs out, as `due_of` says, and how it stands. When it is over:
    # from when on its events are to be packed; NULL where they are, or cannot be.
    Column("due", BigInteger),
    Column("standing", JSON(none_as_null=True)),
    CheckConstraint("state IN ('open', 'live', 'over')", name="state"),
    CheckConstraint("kind IN ('engine', 'hotseat', 'people')", name="kind"),
    Index(None, "state", "started"),
    Index(None, "state", "due"),
    Index(None, "rematch_of"),
)

seats = Table(
    "seats",
    metadata,
    _match(primary_key=True),
    Column("side", Text, primary_key=True),
    of_person("user_id", nullable=True),
    Column("level", Text),  # of the engine that sits here
    Column("name", Text, nullable=False),
    Column("keeper", Text, nullable=False),  # who keeps this seat's chain of dice: server or page
    Column("again", Boolean, nullable=False, server_default=false()),  # asked for a rematch
    CheckConstraint("side IN ('white', 'black')", name="side"),
    CheckConstraint("keeper IN ('server', 'page')", name="keeper"),
    Index(None, "user_id"),
)


def _events(name: str, table: Column[str]) -> Table:
    """The events of a kind of table."""
    return Table(
        name,
        metadata,
        table,
        # The key lets no two processes both write event n.
        Column("n", Integer, primary_key=True, autoincrement=False),
        Column("at", BigInteger, nullable=False),
        Column("actor", Text, nullable=False),
        Column("action", JSON, nullable=False),
        Column("then", JSON, nullable=False),
        Column("ref", Text),
        UniqueConstraint(table.name, "actor", "ref"),
    )


def _secrets(name: str, table: Column[str]) -> Table:
    """The last links of the chains that the server keeps: its own, and those of programs that play."""
    return Table(name, metadata, table, Column("secret", LargeBinary, primary_key=True))


def _packed(name: str, table: Column[str]) -> Table:
    """The events of tables of a kind that are over, packed (`packed.pack`) in place of their rows."""
    return Table(name, metadata, table, Column("events", LargeBinary, nullable=False))


events = _events("events", _match(primary_key=True))
packed_events = _packed("packed_events", _match(primary_key=True))
dice_secrets = _secrets("dice_secrets", _match(primary_key=True))

# Chouettes

chouettes = Table(
    "chouettes",
    metadata,
    Column("id", Text, primary_key=True),
    # session.ChouetteHeader.to_data(), and how the seats were thrown for; empty while people gather.
    Column("header", JsonColumn(dict), nullable=False, server_default="{}"),
    Column("throws", JsonColumn(dict), nullable=False, server_default="{}"),
    Column("card", Text, nullable=False),
    Column("game", Text, nullable=False),  # for display
    Column("consultation", Text, nullable=False),
    Column("chosen_members", Boolean, nullable=False, server_default=false()),
    Column("private", Boolean, nullable=False, server_default=false()),
    Column("state", Text, nullable=False),
    Column("owner", Text, ForeignKey("users.id", ondelete="SET NULL")),
    Column("created", BigInteger, nullable=False),
    Column("started", BigInteger),
    Column("ended", BigInteger),
    # How long no server had been up when it was made, as at matches; NULL at those older than their clocks.
    Column("down", BigInteger),
    # As at matches: when somebody's time runs out, later when its events are to be packed.
    Column("due", BigInteger),
    CheckConstraint("state IN ('open', 'live', 'over')", name="state"),
    Index(None, "state", "created"),
    Index(None, "state", "due"),
)


def _chouette() -> Column[str]:
    key = ForeignKey("chouettes.id", ondelete="CASCADE")
    return Column("chouette_id", Text, key, primary_key=True, nullable=False)


# Everybody who sits or has sat at a chouette, by the name that its events have.
chouette_people = Table(
    "chouette_people",
    metadata,
    _chouette(),
    Column("name", Text, primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="SET NULL")),
    Column("level", Text),  # of the bot that plays here, for good or while its person is away
    Column("place", Integer, nullable=False),  # in the order in which they came
    Index(None, "user_id"),
)

chouette_events = _events("chouette_events", _chouette())
packed_chouette_events = _packed("packed_chouette_events", _chouette())
chouette_secrets = _secrets("chouette_secrets", _chouette())

uptime = Table(
    "uptime",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    # When a server was last up, and for how long in all none was.
    Column("alive", BigInteger, nullable=False),
    Column("down", BigInteger, nullable=False),
)


def chat_table(name: str, table: Column[str]) -> Table:
    """The chat messages at a kind of table."""
    return Table(
        name,
        metadata,
        table,
        Column("n", Integer, primary_key=True, autoincrement=False),
        Column("at", BigInteger, nullable=False),
        of_person("user_id"),
        Column("name", Text, nullable=False),
        Column("text", Text),
        Column("phrase", Text),
        CheckConstraint("(text IS NULL) <> (phrase IS NULL)", name="one"),
    )


chat = chat_table("chat", _match(primary_key=True))
chouette_chat = chat_table("chouette_chat", _chouette())

# Ratings

ratings = Table(
    "ratings",
    metadata,
    of_person("user_id", primary_key=True),
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
    of_person("user_id", primary_key=True),
    # Of the match, kept here since its other player may be gone.
    Column("pool", Text, nullable=False, server_default="people"),
    Column("before", Float, nullable=False),
    Column("after", Float, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index(None, "user_id"),
)

# The lobby

seeks = Table(
    "seeks",
    metadata,
    Column("id", Text, primary_key=True),
    of_person("user_id"),
    Column("card", Text, nullable=False),
    Column("side", Text, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    # The process whose socket keeps it open; it goes with the process. Empty for a challenge, which waits.
    Column("process", Text, nullable=False),
    # A challenge is a seek for one person: until when it may be answered, and why it was declined.
    of_person("invited", nullable=True),
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
    Column("address", Text),  # by which engine workers on other hosts reach it
)
