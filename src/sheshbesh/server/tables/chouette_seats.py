"""Who sits at a chouette, and how it was agreed on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sheshbesh.engines.strength import levels
from sheshbesh.match import Card
from sheshbesh.server.people.access import Audience
from sheshbesh.server.tables.seats import Agreement
from sheshbesh.session import ChouetteHeader, Consultation


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
        """Whether the program plays here now."""
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
    state: str = "open"
    owner: str | None = None
    created: int = 0
    down: int | None = None
    """Milliseconds for which no server had been up when it was made; None at tables older than clocks."""

    @property
    def audience(self) -> Audience:
        """Who may look: at an unlisted one (`private` on the wire and in the tables) anyone with its link."""
        return Audience.LINK if self.unlisted else Audience.EVERYBODY

    def is_player(self, user: str | None) -> bool:
        """Whether this person sits here, or has made the table."""
        return user is not None and (self.owner == user or bool(self.names_of(user)))

    def sitter(self, name: str) -> Sitter | None:
        """The person or bot of this name here."""
        return next((sitter for sitter in self.people if sitter.name == name), None)

    @property
    def bots(self) -> frozenset[str]:
        """The names for which the program plays now."""
        return frozenset(sitter.name for sitter in self.people if sitter.is_bot)

    @property
    def persons(self) -> frozenset[str]:
        """The names that are people, though the program may play for one of them while they are away."""
        return frozenset(sitter.name for sitter in self.people if sitter.user is not None)

    def names_of(self, user: str | None) -> tuple[str, ...]:
        """The names that one person has here: several where one screen serves them all."""
        if user is None:
            return ()
        return tuple(sitter.name for sitter in self.people if sitter.user == user)
