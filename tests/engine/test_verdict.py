"""Verdicts by a real search; nets with random weights judge."""

from __future__ import annotations

from pathlib import Path

import pytest

import sheshbesh as sb
from sheshbesh.engines import make_engine
from sheshbesh.engines.explain.verdict import compare_plays, judge_play


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_plays_held_against_each_other_were_looked_at_equally_deep(plies: int, nets: Path) -> None:
    engine = make_engine("backgammon", folders=[nets])
    position = sb.variant("backgammon").start()
    shallow = engine.rank(position, (4, 1), plies=plies)
    last = shallow[-1].play
    found = compare_plays(engine, position, (4, 1), plies=plies, shown=4, play=last)
    assert {each.play for each in found} == {each.play for each in shallow}
    deep = [each for each in found if each.plies == plies]
    assert last in [each.play for each in deep]
    assert len(deep) >= 4
    equities = [each.equity for each in deep if each.play != last]
    assert equities == sorted(equities, reverse=True)
    verdict = judge_play(engine, found, last)
    assert verdict.played.plies == plies
    if verdict.played.equity < min(equities):
        assert verdict.rank == len(shallow), "it jumps over none that was looked at less deep"


@pytest.mark.parametrize("game", ["backgammon", "gul_bara"])
def test_a_second_look_sees_what_the_search_sees(game: str, nets: Path) -> None:
    engine = make_engine(game, folders=[nets])
    position = sb.variant(game).start()
    searched = {each.play: each for each in engine.rank(position, (2, 1), plies=1) if each.plies == 1}
    plays = list(searched)
    for play in plays:
        looked = compare_plays(engine, position, (2, 1), plies=1, play=play)
        assert next(each for each in looked if each.play == play) == searched[play]
        outcome = engine.evaluate(play.result, plies=1).flipped()
        assert outcome.equity == pytest.approx(searched[play].equity, abs=1e-6)


def test_a_roll_played_out_shows_what_the_cube_gains_and_nothing_where_it_is_dead(nets: Path) -> None:
    engine = make_engine("backgammon", folders=[nets])
    position = sb.variant("backgammon").start()
    for match, is_dead in ((sb.MatchState(length=1), True), (sb.MatchState(length=7), False)):
        found = compare_plays(engine, position, (4, 1), match, plies=1, shown=3)
        deep = [each for each in found if each.plies == 1]
        modelled = [-engine.cubeful_equity(each.outcome.flipped(), each.play.result, match) for each in deep]
        assert ([each.equity for each in deep] == pytest.approx(modelled, abs=1e-5)) == is_dead
