"""A tournament as a value: entrants, pairings, brackets, and where it stands.

Entrants and pairings are numbered from 1 in the order in which they came; these numbers never change and
are what events name. Everything here has a plain JSON form through msgspec, for snapshots.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from sheshbesh.tournaments.settings import BracketName, Settings

SERVER = "server"
MODERATOR = "moderator"
"""The actor of a moderator of the site, whatever their name."""
NOBODY = 0
"""Stands for an entrant where there is none: the place beside a bye, the winner where both lose."""


class Status(StrEnum):
    """The stage of a tournament."""

    DRAFT = "draft"
    ANNOUNCED = "announced"
    OPEN = "open"
    CHECK_IN = "check_in"
    RUNNING = "running"
    CONFIRMING = "confirming"
    OVER = "over"
    CANCELLED = "cancelled"


BEFORE_START = (Status.DRAFT, Status.ANNOUNCED, Status.OPEN, Status.CHECK_IN)
ENDED = (Status.OVER, Status.CANCELLED)


class Entrant(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody who is entered.

    `seed` is their place in the seeding from the start on, 1 the highest, `group` their group. `late` is
    how many rounds they missed before they came, `penalty` what is taken off their score. `why` they are
    out: lost, withdrawn, absent, disqualified, not_checked_in or full. `share` are 32 bytes that their page
    made, in hexadecimal digits. `out_at` is the round in which they went out, `left` the event by which they
    did so without losing. `ready_at` is since when they could be paired again.
    """

    number: int
    id: str
    name: str
    kind: Literal["account", "guest", "bot", "name"] = "account"
    status: Literal["waiting", "entered", "checked_in", "in", "out"] = "entered"
    rating: int | None = None
    club: str | None = None
    share: str = ""
    seed: int = 0
    group: int = 0
    late: int = 0
    paused: bool = False
    penalty: float = 0
    why: str = ""
    out_at: int = 0
    left: int = 0
    ready_at: int = 0
    strikes: int = 0

    @property
    def plays(self) -> bool:
        """Return whether they are in, paused or not."""
        return self.status == "in"

    @property
    def gone(self) -> bool:
        """Return whether they went out in another way than by losing, so that opponents win without play."""
        return self.status == "out" and self.why != "lost"


class Result(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The end of a pairing: `winner` is the number of an entrant, 0 if both lost.

    `score` has the points of both in the order of the pairing, `games` those of each game. `turns` is how
    many turns the loser had, `resigned` whether they gave the match up, `kind` how the last game was won (1
    single, 2 gammon, 3 the third class).
    """

    winner: int
    score: tuple[int, int] | None = None
    games: tuple[tuple[int, int], ...] = ()
    how: Literal["played", "time", "forfeit", "walkover", "bye", "entered"] = "played"
    by: str = SERVER
    turns: int | None = None
    resigned: bool = False
    kind: int = 1

    @property
    def is_played(self) -> bool:
        """Return whether it was fought at the board."""
        return self.how not in ("walkover", "bye")


class Pairing(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Two entrants who are to meet, the first with White; `second` is 0 for a bye.

    `slot` is the name of their place in the bracket, `match` the id of what they play, `at` when it was made,
    `deadline` until when both must have come, None where nobody is waited for by the clock; who was missing
    when half of it was left has been `called`. `points` were given to either side as a penalty of the other.
    """

    number: int
    round: int
    first: int
    second: int
    length: int
    slot: str = ""
    group: int = 0
    playoff: bool = False
    match: str = ""
    at: int = 0
    deadline: int | None = None
    called: bool = False
    status: Literal["made", "live", "decided", "annulled"] = "made"
    result: Result | None = None
    points: tuple[int, int] = (0, 0)

    @property
    def both(self) -> tuple[int, int]:
        """Return the two entrants."""
        return self.first, self.second

    @property
    def is_open(self) -> bool:
        """Return whether it has no result yet."""
        return self.status in ("made", "live")

    def other(self, entrant: int) -> int:
        """Return the opponent of one of the two."""
        return self.second if entrant == self.first else self.first


class Source(Struct, frozen=True, omit_defaults=True):
    """The source of one of the two of a bracket match.

    `again` is the same side of `slot` once more, if the winner of the losers' bracket won it.
    """

    kind: Literal["entrant", "winner", "loser", "again", "nobody"]
    slot: str = ""
    entrant: int = 0


class Slot(Struct, frozen=True):
    """A match of a bracket: its name (M1, C1, ...), the round of its bracket, its two sources, its length."""

    name: str
    bracket: BracketName
    round: int
    first: Source
    second: Source
    length: int


class Pair(NamedTuple):
    """Two entrants to be paired, the first with White, and their slot; `second` is 0 for a bye."""

    first: int
    second: int
    slot: str = ""


class LogLine(Struct, frozen=True, omit_defaults=True):
    """A line of the public log: what a director, a referee or the site decided, about whom and why."""

    at: int
    actor: str
    what: str
    about: tuple[int, ...] = ()
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Tournament:
    """The state of a tournament after its first `n` events.

    `rounds` counts the rounds that were paired, `closed` those that are over; in brackets and arenas a round
    is one wave of pairings. `plan` is the bracket, `schedule` the rounds of a round robin or of the groups.
    `unpaired` are those
    of the present round whose pairing is decided on but not yet made, as it comes in waves. `order` is the
    director's seeding. `due_by` is until when the present round is to be over, `ends` when an
    arena does. `held` since when everything waits for a decision, None if nothing does. `muted` are the
    ids of those who may not write here.
    """

    settings: Settings
    id: str = ""
    status: Status = Status.DRAFT
    entrants: tuple[Entrant, ...] = ()
    stage: Literal["", "groups", "bracket"] = ""
    rounds: int = 0
    closed: int = 0
    planned: int = 0
    unpaired: tuple[int, ...] = ()
    pairings: tuple[Pairing, ...] = ()
    plan: tuple[Slot, ...] = ()
    schedule: tuple[tuple[tuple[int, int], ...], ...] = ()
    n: int = 0
    at: int = 0
    log: tuple[LogLine, ...] = ()
    commitment: str = ""
    seed: str = ""
    order: tuple[int, ...] = ()
    forbidden: tuple[tuple[int, int], ...] = ()
    banned: tuple[str, ...] = ()
    starts: int | None = None
    began: int | None = None
    ends: int | None = None
    due_by: int | None = None
    finished: int | None = None
    held: int | None = None
    muted: tuple[str, ...] = ()

    def but(self, **changes: Any) -> Tournament:
        """Return the same with other values."""
        return replace(self, **changes)

    @cached_property
    def cache(self) -> dict[Any, Any]:
        """Return what was worked out from this state, by what it is; no part of it."""
        return {}

    @cached_property
    def by_id(self) -> dict[str, Entrant]:
        """Return entrants by the id of their account."""
        return {entrant.id: entrant for entrant in self.entrants}

    def entrant(self, number: int) -> Entrant:
        """Return the entrant with this number; IndexError if there is none."""
        if not 1 <= number <= len(self.entrants):
            raise IndexError(number)
        return self.entrants[number - 1]

    def pairing(self, number: int) -> Pairing:
        """Return the pairing with this number; IndexError if there is none."""
        if not 1 <= number <= len(self.pairings):
            raise IndexError(number)
        return self.pairings[number - 1]

    def with_entrants(self, *changed: Entrant) -> Tournament:
        """Return the same with these entrants in the place of those with their numbers."""
        entrants = list(self.entrants)
        for entrant in changed:
            entrants[entrant.number - 1] = entrant
        return self.but(entrants=tuple(entrants))

    def with_pairings(self, *changed: Pairing) -> Tournament:
        """Return the same with these pairings in the place of those with their numbers."""
        pairings = list(self.pairings)
        for pairing in changed:
            pairings[pairing.number - 1] = pairing
        return self.but(pairings=tuple(pairings))

    @cached_property
    def open_pairings(self) -> tuple[Pairing, ...]:
        """Return the pairings that have no result yet."""
        return tuple(pairing for pairing in self.pairings if pairing.is_open)

    @cached_property
    def playing(self) -> frozenset[int]:
        """Return the entrants who are in an open pairing."""
        return frozenset(number for pairing in self.open_pairings for number in pairing.both)

    def counted(self) -> Iterator[Pairing]:
        """Yield the pairings that have a result and were not annulled, playoffs aside."""
        for pairing in self.pairings:
            if pairing.status == "decided" and not pairing.playoff:
                yield pairing

    def of_round(self, number: int) -> Iterator[Pairing]:
        """Yield the pairings of a round that were not annulled, byes among them."""
        for pairing in self.pairings:
            if pairing.round == number and pairing.status != "annulled" and not pairing.playoff:
                yield pairing

    def players(self) -> Sequence[Entrant]:
        """Return everybody who has been in the tournament since it began, in order of seed."""
        return sorted((each for each in self.entrants if each.seed), key=lambda each: each.seed)

    def note(self, actor: str, what: str, about: tuple[int, ...] = (), reason: str = "") -> Tournament:
        """Return the same with a line more in its log."""
        return self.but(log=(*self.log, LogLine(self.at, actor, what, about, reason)))
