"""Advice: what the others of a side may say to the one who acts for it. It changes nothing."""

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
class Advise(Action):
    """Propose a play of the dice, as text, or a type of action such as "double" or "drop"."""

    type: ClassVar[str] = "advise"
    advice: str


def advice_refusal(turn: Turn | None, kinds: Container[str], advice: str) -> Refusal | None:
    """Why this is no advice; None if it is.

    `turn` is the side's own, if its dice lie; `kinds` are the types of action its hand may take.
    """
    if advice in kinds:
        return None
    if turn is not None:
        try:
            return turn.position.refusal(advice, turn.dice)
        except NotationError:
            pass
    return refuse("advice.impossible")
