"""The order and the words of plays: promises that perft cannot see.

Perft counts; a change of the generator can keep every count and still permute the plays. Rollouts,
move lists on a screen and stored data name plays by their place, so the order is fixed. To change it
on purpose: `python -m tests.make_goldens order`.
"""

from __future__ import annotations

from typing import Any

import pytest

import sheshbesh as sb
from tests.make_goldens import ORDER, order_entry


def snapshots() -> list[Any]:
    lines = [line for line in ORDER.read_text("utf-8").splitlines() if not line.startswith("#")]
    parts = [line.split(" | ") for line in lines]
    return [pytest.param(*part, id=f"{part[0]}-{number}-{part[2]}") for number, part in enumerate(parts)]


@pytest.mark.parametrize(("name", "position", "dice", "plays"), snapshots())
def test_plays_come_in_the_recorded_order(name: str, position: str, dice: str, plays: str) -> None:
    found = sb.variant(name).position_from_id(position).legal_plays(sb.Roll.parse(dice))
    assert order_entry(found) == plays


@pytest.mark.parametrize(("name", "position", "dice", "plays"), snapshots())
def test_the_order_does_not_depend_on_the_order_of_the_dice(
    name: str, position: str, dice: str, plays: str
) -> None:
    roll = sb.Roll.parse(dice)
    found = sb.variant(name).position_from_id(position).legal_plays((roll.second, roll.first))
    assert order_entry(found) == plays


def test_every_game_is_recorded() -> None:
    assert {snapshot.values[0] for snapshot in snapshots()} == set(sb.variants())
