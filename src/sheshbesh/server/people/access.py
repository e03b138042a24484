"""Rights to look at a match or a chouette and at all that is made of it, and to keep what was sent.

Records, frames, dice, moments, pictures, sockets and pages ask here and nowhere else.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, Protocol

from sheshbesh.i18n import Text
from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import Failure


class Audience(Enum):
    """The people who may look at a table: everybody, who has its link (it stands in no list), or its players
    alone."""

    EVERYBODY = "everybody"
    LINK = "link"
    PLAYERS = "players"


class Table(Protocol):
    """A match or a chouette as it was agreed on."""

    @property
    def audience(self) -> Audience:
        """The people who may look."""

    def is_player(self, user: str | None) -> bool:
        """Return True if this person sits there."""


NOT_FOUND: Final = Text("there is no such match, or it has not begun")


def may_look(table: Table, user: str | None) -> bool:
    """Return True if this person (None for a stranger) may look at a table."""
    return table.audience is not Audience.PLAYERS or table.is_player(user)


def check_look(table: Table | None, person: Person | None, *, missing: str = NOT_FOUND) -> None:
    """Failure 404 with the sentence `missing` where there is no table, and likewise where it is not theirs to
    see: nobody learns that it is there."""
    if table is None or not may_look(table, person.id if person is not None else None):
        raise Failure(404, missing)


def cache_control(table: Table) -> str:
    """The header Cache-Control of what was made of a table and stays as it is.

    Where not everybody may look, it is asked for anew each time: somebody else may sit at the same browser.
    """
    everybody = table.audience is Audience.EVERYBODY
    return "public, max-age=86400" if everybody else "private, no-cache"
