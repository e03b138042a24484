"""Outcomes: what is derived from the probabilities of the classes."""

from __future__ import annotations

import random

import pytest

import sheshbesh as sb
from sheshbesh.engines import Classes, Outcome, ResultClass


def some_outcome(game: sb.Variant, seed: int = 1) -> Outcome:
    chance = random.Random(seed)
    table = Classes.of(game)
    weights = [chance.random() for _ in table.all]
    return Outcome.weigh(table, [weight / sum(weights) for weight in weights])


@pytest.mark.parametrize("name", sb.variants())
def test_probabilities_sum_and_nest(name: str) -> None:
    outcome = some_outcome(sb.variant(name))
    assert sum(outcome.classes.values()) == pytest.approx(1)
    assert outcome.win + outcome.lose + outcome.tie == pytest.approx(1)
    assert outcome.win >= outcome.win_gammon >= outcome.win_backgammon >= 0
    assert outcome.lose >= outcome.lose_gammon >= outcome.lose_backgammon >= 0


@pytest.mark.parametrize("name", sb.variants())
def test_the_other_side_sees_the_same_with_its_losses_as_wins(name: str) -> None:
    outcome = some_outcome(sb.variant(name))
    other = outcome.flipped()
    assert (other.win, other.win_gammon, other.win_backgammon) == (
        outcome.lose,
        outcome.lose_gammon,
        outcome.lose_backgammon,
    )
    assert other.points == pytest.approx(-outcome.points)
    assert other.flipped() == outcome


def test_money_equity_of_backgammon_is_the_sum_of_its_nested_views() -> None:
    o = some_outcome(sb.variant("backgammon"))
    nested = o.win + o.win_gammon + o.win_backgammon - o.lose - o.lose_gammon - o.lose_backgammon
    assert o.equity == o.points == pytest.approx(nested)


def test_the_classes_have_keys_that_equal_plain_tuples() -> None:
    outcome = some_outcome(sb.variant("backgammon"))
    assert outcome.classes[ResultClass("win", "gammon", 2)] == outcome.classes["win", "gammon", 2]
    assert [str(each) for each in outcome.classes][:3] == ["win single", "win gammon", "win backgammon"]


@pytest.mark.parametrize(
    ("game", "third"),
    [
        (sb.variant("backgammon"), {("backgammon", 3)}),
        (sb.variant("long_nardy"), {("home_mars", 3)}),
        (sb.variant("long_nardy", home_mars=2), {("home_mars", 2)}),
        (sb.variant("long_nardy", koks=True), {("home_mars", 2), ("koks", 3)}),
        (sb.variant("tavla"), set()),
        (sb.variant("tapa", mother=True), set()),
    ],
)
def test_the_third_class_is_the_backgammon_or_what_the_game_has_for_it(
    game: sb.Variant, third: set[tuple[str, int]]
) -> None:
    table = Classes.of(game)
    found = {pair for pair, level in zip(table.wins, table.levels, strict=False) if level == 3}
    assert found == third


def test_a_mother_for_two_points_counts_among_the_gammons_and_a_tie_among_nothing() -> None:
    table = Classes.of(sb.variant("tapa", mother=True))
    certain = {
        each: Outcome.weigh(table, [float(each == other) for other in table.all]) for each in table.all
    }
    assert certain[ResultClass("win", "mother", 2)].win_gammon == 1
    tie = certain[ResultClass("tie", "tie", 0)]
    assert (tie.win, tie.lose, tie.tie, tie.points) == (0, 0, 1, 0)


def test_where_checkers_are_counted_there_are_no_gammons() -> None:
    outcome = some_outcome(sb.variant("tawla31"))
    assert outcome.win_gammon == outcome.lose_gammon == 0
    assert max(points for _, points in outcome.table.wins) == 15


def test_a_finished_game_is_certain() -> None:
    board = {"white_off": 15, "black": {"1": 15}}
    position = sb.variant("backgammon").position(board, turn="black")
    assert position.result is not None
    outcome = Outcome.certain(position, position.result)
    assert outcome.classes[ResultClass("lose", position.result.kind, position.result.points)] == 1
    assert outcome.equity == -position.result.points
