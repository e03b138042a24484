"""Rights to look at a match, a chouette or a tournament and at all that is made of it, and to keep what was
sent.

Records, frames, dice, moments, pictures, sockets, pages and their previews ask here and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

from sheshbesh.i18n import Text
from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import Failure
from sheshbesh.tournaments import Tournament
from sheshbesh.tournaments.state import Status


class Audience(Enum):
    """The people who may look at a table: everybody, who has its link (it stands in no list), or its players
    alone."""

    EVERYBODY = "everybody"
    LINK = "link"
    PLAYERS = "players"


class Table(Protocol):
    """A match or a chouette as it was agreed on, or a tournament."""

    @property
    def audience(self) -> Audience:
        """The people who may look."""

    def is_player(self, user: str | None) -> bool:
        """Return True if this person sits there."""


@dataclass(frozen=True, slots=True)
class Course:
    """A tournament: a draft is seen by those who direct it, one that stands in no list by its link."""

    state: Tournament

    @property
    def audience(self) -> Audience:
        """The people who may look."""
        if self.state.status is Status.DRAFT:
            return Audience.PLAYERS
        return Audience.EVERYBODY if self.state.settings.public else Audience.LINK

    def is_player(self, user: str | None) -> bool:
        """Return True if this person directs it."""
        return user in (*self.state.settings.directors, *self.state.settings.referees)


NOT_FOUND: Final = Text("there is no such match, or it has not begun")


def may_look(table: Table, user: str | None) -> bool:
    """Return True if this person (None for a stranger) may look at a table."""
    return table.audience is not Audience.PLAYERS or table.is_player(user)


def check_look(table: Table | None, person: Person | None, *, missing: str = NOT_FOUND) -> None:
    """Failure 404 with the sentence `missing` where there is no table, and likewise where it is not theirs to
    see: nobody learns that it is there."""
    if table is None or not may_look(table, person.id if person is not None else None):
        raise Failure(404, missing)


def is_told(table: Table) -> bool:
    """Return True if a table may be named to everybody, as in the preview of a link."""
    return table.audience is Audience.EVERYBODY


PERSONAL: Final = "private, no-cache"
"""The header Cache-Control of what was sent to one person: somebody else may sit at the same browser next."""


def cache_control(table: Table, *, told: str = "public, max-age=86400") -> str:
    """The header Cache-Control of what is made of a table: `told` if everybody may look, else PERSONAL."""
    return told if is_told(table) else PERSONAL
