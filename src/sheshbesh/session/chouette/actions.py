"""The actions that only a table of several people knows: cubes of members, advice, joining and leaving."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import ClassVar

from sheshbesh.errors import NotationError
from sheshbesh.rules import Refusal
from sheshbesh.session.actions import Action
from sheshbesh.session.refusals import refuse
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
class JoinAction(Action):
    """Sit down at the end of the queue, between games."""

    type: ClassVar[str] = "join"


@dataclass(frozen=True, slots=True)
class LeaveAction(Action):
    """Stand up, between games."""

    type: ClassVar[str] = "leave"


@dataclass(frozen=True, slots=True)
class AdviseAction(Action):
    """Propose a play of the dice, as text, or a type of action such as "double" or "drop"."""

    type: ClassVar[str] = "advise"
    advice: str


def advice_refusal(turn: Turn | None, kinds: Container[str], advice: str) -> Refusal | None:
    """Why this is no advice; None if it is.

    `turn` is the side's own, if its dice are thrown; `kinds` are the types of action its hand may take.
    """
    if advice in kinds:
        return None
    if turn is not None:
        try:
            return turn.position.refusal(advice, turn.dice)
        except NotationError:
            pass
    return refuse("advice.impossible")
