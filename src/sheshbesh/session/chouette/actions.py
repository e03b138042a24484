"""The actions of a chouette that a match does not have: cubes of members, advice, joining and leaving."""

from __future__ import annotations

from collections.abc import Container
from contextlib import suppress

from sheshbesh.errors import NotationError
from sheshbesh.rules import Refused
from sheshbesh.session.actions import Action
from sheshbesh.session.turn import Turn


class DoubleOneAction(Action, frozen=True, tag="double_one"):
    """The box turns the cube of one member, where it need not double all."""

    member: str


class AnswerAction(Action, frozen=True, tag="answer"):
    """Answer the turned cube of `member` with "take", "drop" or, where they are played, "beaver"."""

    member: str
    answer: str


class SettleAction(Action, frozen=True, tag="settle"):
    """Offer to end the game between the box and a member for `points` to the one who offers (negative: from).

    The box names a `member`, or with "" all it may settle with, each of whom answers alone; a member's
    offer is about their own game.
    """

    points: int
    member: str = ""


class AgreeAction(Action, frozen=True, tag="agree"):
    """Agree to the settlement that is offered between the box and `member`, at `points` to who offered it."""

    member: str
    points: int


class DeclineAction(Action, frozen=True, tag="decline"):
    """Decline the settlement between the box and `member`; who offered it takes it back."""

    member: str


class HandOverAction(Action, frozen=True, tag="hand_over"):
    """The captain lets another member throw and move; the server does it for a captain who is away."""

    member: str


class JoinAction(Action, frozen=True, tag="join"):
    """Sit down at the end of the queue once no game is played; stay after all, where one was to leave."""


class LeaveAction(Action, frozen=True, tag="leave"):
    """Stand up once no game is played; do not sit down after all, where one was to."""


class StopAction(Action, frozen=True, tag="stop"):
    """Vote for ending the chouette, or with `on` false withdraw that; more than half of the people end it."""

    on: bool = True


class AdviseAction(Action, frozen=True, tag="advise"):
    """Propose a play of the dice, as text, or a type of action such as "double" or "drop"."""

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
