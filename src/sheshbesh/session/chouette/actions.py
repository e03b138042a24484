"""The actions of a chouette that a match does not have: cubes of members, advice, joining and leaving."""

from __future__ import annotations

from collections.abc import Container
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

from sheshbesh.errors import NotationError
from sheshbesh.rules import Refused
from sheshbesh.session.actions import Action
from sheshbesh.session.turn import Turn


@dataclass(frozen=True, slots=True)
class DoubleOneAction(Action):
    """The box turns the cube of one member, where it need not double all."""

    type: ClassVar[str] = "double_one"
    member: str


@dataclass(frozen=True, slots=True)
class AnswerAction(Action):
    """Answer the turned cube of `member` with "take", "drop" or, where they are played, "beaver"."""

    type: ClassVar[str] = "answer"
    member: str
    answer: str


@dataclass(frozen=True, slots=True)
class SettleAction(Action):
    """Offer to end the game between the box and a member for `points` to the one who offers (negative: from).

    The box names a `member`, or with "" all it may settle with, each of whom answers alone; a member's
    offer is about their own game.
    """

    type: ClassVar[str] = "settle"
    points: int
    member: str = ""


@dataclass(frozen=True, slots=True)
class AgreeAction(Action):
    """Agree to the settlement that is offered between the box and `member`, at `points` to who offered it."""

    type: ClassVar[str] = "agree"
    member: str
    points: int


@dataclass(frozen=True, slots=True)
class DeclineAction(Action):
    """Decline the settlement between the box and `member`; who offered it takes it back."""

    type: ClassVar[str] = "decline"
    member: str


@dataclass(frozen=True, slots=True)
class HandOverAction(Action):
    """The captain lets another member throw and move; the server does it for a captain who is away."""

    type: ClassVar[str] = "hand_over"
    member: str


@dataclass(frozen=True, slots=True)
class JoinAction(Action):
    """Sit down at the end of the queue once no game is played; stay after all, where one was to leave."""

    type: ClassVar[str] = "join"


@dataclass(frozen=True, slots=True)
class LeaveAction(Action):
    """Stand up once no game is played; do not sit down after all, where one was to."""

    type: ClassVar[str] = "leave"


@dataclass(frozen=True, slots=True)
class StopAction(Action):
    """Vote for ending the chouette, or with `on` false withdraw that; more than half of the people end it."""

    type: ClassVar[str] = "stop"
    on: bool = True


@dataclass(frozen=True, slots=True)
class AdviseAction(Action):
    """Propose a play of the dice, as text, or a type of action such as "double" or "drop"."""

    type: ClassVar[str] = "advise"
    advice: str


def check_advice(turn: Turn | None, kinds: Container[str], advice: str) -> None:
    """Raise Refused for what is no advice.

    `turn` is the side's own, if its dice are thrown; `kinds` are the actions that its player may take.
    """
    if advice in kinds:
        return
    with suppress(NotationError):
        if turn is not None:
            refusal = turn.position.refusal(advice, turn.dice)
            if refusal is None:
                return
            raise Refused(refusal)
    raise Refused.of("advice.impossible")
