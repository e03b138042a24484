"""Reviews with rollouts: what two plies leave open is rolled out, on one scale, and again to the bit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import sheshbesh as sb
from sheshbesh.engines.explain.verdict import compare_plays, judge_play
from sheshbesh.engines.rollout.subjects import MARGIN
from sheshbesh.errors import StoppedError
from sheshbesh.records import Match
from sheshbesh.reviews import Judged, Progress, Report, review, rolled, start_review
from sheshbesh.reviews.rolled import roll_plays
from tests.records.help import read

TEXT = """\
 3 point match

 Game 1
 anna : 0                          boris : 0
  1) 61: 13/7 8/7                  21: 24/23 6/4
  2) 53: 8/3 6/3                   Doubles => 2
  3)  Drops                         Wins 1 point
"""


@pytest.fixture(scope="module", autouse=True)
def _few_trials() -> object:
    """Rollouts of a few trials: the laws are the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rolled, "_PLAYS", replace(rolled._PLAYS, trials=72, minimum=36))
        patch.setattr(rolled, "_CUBE", replace(rolled._CUBE, trials=36, minimum=36))
        yield None


@pytest.fixture(scope="module")
def match() -> Match:
    return read(TEXT)


@pytest.fixture(scope="module")
def report(match: Match) -> Report:
    return review(match, plies="thorough", workers=1)


def is_rolled(judged: Judged) -> bool:
    cube = judged.decision.cube
    depths = [each.depth for each in judged.decision.candidates] + ([cube.depth] if cube else [])
    return "rollout" in depths


def test_what_was_played_and_lost_is_rolled_out_with_what_is_open(report: Report) -> None:
    assert report.plies == "rollout" and "rolled out" in report.to_text()
    lost = [each for each in report.decisions if each.loss > 0]
    assert lost and all(is_rolled(each) for each in lost)
    for each in report.decisions:
        if each.decision.kind != "play" or not is_rolled(each):
            continue
        candidates, made = each.decision.candidates, each.decision.played
        assert made is not None and candidates[made].depth == candidates[0].depth == "rollout"
        assert each.loss == pytest.approx(max(candidates[0].equity - candidates[made].equity, 0.0), abs=1e-12)
        assert sum(candidate.depth == "rollout" for candidate in candidates) >= 2


def test_a_review_with_rollouts_that_was_stopped_goes_on_to_the_same_bits(
    match: Match, report: Report, tmp_path: Path
) -> None:
    state = tmp_path / "a.partial"

    def stop(progress: Progress) -> None:
        if progress.plies == "rollout" and progress.done == 2:
            job.stop()

    job = start_review(match, plies="rollout", workers=1, progress=stop, state=state)
    with pytest.raises(StoppedError):
        job.report()
    assert '["rollout", 1,' in state.read_text()
    assert review(match, plies="rollout", workers=1, state=state) == report


def test_a_play_that_no_other_comes_near_is_not_rolled_out() -> None:
    engine = sb.engine("backgammon")
    position = engine.variant.start()
    found = compare_plays(engine, position, (3, 1), plies=2, shown=5)
    assert found[0].equity - found[1].equity > MARGIN, "8/5 6/5 stands alone"
    alone = roll_plays(engine, found, found[0].play, None)
    assert alone.candidates == found and not alone.errors

    made = found[-1].play
    both = roll_plays(engine, found, made, None)
    assert set(both.errors) == {found[0].play, made}
    verdict = judge_play(engine, both.candidates, made)
    assert verdict.best.play == found[0].play and both.settled(verdict) == verdict, "the loss is beyond doubt"
    doubtful = replace(both, errors={made: verdict.loss})
    assert doubtful.settled(verdict).grade is None, "within two standard errors there is no verdict"
