"""Who sits at a match, and how it was arranged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from sheshbesh.match import Card
from sheshbesh.rules import Side
from sheshbesh.server.people.access import Audience
from sheshbesh.session import Header

if TYPE_CHECKING:
    from sheshbesh.session.record_header import TableHeader

GUEST, USER, BOT, ENGINE = "guest", "user", "bot", "engine"


@dataclass(frozen=True, slots=True)
class Seat:
    """One side's player: a person or a program with an account (`user`), or the engine at a level."""

    kind: str
    name: str
    user: str | None = None
    level: str | None = None
    rating: int | None = None

    def to_data(self) -> dict[str, Any]:
        """What everybody may know of it."""
        return {
            "name": self.name,
            "kind": self.kind,
            "level": self.level,
            "id": self.user,
            "rating": self.rating,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Seat:
        """The seat of `to_data`."""
        return cls(data["kind"], data["name"], data.get("id"), data.get("level"), data.get("rating"))


class Agreement:
    """A table as it was agreed on, of either kind."""

    __slots__ = ()

    if TYPE_CHECKING:  # properties here would hide the fields of the kinds

        @property
        def id(self) -> str:
            """The id of the table."""

        @property
        def down(self) -> int | None:
            """Milliseconds for which no server had been up before; None for time that never stops."""

        @property
        def header(self) -> TableHeader[Any] | None:
            """The first line of its record; None before it begins."""


Agreed = TypeVar("Agreed", bound=Agreement)


@dataclass(frozen=True, slots=True)
class Arrangement(Agreement):
    """A match as it was agreed on: what is played, by whom, and what is allowed beside the board."""

    id: str
    card: Card
    seats: Mapping[Side, Seat]
    rated: bool = False
    tutor: bool = False
    private: bool = False
    created: int = 0
    seed: str | None = None
    down: int = 0
    """Milliseconds for which no server had been up before the match was made."""

    @property
    def header(self) -> Header:
        """The first line of its record."""
        names = {side.value: seat.name for side, seat in self.seats.items()}
        return Header(self.card, self.id, names, self.seed)

    @property
    def is_hot_seat(self) -> bool:
        """Whether one person plays both sides."""
        white, black = self.seats[Side.WHITE], self.seats[Side.BLACK]
        return white.user is not None and white.user == black.user

    def sides_of(self, user: str | None) -> tuple[Side, ...]:
        """The sides this person plays; none for a watcher."""
        if user is None:
            return ()
        return tuple(side for side in Side if self.seats[side].user == user)

    @property
    def audience(self) -> Audience:
        """Who may look: a private match is that of its players."""
        return Audience.PLAYERS if self.private else Audience.EVERYBODY

    def is_player(self, user: str | None) -> bool:
        """Whether this person plays a side."""
        return bool(self.sides_of(user))

    @property
    def is_between_people(self) -> bool:
        """Whether two different people play, or programs of theirs; one seat may still be free."""
        return not self.engine_sides() and not self.is_hot_seat

    def engine_sides(self) -> tuple[Side, ...]:
        """The sides the engine plays."""
        return tuple(side for side in Side if self.seats[side].kind == ENGINE)

    def kept_sides(self) -> tuple[Side, ...]:
        """The sides whose chains of dice the server keeps, and for which it is ready: programs."""
        return tuple(side for side in Side if self.seats[side].kind in (ENGINE, BOT))
