"""What rooms need of a database, and how it says no."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sheshbesh.server.http.failure import Failure
from sheshbesh.server.matches.seats import Arrangement
from sheshbesh.session import Event, Session

log = logging.getLogger(__name__)


class Taken(Exception):  # noqa: N818 - not an error: another process was quicker
    """The number of the first event is taken: somebody else went on with the match meanwhile."""


class Repeated(Exception):  # noqa: N818 - not an error: an action was sent again
    """This actor's `ref` is stored already: the action was accepted before."""


def damaged(match: str) -> Failure:
    """What is said of a match that lies in the database and cannot be read; called where that is caught."""
    log.exception("match %s cannot be read", match)
    return Failure(410, "this match is damaged and cannot be opened", code="damaged")


class UnavailableError(Exception):
    """Nothing can be stored just now, by anybody: the disk is full, or the database is away."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A match as it lies in the database."""

    table: Arrangement
    events: Sequence[Event] = field(default=())
    tips: Sequence[bytes] = field(default=())
    """The secrets behind the chains of dice that the server keeps for this match."""


@dataclass(frozen=True, slots=True)
class Writing:
    """Events to be stored together with all that must not be lost when they are announced.

    `ref` is the sender's name for the first event's action, `after` the state after the last event.
    """

    table: Arrangement
    events: Sequence[Event]
    after: Session
    ref: str | None = None
    tips: Iterable[bytes] = ()


class Store(Protocol):
    """Where matches are kept. What it has accepted survives the process."""

    async def create(self, table: Arrangement) -> None:
        """Begin a match."""

    async def table(self, match: str) -> tuple[Arrangement, bool] | None:
        """How a match that has begun was agreed on, and whether it is over; None if there is none."""

    async def load(self, match: str) -> Stored | None:
        """A match with all its events; None if there is none of this name. Failure for a damaged one."""

    async def tail(self, match: str, after: int) -> Sequence[Event]:
        """The events that follow number `after`."""

    async def tips(self, match: str) -> Sequence[bytes]:
        """The secrets of the server's chains of this match."""

    async def append(self, writing: Writing) -> None:
        """Store events; returns once they are safe. Raises Taken, Repeated or UnavailableError, and
        stores nothing."""

    async def knows(self, match: str, actor: str, ref: str) -> bool:
        """Whether this actor's action `ref` was accepted before."""
