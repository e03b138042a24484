"""Which names an account may take: nobody's, none of the site's own, and none that was deleted lately."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from sheshbesh.i18n import Text
from sheshbesh.server.http.failure import Failure
from sheshbesh.server.ids import fingerprint, now_ms
from sheshbesh.server.people.person import clean_name, folded
from sheshbesh.server.storage.tables import retired_names

KEPT_DAYS = 180
"""For how long nobody takes the name of an account that was deleted, so that nobody is taken for it."""

NOBODY = "Deleted player"
"""What stands in the matches of others where an account was; the page says it in its language."""

_RESERVED = frozenset(
    {"server", "white", "black", "engine", "admin", "moderator", "sheshbesh", folded(NOBODY)}
)


def clean_claim(name: str) -> str:
    """A name that somebody may claim: none of a guest's or the site's own."""
    cleaned = clean_name(name)
    if folded(cleaned) in _RESERVED or folded(cleaned).startswith("guest "):
        raise Failure(422, "this name is the site's own", where="name")
    return cleaned


def taken(name: str) -> Failure:
    """What is said of a name that somebody has."""
    return Failure(409, Text("the name {name} is taken", name=name), code="taken", where="name")


def retired(name: str) -> str:
    """What is kept of a name that nobody may take for a while: not the name itself."""
    return fingerprint(folded(name))


def not_retired(name: str) -> Callable[[AsyncConnection], Awaitable[None]]:
    """The step that refuses, as one that is taken, the name of an account that is gone.

    It comes after the one that takes the name: that waits for an account being deleted at the same moment.
    """

    async def check(connection: AsyncConnection) -> None:
        kept = select(retired_names.c.until).where(
            retired_names.c.hash == retired(name), retired_names.c.until > now_ms()
        )
        if (await connection.execute(kept)).first() is not None:
            raise taken(name)

    return check
