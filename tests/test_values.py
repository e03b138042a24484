"""The values of the public API travel between processes and compare as values."""

from __future__ import annotations

import pickle
from functools import cache

import pytest

import sheshbesh as sb
import sheshbesh.cube
import sheshbesh.match


@cache
def engine() -> sb.Engine:
    """A small engine without bear-off databases."""
    return sb.engine("hypergammon", bearoff=False, seed=3)


_SHORT = b""" 1 point match

 Game 1
 Anna : 0                          Ben : 0
  1) 31: 8/5 6/5                   64: 24/14
  2) 52: 13/8 6/4*                 Losses 1 point
      Wins 1 point and the match
"""
"""A match file of a few rolls in which something is not plain."""


@cache
def values() -> dict[str, object]:
    """One value of every public class that has values."""
    game = sb.variant("gul_bara", progression_from=1)
    start = engine().variant.start()
    plays = start.legal_plays((5, 2))
    chain = game.start().legal_plays((3, 3))[0].result
    over = sb.variant("hypergammon").position({"white": {}, "white_off": 3, "black": {"5": 3}}, turn="black")
    outcome = engine().evaluate(start)
    assert outcome.classes and outcome.probabilities, "what was asked before travels too"
    match = sb.read_match(_SHORT)
    report = sb.review(match, plies=0, workers=1)
    short = sb.RolloutOptions(trials=36, truncate=1)
    rolled_out = engine().rollout_plays([*plays[:2]], options=short)
    values = {
        "Candidate": engine().rank(start, (5, 2))[0],
        "Candidates": engine().rank(start, (5, 2)),
        "Card": sb.Card.from_code("backgammon.p5"),
        "Classes": outcome.table,
        "CubeDecision": engine().cube(start),
        "Engine": engine(),
        "Estimate": engine().rollout(start, trials=36, options=short).equity,
        "Game": sb.Game("gioul", seed=4),
        "RecordedGame": match.games[0],
        "GameResult": over.result,
        "GnubgPosition": sb.parse_gnubg_id("4HPwATDgc/ABMA:QYkqASAAIAAA", sb.variant("backgammon")),
        "History": sb.History(first_turn=False, starter="black"),
        "Judged": report.decisions[0],
        "Level": sb.engine("hypergammon", level="club", bearoff=False).level,
        "Match": match,
        "MatchState": sb.MatchState(length=7, white=3, black=4, cube=2, owner="black"),
        "Opening": engine().variant.opening(5, 2),
        "Outcome": outcome,
        "Pending": chain.pending,
        "Play": plays[1],
        "Plays": plays,
        "Position": chain,
        "Progress": sb.Progress(1, 3, 2),
        "Record": sb.Game("gioul", seed=4).to_record(),
        "Refusal": start.refusal("24/1", (5, 2)),
        "Repair": match.repairs[0],
        "Report": report,
        "ResultClass": next(iter(outcome.classes)),
        "Roll": sb.Roll(2, 5),
        "RolledOutCube": engine().rollout_cube(start, options=short),
        "RolledOutPlay": rolled_out[1],
        "RolledOutPlays": rolled_out,
        "Rollout": engine().rollout(start, trials=36, options=short),
        "RolloutOptions": sb.RolloutOptions(trials=36),
        "Side": sb.Side.BLACK,
        "Stage": start.stages((5, 2))[0],
        "Statistics": report.statistics("gnubg"),
        "Step": plays[0].steps[0],
        "Variant": game,
        "XgPosition": sb.parse_xgid(
            "-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10", sb.variant("backgammon")
        ),
    }
    for value in values.values():
        for name in dir(type(value)):
            if isinstance(getattr(type(value), name, None), property) or name in ("classes", "options"):
                getattr(value, name)
    return values


CLASSES = sorted(
    name
    for name in sb.__all__
    if isinstance(getattr(sb, name), type) and not issubclass(getattr(sb, name), (Exception, sb.Job))
)


HOLD_MAPPINGS = {"Record", "RolledOutCube", "RolledOutPlay", "RolledOutPlays", "Rollout", "Statistics"}


@pytest.mark.parametrize("name", CLASSES)
def test_every_public_value_comes_back_equal_from_a_pickle(name: str) -> None:
    value = values()[name]
    assert isinstance(value, getattr(sb, name))
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(value, protocol))
        assert type(back) is type(value)
        assert back == value
        if name not in HOLD_MAPPINGS and name != "Game":  # a game changes
            assert hash(back) == hash(value)


def test_plays_of_other_dice_and_positions_differ() -> None:
    start = engine().variant.start()
    assert start.legal_plays((5, 2)) == start.legal_plays((2, 5))
    assert start.legal_plays((5, 2)) != start.legal_plays((5, 1))
    assert start.legal_plays((5, 2)) != engine().variant.start("black").legal_plays((5, 2))
    assert start.legal_plays((5, 2)) != tuple(start.legal_plays((5, 2)))


def test_engines_that_answer_otherwise_differ() -> None:
    club = sb.engine("hypergammon", level="club", bearoff=False, seed=3)
    assert engine() == sb.engine("hypergammon", bearoff=False, seed=3)
    assert len({engine(), club, sb.engine("hypergammon", bearoff=False), club}) == 3
    assert engine() != 3


def test_an_engine_from_a_pickle_gives_the_same_answers() -> None:
    back = pickle.loads(pickle.dumps(engine()))
    start = back.variant.start()
    assert back.rank(start, (6, 1)) == engine().rank(start, (6, 1))


@pytest.mark.parametrize("dice", [(0, 7), (1, 0), (7, 1), (True, 1), ("1", 2), (1.0, 2)])
def test_dice_that_do_not_exist_are_refused(dice: tuple[int, int]) -> None:
    with pytest.raises(sb.DiceError, match="a die shows 1 to 6"):
        sb.Roll(*dice)
