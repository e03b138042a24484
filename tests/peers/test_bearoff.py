"""The bear-off agrees with gnubg's databases, which hold sixteen bits of each chance."""

from __future__ import annotations

import random

import pytest

import sheshbesh as sb
from sheshbesh.engines import bearoff_databases
from tests.engine.bearoff_help import Home, homes, position

pytestmark = pytest.mark.peers

_BITS = 1 / 65536


@pytest.fixture(scope="module")
def game() -> sb.Variant:
    return sb.variant("backgammon")


def rows(mine: Home, theirs: Home) -> list[list[int]]:
    """A board of the peer: the side that waits, then the side that moves."""
    return [[*side, *[0] * 19] for side in (theirs, mine)]


def test_turns_are_gnubgs(game: sb.Variant) -> None:
    peer = pytest.importorskip("gnubg_nn", reason="the extra `peers` is not installed")
    chance = random.Random(1)
    (table,) = bearoff_databases.for_variant(game)
    for _ in range(300):
        mine = random_home(chance, 15)
        turns = table.average_turns(position(game, mine, (1, 0, 0, 0, 0, 0)).core)
        chances = peer.bearoff_probabilities(list(mine))
        assert turns is not None
        assert turns[0] == pytest.approx(sum(n * p for n, p in enumerate(chances, 1)), abs=60 * _BITS)


def test_both_sides_few_checkers_are_gnubgs(game: sb.Variant) -> None:
    peer = pytest.importorskip("gnubg_nn", reason="the extra `peers` is not installed")
    chance, all_homes = random.Random(2), list(homes(6))
    (table,) = bearoff_databases.for_variant(game)
    for _ in range(300):
        mine, theirs = chance.choice(all_homes), chance.choice(all_homes)
        found = table.lookup(position(game, mine, theirs).core)
        assert found is not None
        assert found[0] == pytest.approx(peer.probabilities(rows(mine, theirs), 0)[0], abs=4 * _BITS)


def random_home(chance: random.Random, most: int) -> Home:
    found = [0] * 6
    for _ in range(chance.randint(1, most)):
        found[chance.randrange(6)] += 1
    return tuple(found)
