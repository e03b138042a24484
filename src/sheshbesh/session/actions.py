"""What people and the server can do to a match, as values with a plain JSON form.

An action says what its actor wants; whether it may happen is decided by `apply`. Each class has a
`type`, the word that names it in records and on the wire.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from types import MappingProxyType
from typing import Any, ClassVar

from sheshbesh.errors import ProtocolError


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
class Ready(Action):
    """A player is ready for the next game; with hash chains, `anchor` commits him to his dice."""

    type: ClassVar[str] = "ready"
    anchor: str | None = None


@dataclass(frozen=True, slots=True)
class Throw(Action):
    """A player throws: in the opening draw his die, else both dice. `link` is his share of them."""

    type: ClassVar[str] = "roll"
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Link(Action):
    """A share of the dice that was still missing, from a player or the server."""

    type: ClassVar[str] = "link"
    link: str


@dataclass(frozen=True, slots=True)
class Withhold(Action):
    """The server goes on without the missing share of `side`; the throw is marked for good."""

    type: ClassVar[str] = "withhold"
    side: str


@dataclass(frozen=True, slots=True)
class Anchor(Action):
    """A new commitment in the middle of a game: a chain is nearly used up, or its device is lost."""

    type: ClassVar[str] = "anchor"
    anchor: str
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Dice(Action):
    """Dice thrown on a real board: in the opening draw White's and Black's, else the thrower's."""

    type: ClassVar[str] = "dice"
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Choose(Action):
    """The player names the double he plays, in games where a throw earns one."""

    type: ClassVar[str] = "choose"
    die: int


@dataclass(frozen=True, slots=True)
class Touch(Action):
    """A checker was touched: with touch-move it must be the next to move, if it can."""

    type: ClassVar[str] = "touch"
    point: int


@dataclass(frozen=True, slots=True)
class Move(Action):
    """One provisional step: origin and target in own numbers (26 bar, 25 hand, 0 off)."""

    type: ClassVar[str] = "step"
    origin: int
    target: int
    die: int | None = None


@dataclass(frozen=True, slots=True)
class Undo(Action):
    """Take back the last provisional step, or all of them."""

    type: ClassVar[str] = "undo"
    all: bool = False


@dataclass(frozen=True, slots=True)
class Swap(Action):
    """Change the order in which the dice lie: the left one is played first on a click."""

    type: ClassVar[str] = "swap"


@dataclass(frozen=True, slots=True)
class Confirm(Action):
    """The turn is as the player wants it. `link` is his share of the opponent's next throw."""

    type: ClassVar[str] = "confirm"
    link: str | None = None


@dataclass(frozen=True, slots=True)
class MakePlay(Action):
    """A whole play at once, as text, confirmed."""

    type: ClassVar[str] = "play"
    play: str
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Double(Action):
    """Offer to double the stake."""

    type: ClassVar[str] = "double"


@dataclass(frozen=True, slots=True)
class Take(Action):
    """Accept the doubled (or beavered) stake."""

    type: ClassVar[str] = "take"


@dataclass(frozen=True, slots=True)
class Drop(Action):
    """Refuse it and lose the game at its present value."""

    type: ClassVar[str] = "drop"


@dataclass(frozen=True, slots=True)
class Beaver(Action):
    """Take and redouble at once, keeping the cube; against a beaver, a raccoon."""

    type: ClassVar[str] = "beaver"


@dataclass(frozen=True, slots=True)
class Resign(Action):
    """Offer to lose the game at a value: a result class of the game."""

    type: ClassVar[str] = "resign"
    kind: str = "single"


@dataclass(frozen=True, slots=True)
class Propose(Action):
    """Propose a draw of the session, a settlement of the game for `points` to the proposer
    (negative: to the other side), or a pause of the clock."""

    type: ClassVar[str] = "propose"
    what: str
    points: int = 0


@dataclass(frozen=True, slots=True)
class Accept(Action):
    """Agree to what the other side offers."""

    type: ClassVar[str] = "accept"


@dataclass(frozen=True, slots=True)
class Refuse(Action):
    """Decline it; the proposer may also withdraw his own proposal so."""

    type: ClassVar[str] = "refuse"


@dataclass(frozen=True, slots=True)
class Break(Action):
    """Take one of one's breaks between two games."""

    type: ClassVar[str] = "break"


@dataclass(frozen=True, slots=True)
class Resume(Action):
    """End a pause."""

    type: ClassVar[str] = "resume"


@dataclass(frozen=True, slots=True)
class ClaimTime(Action):
    """State that the running clock has run out: the match is lost for its player."""

    type: ClassVar[str] = "time"


@dataclass(frozen=True, slots=True)
class Abandon(Action):
    """The server declares that `side` has left an untimed match for good: he loses it; in money play
    the game, at `kind`, and the session ends."""

    type: ClassVar[str] = "abandon"
    side: str
    kind: str = "single"


@dataclass(frozen=True, slots=True)
class Credit(Action):
    """The server gives `ms` milliseconds back to the running clock, in which it could store nothing."""

    type: ClassVar[str] = "credit"
    ms: int


_KINDS: tuple[type[Action], ...] = (
    *(Ready, Throw, Link, Withhold, Anchor, Dice, Choose),
    *(Touch, Move, Undo, Swap, Confirm, MakePlay),
    *(Double, Take, Drop, Beaver, Resign, Propose, Accept, Refuse),
    *(Break, Resume, ClaimTime, Abandon, Credit),
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
