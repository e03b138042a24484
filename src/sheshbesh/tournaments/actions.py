"""The actions of people, directors and the server in a tournament, and its events.

An action is a request of its actor; `apply` decides whether it is allowed. An event is an action that was
accepted: `{"n", "at", "actor", "ref", "action", "then"}`. People fill in no action themselves: the server
makes it from their request and what it knows about them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from sheshbesh.errors import ProtocolError, RecordError
from sheshbesh.tournaments.settings import LONGEST_TEXT, Id, Name

Number = Annotated[int, Meta(ge=1, le=2**31)]
Digest = Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")]
"""32 bytes as hexadecimal digits, or nothing."""
Reason = Annotated[str, Meta(max_length=LONGEST_TEXT)]
Points = Annotated[int, Meta(ge=0, le=999)]
Milliseconds = Annotated[int, Meta(ge=0, le=2**53)]


class Action(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="type"):
    """The root of all actions."""

    @property
    def type(self) -> str:
        """Return the word that names the action in records and on the wire."""
        return str(self.__struct_config__.tag)


# Entrants


class EnterAction(Action, tag="enter", frozen=True, kw_only=True):
    """Enter; with `waiting` also a full tournament, on its waiting list.

    All but `share` is what the server knows of them: `peak` is the highest rating of the last 90 days,
    `matches` how many rated ones they have played, `open` how many they have open.
    """

    name: Name
    kind: Literal["account", "guest", "bot"] = "account"
    share: Digest = ""
    rating: int | None = None
    peak: int | None = None
    deviation: float | None = None
    matches: int = 0
    open: int = 0
    club: str | None = None
    waiting: bool = False


class LeaveAction(Action, tag="leave", frozen=True):
    """Leave: before the start the entry is deleted, afterwards it is a withdrawal, in an arena a pause."""


class CheckInAction(Action, tag="check_in", frozen=True):
    """Confirm that one is there."""


class PauseAction(Action, tag="pause", frozen=True):
    """Be paired no more until one resumes."""


class ResumeAction(Action, tag="resume", frozen=True):
    """Be paired again."""


# The server


class StartAction(Action, tag="start", frozen=True):
    """Close the entries, fix the seeds, reveal the `secret` behind the draw seed."""

    secret: Digest = ""


class PairAction(Action, tag="pair", frozen=True, kw_only=True, omit_defaults=False):
    """Pair entrants by number, the first of each with White; `matches` are the ids of what they play."""

    round: Number
    pairs: tuple[tuple[Number, Number], ...]
    bye: Number | None = None
    matches: tuple[str, ...] = ()


class ResultAction(Action, tag="result", frozen=True, kw_only=True):
    """A match of the site has ended; the fields are those of a `Result`."""

    pairing: Number
    winner: Annotated[int, Meta(ge=0)]
    score: tuple[Points, Points] | None = None
    games: tuple[tuple[Points, Points], ...] = ()
    how: Literal["played", "time", "forfeit"] = "played"
    turns: int | None = None
    resigned: bool = False
    kind: Annotated[int, Meta(ge=1, le=3)] = 1


class WalkoverAction(Action, tag="walkover", frozen=True, kw_only=True):
    """A pairing is decided without play; `winner` 0 if both lose."""

    pairing: Number
    winner: Annotated[int, Meta(ge=0)]
    reason: Reason = "no_show"


class CloseRoundAction(Action, tag="close_round", frozen=True):
    """A round is over; what is still open in it is decided as the settings say."""

    round: Number


class FinishAction(Action, tag="finish", frozen=True):
    """Everything is played: the standings wait to be confirmed."""


class TickAction(Action, tag="tick", frozen=True, kw_only=True):
    """Time has passed: entries open, check-in begins. `began` are pairings whose match has had a throw.

    `called` are pairings whose players are called once more, since half of their time to come is over and
    somebody is missing. `down` is for how long no server was up, in ms; all deadlines are put off by it.
    """

    began: tuple[Number, ...] = ()
    called: tuple[Number, ...] = ()
    down: Milliseconds = 0


# Directors and referees


class AnnounceAction(Action, tag="announce", frozen=True):
    """Make the tournament known and open entries; `commitment` is the SHA-256 of the secret."""

    commitment: Digest = ""


class AmendAction(Action, tag="amend", frozen=True):
    """Change settings, given as plain data; after the announcement only `AMENDABLE` ones."""

    changes: dict[str, Any]
    reason: Reason = ""


class AddAction(Action, tag="add", frozen=True, kw_only=True):
    """Enter somebody: a name without an account, or the account `id`."""

    name: Name
    id: Id = ""
    rating: int | None = None
    club: str | None = None


class RemoveAction(Action, tag="remove", frozen=True, kw_only=True):
    """Take somebody out, before the start for good, while running as withdrawn; `ban` keeps them out."""

    entrant: Number
    reason: Reason = ""
    ban: bool = False


class SeedAction(Action, tag="seed", frozen=True):
    """Seed by hand: entrants from the highest seed down; the others follow by rating."""

    order: tuple[Number, ...]


class RepairAction(Action, tag="repair", frozen=True):
    """Annul the pairings of the present round, so that it is paired anew."""

    reason: Reason = ""


class EnterResultAction(Action, tag="enter_result", frozen=True, kw_only=True):
    """Enter a result by hand, from a sheet."""

    pairing: Number
    winner: Annotated[int, Meta(ge=0)]
    score: tuple[int, int] | None = None
    games: tuple[tuple[Points, Points], ...] = ()
    reason: Reason = ""


class CorrectAction(Action, tag="correct", frozen=True, kw_only=True):
    """Replace a result by another, or with `annul` by none.

    In a bracket it is refused while a later match depends on the result, unless that has not begun and may be
    paired `anew`.
    """

    pairing: Number
    winner: Annotated[int, Meta(ge=0)] = 0
    score: tuple[int, int] | None = None
    annul: bool = False
    anew: bool = False
    reason: Reason = ""


class PenaltyAction(Action, tag="penalty", frozen=True, kw_only=True):
    """Give points of a match to the opponent, or take `points` off a score where no pairing is named."""

    entrant: Number
    points: Annotated[float, Meta(gt=0, le=999)]
    pairing: Number | None = None
    reason: Reason = ""


class RulingAction(Action, tag="ruling", frozen=True, kw_only=True):
    """Put a ruling into the log; with `winner` it decides the pairing (0: both lose)."""

    pairing: Number
    reason: Reason = ""
    winner: Annotated[int, Meta(ge=0)] | None = None


class ExtendAction(Action, tag="extend", frozen=True, kw_only=True):
    """Put off a deadline by `by` ms: of a pairing, else of the round, the arena or the start."""

    by: Annotated[int, Meta(gt=0, le=2**40)]
    pairing: Number | None = None


class HoldAction(Action, tag="hold", frozen=True):
    """Let nothing be paired or forfeited until it is released with `on` false."""

    on: bool = True
    reason: Reason = ""


class DisqualifyAction(Action, tag="disqualify", frozen=True, kw_only=True):
    """Put somebody out for what they did; what their opponents lost to them is made good."""

    entrant: Number
    reason: Reason = ""


class ReinstateAction(Action, tag="reinstate", frozen=True, kw_only=True):
    """Take somebody back who was disqualified, withdrawn or absent."""

    entrant: Number
    reason: Reason = ""


class ForbidAction(Action, tag="forbid", frozen=True, kw_only=True):
    """Name pairs that are not to meet, as far as that can be avoided, in the place of those named before."""

    pairs: tuple[tuple[Number, Number], ...]
    reason: Reason = ""


class MessageAction(Action, tag="message", frozen=True):
    """Tell everybody something."""

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT)]


class MuteAction(Action, tag="mute", frozen=True, kw_only=True):
    """Let somebody, by the id of their account, write nothing more here; with `on` false again."""

    id: Id
    on: bool = True
    reason: Reason = ""


class PlayoffAction(Action, tag="playoff", frozen=True, kw_only=True):
    """Let two who share a place play one point for it."""

    pair: tuple[Number, Number]
    match: str = ""


class ConfirmAction(Action, tag="confirm", frozen=True):
    """Confirm the standings: the tournament is over."""


class CancelAction(Action, tag="cancel", frozen=True):
    """End the tournament without a result."""

    reason: Reason = ""


def _tag(kind: type[Action]) -> str:
    return str(kind.__struct_config__.tag)


ACTIONS: Mapping[str, type[Action]] = MappingProxyType({_tag(kind): kind for kind in Action.__subclasses__()})
"""Every class of action by its `type`."""


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Action number `n` (from 1), taken by `actor` at `at` ms, and what followed from it.

    `ref` is the actor's own name for the request: the same again has the same answer. `then` can always be
    worked out again, and is checked when a record is replayed.
    """

    n: int
    at: int
    actor: str
    action: Action
    ref: str | None = None
    then: Mapping[str, Any] = {}

    def to_data(self) -> dict[str, Any]:
        """Return the event as plain data, in the order in which records have it."""
        data: dict[str, Any] = {"n": self.n, "at": self.at, "actor": self.actor}
        if self.ref is not None:
            data["ref"] = self.ref
        data["action"] = action_data(self.action)
        if self.then:
            data["then"] = dict(self.then)
        return data

    @classmethod
    def from_data(cls, data: object) -> Event:
        """Read an event; RecordError or ProtocolError says what is wrong with it."""
        if not isinstance(data, Mapping):
            raise RecordError(f"an event is an object, not {data!r}")
        unknown = sorted(set(map(str, data)) - {"n", "at", "actor", "ref", "action", "then"})
        if unknown:
            raise RecordError(f"an event has no field {unknown[0]!r}")
        for name, kind in (("n", int), ("at", int), ("actor", str), ("action", dict)):
            if type(data.get(name)) is not kind:
                raise RecordError(f"{name} must be {kind.__name__}, not {data.get(name)!r}")
        ref, then = data.get("ref"), data.get("then", {})
        if ref is not None and not isinstance(ref, str):
            raise RecordError(f"ref must be str, not {ref!r}")
        if not isinstance(then, Mapping):
            raise RecordError(f"then must be an object, not {then!r}")
        action = read_action(data["action"])
        return cls(n=data["n"], at=data["at"], actor=data["actor"], action=action, ref=ref, then=dict(then))


def action_data(action: Action) -> dict[str, Any]:
    """Return an action as plain data; fields that say nothing are left out."""
    data: dict[str, Any] = msgspec.to_builtins(action)
    return data


def read_action(data: object) -> Action:
    """Return an action from plain data; ProtocolError says what cannot be read, and where."""
    kind = data.get("type") if isinstance(data, Mapping) else None
    known = ACTIONS.get(kind) if isinstance(kind, str) else None
    if known is None:
        raise ProtocolError(f"there is no action {kind!r}; known are {', '.join(ACTIONS)}")
    try:
        return msgspec.convert(data, known)
    except msgspec.ValidationError as error:
        raise ProtocolError(f"action {kind}: {error}") from None
