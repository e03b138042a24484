"""The actions of people and the server in a match, and its events, as values with a plain JSON form.

An action is a request of its actor; `apply` decides whether it is allowed. Each class has a
`type`, the word that names it in records and on the wire. An event is an action that was accepted.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar

from msgspec import NODEFAULT, Struct, ValidationError, convert

from sheshbesh.errors import ProtocolError, RecordError
from sheshbesh.i18n import Text


class _Tag:
    """The word that names a class of actions, read from the class or from an action of it."""

    def __get__(self, action: Action | None, kind: type[Action]) -> str:
        return str(kind.__struct_config__.tag)


class Action(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """The root of all actions."""

    type: ClassVar[_Tag] = _Tag()

    def to_data(self) -> dict[str, Any]:
        """Return the action as plain data; fields that say nothing are left out."""
        data: dict[str, Any] = {"type": self.type}
        for name, default in _defaults(type(self)):
            # By their values: the encoder of msgspec leaves out what is the same object.
            if (value := getattr(self, name)) != default:
                data[name] = value
        return data


@cache
def _defaults(kind: type[Action]) -> tuple[tuple[str, object], ...]:
    """Return the fields of a class of actions with their defaults; `NODEFAULT`, which no value equals."""
    names, defaults = kind.__struct_fields__, kind.__struct_defaults__
    return tuple(zip(names, (NODEFAULT,) * (len(names) - len(defaults)) + defaults, strict=True))


class ReadyAction(Action, frozen=True, tag="ready"):
    """A player is ready for the next game; with hash chains, `anchor` commits the player to their dice."""

    anchor: str | None = None


class RollAction(Action, frozen=True, tag="roll"):
    """A player throws: in the opening draw one die, else both dice. `link` is the player's share of them."""

    link: str | None = None


class LinkAction(Action, frozen=True, tag="link"):
    """A share of the dice that was still missing, from a player or the server."""

    link: str


class WithholdAction(Action, frozen=True, tag="withhold"):
    """The server goes on without the missing share of `side`; the throw is marked permanently."""

    side: str


class AnchorAction(Action, frozen=True, tag="anchor"):
    """A new commitment in the middle of a game: a chain is nearly used up, or its device is lost."""

    anchor: str
    lost: bool = False


class DiceAction(Action, frozen=True, tag="dice"):
    """Dice thrown on a real board: in the opening draw White's and Black's, else the thrower's."""

    first: int
    second: int


class ChooseAction(Action, frozen=True, tag="choose"):
    """The player names the double to play, in games where a throw earns one."""

    die: int


class TouchAction(Action, frozen=True, tag="touch"):
    """A checker was touched: with touch-move it must be the next to move, if it can."""

    point: int


class StepAction(Action, frozen=True, tag="step"):
    """One provisional step: origin and target in own numbers (26 bar, 25 hand, 0 off)."""

    origin: int
    target: int
    die: int | None = None


class UndoAction(Action, frozen=True, tag="undo"):
    """Take back the last provisional step, or all of them."""

    all: bool = False


class SwapAction(Action, frozen=True, tag="swap"):
    """Change the order in which the dice are shown: the left one is played first on a click."""


class ConfirmAction(Action, frozen=True, tag="confirm"):
    """End the turn as it stands. `link` is the player's share of the opponent's next throw."""

    link: str | None = None


class PlayAction(Action, frozen=True, tag="play"):
    """A whole play at once, as text, confirmed."""

    play: str
    link: str | None = None


class RetryAction(Action, frozen=True, tag="retry"):
    """The server takes back the play that `side` has just made, for them to play the same dice once more."""

    side: str


class DoubleAction(Action, frozen=True, tag="double"):
    """Offer to double the stake."""


class TakeAction(Action, frozen=True, tag="take"):
    """Accept the doubled (or beavered) stake."""


class DropAction(Action, frozen=True, tag="drop"):
    """Refuse it and lose the game at its present value."""


class BeaverAction(Action, frozen=True, tag="beaver"):
    """Take and redouble at once, keeping the cube; against a beaver, a raccoon."""


class ResignAction(Action, frozen=True, tag="resign"):
    """Offer to lose the game at a value: a result class of the game."""

    kind: str = "single"


class ProposeAction(Action, frozen=True, tag="propose"):
    """Propose a draw of the session or match, a settlement of the game for `points` to the proposer
    (negative: to the other side), or a pause of the clock."""

    what: str
    points: int = 0


class AcceptAction(Action, frozen=True, tag="accept"):
    """Agree to what the other side offers."""


class RefuseAction(Action, frozen=True, tag="refuse"):
    """Decline it; a proposer withdraws a proposal this way."""


class BreakAction(Action, frozen=True, tag="break"):
    """Take one of one's breaks between two games."""


class ResumeAction(Action, frozen=True, tag="resume"):
    """End a pause."""


class ClaimAction(Action, frozen=True, tag="time"):
    """State that the running clock has run out: the match is lost for its player."""


class AbandonAction(Action, frozen=True, tag="abandon"):
    """The server declares that `side` has left an untimed match and loses it; in money play
    the game, at `kind`, and the session ends."""

    side: str
    kind: str = "single"


class CallAction(Action, frozen=True, tag="call"):
    """The server calls both players of an event to the next game: whom it lacks loses time from now on."""


class ForfeitAction(Action, frozen=True, tag="forfeit"):
    """The server ends the match, lost for `side` or, with "both", for both; `reason` is one of `FORFEITS`."""

    side: str
    reason: str


FORFEITS = ("no_show", "absent", "withdrawn", "ruling")
"""Why a match is forfeited: somebody did not come, went away or left the event, or an official ruled so."""


class CreditAction(Action, frozen=True, tag="credit"):
    """The server gives `ms` milliseconds back to the running clock, in which it could store nothing.

    With `until`, a time of the match in ms, its player is away: what is left of the turn counts from then on.
    """

    ms: int
    until: int | None = None


_KINDS: tuple[type[Action], ...] = (
    *(ReadyAction, RollAction, LinkAction, WithholdAction, AnchorAction, DiceAction, ChooseAction),
    *(TouchAction, StepAction, UndoAction, SwapAction, ConfirmAction, PlayAction, RetryAction),
    *(
        DoubleAction,
        TakeAction,
        DropAction,
        BeaverAction,
        ResignAction,
        ProposeAction,
        AcceptAction,
        RefuseAction,
    ),
    *(BreakAction, ResumeAction, ClaimAction, AbandonAction, CreditAction, CallAction, ForfeitAction),
)

ACTIONS: Mapping[str, type[Action]] = MappingProxyType({kind.type: kind for kind in _KINDS})
"""Every kind of action by its word."""


def parse_action(data: Mapping[str, object], kinds: Mapping[str, type[Action]] = ACTIONS) -> Action:
    """Read an action from plain data; ProtocolError says what is missing, unknown or of the wrong type.

    Fields of events that are not the action's own (`n`, `at`, `actor`, `then`) must be taken off
    before.
    """
    if not isinstance(data, Mapping):
        raise ProtocolError(Text("an action is an object, not {found}", found=repr(data)))
    kind = kinds.get(str(data.get("type")))
    if kind is None:
        raise ProtocolError(
            Text("no action {kind}; known: {choices}", kind=repr(data.get("type")), choices=", ".join(kinds))
        )
    try:
        return convert(data, kind)
    except ValidationError as error:
        raise ProtocolError(Text("action {kind}: {why}", kind=repr(kind.type), why=error)) from None


class _Taken(Struct, frozen=True):
    """The time and the actor of an action, and what followed: an event but for its action."""

    n: int
    at: int
    actor: str
    then: dict[str, Any] = {}
    lag: int = 0
    guessed: bool = False


class Event(Struct, frozen=True):
    """Action number `n` (from 1), taken by `actor` at `at` milliseconds.

    `then` holds what followed from it, for readers: dice, the play in notation, the result of a
    game. It can always be worked out again, and is checked when a record is replayed. `lag` are the
    milliseconds given back to the actor's clock because of a slow connection. `guessed` says that an
    engine's seat had no answer of the engine in time, and played by heuristics.
    """

    n: int
    at: int
    actor: str
    action: Action
    then: Mapping[str, Any] = {}
    lag: int = 0
    guessed: bool = False

    def to_data(self) -> dict[str, Any]:
        """Return the event as plain data."""
        data: dict[str, Any] = {"n": self.n, "at": self.at, "actor": self.actor, **self.action_data()}
        if self.then:
            data["then"] = dict(self.then)
        return data

    def action_data(self) -> dict[str, Any]:
        """Return the action as plain data, with `lag` and `guessed` where they say something."""
        data = self.action.to_data()
        if self.lag:
            data["lag"] = self.lag
        if self.guessed:
            data["guessed"] = True
        return data

    @classmethod
    def from_data(cls, data: object, kinds: Mapping[str, type[Action]] = ACTIONS) -> Event:
        """Read an event of these kinds of action; RecordError or ProtocolError says what is wrong."""
        if not isinstance(data, Mapping):
            raise RecordError(Text("an event is an object, not {found}", found=repr(data)))
        own = dict(data)
        try:
            taken = convert({name: own.pop(name) for name in _Taken.__struct_fields__ if name in own}, _Taken)
        except ValidationError as error:
            raise RecordError(Text("event {event}: {why}", event=repr(data.get("n")), why=error)) from None
        action = parse_action(own, kinds)
        return cls(taken.n, taken.at, taken.actor, action, taken.then, taken.lag, taken.guessed)
