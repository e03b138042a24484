"""Numbers a player counts, held against known ones."""

from __future__ import annotations

import pytest

import sheshbesh as sb
from sheshbesh.engines.explain.features import FEATURES, measure

# The rolls of 36 that reach a lone checker at each distance on an open board, from any primer.
SHOTS = {1: 11, 2: 12, 3: 14, 4: 15, 5: 15, 6: 17, 7: 6, 8: 6, 9: 5, 10: 3, 11: 2, 12: 3}


def value(position: sb.Position, side: str, id_: str) -> object:
    return measure(position, side)[id_].value


@pytest.mark.parametrize(("distance", "rolls"), SHOTS.items())
@pytest.mark.parametrize("side", ["white", "black"])
@pytest.mark.parametrize(("game", "id_"), [("backgammon", "shots"), ("tapa", "pin_shots")])
def test_shots_are_those_of_the_primers(game: str, id_: str, side: str, distance: int, rolls: int) -> None:
    blot, shooter, past = (13, 13 - distance, 14) if side == "white" else (12, 12 + distance, 11)
    other = "black" if side == "white" else "white"
    # Three more have passed the blot already: they play what is left of a throw.
    board = {side: {blot: 1}, other: {shooter: 1, past: 3}, f"{side}_off": 14, f"{other}_off": 11}
    position = sb.variant(game).position(board, turn=other)
    assert value(position, side, id_) == rolls


def test_a_blocked_combination_is_no_shot() -> None:
    board = {"white": {13: 1, 10: 2, 9: 2}, "black": {6: 1}, "white_off": 10, "black_off": 14}
    position = sb.variant("backgammon").position(board, turn="black")
    # Seven away: 6-1, 5-2 and 4-3, of which 6-1 and 5-2 remain over 12, 11, 8 and 7, and 4-3 over none.
    assert value(position, "white", "shots") == 4


def test_what_a_hit_costs_is_the_way_made() -> None:
    board = {"white": {20: 1}, "black": {19: 1}, "white_off": 14, "black_off": 14}
    measured = measure(sb.variant("backgammon").position(board, turn="black"), "white")
    assert measured["shots"].value == 11
    assert measured["exposed"].value == pytest.approx(11 * 5 / 36)


def test_a_closed_board_lets_nobody_enter() -> None:
    home = dict.fromkeys(range(1, 7), 2)
    closed = sb.variant("backgammon").position(
        {"white": home, "white_off": 3, "black": {24: 14}, "black_bar": 1}, turn="black"
    )
    measured = measure(closed, "white")
    assert measured["dances"].value == 36
    assert measured["prime"].value == 6
    assert measured["trapped"].value == 1
    assert measured["home_points"].value == frozenset(range(1, 7))
    del home[4]
    ajar = sb.variant("backgammon").position(
        {"white": home, "white_off": 5, "black": {24: 14}, "black_bar": 1}, turn="black"
    )
    assert value(ajar, "white", "dances") == 25


def test_in_a_race_nothing_but_the_race_counts() -> None:
    board = {"white": {6: 3, 4: 2}, "white_off": 10, "black": {20: 5}, "black_off": 10}
    measured = measure(sb.variant("backgammon").position(board, turn="black"), "white")
    assert set(measured) == {"stack", "gaps", "off", "race"}
    assert measured["gaps"].value == 4
    assert measured["race"].value == 25 - 26


def test_nothing_is_said_about_a_throw_that_is_not_the_other_sides() -> None:
    position = sb.variant("backgammon").start(turn="white")
    assert "shots" not in measure(position, "white")
    assert "shots" in measure(position, "black")


def test_imprisoned_checkers_are_counted_by_both() -> None:
    board = {"white": {10: 2, 1: 12}, "black": {10: 1, 24: 14}, "pinned_black": [10], "white_off": 1}
    position = sb.variant("plakoto").position(board, turn="black")
    assert value(position, "white", "pins_held") == 1
    assert value(position, "white", "pins_suffered") == 0
    assert value(position, "black", "pins_suffered") == 1


@pytest.mark.parametrize("name", sb.variants())
def test_every_game_is_described_by_its_axes(name: str) -> None:
    game = sb.variant(name)
    position = game.start()
    play = position.legal_plays((6, 5))[0]
    found = set(measure(play.result, position.turn))
    assert found <= set(FEATURES)
    assert {"off", "race", "stack"} <= found
    contact = game.axes["contact"]["kind"]
    assert ("sent_back" in found) <= (contact == "hit")
    assert ("pins_held" in found) <= (contact == "pin")
    assert ("head" in found) == (game.axes["head"]["limit"] != 0)
