"""Dice from chains in one hand, from a seed, and from a real board."""

from __future__ import annotations

from typing import Any

import pytest

from sheshbesh.fairdice import RESERVE, ChainDice, SeededDice, TypedDice
from tests.dice_help import audit, entropy_from, plain, refused

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


def test_seeds_and_games_make_the_seeded_dice() -> None:
    def first_ten(dice: SeededDice) -> list[tuple[int, int]]:
        thrown: list[tuple[int, int]] = []
        for _ in range(10):
            step = dice.throw(roller="white")
            dice, thrown = step.source, [*thrown, step.dice]
        return thrown

    same = first_ten(SeededDice("study/1", b"seed"))
    assert same == first_ten(SeededDice("study/1", b"seed"))
    assert same != first_ten(SeededDice("study/2", b"seed"))
    assert same != first_ten(SeededDice("study/1", b"other"))


@pytest.mark.parametrize("seed", [b"", b"x" * 65])
def test_a_seed_has_1_to_64_bytes(seed: bytes) -> None:
    with pytest.raises(ValueError, match="1 to 64 bytes"):
        SeededDice("study/1", seed)


@pytest.mark.parametrize("source", [lambda game: SeededDice(game, b"seed"), TypedDice])
def test_a_game_without_a_readable_name_is_refused(source: Any) -> None:
    with pytest.raises(ValueError, match="not 'a b'"):
        source("a b")


def test_typed_dice_are_recorded_as_typed() -> None:
    answer = TypedDice("real/1").throw((3, 1), roller=None)
    assert answer.dice == (3, 1)
    assert answer.events[0]["source"] == "typed"
    assert answer.source.number == 2


@pytest.mark.parametrize("dice", [(0, 1), (7, 1), (3,), (3, 1, 2), (True, 1), (1.0, 2)])
def test_typed_numbers_that_no_pair_shows_are_refused(dice: Any) -> None:
    with refused("dice.typed_wrong"):
        TypedDice("real/1").throw(dice, roller="white")
