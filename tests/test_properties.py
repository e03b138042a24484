"""Laws that hold in every position, reachable or not, of every game with any options."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sheshbesh as sb
from sheshbesh.rules import loader
from sheshbesh.rules.notation import format_steps
from sheshbesh.testing import random_position

SETTINGS = settings(max_examples=25, deadline=None, database=None)

SEEDS = st.integers(min_value=0, max_value=2**32)
"""A position grows from a seed: it can be put together again, and none is more likely than others."""


def random_game(name: str, random: Random) -> sb.Variant:
    """The game with some of its options set; contradicting choices are left out."""
    specs = loader.load(name).own_options
    wanted = {option: random.choice(spec.values) for option, spec in specs.items() if not random.randrange(3)}
    try:
        return sb.variant(name, **wanted)
    except sb.VariantError:
        return sb.variant(name)


def random_place(name: str, seed: int) -> tuple[sb.Position, sb.Roll, Random]:
    """A constructed position of the game that is not over, and a throw."""
    random = Random(seed)
    while True:
        position = random_position(random_game(name, random), random)
        if position.result is None:
            return position, sb.Roll.of((random.randint(1, 6), random.randint(1, 6))), random


def leaves(position: sb.Position, dice: sb.Roll) -> set[tuple[sb.Step, ...]]:
    """Every sequence of offered steps after which none is offered."""
    found = set()
    open_ways: list[tuple[sb.Step, ...]] = [()]
    while open_ways:
        done = open_ways.pop()
        offered = position.legal_steps(dice, done)
        if not offered:
            found.add(done)
        open_ways += [(*done, step) for step in offered]
    return found


def final_of(position: sb.Position, dice: sb.Roll, steps: tuple[sb.Step, ...]) -> sb.Position:
    return position.parse_play(format_steps(steps), dice).result


@pytest.mark.parametrize("name", sb.variants())
@given(seed=SEEDS)
@SETTINGS
def test_the_steps_offered_make_exactly_the_legal_plays(name: str, seed: int) -> None:
    position, dice, random = random_place(name, seed)
    finals = {play.result for play in position.legal_plays(dice)}
    if dice.is_double:  # too many orders to try them all: the plays' own, and one at random
        ways = {play.steps for play in position.legal_plays(dice)}
        assert all(position.refusal(steps, dice) is None for steps in ways)
        done: tuple[sb.Step, ...] = ()
        while offered := position.legal_steps(dice, done):
            done = (*done, random.choice(offered))
        assert final_of(position, dice, done) in finals
        return
    reached = {final_of(position, dice, steps) for steps in leaves(position, dice)}
    if position.variant.axes["duty"]["dice"] == "voluntary":
        assert reached <= finals  # who may stop early also ends where more is offered
    else:
        assert reached == finals


@pytest.mark.parametrize("name", sb.variants())
@given(seed=SEEDS)
@SETTINGS
def test_a_play_is_refused_exactly_when_it_is_not_legal(name: str, seed: int) -> None:
    position, dice, random = random_place(name, seed)
    finals = {play.result for play in position.legal_plays(dice)}
    origins = [point for point in range(1, 27) if position.counts(position.turn)[point]]
    for _ in range(6):
        steps = []
        for die in dice:
            origin = random.choice(origins)
            steps.append(sb.Step(origin, max(min(origin, 25) - die, 0), die))
        text = format_steps(steps[: random.randint(1, 2)])
        refusal = position.refusal(text, dice)
        if refusal is None:
            assert position.parse_play(text, dice).result in finals
        else:
            assert refusal.rule in sb.RULES
            with pytest.raises(sb.IllegalPlayError) as caught:
                position.parse_play(text, dice)
            assert caught.value.rule == refusal.rule


@pytest.mark.parametrize("name", sb.variants())
@given(seed=SEEDS)
@SETTINGS
def test_every_play_is_read_as_itself(name: str, seed: int) -> None:
    position, dice, _ = random_place(name, seed)
    plays = position.legal_plays(dice)
    assert len({play.notation for play in plays}) == len(plays), "two plays with the same words"
    for play in plays:
        assert position.parse_play(play.notation, dice) == play
        assert position.parse_play(play.notation.upper().replace(" ", " , "), dice) == play
        assert position.refusal(play, dice) is None
        assert position.refusal(play.steps, dice) is None


@pytest.mark.parametrize("name", sb.variants())
@given(seed=SEEDS)
@SETTINGS
def test_the_dice_have_no_order(name: str, seed: int) -> None:
    position, dice, _ = random_place(name, seed)
    plays = position.legal_plays(dice)
    assert list(position.legal_plays((dice.second, dice.first))) == list(plays)
    assert all(play.dice == dice for play in plays)


@pytest.mark.parametrize("name", sb.variants())
@given(seed=SEEDS)
@SETTINGS
def test_the_duty_leaves_plays_of_one_length(name: str, seed: int) -> None:
    position, dice, _ = random_place(name, seed)
    axes = position.variant.axes
    if axes["duty"]["dice"] != "all":
        return
    plays = position.legal_plays(dice)
    lengths = {len(play.steps) for play in plays if play.result.result is None}
    assert len(lengths) <= 1, f"{position.id} {dice}: {lengths}"


@pytest.mark.parametrize("name", sb.variants())
@given(seed=SEEDS)
@SETTINGS
def test_positions_come_back_from_their_ids_and_boards(name: str, seed: int) -> None:
    position, dice, random = random_place(name, seed)
    for found in (position, random.choice(position.legal_plays(dice)).result):
        assert found.variant.position_from_id(found.id) == found
        assert found.variant.position(found.board(), turn=found.turn).board() == found.board()
