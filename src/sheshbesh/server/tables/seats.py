"""The seats of a table, and its agreement: what stays beside the board while it is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from sheshbesh.engines.strength import levels
from sheshbesh.match import Card
from sheshbesh.rules import Side
from sheshbesh.server.people.access import Audience
from sheshbesh.session import ChouetteHeader, Consultation, EventTerms, Header
from sheshbesh.session.record_header import level_tags
from sheshbesh.session.state import Forbidden

if TYPE_CHECKING:
    from sheshbesh.session.record_header import TableHeader

GUEST, USER, BOT, ENGINE = "guest", "user", "bot", "engine"

OPEN, LIVE, OVER = "open", "live", "over"
"""The states of a table: it waits for its people, is played, has ended."""


class Agreement:
    """A table as it was agreed on, of either kind."""

    __slots__ = ()

    if TYPE_CHECKING:  # properties here would hide the fields of the kinds

        @property
        def id(self) -> str:
            """The id of the table."""

        @property
        def card(self) -> Card:
            """What is played."""

        @property
        def state(self) -> str:
            """Whether it was open, live or over when it was read."""

        @property
        def down(self) -> int | None:
            """Milliseconds for which no server had been up before; None for time that never stops."""

        @property
        def header(self) -> TableHeader[Any] | None:
            """The first line of its record; None before it begins."""

        @property
        def audience(self) -> Audience:
            """Who may look."""

        @property
        def persons(self) -> tuple[str, ...]:
            """The names of those who come by a line of their own."""

    def names_of(self, user: str | None) -> tuple[str, ...]:
        """Return the names by which a person acts here; none for a watcher."""
        raise NotImplementedError

    @property
    def programs(self) -> frozenset[str]:
        """The names for which an engine of the site plays now."""
        raise NotImplementedError

    @property
    def delay(self) -> int:
        """Milliseconds by which those who only watch see it later."""
        return 0

    def is_player(self, user: str | None) -> bool:
        """Tell whether this person sits here."""
        return bool(self.names_of(user))


Agreed = TypeVar("Agreed", bound=Agreement)


@dataclass(frozen=True, slots=True)
class Seat:
    """One side's player: a person or a program with an account (`user`), or the engine at a level."""

    kind: str
    name: str
    user: str | None = None
    level: str | None = None
    rating: int | None = None

    def to_data(self) -> dict[str, Any]:
        """Return what everybody may know of it."""
        return {
            "name": self.name,
            "kind": self.kind,
            "level": self.level,
            "id": self.user,
            "rating": self.rating,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Seat:
        """Return the seat of `to_data`."""
        return cls(data["kind"], data["name"], data.get("id"), data.get("level"), data.get("rating"))


def tags_of(seats: Mapping[Side, Seat]) -> dict[str, str]:
    """Return what the record of a match says more about those who sit there."""
    return level_tags({side.value: seat.level for side, seat in seats.items()})


@dataclass(frozen=True)
class MatchAgreement(Agreement):
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
    state: str = LIVE
    event: EventTerms | None = None
    """The tournament that the match is part of, and what that forbids."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """What its record says more; a match of before has none, and keeps the record that it has."""

    @property
    def header(self) -> Header:
        """The first line of its record."""
        names = {side.value: seat.name for side, seat in self.seats.items()}
        return Header(self.card, self.id, names, self.seed, self.event, tags=self.tags)

    @property
    def delay(self) -> int:
        """Milliseconds by which those who only watch see it later, as its event asks for."""
        return 0 if self.event is None else self.event.delay * 1000

    def forbids(self, what: Forbidden) -> bool:
        """Tell whether the event that the match is part of forbids this."""
        return self.event is not None and what in self.event.forbids

    @property
    def is_hot_seat(self) -> bool:
        """True if one person plays both sides."""
        white, black = self.seats[Side.WHITE], self.seats[Side.BLACK]
        return white.user is not None and white.user == black.user

    @property
    def audience(self) -> Audience:
        """The people who may look: a private match is that of its players."""
        return Audience.PLAYERS if self.private else Audience.EVERYBODY

    def names_of(self, user: str | None) -> tuple[Side, ...]:
        """Return the sides that a person plays; none for a watcher."""
        if user is None:
            return ()
        return tuple(side for side in Side if self.seats[side].user == user)

    @property
    def is_between_people(self) -> bool:
        """True if two different people play, or programs of theirs; one seat may still be free."""
        return not self.engine_sides and not self.is_hot_seat

    # Asked after every action, and the same as long as the match lasts.

    @cached_property
    def persons(self) -> tuple[Side, ...]:
        """The sides whose players come by a line of their own: people, and programs with an account."""
        return tuple(side for side in Side if self.seats[side].kind != ENGINE)

    @cached_property
    def engine_sides(self) -> tuple[Side, ...]:
        """The sides that the engine plays."""
        return tuple(side for side in Side if self.seats[side].kind == ENGINE)

    @cached_property
    def programs(self) -> frozenset[str]:
        """The names of the sides that the engine plays."""
        return frozenset(side.value for side in self.engine_sides)

    @cached_property
    def kept_sides(self) -> tuple[Side, ...]:
        """The sides whose chains of dice the server keeps, and for which it is ready: programs."""
        return tuple(side for side in Side if self.seats[side].kind in (ENGINE, BOT))


@dataclass(frozen=True, slots=True)
class Sitter:
    """Somebody by the name that the events of a chouette have: of a person (`user`), or of a bot (`level`).

    With both the bot plays while the person is away; with neither an account was deleted, and a bot goes on.
    """

    name: str
    user: str | None = None
    level: str | None = None

    @property
    def is_bot(self) -> bool:
        """True if the program plays here now."""
        return self.user is None or self.level is not None

    @property
    def strength(self) -> str:
        """The level at which the program plays here."""
        return self.level or levels.DEFAULT


@dataclass(frozen=True, slots=True)
class ChouetteAgreement(Agreement):
    """A chouette as it was agreed on. `header` is None while people gather; `throws` are those for seats."""

    id: str
    card: Card
    people: tuple[Sitter, ...]
    header: ChouetteHeader | None = None
    throws: Mapping[str, Sequence[int]] = field(default_factory=dict)
    consultation: Consultation = Consultation.FREE
    chosen_members: bool = False
    unlisted: bool = False
    state: str = OPEN
    owner: str | None = None
    created: int = 0
    down: int | None = None
    """Milliseconds for which no server had been up when it was made; None at tables older than clocks."""

    @property
    def audience(self) -> Audience:
        """The people who may look: at an unlisted one (`private` on the wire and in the tables) anyone with
        its link."""
        return Audience.LINK if self.unlisted else Audience.EVERYBODY

    def is_player(self, user: str | None) -> bool:
        """Tell whether this person sits here, or has made the table."""
        return user is not None and (self.owner == user or bool(self.names_of(user)))

    def names_of(self, user: str | None) -> tuple[str, ...]:
        """Return the names that one person has here: several where one screen serves them all."""
        if user is None:
            return ()
        return tuple(sitter.name for sitter in self.people if sitter.user == user)

    def sitter(self, name: str) -> Sitter | None:
        """Return the person or bot of this name here."""
        return next((sitter for sitter in self.people if sitter.name == name), None)

    @property
    def bots(self) -> frozenset[str]:
        """The names for which the program plays now."""
        return frozenset(sitter.name for sitter in self.people if sitter.is_bot)

    @property
    def programs(self) -> frozenset[str]:
        """The same, as of a match."""
        return self.bots

    @property
    def persons(self) -> tuple[str, ...]:
        """The names that are people, though the program may play for one of them while they are away."""
        return tuple(sitter.name for sitter in self.people if sitter.user is not None)
