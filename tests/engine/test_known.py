"""What is published of backgammon must come out of the shipped net; and what must hold of any net.

Another folder of nets can be put to the test: SHESHBESH_TEST_NETS=FOLDER.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import pairwise
from math import sqrt

import pytest

import sheshbesh as sb

FOLDERS = [os.environ["SHESHBESH_TEST_NETS"]] if "SHESHBESH_TEST_NETS" in os.environ else []


@pytest.fixture(scope="module")
def engine() -> sb.Engine:
    """The engine for backgammon, with a net of the game's own."""
    made = sb.engine("backgammon", folders=FOLDERS)
    assert not made.approximate
    return made


# Opening plays

OPENINGS = {
    (2, 1): {"24/23 13/11", "13/11 6/5"},
    (3, 1): {"8/5 6/5"},
    (4, 1): {"24/23 13/9", "13/9 6/5"},
    (5, 1): {"24/23 13/8", "13/8 6/5"},
    (6, 1): {"13/7 8/7"},
    (3, 2): {"24/21 13/11", "13/11 13/10"},
    (4, 2): {"8/4 6/4"},
    (5, 2): {"24/22 13/8", "13/11 13/8"},
    (6, 2): {"24/18 13/11", "24/16"},
    (4, 3): {"24/20 13/10", "24/21 13/9", "13/10 13/9"},
    (5, 3): {"8/3 6/3"},
    (6, 3): {"24/18 13/10", "24/15"},
    (5, 4): {"24/20 13/8", "13/9 13/8"},
    (6, 4): {"24/14", "24/18 13/9", "8/2 6/2"},
    (6, 5): {"24/13"},
}
"""Best and nearly best plays for money: Kit Woolsey's synopsis in the rec.games.backgammon FAQ (1995), and
the survey of Tom Keith, "How to Play the Opening Rolls", bkgm.com/openings.html (2006)."""


def opening_play(engine: sb.Engine, dice: tuple[int, int], plies: int) -> tuple[sb.Play, list[sb.Play]]:
    """The engine's play, and the accepted ones."""
    start = engine.variant.start()
    accepted = [start.parse_play(text, dice) for text in OPENINGS[dice]]
    return engine.rank(start, dice, plies=plies)[0].play, accepted


@pytest.mark.parametrize("dice", OPENINGS)
def test_openings_agree_with_the_consensus(engine: sb.Engine, dice: tuple[int, int]) -> None:
    chosen, accepted = opening_play(engine, dice, plies=2)
    assert chosen in accepted, chosen.notation


def test_the_raw_net_knows_most_openings(engine: sb.Engine) -> None:
    odd = []
    for dice in OPENINGS:
        chosen, accepted = opening_play(engine, dice, plies=0)
        if chosen not in accepted:
            odd.append((dice, chosen.notation))
    assert len(odd) <= 2, odd


# Published values

REPLIES = [
    ((2, 1), "24/23 13/11", (5, 4), "24/20 13/8", -0.075, 0.475),
    ((2, 1), "24/23 13/11", (5, 4), "24/15", -0.094, 0.476),
    ((2, 1), "24/23 13/11", (5, 4), "13/9 13/8", -0.095, 0.463),
    ((2, 1), "13/11 6/5", (5, 4), "24/20* 13/8", 0.136, 0.537),
    ((3, 1), "8/5 6/5", (5, 4), "13/9 13/8", -0.241, 0.414),
    ((3, 2), "24/21 13/11", (5, 4), "13/4*", -0.067, 0.474),
    ((2, 1), "24/23 13/11", (1, 1), "24/22 6/5(2)", 0.114, 0.544),
    ((2, 1), "24/23 13/11", (1, 1), "24/23(2) 6/5(2)", 0.087, 0.530),
]
"""First throw and play, reply, and then the cubeless equity and the chance to win of the one who replied:
Tom Keith's rollouts with GNU Backgammon, bkgm.com/openings/reply-54.html and r21-yxnl-data.html."""


@pytest.mark.parametrize(("plies", "tolerance"), [(0, 0.08), (2, 0.05)])
def test_replies_have_their_published_values(engine: sb.Engine, plies: int, tolerance: float) -> None:
    for first, opening, second, reply, equity, win in REPLIES:
        position = engine.variant.start().parse_play(opening, first).result
        found = engine.evaluate(position.parse_play(reply, second).result, plies=plies)
        assert -found.equity == pytest.approx(equity, abs=tolerance), reply
        assert 1 - found.win == pytest.approx(win, abs=tolerance / 2), reply


RACES = [
    ({12: 2, 9: 1, 8: 2, 6: 5, 5: 3, 4: 2}, {12: 2, 11: 1, 9: 2, 8: 3, 6: 4, 5: 2, 4: 1}),
    ({11: 2, 9: 1, 8: 2, 6: 5, 5: 3, 4: 2}, {11: 3, 9: 1, 8: 2, 6: 5, 5: 2, 4: 2}),
    ({11: 3, 9: 1, 8: 2, 6: 5, 5: 2, 4: 2}, {11: 2, 9: 1, 8: 2, 6: 5, 5: 3, 4: 2}),
]
KLEINMAN = [
    (0.0, 0.5),
    (0.55, 0.70),
    (0.9, 0.75),
    (1.0, 0.76),
    (1.2, 0.78),
    (1.3, 0.79),
    (1.4, 0.80),
    (1.8, 0.83),
]
"""Metric and winning chances of the side on roll: Danny Kleinman, "Vision Laughs at Counting", as quoted in
rec.games.backgammon (bkgm.com/rgb/rgb.cgi?view+574)."""


def kleinman(mine: int, theirs: int) -> float:
    """The chance to win a race for the side on roll."""
    lead = theirs - mine + 4
    metric = lead * lead / (mine + theirs - 4)
    (low, less), (high, more) = next((a, b) for a, b in pairwise(KLEINMAN) if a[0] <= metric <= b[0])
    # The chance grows with the root of the metric: with the lead in standard deviations.
    share = (sqrt(metric) - sqrt(low)) / (sqrt(high) - sqrt(low))
    chance = less + share * (more - less)
    return chance if lead >= 0 else 1 - chance


@pytest.mark.parametrize("plies", [0, 1])
def test_races_follow_the_kleinman_metric(engine: sb.Engine, plies: int) -> None:
    for mine, theirs in RACES:
        board = {
            "white": {str(point): count for point, count in mine.items()},
            "black": {str(25 - point): count for point, count in theirs.items()},
        }
        position = engine.variant.position(board)
        pips = [sum(point * count for point, count in side.items()) for side in (mine, theirs)]
        assert engine.evaluate(position, plies=plies).win == pytest.approx(kleinman(*pips), abs=0.03)


def test_the_first_throw_is_worth_what_it_is_known_to_be_worth(engine: sb.Engine) -> None:
    """gnubg-nn 1.1.0a11 at 2 plies: 0.0756 points, 52.5 % wins, 27.5 % of all games gammons."""
    found = engine.evaluate(engine.variant.start(), plies=2)
    assert found.equity == pytest.approx(0.0756, abs=0.012)
    assert found.win == pytest.approx(0.525, abs=0.01)
    assert found.win_gammon + found.lose_gammon == pytest.approx(0.275, abs=0.01)


# What holds of every net


def positions(game: sb.Variant, count: int) -> Iterator[sb.Position]:
    """Positions of random games."""
    chance = random.Random(f"known {game.name}")
    position = game.start()
    for _ in range(count):
        yield position
        dice = None if position.pending else (chance.randint(1, 6), chance.randint(1, 6))
        plays = position.legal_plays(dice)
        position = chance.choice(plays).result if plays else game.start()


def colours_exchanged(position: sb.Position) -> sb.Position:
    """The same position with White in Black's place."""
    core = position._core
    values = {name: getattr(core, name) for name in ("mine", "theirs", "pinned_mine", "pinned_theirs")}
    values |= {name: getattr(core, name) for name in ("turns", "started", "mother_lost", "pending")}
    return sb.Position(position.variant, type(core)(**values, black_on_roll=not core.black_on_roll))


@pytest.mark.parametrize("name", sb.variants())
def test_values_are_symmetric_and_probabilities_nest(name: str) -> None:
    game = sb.variant(name)
    engine = sb.engine(game, folders=FOLDERS)
    asked = list(positions(game, 150))
    values = engine.evaluate_many(asked)
    exchanged = engine.evaluate_many(map(colours_exchanged, asked))
    for one, other in zip(values, exchanged, strict=True):
        assert one.probabilities == other.probabilities
        assert sum(one.probabilities) == pytest.approx(1, abs=1e-5)
        assert 1 >= one.win >= one.win_gammon >= one.win_backgammon >= 0
        assert 1 - one.win + 1e-6 >= one.lose_gammon >= one.lose_backgammon >= 0


@pytest.mark.parametrize("name", sb.variants())
def test_a_value_does_not_depend_on_its_batch(name: str) -> None:
    game = sb.variant(name)
    engine = sb.engine(game, folders=FOLDERS)
    asked = list(positions(game, 60))
    together = engine.evaluate_many(asked)
    alone = [engine.evaluate(position) for position in reversed(asked)]
    assert together == alone[::-1]
