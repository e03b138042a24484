"""A turn laid out in stages: what a board follows a player through without knowing a rule."""

from __future__ import annotations

import random

import pytest

import sheshbesh as sb


def walk(position: sb.Position, dice: tuple[int, int] | None, chance: random.Random) -> None:
    """Follow the stages at random and hold each against what the rules say step by step."""
    stages = position.stages(dice)
    done: list[sb.Step] = []
    here = 0
    while True:
        stage = stages[here]
        assert {step for step, _ in stage.onward} == set(position.legal_steps(dice, done))
        whole = position.play_of(done, dice)
        assert stage.is_whole == isinstance(whole, sb.Play)
        if not stage.onward:
            assert stage.is_whole
            return
        step, here = chance.choice(stage.onward)
        done.append(step)


@pytest.mark.parametrize("name", sb.variants())
def test_stages_say_what_the_rules_say(name: str) -> None:
    chance = random.Random(f"stages {name}")
    game = sb.variant(name)
    position = game.start()
    for _ in range(60):
        if position.result is not None:
            position = game.start()
        owed = position.pending
        dice = None if owed is not None else (chance.randint(1, 6), chance.randint(1, 6))
        if owed is None or owed.choose is None:
            walk(position, dice, chance)
        position = chance.choice(position.legal_plays(dice)).result


def test_a_dance_is_one_whole_stage_without_steps() -> None:
    game = sb.variant("backgammon")
    board = {"white": {6: 14}, "white_bar": 1, "black": {**dict.fromkeys(range(19, 25), 2), 12: 3}}
    (stage,) = game.position(board, turn="white").stages((3, 1))
    assert stage == sb.Stage(is_whole=True, onward=())


def test_a_finished_game_has_no_stages() -> None:
    game = sb.variant("backgammon")
    board = {"white": {}, "white_off": 15, "black": {6: 15}}
    assert game.position(board, turn="black").stages((3, 1)) == ()
