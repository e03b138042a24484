"""The cube model of the core, as Python sees it."""

from __future__ import annotations

import pytest

import sheshbesh as sb
from sheshbesh import _core
from sheshbesh.cube.decision import CubeDecision
from sheshbesh.cube.match_utility import values_at
from sheshbesh.cube.values import OWNERS

CLASSES = (("win", "single", 1), ("lose", "single", 1))


def money(efficiency: float) -> _core.CubeModel:
    """Single games for money, the cube at 1."""
    values = values_at(CLASSES, sb.MatchState(jacoby=False), sb.Side.WHITE)
    return values.model([1.0], [1.0], efficiency)


def test_the_live_points_of_money_play_are_those_of_the_literature() -> None:
    model = money(1.0)
    assert model.take_points[0] == pytest.approx(0.2, abs=0.001)
    assert model.cash_points[0] == pytest.approx(0.8, abs=0.001)
    # Half way to the cash point an owned live cube is half way to a point; a dead one is a straight line.
    assert model.live(0.4, OWNERS["mine"]) == pytest.approx(0.0, abs=0.003)
    assert model.dead(0.4) == pytest.approx(-0.2)


@pytest.mark.parametrize("owner", OWNERS)
def test_the_efficiency_places_the_value_between_dead_and_live(owner: str | None) -> None:
    side = OWNERS[owner]
    for chance in (0.1, 0.35, 0.5, 0.75, 0.95):
        dead, live = money(0.0).value(chance, side), money(1.0).value(chance, side)
        assert money(0.68).value(chance, side) == pytest.approx(dead + 0.68 * (live - dead))


def test_a_height_that_the_cube_has_not_and_a_cube_without_heights_are_errors() -> None:
    model = money(0.68)
    with pytest.raises(ValueError, match=r"has no height 7"):
        model.value(0.5, OWNERS[None], len(model.heights))
    with pytest.raises(ValueError, match=r"has no height -1"):
        model.dead(0.5, -1)
    with pytest.raises(ValueError, match=r"a cube of 0 heights; 1 to 16 are possible"):
        _core.CubeModel([], 0.5)


@pytest.mark.parametrize(
    ("no_double", "double_take", "doubles", "takes"),
    [(0.3, 0.5, True, True), (0.9, 1.4, True, False), (1.2, 1.4, False, False), (0.1, -0.2, False, True)],
)
def test_a_decision_says_who_should_do_what(
    no_double: float, double_take: float, *, doubles: bool, takes: bool
) -> None:
    decision = CubeDecision(
        no_double=no_double, double_take=double_take, double_pass=1.0, double_beaver=None, redouble=False
    )
    assert (decision.should_double, decision.should_take) == (doubles, takes)
