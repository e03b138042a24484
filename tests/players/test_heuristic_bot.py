"""The simple bot: legal in every game, repeatable, and better than chance."""

from __future__ import annotations

import random

import pytest

import sheshbesh as sb
from sheshbesh.players.opponent import HeuristicOpponent
from tests.sizes import sampled_games


def play_random_opponent(game: sb.Variant, bot: HeuristicOpponent, seed: int) -> sb.GameResult:
    """A game between the bot as White and random plays as Black."""
    chance = random.Random(seed)
    position = game.start("white" if seed % 2 else "black")
    while (result := position.result) is None:
        dice = None if position.pending else sb.Roll.of((chance.randint(1, 6), chance.randint(1, 6)))
        if position.turn is sb.Side.WHITE:
            play = bot.play(position, dice, sb.MatchState())
            assert play in position.legal_plays(play.dice)
        else:
            plays = position.legal_plays(dice)
            play = plays[chance.randrange(len(plays))]
        position = play.result
    return result


@pytest.mark.parametrize("name", sampled_games(4))
def test_the_bot_beats_chance(name: str) -> None:
    bot = HeuristicOpponent(1)
    results = [play_random_opponent(sb.variant(name), bot, seed) for seed in range(40)]
    won = sum(result.winner is sb.Side.WHITE for result in results)
    assert won >= 28


def test_the_same_seed_makes_the_same_choices() -> None:
    position = sb.variant("backgammon").start()
    first, second = (
        [str(HeuristicOpponent(seed).play(position, roll, sb.MatchState())) for roll, _ in sb.Roll.all()]
        for seed in (3, 3)
    )
    assert first == second


def test_the_bot_takes_a_won_game() -> None:
    position = sb.variant("backgammon").position({"white": {"1": 1}, "white_off": 14, "black": {"24": 15}})
    result = HeuristicOpponent(0).play(position, sb.Roll(6, 5), sb.MatchState()).result.result
    assert result is not None
    assert result.winner is sb.Side.WHITE
