"""Cube decisions in the bear-off, where the table knows them and the model does not."""

from __future__ import annotations

from pathlib import Path

import pytest

import sheshbesh as sb
from sheshbesh.engine import Engine
from tests.engine.bearoff_help import Home, Solver, position


def home(*points: int) -> Home:
    return tuple(points.count(point) for point in range(1, 7))


@pytest.fixture(scope="module")
def game() -> sb.Variant:
    return sb.variant("backgammon")


@pytest.fixture(scope="module")
def engine(game: sb.Variant, nets: Path) -> Engine:
    return sb.engine(game, folders=[nets])


MONEY = sb.MatchState()


@pytest.mark.parametrize(
    ("points", "action", "take"),
    [
        ((6, 5), "no_double", True),  # 6 throws of 36 win
        ((5, 3), "no_double", True),  # 14
        ((4, 3), "no_double", True),  # 17
        ((5, 2), "double", True),  # 19
        ((5, 1), "double", True),  # 23
        ((3, 2), "double", True),  # 25
        ((2, 2), "double", True),  # 26
        ((4, 1), "double", False),  # 29
        ((3, 1), "double", False),  # 34
    ],
)
def test_in_the_last_throw_half_is_a_double_and_three_quarters_a_pass(
    game: sb.Variant, engine: Engine, points: tuple[int, int], action: str, *, take: bool
) -> None:
    decision = engine.cube(position(game, home(*points), home(1)), MONEY)
    assert (decision.action, decision.take) == (action, take)
    assert decision.double_pass == 1.0 and decision.double_beaver is None


def test_equities_are_those_of_a_plain_solver(game: sb.Variant, engine: Engine) -> None:
    solver = Solver(game)
    mine, theirs = home(5, 4, 1), home(3, 3, 1)
    _, centred, owned, other = solver.row(mine, theirs)
    found = engine.cube(position(game, mine, theirs), MONEY)
    assert (found.no_double, found.double_take) == pytest.approx((centred, 2 * other), abs=1e-6)
    assert not found.redouble
    found = engine.cube(position(game, mine, theirs), sb.MatchState(cube=2, owner="white"))
    assert (found.no_double, found.double_take) == pytest.approx((owned, 2 * other), abs=1e-6)
    assert found.redouble


def test_where_the_table_does_not_hold_the_model_decides(game: sb.Variant, engine: Engine) -> None:
    asked = position(game, home(5, 4, 1), home(3, 3, 1))
    exact = engine.cube(asked, MONEY)
    assert engine.cube(asked, sb.MatchState(length=3, white=0, black=2)) != exact
    assert engine.cube(asked, sb.MatchState(beavers=True)).double_beaver is not None
    assert engine.cube(game.start(), MONEY).double_pass == 1.0
    with pytest.raises(sb.CubeError):
        engine.cube(asked, sb.MatchState(cube=2, owner="black"))


def test_jacobys_rule_stands_against_the_table_while_a_gammon_is_possible(nets: Path) -> None:
    game = sb.variant("hypergammon")
    engine = sb.engine(game, folders=[nets])
    asked = position(game, home(1, 1, 1), home(6, 6, 6))
    free = engine.cube(asked, sb.MatchState(jacoby=False))
    # A double, or 17 throws of the other side's thirty-six after it, and it is a gammon; with 6-6 he wins.
    gammon, lost = 1 / 6 + 5 / 6 * 17 / 36, 5 / 6 / 36
    assert free.no_double == pytest.approx(1 + gammon - 2 * lost, abs=1e-6)
    assert free.action == "too_good"
    assert engine.cube(asked, sb.MatchState(jacoby=True)) != free


def test_without_tables_the_net_is_asked(game: sb.Variant, engine: Engine, nets: Path) -> None:
    asked = position(game, home(6), home(6))
    assert engine.evaluate(asked).win == pytest.approx(0.8125, abs=1e-6)
    bare = sb.engine(game, folders=[nets], bearoff=False)
    assert bare.evaluate(asked).win != pytest.approx(0.8125, abs=1e-6)
    assert bare.evaluate(game.start()).win == engine.evaluate(game.start()).win
