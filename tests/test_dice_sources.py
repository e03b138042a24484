"""Dice from chains in one hand."""

from __future__ import annotations

from typing import Any

import pytest

from sheshbesh.fairdice import RESERVE, ChainDice
from tests.dice_help import audit, entropy_from, plain

SHORT = RESERVE + 4


@pytest.mark.parametrize("mode", ["normal", "strict"])
def test_chains_in_one_hand_are_renewed_by_themselves(mode: Any) -> None:
    dice, opening = ChainDice.start("solo/1", entropy_from(7), mode=mode, length=SHORT)
    events, thrown = list(opening), list[list[int]]()
    for number in range(30):
        step = dice.throw(roller=None if number == 0 else "black")
        dice, events, thrown = step.source, [*events, *step.events], [*thrown, list(step.dice)]
    verdict = audit(plain(events))
    assert verdict.ok
    assert [list(throw.dice or ()) for throw in verdict.throws] == thrown
    assert sum(event["type"] == "anchors" for event in events) == 8  # four throws each, then the reserve


def test_a_throw_taken_back_and_thrown_again_is_the_same() -> None:
    dice, _ = ChainDice.start("solo/1", entropy_from(7))
    assert dice.throw(roller="white") == dice.throw(roller="white")
    assert dice.throw(roller=None).dice == dice.throw(roller="white").dice


def test_entropy_that_repeats_itself_is_refused() -> None:
    with pytest.raises(ValueError, match="in use already"):
        ChainDice.start("solo/1", lambda size: bytes(size))
