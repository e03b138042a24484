"""The order and the words of plays: promises that perft cannot see.

Perft counts; a change of the generator can keep every count and still permute the plays. Rollouts,
move lists on a screen and stored data name plays by their place, so the order is fixed. To change it
on purpose: `python -m tests.make_goldens order`.
"""

from __future__ import annotations

import pytest

import sheshbesh as sb
from tests.make_goldens import ORDER, order_entry


def snapshots() -> dict[str, list[list[str]]]:
    """Return what is recorded of each game: positions, dice, and the plays in their order."""
    found: dict[str, list[list[str]]] = {}
    for line in ORDER.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            game, *parts = line.split(" | ")
            found.setdefault(game, []).append(parts)
    return found


RECORDED = snapshots()


@pytest.mark.parametrize("game", RECORDED)
def test_plays_come_in_the_recorded_order_whatever_the_order_of_the_dice(game: str) -> None:
    for id, dice, plays in RECORDED[game]:
        position, roll = sb.variant(game).position_from_id(id), sb.Roll.parse(dice)
        assert order_entry(position.legal_plays(roll)) == plays, (id, dice)
        assert order_entry(position.legal_plays((roll.second, roll.first))) == plays, (id, dice)


def test_every_game_is_recorded() -> None:
    assert set(RECORDED) == set(sb.variants())
