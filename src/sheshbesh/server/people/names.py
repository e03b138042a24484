"""The names that an account may take: nobody's, none of the site's own, and none that was deleted lately."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import Connection, delete, insert, or_, select

from sheshbesh.i18n import Text
from sheshbesh.server.ids import fingerprint, now_ms
from sheshbesh.server.people.lookalikes import skeleton
from sheshbesh.server.people.person import Person, clean_name, folded
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import retired_names, users

KEPT_DAYS = 180
"""For how long nobody takes the name of an account that was deleted, so that nobody is taken for it."""

_DAY = 24 * 3600 * 1000

NOBODY = "Deleted player"
"""The name in the matches of others where an account was; the page says it in its language."""

_OWN = ("server", "white", "black", "engine", "admin", "moderator", "sheshbesh", NOBODY, "guest")
_RESERVED = frozenset(skeleton(word) for own in _OWN for word in (own.lower(), own.upper()))
"""Skeletons of the site's own names. A letter may look like another in one case only: `I` is like `l`."""
_GUESTS = skeleton("guest ")
"""The prefix of the names of guests."""


def clean_claim(name: str) -> str:
    """A name that somebody may claim: none of a guest's or the site's own, nor one that looks like it."""
    cleaned = clean_name(name)
    if (shape := skeleton(cleaned)) in _RESERVED or shape.startswith(_GUESTS):
        raise Failure(422, "this name is the site's own", where="name")
    return cleaned


def taken(name: str, *, where: str = "name") -> Failure:
    """The refusal of a name that somebody has, or that looks like one."""
    return Failure(409, Text("the name {name} is taken", name=name), code="taken", where=where)


def retired(name: str) -> tuple[str, str]:
    """Return what is kept of a name that nobody may take for a while: not the name itself, nor its
    skeleton."""
    return fingerprint(folded(name)), fingerprint(f"skeleton {skeleton(name)}")


def retire(connection: Connection, names: Sequence[str]) -> None:
    """Let nobody take these names for `KEPT_DAYS`."""
    now = now_ms()
    hashes = sorted({found for name in names for found in retired(name)})
    kept = [{"hash": found, "until": now + KEPT_DAYS * _DAY} for found in hashes]
    known = retired_names.c.hash.in_(hashes)
    connection.execute(delete(retired_names).where(or_(retired_names.c.until <= now, known)))
    if kept:
        connection.execute(insert(retired_names), kept)


def unretire(connection: Connection, name: str) -> None:
    """Let this name be taken again."""
    connection.execute(delete(retired_names).where(retired_names.c.hash.in_(retired(name))))


def not_retired(name: str) -> Callable[[Connection], None]:
    """The step that refuses, as one that is taken, the name of an account that is gone.

    It comes after the one that takes the name: that waits for an account being deleted at the same moment.
    """

    def check(connection: Connection) -> None:
        kept = select(retired_names.c.until).where(
            retired_names.c.hash.in_(retired(name)), retired_names.c.until > now_ms()
        )
        if connection.execute(kept).first() is not None:
            raise taken(name)

    return check


async def check_hot_seats(
    database: Database, person: Person, names: Sequence[str], *, where: str = "opponent.names"
) -> None:
    """Failure where a name for a seat at one screen is somebody else's: what is shown at a match is true."""
    for name in {name for name in names if name and name != person.name}:
        try:
            cleaned = clean_claim(name)
        except Failure as failure:
            raise Failure(422, failure.detail, where=where) from None
        like = or_(users.c.folded == folded(cleaned), users.c.skeleton == skeleton(cleaned))
        others = select(users.c.id).where(like, users.c.id != person.id)
        gone = select(retired_names.c.until).where(
            retired_names.c.hash.in_(retired(cleaned)), retired_names.c.until > now_ms()
        )
        if await database.first(others) is not None or await database.first(gone) is not None:
            raise taken(cleaned, where=where)
