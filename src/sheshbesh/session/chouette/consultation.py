"""The consultation match: two sides of several people each, and one hand that acts for each side.

The first of a team is its hand. The hand acts for the side in a match like any other;
the others advise, which changes nothing. `sheshbesh.session.apply_consultation` changes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from sheshbesh.errors import MatchError, RecordError
from sheshbesh.match.card import Card
from sheshbesh.rules import Refusal, Side
from sheshbesh.session.actions import ACTIONS, Action, Event
from sheshbesh.session.apply import apply
from sheshbesh.session.chouette.actions import AdviseAction, advice_refusal
from sheshbesh.session.phases import SERVER, Phase, Value
from sheshbesh.session.record import TableRecord
from sheshbesh.session.record_header import TableHeader, read_common
from sheshbesh.session.refusals import refuse
from sheshbesh.session.state import Session


@dataclass(frozen=True)
class ConsultationMatch(Value):
    """A match at one moment, with the people of its sides. `events` counts advice too."""

    match: Session
    white: tuple[str, ...]
    black: tuple[str, ...]
    events: int = 0
    at: int = 0

    @classmethod
    def new(
        cls,
        card: Card,
        *,
        white: tuple[str, ...],
        black: tuple[str, ...],
        match_id: str = "local",
        seed: str | None = None,
    ) -> ConsultationMatch:
        """A match before its first game; MatchError if a side is empty or a name stands twice."""
        people = (*white, *black)
        if not white or not black or len(set(people)) != len(people) or not all(people) or SERVER in people:
            raise MatchError(f"both sides need people with names of their own: {white!r}, {black!r}")
        return cls(Session.new(card, match_id=match_id, seed=seed), white, black)

    def side_of(self, name: str) -> Side | None:
        """The side a person is on, None for a stranger."""
        return Side.WHITE if name in self.white else Side.BLACK if name in self.black else None

    def hand(self, side: Side) -> str:
        """The person who acts for a side."""
        return (self.white if side is Side.WHITE else self.black)[0]

    def allowed(self, actor: str) -> tuple[str, ...]:
        """The types of action this person, or "server", may take now."""
        if actor == SERVER:
            return self.match.allowed(SERVER)
        side = self.side_of(actor)
        if side is None or self.match.phase is Phase.OVER:
            return ()
        return self.match.allowed(side) if actor == self.hand(side) else ("advise",)


class ConsultationApplied(NamedTuple):
    """An accepted action: the state after it, and its event."""

    state: ConsultationMatch
    events: tuple[Event, ...]


def apply_consultation(
    state: ConsultationMatch, actor: str, action: Action, now: int
) -> ConsultationApplied | Refusal:
    """Let a person (by name) or "server" take an action at `now`, in milliseconds; else as `apply`."""
    now = max(now, state.at)
    side = state.side_of(actor)
    if side is None and actor != SERVER:
        return refuse("actor.unknown")
    then: Mapping[str, Any] = {}
    after = state.match
    if isinstance(action, AdviseAction):
        refusal = _advice_refusal(state, actor, side, action.advice)
        if refusal is not None:
            return refusal
    elif side is not None and actor != state.hand(side):
        return refuse("actor.hand")
    else:
        applied = apply(state.match, side or actor, action, now)
        if isinstance(applied, Refusal):
            return applied
        after, then = applied.state, applied.events[0].then
    number = state.events + 1
    return ConsultationApplied(
        state.but(match=after, events=number, at=now), (Event(number, now, actor, action, then),)
    )


def _advice_refusal(state: ConsultationMatch, actor: str, side: Side | None, advice: str) -> Refusal | None:
    if "advise" not in state.allowed(actor) or side is None:
        return refuse("match.over" if state.match.phase is Phase.OVER else "advice.silent")
    turn = state.match.turn if state.match.on_roll is side else None
    return advice_refusal(turn, state.match.allowed(side), advice)


@dataclass(frozen=True, slots=True)
class ConsultationHeader(TableHeader[ConsultationMatch]):
    """What a consultation match is played by: the card and the people, the hand of each side first."""

    FORMAT = "sheshbesh-consultation"
    ACTIONS = MappingProxyType({**ACTIONS, AdviseAction.type: AdviseAction})
    apply = staticmethod(apply_consultation)

    card: Card
    match_id: str
    white: tuple[str, ...]
    black: tuple[str, ...]
    seed: str | None = None

    def session(self) -> ConsultationMatch:
        """The match before its first event."""
        return ConsultationMatch.new(
            self.card, white=self.white, black=self.black, match_id=self.match_id, seed=self.seed
        )

    def people(self) -> dict[str, Any]:
        """The people of both sides."""
        return {"teams": {"white": list(self.white), "black": list(self.black)}}

    @classmethod
    def from_data(cls, data: object) -> ConsultationHeader:
        """Read a header; RecordError says what is wrong with it."""
        common = read_common(data, cls.FORMAT)
        teams = common.data.get("teams")
        if not isinstance(teams, Mapping) or not all(_are_names(teams.get(side.value)) for side in Side):
            raise RecordError(f"teams are lists of names for white and black, not {teams!r}")
        header = cls(common.card, common.match_id, tuple(teams["white"]), tuple(teams["black"]), common.seed)
        try:
            header.session()
        except MatchError as error:
            raise RecordError(f"no match can begin like this: {error}") from None
        return header


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


@dataclass(frozen=True)
class ConsultationRecord(TableRecord[ConsultationMatch]):
    """A consultation match as it was played."""

    HEADER = ConsultationHeader
    header: ConsultationHeader
