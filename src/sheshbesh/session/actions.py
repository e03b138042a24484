"""What people and the server can do to a match, and what happened in it, as values with a plain JSON form.

An action is a request of its actor; `apply` decides whether it is allowed. Each class has a
`type`, the word that names it in records and on the wire. An event is an action that was accepted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from types import MappingProxyType
from typing import Any, ClassVar

from sheshbesh.errors import ProtocolError, RecordError


@dataclass(frozen=True, slots=True)
class Action:
    """The root of all actions."""

    type: ClassVar[str] = ""

    def to_data(self) -> dict[str, Any]:
        """The action as plain data; fields that say nothing are left out."""
        data: dict[str, Any] = {"type": self.type}
        for entry in fields(self):
            value = getattr(self, entry.name)
            if value != entry.default:
                data[entry.name] = value
        return data


@dataclass(frozen=True, slots=True)
class ReadyAction(Action):
    """A player is ready for the next game; with hash chains, `anchor` commits the player to their dice."""

    type: ClassVar[str] = "ready"
    anchor: str | None = None


@dataclass(frozen=True, slots=True)
class RollAction(Action):
    """A player throws: in the opening draw one die, else both dice. `link` is the player's share of them."""

    type: ClassVar[str] = "roll"
    link: str | None = None


@dataclass(frozen=True, slots=True)
class LinkAction(Action):
    """A share of the dice that was still missing, from a player or the server."""

    type: ClassVar[str] = "link"
    link: str


@dataclass(frozen=True, slots=True)
class WithholdAction(Action):
    """The server goes on without the missing share of `side`; the throw is marked permanently."""

    type: ClassVar[str] = "withhold"
    side: str


@dataclass(frozen=True, slots=True)
class AnchorAction(Action):
    """A new commitment in the middle of a game: a chain is nearly used up, or its device is lost."""

    type: ClassVar[str] = "anchor"
    anchor: str
    lost: bool = False


@dataclass(frozen=True, slots=True)
class DiceAction(Action):
    """Dice thrown on a real board: in the opening draw White's and Black's, else the thrower's."""

    type: ClassVar[str] = "dice"
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class ChooseAction(Action):
    """The player names the double to play, in games where a throw earns one."""

    type: ClassVar[str] = "choose"
    die: int


@dataclass(frozen=True, slots=True)
class TouchAction(Action):
    """A checker was touched: with touch-move it must be the next to move, if it can."""

    type: ClassVar[str] = "touch"
    point: int


@dataclass(frozen=True, slots=True)
class StepAction(Action):
    """One provisional step: origin and target in own numbers (26 bar, 25 hand, 0 off)."""

    type: ClassVar[str] = "step"
    origin: int
    target: int
    die: int | None = None


@dataclass(frozen=True, slots=True)
class UndoAction(Action):
    """Take back the last provisional step, or all of them."""

    type: ClassVar[str] = "undo"
    all: bool = False


@dataclass(frozen=True, slots=True)
class SwapAction(Action):
    """Change the order in which the dice are shown: the left one is played first on a click."""

    type: ClassVar[str] = "swap"


@dataclass(frozen=True, slots=True)
class ConfirmAction(Action):
    """End the turn as it stands. `link` is the player's share of the opponent's next throw."""

    type: ClassVar[str] = "confirm"
    link: str | None = None


@dataclass(frozen=True, slots=True)
class PlayAction(Action):
    """A whole play at once, as text, confirmed."""

    type: ClassVar[str] = "play"
    play: str
    link: str | None = None


@dataclass(frozen=True, slots=True)
class DoubleAction(Action):
    """Offer to double the stake."""

    type: ClassVar[str] = "double"


@dataclass(frozen=True, slots=True)
class TakeAction(Action):
    """Accept the doubled (or beavered) stake."""

    type: ClassVar[str] = "take"


@dataclass(frozen=True, slots=True)
class DropAction(Action):
    """Refuse it and lose the game at its present value."""

    type: ClassVar[str] = "drop"


@dataclass(frozen=True, slots=True)
class BeaverAction(Action):
    """Take and redouble at once, keeping the cube; against a beaver, a raccoon."""

    type: ClassVar[str] = "beaver"


@dataclass(frozen=True, slots=True)
class ResignAction(Action):
    """Offer to lose the game at a value: a result class of the game."""

    type: ClassVar[str] = "resign"
    kind: str = "single"


@dataclass(frozen=True, slots=True)
class ProposeAction(Action):
    """Propose a draw of the session or match, a settlement of the game for `points` to the proposer
    (negative: to the other side), or a pause of the clock."""

    type: ClassVar[str] = "propose"
    what: str
    points: int = 0


@dataclass(frozen=True, slots=True)
class AcceptAction(Action):
    """Agree to what the other side offers."""

    type: ClassVar[str] = "accept"


@dataclass(frozen=True, slots=True)
class RefuseAction(Action):
    """Decline it; a proposer withdraws a proposal this way."""

    type: ClassVar[str] = "refuse"


@dataclass(frozen=True, slots=True)
class BreakAction(Action):
    """Take one of one's breaks between two games."""

    type: ClassVar[str] = "break"


@dataclass(frozen=True, slots=True)
class ResumeAction(Action):
    """End a pause."""

    type: ClassVar[str] = "resume"


@dataclass(frozen=True, slots=True)
class ClaimAction(Action):
    """State that the running clock has run out: the match is lost for its player."""

    type: ClassVar[str] = "time"


@dataclass(frozen=True, slots=True)
class AbandonAction(Action):
    """The server declares that `side` has left an untimed match and loses it; in money play
    the game, at `kind`, and the session ends."""

    type: ClassVar[str] = "abandon"
    side: str
    kind: str = "single"


@dataclass(frozen=True, slots=True)
class CreditAction(Action):
    """The server gives `ms` milliseconds back to the running clock, in which it could store nothing.

    With `until`, a time of the match in ms, its player is away: what is left of the turn counts from then on.
    """

    type: ClassVar[str] = "credit"
    ms: int
    until: int | None = None


_KINDS: tuple[type[Action], ...] = (
    *(ReadyAction, RollAction, LinkAction, WithholdAction, AnchorAction, DiceAction, ChooseAction),
    *(TouchAction, StepAction, UndoAction, SwapAction, ConfirmAction, PlayAction),
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
    *(BreakAction, ResumeAction, ClaimAction, AbandonAction, CreditAction),
)

ACTIONS: Mapping[str, type[Action]] = MappingProxyType({kind.type: kind for kind in _KINDS})
"""Every kind of action by its word."""


def parse_action(data: Mapping[str, object], kinds: Mapping[str, type[Action]] = ACTIONS) -> Action:
    """The action in plain data; ProtocolError says what is missing, unknown or of the wrong type.

    Fields of events that are not the action's own (`n`, `at`, `actor`, `then`) must be taken off
    before.
    """
    if not isinstance(data, Mapping):
        raise ProtocolError(f"an action is an object, not {data!r}")
    kind = kinds.get(str(data.get("type")))
    if kind is None:
        raise ProtocolError(f"no action {data.get('type')!r}; known: {', '.join(kinds)}")
    values = {key: value for key, value in data.items() if key != "type"}
    problems = []
    known = {entry.name: entry for entry in fields(kind)}
    problems += [f"unknown field {key!r}" for key in values if key not in known]
    for name, entry in known.items():
        if name not in values:
            if entry.default is MISSING:
                problems.append(f"{name} is missing")
        elif not _fits(values[name], str(entry.type)):
            problems.append(f"{name} must be {entry.type}, not {values[name]!r}")
    if problems:
        raise ProtocolError(f"action {kind.type!r}: " + "; ".join(problems))
    return kind(**values)


_TYPES: Mapping[str, type] = MappingProxyType({"int": int, "str": str, "bool": bool, "None": type(None)})


def _fits(value: object, annotation: str) -> bool:
    return any(type(value) is _TYPES[part.strip()] for part in annotation.split("|"))


_OF_EVENT = ("n", "at", "actor", "then", "lag", "guessed")


@dataclass(frozen=True, slots=True)
class Event:
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
    then: Mapping[str, Any] = field(default_factory=dict)
    lag: int = 0
    guessed: bool = False

    def to_data(self) -> dict[str, Any]:
        """The event as plain data."""
        data: dict[str, Any] = {"n": self.n, "at": self.at, "actor": self.actor, **self.action.to_data()}
        if self.lag:
            data["lag"] = self.lag
        if self.guessed:
            data["guessed"] = True
        if self.then:
            data["then"] = dict(self.then)
        return data

    @classmethod
    def from_data(cls, data: object, kinds: Mapping[str, type[Action]] = ACTIONS) -> Event:
        """Read an event of these kinds of action; RecordError or ProtocolError says what is wrong."""
        if not isinstance(data, Mapping):
            raise RecordError(f"an event is an object, not {data!r}")
        data = {"lag": 0, "guessed": False, **data}
        for name, kind in (("n", int), ("at", int), ("actor", str), ("lag", int), ("guessed", bool)):
            if type(data.get(name)) is not kind:
                raise RecordError(
                    f"event {data.get('n')!r}: {name} must be {kind.__name__}, not {data.get(name)!r}"
                )
        then = data.get("then", {})
        if not isinstance(then, Mapping):
            raise RecordError(f"event {data['n']}: then must be an object, not {then!r}")
        action = parse_action({key: value for key, value in data.items() if key not in _OF_EVENT}, kinds)
        return cls(data["n"], data["at"], data["actor"], action, dict(then), data["lag"], data["guessed"])
