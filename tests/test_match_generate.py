"""Match equity tables that are made from a game's own results."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sheshbesh as sb
from sheshbesh.cube import CubePlay, equity_table, extended, generate, without_crawford

KAZAROSS = equity_table("kazaross_xg2")


def worst(gammons: float, length: int) -> float:
    """How far a table made with this share of gammons is from Kazaross-XG2."""
    rates = {1: (1 - gammons) / 2, 2: (gammons - 0.011) / 2, 3: 0.0055}
    made = generate(rates, length=length, cube=CubePlay())
    return max(
        abs(made.chance(a, b, crawford=crawford) - KAZAROSS.chance(a, b, crawford=crawford))
        for a in range(1, length + 1)
        for b in range(1, length + 1)
        for crawford in (True, False)
    )


def test_with_the_gammons_of_backgammon_the_published_table_comes_out() -> None:
    assert worst(0.26, 9) < 0.0037
    assert worst(0.255, 9) < 0.005
    assert worst(0.265, 9) < 0.005
    assert worst(0.26, 25) < 0.0062


def test_the_published_table_does_not_come_out_of_other_games() -> None:
    assert worst(0.05, 9) > 0.02
    assert worst(0.60, 9) > 0.02


def test_single_points_are_the_binomial_race() -> None:
    table = generate({1: 0.55}, {1: 0.45}, length=7)
    for a in range(1, 8):
        for b in range(1, 8):
            games = a + b - 1
            exact = sum(comb(games, k) * 0.55**k * 0.45 ** (games - k) for k in range(a, games + 1))
            assert table.chance(a, b) == pytest.approx(exact, abs=1e-12)
            assert table.chance(b, a, side="black") == pytest.approx(1 - exact, abs=1e-12)
            assert table.chance(a, b, crawford=False) == table.chance(a, b)


@pytest.mark.parametrize(
    ("wins", "losses", "length"),
    [
        ({1: Fraction(36, 100), 2: Fraction(14, 100)}, None, 5),
        ({n: Fraction(1, 36) for n in range(1, 16)}, {n: Fraction(1, 30) for n in range(1, 16)}, 31),
        ({1: Fraction(3, 10), 2: Fraction(1, 10), 3: Fraction(1, 20)}, None, 7),
    ],
    ids=["to five with mars", "race to 31 with counted points and ties", "ties"],
)
def test_without_a_cube_the_table_is_exact(
    wins: dict[int, Fraction], losses: dict[int, Fraction] | None, length: int
) -> None:
    other = losses or wins
    decided = sum(wins.values()) + sum(other.values())

    @cache
    def chance(a: int, b: int) -> Fraction:
        if a <= 0 or b <= 0:
            return Fraction(a <= 0)
        total = sum((share * chance(a - n, b) for n, share in wins.items()), Fraction(0))
        total += sum((share * chance(a, b - n) for n, share in other.items()), Fraction(0))
        return Fraction(total / decided)

    table = generate(
        {n: float(p) for n, p in wins.items()}, {n: float(p) for n, p in other.items()}, length=length
    )
    for a in range(1, length + 1):
        for b in range(1, length + 1):
            assert table.chance(a, b) == pytest.approx(float(chance(a, b)), abs=1e-9)


@given(
    plain=st.floats(0.2, 0.5),
    more=st.lists(st.floats(0, 0.1), max_size=2),
    efficiency=st.floats(0.5, 1),
    has_cube=st.booleans(),
)
def test_equal_sides_mirror_each_other_and_points_help(
    *, plain: float, more: list[float], efficiency: float, has_cube: bool
) -> None:
    shares = [plain, *more]
    scale = max(1.0, 2 * sum(shares))
    rates = {n: share / scale for n, share in enumerate(shares, 1)}
    table = generate(rates, length=5, cube=CubePlay(efficiency=efficiency) if has_cube else None)
    for a in range(1, 6):
        for b in range(1, 6):
            assert table.chance(a, b) + table.chance(b, a) == pytest.approx(1, abs=1e-9)
            if b > 1:
                assert table.chance(a, b) >= table.chance(a, b - 1) - 1e-9


def test_the_stronger_side_is_ahead_at_an_even_score() -> None:
    table = generate({1: 0.40, 2: 0.14}, {1: 0.34, 2: 0.12}, length=7, cube=CubePlay())
    assert table.chance(1, 1) == pytest.approx(0.54)
    assert table.chance(7, 7) > table.chance(3, 3) > 0.54
    assert table.chance(7, 7) + table.chance(7, 7, side="black") == pytest.approx(1)


def test_without_the_crawford_rule_the_trailer_may_double_at_once() -> None:
    rates = {1: 0.37, 2: 0.13}
    with_rule = generate(rates, length=5, cube=CubePlay())
    without = generate(rates, length=5, cube=CubePlay(), crawford=False)
    assert without.chance(4, 1) == without.chance(4, 1, crawford=False) > with_rule.chance(4, 1)


def test_a_table_without_crawford_is_that_of_such_matches() -> None:
    table = without_crawford(KAZAROSS)
    made = generate({1: 0.37, 2: 0.1245, 3: 0.0055}, length=9, cube=CubePlay(), crawford=False)
    for a in range(1, 10):
        for b in range(1, 10):
            assert table.chance(a, b) == pytest.approx(made.chance(a, b), abs=0.0037)
    for n in range(2, 26):
        assert table.chance(n, 1) == KAZAROSS.chance(n, 1, crawford=False)
    # The trailer's cube at once is worth most where an even number of points is needed.
    assert table.chance(4, 2) - KAZAROSS.chance(4, 2) > 0.01


@pytest.mark.parametrize("length", [25, 40])
def test_a_table_without_crawford_is_in_order(length: int) -> None:
    table = extended(without_crawford(KAZAROSS), length, crawford=False)
    for a in range(1, length + 1):
        for b in range(1, length + 1):
            assert table.chance(a, b) + table.chance(b, a) == pytest.approx(1, abs=1e-8)
            assert a == 1 or table.chance(a, b) <= table.chance(a - 1, b) + 1e-9
    assert table.chance(length, 1) == table.chance(length, 1, crawford=False)


def test_a_table_to_which_crawford_makes_no_difference_stays() -> None:
    for table in (
        without_crawford(KAZAROSS),
        generate({1: 0.36, 2: 0.14}, length=5),
        generate({1: 0.40, 2: 0.14}, {1: 0.34, 2: 0.12}, length=5, cube=CubePlay(), crawford=False),
    ):
        assert without_crawford(table) is table


@pytest.mark.parametrize(
    ("wins", "losses", "complaint"),
    [
        ({}, None, "empty"),
        ({1: 0.7}, None, "sum to 1.4"),
        ({0: 0.5}, None, "0 points"),
        ({1: -0.1}, None, "-0.1"),
        ({1: 0.5}, {2: 1.5}, "1.5"),
    ],
)
def test_chances_that_cannot_be_are_refused(
    wins: dict[int, float], losses: dict[int, float] | None, complaint: str
) -> None:
    with pytest.raises(sb.MatchError, match=complaint):
        generate(wins, losses)


def test_lengths_and_habits_that_cannot_be_are_refused() -> None:
    with pytest.raises(sb.MatchError, match="1 to 128"):
        generate({1: 0.5}, length=0)
    with pytest.raises(sb.MatchError, match="efficiency lies between 0 and 1, not 2"):
        CubePlay(efficiency=2)
