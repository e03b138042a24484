"""Reasons and verdicts: the differences of two plays as data, and in English."""

from __future__ import annotations

import json
import string
from functools import cache
from pathlib import Path

import pytest

import sheshbesh as sb
from sheshbesh.cube.decision import CubeDecision
from sheshbesh.engines import Candidate, Classes, Engine, Outcome, make_engine
from sheshbesh.engines.explain.features import FEATURES
from sheshbesh.engines.explain.reasons import RESULT_IDS, Reason
from sheshbesh.engines.explain.verdict import (
    LIMITS,
    grade,
    grade_of,
    judge_answer,
    judge_double,
    judge_play,
    sure_grade,
)
from sheshbesh.engines.explain.wording import PHRASES, because, decisive, phrase
from sheshbesh.engines.strength.levels import candidate_error
from sheshbesh.players.data import reason_data
from tests.engine.test_engine import some_positions


def outcome(
    win: float, win_gammon: float = 0.0, lose_gammon: float = 0.0, game: str = "backgammon"
) -> Outcome:
    shares = [0.0] * len(Classes.of(sb.variant(game)))
    half = len(shares) // 2
    shares[0], shares[1] = win - win_gammon, win_gammon
    shares[half], shares[half + 1] = 1 - win - lose_gammon, lose_gammon
    return Outcome.weigh(Classes.of(sb.variant(game)), shares)


def cube(no_double: float, double_take: float, double_beaver: float | None = None) -> CubeDecision:
    return CubeDecision(
        no_double=no_double,
        double_take=double_take,
        double_pass=1.0,
        double_beaver=double_beaver,
        redouble=False,
    )


START = sb.variant("backgammon").start()
LAST = sb.MatchState(length=1)


@cache
def shipped() -> Engine:
    return make_engine("backgammon")


def candidate(text: str) -> Candidate:
    """A play of 3-1 at the start of a game, as the shipped net values it."""
    play = START.parse_play(text, (3, 1))
    return next(each for each in shipped().rank(START, (3, 1)) if each.play == play)


def between(one: str, two: str) -> tuple[Reason, ...]:
    return shipped().explain(candidate(one), candidate(two))


def about_results(
    engine: Engine, one: Outcome, two: Outcome, match: sb.MatchState | None = None
) -> tuple[Reason, ...]:
    """The reasons between two outcomes of one and the same play: those about the result alone."""
    position = engine.variant.start()
    play = position.legal_plays((3, 1))[0]
    return engine.explain(Candidate(play, one, 0), Candidate(play, two, 0), match)


def test_the_five_point_is_better_than_two_builders() -> None:
    reasons = {reason.id: reason for reason in between("8/5 6/5", "13/10 6/5")}
    assert reasons["home_points"].gained == (5,)
    assert reasons["home_points"].weight > 0
    assert reasons["shots"].mine == 0
    assert reasons["shots"].other > 11
    assert reasons["shots"].weight > 0
    assert "race" not in reasons


def test_reasons_change_their_sign_with_the_point_of_view() -> None:
    there, back = between("8/5 6/5", "24/23 13/10"), between("24/23 13/10", "8/5 6/5")
    assert {(r.id, r.mine, r.other, r.gained) for r in there} == {
        (r.id, r.other, r.mine, r.lost) for r in back
    }
    assert {r.id: r.weight for r in there} == pytest.approx({r.id: -r.weight for r in back})


def test_the_heaviest_comes_first() -> None:
    weights = [abs(reason.weight) for reason in between("8/5 6/5", "24/23 13/10")]
    assert weights == sorted(weights, reverse=True)


def test_a_play_differs_in_nothing_from_itself() -> None:
    assert between("8/5 6/5", "8/5 6/5") == ()


def test_what_the_next_throw_brings_is_measured_by_the_best_replies() -> None:
    """By hand: each throw is answered by what is best for the other side, and hits or does not."""
    engine, plays = shipped(), (candidate("13/10 6/5"), candidate("24/23 13/10"))
    hit, missed, share = [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]
    for at, each in enumerate(plays):
        after = each.play.result
        for roll, weight in sb.Roll.all():
            best = engine.rank(after, roll)[0]
            equity, way = -best.equity * weight / 36, after.pips("white")
            if any(play.result.pips("white") > way for play in after.legal_plays(roll)):
                hit[at] += equity
                share[at] += weight / 36
            else:
                missed[at] += equity
    mean = (sum(hit) + sum(missed)) / 2
    struck = [hit[at] / share[at] for at in (0, 1)]
    spared = [missed[at] / (1 - share[at]) for at in (0, 1)]
    reasons = {reason.id: reason for reason in engine.explain(*plays)}
    number = (share[0] - share[1]) * (sum(struck) / 2 - mean)
    cost = (share[0] + share[1]) / 2 * (struck[0] - struck[1] - (spared[0] - spared[1]))
    assert reasons["shots"].weight == pytest.approx(number, abs=1e-5)
    assert reasons["exposed"].weight == pytest.approx(cost, abs=1e-5)


def test_results_explain_the_whole_difference() -> None:
    one, two = outcome(0.55, 0.20, 0.10), outcome(0.52, 0.14, 0.15)
    reasons = about_results(shipped(), one, two)
    assert {reason.id for reason in reasons} == {"wins", "gammons_won", "gammons_lost"}
    assert sum(reason.weight for reason in reasons) == pytest.approx(one.equity - two.equity)
    assert all(reason.is_about_result for reason in reasons)


@pytest.mark.parametrize(
    ("game", "match"),
    [
        ("backgammon", None),
        ("backgammon", sb.MatchState()),
        ("backgammon", LAST),
        ("backgammon", sb.MatchState(length=5, white=2, black=4)),
        ("backgammon", sb.MatchState(length=7, white=4, black=5, cube=2, owner="white")),
        ("tapa", sb.MatchState(length=5, white=3, black=2)),
        ("gioul", sb.MatchState(length=7, white=4, black=2)),
        ("tawla31", None),
        ("tawla31", sb.MatchState(length=31, white=22, black=17)),
        ("tawla31", sb.MatchState(length=31, white=30, black=30)),
    ],
)
def test_results_explain_the_whole_difference_at_every_score(
    game: str, match: sb.MatchState | None, nets: Path
) -> None:
    engine = make_engine(game, folders=[nets])
    told = set()
    for position in some_positions(engine.variant, 12):
        best, *rest = engine.rank(position, None if position.pending else (4, 2), match)
        for other in rest:
            reasons = [each for each in engine.explain(best, other, match) if each.is_about_result]
            told |= {reason.id for reason in reasons}
            weights = sum(reason.weight for reason in reasons)
            # At most three that are too small to tell are missing.
            assert weights == pytest.approx(best.equity - other.equity, abs=0.0015)
    assert told
    if match == LAST or (match is not None and match.white == 30):
        assert told == {"wins"}


def test_where_checkers_are_counted_points_take_the_place_of_gammons() -> None:
    table = Classes.of(sb.variant("tawla31"))
    half = len(table.wins)
    assert table.counted
    wide = Outcome.weigh(table, [0.0] * (half - 1) + [0.5, 0.5] + [0.0] * (half - 1))
    narrow = Outcome.weigh(table, [0.5] + [0.0] * (half - 1) + [0.5] + [0.0] * (half - 1))
    (reason,) = about_results(make_engine("tawla31"), wide, narrow)
    assert reason.id == "points_won"
    assert (reason.mine, reason.other) == (0.5 * table.wins[-1][1], 0.5 * table.wins[0][1])
    assert reason.weight == pytest.approx(wide.equity - narrow.equity)


def test_every_reason_has_its_words_in_both_directions() -> None:
    assert set(PHRASES) == set(FEATURES) | set(RESULT_IDS)
    known = {"mine", "other", "more", "gained", "lost"}
    for pair in PHRASES.values():
        for text in pair:
            assert {name for _, name, _, _ in string.Formatter().parse(text) if name} <= known
    assert phrase(Reason("home_points", 2, 1, 0.1, gained=(5, 4))) == "holds your 5 and 4 points at home"
    assert phrase(Reason("home_points", 1, 2, -0.1, lost=(5,))) == "does not hold your 5 point at home"
    assert phrase(Reason("shots", 3, 11, 0.1)) == "leaves 3 instead of 11 of 36 rolls that hit"
    assert phrase(Reason("race", 3, 11, -0.1)) == "stands 8 pips worse in the race"
    assert phrase(Reason("wins", 0.5234, 0.5, 0.1)) == "wins 52.3% instead of 50.0% of the games"


def test_a_sentence_names_only_what_speaks_for_the_play() -> None:
    reasons = between("8/5 6/5", "24/23 13/10")
    loss = candidate("8/5 6/5").equity - candidate("24/23 13/10").equity
    assert because(reasons, loss) == (
        "leaves 0 instead of 34 of 36 rolls that hit, holds your 5 point at home and "
        "wins 55.5% instead of 49.7% of the games"
    )
    assert because([reason for reason in reasons if reason.weight < 0], loss) == ""
    assert because(reasons, 0.0) == ""


def test_a_result_is_named_only_where_its_numbers_say_so() -> None:
    """More backgammons may outweigh fewer gammons; the sentence names gammons alone."""
    shares = {"fewer": [0.2, 0.1, 0.2, 0.5, 0, 0], "more": [0.19, 0.26, 0.05, 0.5, 0, 0]}
    fewer, more = (Outcome.weigh(Classes.of(START.variant), each) for each in shares.values())
    (reason,) = about_results(shipped(), fewer, more)
    assert (reason.id, reason.mine < reason.other, reason.weight > 0) == ("gammons_won", True, True)
    assert because([reason], 0.01) == ""
    assert reason_data([reason], 0.01) is None
    assert because([Reason("gammons_won", 0.12812, 0.12808, 0.01)], 0.01) == ""
    assert because([Reason("gammons_lost", 0.2, 0.1, 0.01)], 0.01) == ""
    assert because([Reason("points_lost", 3.004, 3.001, 0.01)], 0.01) == ""
    assert because([Reason("wins", 0.49, 0.5, 0.01)], 0.01) == ""
    lost = Reason("gammons_lost", 0.1, 0.2, 0.01)
    assert because([reason, lost], 0.01) == "loses a gammon in 10.0% instead of 20.0%"
    data = reason_data([reason, lost], 0.01)
    assert data is not None
    assert [part["id"] for part in data["parts"]] == ["gammons_lost"]


def test_two_numbers_for_one_danger_are_not_both_told() -> None:
    told = [Reason("exposed", 1, 4, 0.3), Reason("shots", 5, 20, 0.2), Reason("wins", 0.5, 0.4, 0.2)]
    text = because(told, 0.5)
    assert text == (
        "stands to lose 1.0 instead of 4.0 pips to the next roll and wins 50.0% instead of 40.0% of the games"
    )


@pytest.mark.parametrize(
    ("loss", "name"),
    [(0, "best"), (0.001, "fine"), (0.02, "inaccuracy"), (0.04, "error"), (0.08, "blunder"), (1, "blunder")],
)
def test_grades_begin_at_their_limits(loss: float, name: str) -> None:
    assert grade(loss) == name
    assert [limit for _, limit in LIMITS] == sorted(limit for _, limit in LIMITS)


@pytest.mark.parametrize(
    ("match", "name"),
    [(None, "error"), (sb.MatchState(length=31, white=30, black=30), "blunder"), (LAST, "blunder")],
)
def test_where_points_are_counted_the_limits_follow_what_they_are_worth(
    match: sb.MatchState | None, name: str, nets: Path
) -> None:
    """A sixth of the games lost at 30-30 is a sixth of the match, however many points they are about."""
    engine = make_engine("tawla31", folders=[nets])
    asked = engine.evaluate(engine.variant.start(), match)
    classes, half = asked.table, len(asked.table.wins)
    at = classes.wins.index(("count", 8))
    shares = [
        [0.0] * at + [win] + [0.0] * (half - 1) + [1 - win] + [0.0] * (half - at - 1) for win in (0.5, 0.47)
    ]
    if match is not None:
        shares[1] = [0.0] * at + [0.33] + [0.0] * (half - 1) + [0.67] + [0.0] * (half - at - 1)
    best, worse = (
        Candidate(play, Outcome.weigh(classes, share, asked.values), 0)
        for play, share in zip(START.legal_plays((3, 1))[:2], shares, strict=True)
    )
    assert grade_of(worse, best) == name


def test_a_play_is_held_against_the_best() -> None:
    plays = [START.parse_play(text, (3, 1)) for text in ("8/5 6/5", "24/23 13/10", "13/9")]
    shares = (0.55, 0.50, 0.49)
    candidates = [Candidate(play, outcome(x), 0) for play, x in zip(plays, shares, strict=True)]
    best = judge_play(shipped(), candidates, plays[0])
    assert (best.grade, best.loss, best.rank, best.of, best.reasons) == ("best", 0.0, 1, 3, ())
    worse = judge_play(shipped(), candidates, plays[1])
    assert (worse.grade, worse.rank) == ("blunder", 2)
    assert worse.loss == pytest.approx(0.10)
    assert worse.reasons == shipped().explain(candidates[0], candidates[1])
    with pytest.raises(ValueError, match="6/2 is not among the 3"):
        judge_play(shipped(), candidates, START.parse_play("6/2", (3, 1)))


@pytest.mark.parametrize(
    ("decision", "doubled", "best", "loss"),
    [
        (cube(0.5, 0.6), True, "double", 0.0),
        (cube(0.5, 0.6), False, "double", 0.1),
        (cube(0.9, 1.3), False, "double", 0.1),
        (cube(1.1, 1.4), True, "no_double", 0.1),
        (cube(0.3, 0.1), True, "no_double", 0.2),
    ],
)
def test_doubles_are_judged_by_the_right_answer(
    decision: CubeDecision, *, doubled: bool, best: str, loss: float
) -> None:
    verdict = judge_double(decision, START.variant, 2, doubled=doubled)
    assert verdict.best == best
    assert verdict.loss == pytest.approx(loss)
    assert (verdict.grade == "best") == (verdict.done == verdict.best)


def test_answers_cost_what_they_give_away() -> None:
    game = START.variant
    assert judge_answer(cube(0.5, 0.7), game, 2, done="drop").loss == pytest.approx(0.3)
    assert judge_answer(cube(0.5, 0.7), game, 2, done="take").grade == "best"
    wrong = judge_answer(cube(0.9, 1.05), game, 2, done="take")
    assert (wrong.grade, wrong.best) == ("error", "drop")


def test_a_loss_within_twice_the_error_of_the_engine_has_no_grade() -> None:
    game = START.variant
    sure = 2 * candidate_error(game, 0)
    assert sure_grade(0.99 * sure, game, 0) is None
    assert sure_grade(1.01 * sure, game, 0) == "inaccuracy"
    assert sure_grade(0.99 * sure, game, 2) == "inaccuracy", "a deeper look is surer"
    assert sure_grade(0.0, game, 0) == "best"


AUDIT = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "reasons.jsonl").read_text().splitlines()
]
"""Errors of weak levels in ten games, as `tools/reasons.py audit` writes them."""


@cache
def engine_of(game: str) -> Engine:
    return make_engine(game)


@pytest.mark.parametrize("game", sorted({row["game"] for row in AUDIT}))
def test_a_sentence_names_what_carries_a_third_of_the_loss(game: str) -> None:
    engine = engine_of(game)
    rows = [row for row in AUDIT if row["game"] == game]
    assert len(rows) == 20
    for row in rows:
        position = engine.variant.position_from_id(row["position"])
        plays = {row[name]: position.parse_play(row[name], row["dice"]) for name in ("best", "played")}
        looked = []
        for play in plays.values():
            outcome = engine.evaluate(play.result, plies=1)
            looked.append(
                Candidate(play, outcome if play.result.turn is position.turn else outcome.flipped(), 1)
            )
        best, played = looked
        loss, reasons = best.equity - played.equity, engine.explain(best, played)
        named = decisive(reasons, loss)
        assert loss == pytest.approx(row["loss"], abs=1e-4)
        assert because(reasons, loss) == row["sentence"]
        assert [reason.id for reason in named] == [name for name, _ in row["causes"]]
        shares = [reason.weight / loss for reason in named]
        assert shares == pytest.approx([share for _, share in row["causes"]], abs=2e-3)
        assert named and min(shares) >= 1 / 3
        # What the results say adds up to the loss, but for parts that are too small to tell.
        assert sum(each.weight for each in reasons if each.is_about_result) == pytest.approx(loss, abs=2e-3)


def test_a_detail_is_not_named_for_a_blunder() -> None:
    """Of a loss of 2.5 a checker less on the tallest stack carries less than a hundredth."""
    stack = Reason("stack", 4, 5, 0.02)
    assert because([stack], 2.5) == ""
    assert because([stack, Reason("wins", 0.6, 0.4, 2.0)], 2.5) == "wins 60.0% instead of 40.0% of the games"
    assert because([stack], 0.05) == "has 4 instead of 5 checkers on the tallest stack"
