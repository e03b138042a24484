"""Records of chouettes: the format of match records, with the seats in place of the players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sheshbesh.errors import MatchError, RecordError
from sheshbesh.i18n import Text
from sheshbesh.match.card import Card
from sheshbesh.rules.safe_text import escaped
from sheshbesh.session.chouette.apply import CHOUETTE_ACTIONS, apply_chouette
from sheshbesh.session.chouette.seats import Seats
from sheshbesh.session.chouette.state import Chouette, Consultation
from sheshbesh.session.record import TableRecord
from sheshbesh.session.record_header import TableHeader, read_common


@dataclass(frozen=True, slots=True)
class ChouetteHeader(TableHeader[Chouette]):
    """The terms of a chouette: the card, the seats it begins with, and its own options."""

    FORMAT = "sheshbesh-chouette"
    ACTIONS = CHOUETTE_ACTIONS
    apply = staticmethod(apply_chouette)

    card: Card
    match_id: str
    seats: Seats
    consultation: Consultation = Consultation.FREE
    chosen_members: bool = False
    seed: str | None = None

    def session(self) -> Chouette:
        """The chouette before its first event."""
        return Chouette.new(
            self.card,
            self.seats,
            match_id=self.match_id,
            seed=self.seed,
            consultation=self.consultation,
            chosen_members=self.chosen_members,
        )

    def people(self) -> dict[str, Any]:
        """The seats and what was agreed about them."""
        return {
            "seats": list(self.seats.people),
            "consultation": self.consultation.value,
            "chosen_members": self.chosen_members,
        }

    @classmethod
    def from_data(cls, data: object) -> ChouetteHeader:
        """Read a header; RecordError says what is wrong with it."""
        common = read_common(data, cls.FORMAT)
        try:
            header = cls(
                common.card,
                common.match_id,
                _seats(common.data.get("seats")),
                Consultation(common.data.get("consultation", Consultation.FREE)),
                common.data.get("chosen_members", False) is True,
                common.seed,
            )
            header.session()
        except (MatchError, ValueError) as error:
            raise RecordError(Text("no chouette can begin like this: {why}", why=error)) from None
        return header


def _seats(names: object) -> Seats:
    if not isinstance(names, list) or len(names) < 2 or not all(isinstance(name, str) for name in names):
        raise RecordError(Text("seats are a list of names, not {found}", found=repr(names)))
    first, *others = map(escaped, names)  # a record can come from anybody, and its names are shown
    return Seats(first, tuple(others))


@dataclass(frozen=True, repr=False)
class ChouetteRecord(TableRecord[Chouette]):
    """A chouette as it was played."""

    HEADER = ChouetteHeader
    header: ChouetteHeader
