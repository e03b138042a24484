"""The messages of a match's socket, both ways: JSON text frames with a type `t`.

Samples of every message stand in tests/data/wire/messages.json, which the tests of the server and of
the page both read. What a STATE holds is made in `view`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

from pydantic_core import from_json, to_json

from sheshbesh.errors import ProtocolError
from sheshbesh.rules import Refusal
from sheshbesh.rules.side import SIDE_NAMES
from sheshbesh.session import Action, parse_action
from sheshbesh.session.actions import ACTIONS

LONGEST = 8 * 1024
"""Bytes of a client's frame."""

_LONGEST_REF, _LONGEST_KEY, _LONGEST_PLAY, _MOST_STEPS = 40, 24, 200, 40

# From the client


@dataclass(frozen=True, slots=True)
class Do:
    """Take an action. `ref` is the sender's own name for it, `key` that of the state they saw."""

    ref: str
    action: Action
    key: str | None = None
    side: str | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """Ask why these steps, (origin, target) in own numbers, may not be made."""

    ref: str
    steps: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class AskHint:
    """Ask the tutor."""

    ref: str


@dataclass(frozen=True, slots=True)
class AskFinish:
    """Ask for the play of a bear-off that leaves nothing to decide."""

    ref: str


@dataclass(frozen=True, slots=True)
class Say:
    """Chat: free text, or the id of a preset phrase."""

    ref: str
    text: str | None = None
    phrase: str | None = None


@dataclass(frozen=True, slots=True)
class Ping:
    """A heartbeat; a pong answers."""


@dataclass(frozen=True, slots=True)
class Pong:
    """The echo that a pong has asked for, sent at once: so the server measures the line."""

    n: int


@dataclass(frozen=True, slots=True)
class Bye:
    """The tab says goodbye."""


PING = '{"t":"ping"}'
"""The heartbeat as the page writes it."""

FromClient = Do | Why | AskHint | AskFinish | Say | Ping | Pong | Bye


def parse(
    text: str, kinds: Mapping[str, type[Action]] = ACTIONS, seats: Collection[str] | None = SIDE_NAMES
) -> FromClient:
    """Read a client's frame; ProtocolError says what is wrong with it.

    `kinds` are the actions of the table, `seats` those that `as` may name; None where these are names.
    """
    if text == PING:  # most messages by far
        return Ping()
    try:
        data = from_json(text, allow_inf_nan=False)
    except ValueError as error:
        raise ProtocolError(f"this frame is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise ProtocolError("a frame is an object with a type t")
    reader = _READERS.get(str(data.get("t")))
    if reader is None:
        raise ProtocolError(f"no message {str(data.get('t'))[:20]!r}; known: {', '.join(_READERS)}")
    body = data.get("d", {})
    if not isinstance(body, dict):
        raise ProtocolError(f"the body d of a message is an object, not {str(body)[:40]!r}")
    if reader is _read_do:
        return _read_do(data, body, kinds, seats)
    return reader(data, body)


def _text(data: Mapping[str, Any], name: str, longest: int) -> str:
    value = data.get(name)
    if not isinstance(value, str) or not 1 <= len(value) <= longest:
        raise ProtocolError(f"{name} is a text of 1 to {longest} characters")
    return value


def _optional(data: Mapping[str, Any], name: str, longest: int) -> str | None:
    return None if data.get(name) is None else _text(data, name, longest)


def _ref(data: Mapping[str, Any]) -> str:
    return _text(data, "ref", _LONGEST_REF)


def _read_do(
    data: Mapping[str, Any],
    body: Mapping[str, Any],
    kinds: Mapping[str, type[Action]] = ACTIONS,
    seats: Collection[str] | None = SIDE_NAMES,
) -> Do:
    action = dict(body)
    side = action.pop("as", data.get("as"))
    if side is not None and (
        not isinstance(side, str) or len(side) > _LONGEST_REF or (seats is not None and side not in seats)
    ):
        raise ProtocolError("as is white or black" if seats is not None else "as is the name of a seat")
    if any(isinstance(value, str) and len(value) > _LONGEST_PLAY for value in action.values()):
        raise ProtocolError(f"a text in an action has at most {_LONGEST_PLAY} characters")
    return Do(_ref(data), parse_action(action, kinds), _optional(data, "key", _LONGEST_KEY), side)


def _read_why(data: Mapping[str, Any], body: Mapping[str, Any]) -> Why:
    steps = body.get("steps")
    if not isinstance(steps, list) or not 1 <= len(steps) <= _MOST_STEPS:
        raise ProtocolError(f"steps is a list of 1 to {_MOST_STEPS} steps")
    pairs = []
    for step in steps:
        if not isinstance(step, list) or len(step) < 2 or any(type(n) is not int for n in step[:2]):
            raise ProtocolError("a step is a list of two numbers, origin and target")
        origin, target = step[:2]
        if not (1 <= origin <= 26 and 0 <= target <= 24):
            raise ProtocolError("an origin is 1 to 26, a target 0 to 24")
        pairs.append((origin, target))
    return Why(_ref(data), tuple(pairs))


def _read_pong(data: Mapping[str, Any], _body: Mapping[str, Any]) -> Pong:
    if type(data.get("n")) is not int:
        raise ProtocolError("n is the number that the pong of the server had")
    return Pong(data["n"])


def _read_say(data: Mapping[str, Any], body: Mapping[str, Any]) -> Say:
    message = Say(_ref(data), _optional(body, "text", 500), _optional(body, "phrase", 40))
    if (message.text is None) == (message.phrase is None):
        raise ProtocolError("send either a text or a preset phrase")
    return message


_READERS: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Any]], FromClient]] = MappingProxyType(
    {
        "do": _read_do,
        "why": _read_why,
        "hint": lambda data, _body: AskHint(_ref(data)),
        "finish": lambda data, _body: AskFinish(_ref(data)),
        "say": _read_say,
        "ping": lambda _data, _body: Ping(),
        "pong": _read_pong,
        "bye": lambda _data, _body: Bye(),
    }
)


# From the server


@dataclass(frozen=True, slots=True)
class FromServer:
    """A message of type `t` with a body, as an answer to `ref` if it is one."""

    t: ClassVar[str] = ""

    def to_data(self) -> dict[str, Any]:
        """The message as plain data."""
        return {"t": self.t}

    def to_text(self) -> str:
        """The frame."""
        return dump(self.to_data())


@dataclass(frozen=True, slots=True)
class Ack(FromServer):
    """The action `ref` was accepted and is stored."""

    t: ClassVar[str] = "ack"
    ref: str

    def to_data(self) -> dict[str, Any]:
        """The message as plain data."""
        return {"t": self.t, "ref": self.ref}


@dataclass(frozen=True, slots=True)
class Refused(FromServer):
    """The action `ref` was refused, and nothing has changed."""

    t: ClassVar[str] = "refused"
    ref: str
    refusal: Refusal

    def to_data(self) -> dict[str, Any]:
        """The message as plain data."""
        return {"t": self.t, "ref": self.ref, "d": refusal_data(self.refusal)}


@dataclass(frozen=True, slots=True)
class Because(FromServer):
    """Why steps may not be made; None if they may."""

    t: ClassVar[str] = "because"
    ref: str
    refusal: Refusal | None

    def to_data(self) -> dict[str, Any]:
        """The message as plain data."""
        reason = refusal_data(self.refusal) if self.refusal is not None else None
        return {"t": self.t, "ref": self.ref, "d": reason}


@dataclass(frozen=True, slots=True)
class State(FromServer):
    """The match after event `v`, with the events that the viewer has not seen.

    A state is sent oftener than anything else, and most of it is the same for all who look or for many turns.
    So its parts come as JSON already: `parts` are the members of the body `d` as `members` writes them, and
    `events` are objects. Every frame of this type that a socket sends is made here.
    """

    t: ClassVar[str] = "state"
    v: int
    key: str
    now: int
    parts: tuple[str, ...]
    events: tuple[str, ...] = ()

    def to_data(self) -> dict[str, Any]:
        """The message as plain data."""
        data: dict[str, Any] = from_json(self.to_text())
        return data

    def to_text(self) -> str:
        """The frame."""
        body = ",".join(filter(None, self.parts))
        return (
            f'{{"t":"{self.t}","v":{self.v},"key":"{self.key}","now":{self.now},'
            f'"events":[{",".join(self.events)}],"d":{{{body}}}}}'
        )


@dataclass(frozen=True, slots=True)
class Note(FromServer):
    """A message that is nothing but its body, of one of `KINDS`."""

    kind: str
    d: Mapping[str, Any] = field(default_factory=dict)
    ref: str | None = None

    KINDS: ClassVar[frozenset[str]] = frozenset(
        {
            *("chat", "presence", "thinking", "hint", "finish", "verdict", "rematch", "waiting", "error"),
            *("challenges", "match", "turn", "queued"),
        }
    )

    def to_data(self) -> dict[str, Any]:
        """The message as plain data."""
        data: dict[str, Any] = {"t": self.kind}
        if self.ref is not None:
            data["ref"] = self.ref
        return data | {"d": dict(self.d)}


PONG = '{"t":"pong"}'


def pong(n: int | None) -> str:
    """The answer to a ping; with a number it asks for an echo."""
    return PONG if n is None else f'{{"t":"pong","n":{n}}}'


def refusal_data(refusal: Refusal) -> dict[str, Any]:
    """A refusal as plain data."""
    return {"rule": refusal.rule, "source": refusal.source, "text": refusal.text}


def dump(data: object) -> str:
    """Compact JSON."""
    return to_json(data).decode()


def members(data: Mapping[str, Any]) -> str:
    """An object as compact JSON without its braces: a part of a larger one."""
    return dump(data)[1:-1]
