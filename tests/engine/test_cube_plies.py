"""The cube at two plies: the model after all pairs of throws, with every double between them."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import pytest

import sheshbesh as sb
from sheshbesh.cube.decision import CubeDecision
from sheshbesh.engines import Engine, make_engine
from sheshbesh.engines.rollout.rollout import RolloutOptions
from sheshbesh.errors import StoppedError
from sheshbesh.records import read_match
from sheshbesh.records.decision import CubeEquities
from sheshbesh.reviews.questions import Question, questions
from tests.records.help import DATA

SCORES = (sb.MatchState(), sb.MatchState(length=5, white=1, black=2))
ALL_PAIRS = RolloutOptions(trials=1296, truncate=2, luck="none")


@pytest.fixture(scope="module")
def engine() -> Engine:
    return make_engine(sb.variant("backgammon"))


@pytest.fixture(scope="module")
def asked() -> list[tuple[Question, CubeEquities]]:
    """The cube decisions of a match that GNU Backgammon has analysed at two plies, with its equities."""
    match = read_match(DATA / "analysed_2ply.sgf")
    known = {(each.game, each.event, each.kind): each.cube for each in match.analysis}

    def found() -> Iterator[tuple[Question, CubeEquities]]:
        for question in questions(match):
            equities = known.get((question.game, question.event, question.kind))
            if equities is not None and question.kind in ("double", "no_double"):
                yield question, equities

    return list(found())


def loss(decision: CubeDecision, theirs: CubeEquities) -> float:
    """What waiting or doubling as we decided loses by their equities."""
    return theirs.best - (theirs.best_double if decision.should_double else theirs.no_double)


def test_two_plies_decide_as_gnu_backgammon_does_where_one_does_not(
    engine: Engine, asked: list[tuple[Question, CubeEquities]]
) -> None:
    assert len(asked) > 25
    losses, errors = {}, {}
    for plies in (1, 2):
        found = [engine.cube(question.position, question.match, plies=plies) for question, _ in asked]
        pairs = list(zip(found, (theirs for _, theirs in asked), strict=True))
        losses[plies] = sum(loss(ours, theirs) for ours, theirs in pairs)
        # How far doubling is from waiting, which is what the decision is about.
        errors[plies] = sqrt(
            sum((ours.answered - ours.no_double - theirs.best_double + theirs.no_double) ** 2
                for ours, theirs in pairs) / len(pairs)
        )  # fmt: skip
    assert losses[1] > 0.1
    assert losses[2] < 0.01
    assert errors[2] < errors[1] / 2


@pytest.mark.parametrize("match", SCORES, ids=str)
def test_nothing_is_left_to_chance(engine: Engine, match: sb.MatchState) -> None:
    position = sb.variant("backgammon").start().legal_plays((6, 2))[0].result
    found = engine.cube(position, match, plies=2)
    rolled = engine.rollout_cube(position, match, options=ALL_PAIRS).decision
    assert (found.no_double, found.double_take) == pytest.approx((rolled.no_double, rolled.double_take))
    assert found.double_pass == rolled.double_pass
    again = make_engine(sb.variant("backgammon"), plies=2)
    assert again.cube(position, match) == found == engine.cube(position, match, plies=3)


def test_a_beaver_is_looked_at_as_deep(engine: Engine) -> None:
    position = sb.variant("backgammon").start()
    found = engine.cube(position, sb.MatchState(beavers=True), plies=2)
    without = engine.cube(position, plies=2)
    assert (found.no_double, found.double_take) == (without.no_double, without.double_take)
    assert found.double_beaver is not None and without.double_beaver is None
    # Nobody gains by turning a cube that is even, and a second turn costs more than the first.
    assert found.double_beaver < found.double_take < found.no_double


def test_a_cancelled_engine_has_no_decision() -> None:
    engine = make_engine(sb.variant("backgammon"), plies=2)
    position = engine.variant.start()
    engine.cancel()
    with pytest.raises(StoppedError):
        engine.cube(position)
    engine.resume()
    assert engine.cube(position).action == "no_double"
