"""The messages of a match's socket, both ways: JSON text frames with a type `t`.

Samples of every message stand in tests/data/wire/messages.json, which the tests of the server and of
the page both read. What a STATE holds is made in `view`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta, Struct, field

from sheshbesh.errors import ProtocolError
from sheshbesh.rules import Refusal
from sheshbesh.rules.side import SIDE_NAMES
from sheshbesh.session import Action, parse_action
from sheshbesh.session.actions import ACTIONS

LONGEST = 8 * 1024
"""Bytes of a client's frame."""

_LONGEST_PLAY = 200

_Ref = Annotated[str, Meta(min_length=1, max_length=40)]
_Key = Annotated[str, Meta(min_length=1, max_length=24)]
_Seat = Annotated[str, Meta(max_length=40)]

# From the client


class _Frame(Struct, frozen=True, tag_field="t"):
    """A frame of a page; `ref`, where it has one, is the sender's own name for it, which the answer bears."""


class _DoFrame(_Frame, frozen=True, tag="do"):
    """An action as it is sent: its type and fields are those of `d`."""

    ref: _Ref
    d: dict[str, Any]
    key: _Key | None = None
    seat: _Seat | None = field(default=None, name="as")


class Do(Struct, frozen=True):
    """Take an action: a frame `do` that was read. `key` is that of the state which the sender saw."""

    ref: str
    action: Action
    key: str | None = None
    side: str | None = None


class WhyStep(Struct, frozen=True, array_like=True):
    """A step in own numbers."""

    origin: Annotated[int, Meta(ge=1, le=26)]
    target: Annotated[int, Meta(ge=0, le=24)]


class WhySteps(Struct, frozen=True):
    """The steps that a question is about."""

    steps: Annotated[list[WhyStep], Meta(min_length=1, max_length=40)]


class Why(_Frame, frozen=True, tag="why"):
    """Ask why these steps may not be made."""

    ref: _Ref
    d: WhySteps

    @property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """The steps as pairs: origin and target."""
        return tuple((step.origin, step.target) for step in self.d.steps)


class AskHint(_Frame, frozen=True, tag="hint"):
    """Ask the tutor; `here` is false where the page could not work it out by itself."""

    ref: _Ref
    here: bool = True


class AskVerdict(_Frame, frozen=True, tag="verdict"):
    """Ask for the verdict on decision `n`, or on the last, which the page could not work out by itself."""

    n: int | None = None


class GoOn(_Frame, frozen=True, tag="on"):
    """Let the program go on, which waits because the player's last play may be taken back."""


class AskFinish(_Frame, frozen=True, tag="finish"):
    """Ask for the play of a bear-off that leaves nothing to decide."""

    ref: _Ref


class Words(Struct, frozen=True):
    """Free text, or the id of a preset phrase."""

    text: Annotated[str, Meta(min_length=1, max_length=500)] | None = None
    phrase: Annotated[str, Meta(min_length=1, max_length=40)] | None = None

    def __post_init__(self) -> None:
        if (self.text is None) == (self.phrase is None):
            raise ValueError("send either a text or a preset phrase")


class Say(_Frame, frozen=True, tag="say"):
    """Chat."""

    ref: _Ref
    d: Words


class Ping(_Frame, frozen=True, tag="ping"):
    """A heartbeat; a pong answers."""


class Pong(_Frame, frozen=True, tag="pong"):
    """The echo that a pong has asked for, sent at once: so the server measures the line."""

    n: int


class Bye(_Frame, frozen=True, tag="bye"):
    """The tab says goodbye."""


PING = '{"t":"ping"}'
"""The heartbeat as the page writes it."""

FromClient = Do | Why | AskHint | AskVerdict | AskFinish | GoOn | Say | Ping | Pong | Bye

_FRAMES = msgspec.json.Decoder(
    _DoFrame | Why | AskHint | AskVerdict | AskFinish | GoOn | Say | Ping | Pong | Bye
)


def parse(
    text: str, kinds: Mapping[str, type[Action]] = ACTIONS, seats: Collection[str] | None = SIDE_NAMES
) -> FromClient:
    """Read a client's frame; ProtocolError says what is wrong with it, and at which path.

    `kinds` are the actions of the table, `seats` those that `as` may name; None where these are names.
    """
    if text == PING:  # most messages by far
        return Ping()
    try:
        frame = _FRAMES.decode(text)
    except msgspec.ValidationError as error:
        raise ProtocolError(str(error)) from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise ProtocolError(f"this frame is not JSON: {error}") from None
    return _action(frame, kinds, seats) if isinstance(frame, _DoFrame) else frame


def _action(frame: _DoFrame, kinds: Mapping[str, type[Action]], seats: Collection[str] | None) -> Do:
    side = frame.d.pop("as", frame.seat)
    if side is not None and (not isinstance(side, str) or (seats is not None and side not in seats)):
        raise ProtocolError("as is white or black" if seats is not None else "as is the name of a seat")
    if any(isinstance(value, str) and len(value) > _LONGEST_PLAY for value in frame.d.values()):
        raise ProtocolError(f"a text in an action has at most {_LONGEST_PLAY} characters")
    return Do(frame.ref, parse_action(frame.d, kinds), frame.key, side)


# From the server


class FromServer(Struct, frozen=True, tag_field="t"):
    """A message of type `t` with a body, as an answer to `ref` if it is one."""

    def to_text(self) -> str:
        """Return the frame."""
        return dump(self)


class Ack(FromServer, frozen=True, tag="ack"):
    """The action `ref` was accepted and is stored."""

    ref: str


class Refused(FromServer, frozen=True, tag="refused"):
    """The action `ref` was refused, and nothing has changed."""

    ref: str
    d: Refusal


class Because(FromServer, frozen=True, tag="because"):
    """Why steps may not be made; None if they may."""

    ref: str
    d: Refusal | None


class State(FromServer, frozen=True, tag="state"):
    """The match after event `v`, with the events that the viewer has not seen.

    A state is sent oftener than anything else, and most of it is the same for all who look or for many turns.
    So its parts come as JSON already: `parts` are the members of the body `d` as `members` writes them, and
    `events` are objects. Every frame of this type that a socket sends is made here.
    """

    v: int
    key: str
    now: int
    parts: tuple[str, ...]
    events: tuple[str, ...] = ()

    def to_text(self) -> str:
        """Return the frame."""
        body = ",".join(filter(None, self.parts))
        return (
            f'{{"t":"state","v":{self.v},"key":"{self.key}","now":{self.now},'
            f'"events":[{",".join(self.events)}],"d":{{{body}}}}}'
        )


class Note(Struct, frozen=True):
    """A message that is nothing but its body, of one of `KINDS`."""

    t: str
    d: Mapping[str, Any] = field(default_factory=dict)
    ref: str | None = None

    KINDS: ClassVar[frozenset[str]] = frozenset(
        {
            *("chat", "presence", "thinking", "hint", "finish", "verdict", "rematch", "waiting", "error"),
            *("challenges", "match", "turn", "rematch_asked", "queued", "ask", "tournament"),
        }
    )

    def to_text(self) -> str:
        """Return the frame."""
        ref = {} if self.ref is None else {"ref": self.ref}
        return dump({"t": self.t, **ref, "d": self.d})


PONG = '{"t":"pong"}'


def pong(n: int | None) -> str:
    """The answer to a ping; with a number it asks for an echo."""
    return PONG if n is None else f'{{"t":"pong","n":{n}}}'


def _plain(value: object) -> object:
    """Return plain data for what the encoder does not know: texts to be translated, and views of mappings."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value)} is not sent")


_ENCODER = msgspec.json.Encoder(enc_hook=_plain)


def dump(data: object) -> str:
    """Return compact JSON."""
    return _ENCODER.encode(data).decode()


def members(data: Mapping[str, Any]) -> str:
    """An object as compact JSON without its braces: a part of a larger one."""
    return dump(data)[1:-1]
