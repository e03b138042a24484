"""Styles of play: true in what is counted, close in what they give away, and no change of plain levels."""

from __future__ import annotations

import pickle
import random

import pytest

import sheshbesh as sb
from sheshbesh.engines.strength import levels, styles
from sheshbesh.engines.strength.styles import MARGIN, STYLES, preferred
from sheshbesh.rules import Position, Roll

_DECISIONS = 60


def _positions(game: str) -> list[tuple[Position, Roll]]:
    """Decisions of a game that the net plays with itself, over and over."""
    chance, engine = random.Random(7), sb.engine(game)
    found: list[tuple[Position, Roll]] = []
    position = start = sb.variant(game).start()
    while len(found) < _DECISIONS:
        dice = None if position.pending is not None else Roll(chance.randint(1, 6), chance.randint(1, 6))
        if dice is not None:
            found.append((position, dice))
        position = engine.choose(position, dice).result
        if position.result is not None:
            position = start
    return found


@pytest.mark.parametrize("game", ["backgammon", "long_nardy", "tapa"])
@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_a_style_is_true_in_play_and_gives_little_away(game: str, style: styles.Style) -> None:
    engine = sb.engine(game)
    plain, styled = (engine.at_level(levels.find(name)) for name in ("expert", f"expert-{style.name}"))
    counted = [0.0, 0.0]
    for position, dice in _positions(game):
        ranked = engine.rank(position, dice)
        for n, player in enumerate((plain, styled)):
            play = player.choose(position, dice)
            counted[n] += style.count(play.result, position.turn)
            (made,) = (each for each in ranked if each.play.result == play.result)
            assert ranked[0].equity - made.equity <= (MARGIN * ranked[0].outcome.deviation if n else 0) + 1e-9
    assert counted[1] > counted[0], f"{counted[1]} instead of {counted[0]}"


def test_styled_levels_are_sent_to_other_processes() -> None:
    for style in STYLES:
        level = levels.find(f"club-{style.name}")
        assert pickle.loads(pickle.dumps(level)) == level


def test_a_bold_player_leaves_more_checkers_alone_than_a_safe_one() -> None:
    engine, lone = sb.engine("backgammon"), {}
    for name in ("club-bold", "club", "club-safe"):
        player = engine.at_level(levels.find(name), seed=3)
        lone[name] = sum(
            styles.lone_checkers(player.choose(position, dice).result, position.turn)
            for position, dice in _positions("backgammon")
        )
    assert lone["club-bold"] > lone["club"] > lone["club-safe"]


def test_a_style_keeps_to_what_its_level_would_play() -> None:
    engine, (bold, *_) = sb.engine("backgammon"), STYLES
    ranked = engine.rank(sb.variant("backgammon").start(), (3, 1))
    blunder = ranked[-1]
    margin = MARGIN * blunder.outcome.deviation
    assert abs(preferred(ranked, blunder, bold).equity - blunder.equity) <= margin
    first, second, *_ = near = engine.rank(sb.variant("backgammon").start(), (4, 3))
    none = styles.Style("none", "", lambda _position, _side: 0)
    assert first.equity - second.equity <= MARGIN * second.outcome.deviation
    assert preferred(near, second, none) is second, "not the best without the cube"


def test_styled_levels_have_names_of_their_own() -> None:
    assert levels.find("club-bold").style is STYLES[0]
    assert levels.find("club-bold").weakness == levels.find("club").weakness
    assert levels.find("club").style is None and levels.find("club-safe").error_rate("tapa") is None
    assert levels.is_level("master-racer") and not levels.is_level("club-brave")
    for name in ("analyst-bold", "club-", "club-brave", "bold"):
        with pytest.raises(ValueError, match="no level"):
            levels.find(name)
