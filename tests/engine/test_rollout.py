"""Rollouts: what comes out does not depend on how they were carried out, and errors are honest.

That trials have the right mean is proved in cpp/tests/engine/test_rollout.cpp against exact values.
"""

from __future__ import annotations

import json
import math
import pickle
import random
from functools import cache
from itertools import product
from pathlib import Path

import pytest

import sheshbesh as sb
from sheshbesh import _core
from sheshbesh.cube.decision import cubeful_equity
from sheshbesh.cube.values import shipped_efficiency
from sheshbesh.engines import Classes, Engine, Estimate, ResultClass, Rollout, RolloutOptions, make_engine
from sheshbesh.engines.rollout.rollout import LuckName
from sheshbesh.engines.rollout.subjects import open_plays
from sheshbesh.engines.rollout.tally import CHUNK, Tally
from tests.engine.rollout_help import bearing_off, numbers


@pytest.fixture(scope="module")
def engine(nets: Path) -> Engine:
    """One that plays on where a table would know."""
    return make_engine("backgammon", folders=[nets], bearoff=False)


def test_the_luck_of_the_dice_may_be_measured_or_not(engine: Engine) -> None:
    position = bearing_off(engine)
    full = engine.rollout(position, options=RolloutOptions(luck="full"))
    filtered = engine.rollout(position)
    plain = engine.rollout(position, options=RolloutOptions(luck="none", trials=5184, seed=1))
    assert full.trials == 1296 and plain.trials == 5184 and full.finished
    for luckless in (full, filtered):
        for one, other in zip(numbers(luckless), numbers(plain), strict=True):
            assert abs(one[0] - other[0]) <= 3.5 * math.hypot(one[1], other[1]) + 1e-9
    assert sum(full.classes.values()) == pytest.approx(1, abs=1e-5)
    assert full.win + full.views["lose"] == pytest.approx(1, abs=1e-5)
    assert full.outcome.win == pytest.approx(full.win)
    assert full.equity == pytest.approx(full.outcome.points)
    assert full.equity.error > 0


@cache
def race(mine: int, theirs: int) -> float:
    """The chance to win a race of one checker against one, by their pips from off, for the side on roll."""
    won = 0.0
    for first, second in product(range(1, 7), repeat=2):
        left = mine - (4 * first if first == second else first + second)
        won += 1 if left <= 0 else 1 - race(theirs, left)
    return won / 36


@pytest.mark.parametrize("luck", ["none", "full", "sifted"])
def test_a_race_of_single_checkers_has_its_exact_value(engine: Engine, luck: LuckName) -> None:
    for mine, theirs in ((14, 10), (9, 15), (12, 12)):
        board = {"white": {str(mine): 1}, "black": {str(25 - theirs): 1}, "white_off": 14, "black_off": 14}
        position = engine.variant.position(board, turn="white")
        found = engine.rollout(position, options=RolloutOptions(trials=1296, luck=luck, seed=5))
        assert abs(found.win - race(mine, theirs)) <= 3 * found.win.error + 1e-6


def test_a_position_in_a_table_is_exact(nets: Path, engine: Engine) -> None:
    exact = make_engine("backgammon", folders=[nets])
    known = exact.rollout(bearing_off(engine), trials=72)
    assert known.win.error < 1e-9 and known.win == pytest.approx(exact.evaluate(bearing_off(engine)).win)
    board = {"white": {"7": 1, "1": 1}, "black": {"24": 2}, "white_off": 13, "black_off": 13}
    outside = exact.variant.position(board, turn="white")
    found = exact.rollout(outside, trials=72)
    # Only four doubles bring both off at once, and then Black does.
    assert found.win == pytest.approx(4 / 36, abs=1e-6)


def test_errors_are_what_rollouts_differ_by(engine: Engine) -> None:
    position = bearing_off(engine)
    for luck in ("none", "full", "sifted"):
        options = [RolloutOptions(trials=72, seed=seed, luck=luck) for seed in range(40)]
        found = [engine.rollout(position, options=each).equity for each in options]
        mean = sum(found) / len(found)
        spread = math.sqrt(sum((each - mean) ** 2 for each in found) / (len(found) - 1))
        said = math.sqrt(sum(each.error**2 for each in found) / len(found))
        assert 0.7 < spread / said < 1.35, luck


@pytest.mark.parametrize("name", ["backgammon", "tapa", "gul_bara", "long_nardy"])
def test_threads_do_not_change_a_bit(name: str, nets: Path) -> None:
    engine = make_engine(name, folders=[nets])
    start = engine.variant.start()
    options = RolloutOptions(trials=180, truncate=5, seed=7)
    alone = engine.rollout(start, options=options)
    together = engine.rollout(start, options=options, threads=3)
    assert numbers(alone) == numbers(together)
    assert numbers(engine.rollout(start, options=RolloutOptions(trials=180, truncate=5, seed=8))) != numbers(
        alone
    )


def test_where_it_stops_does_not_depend_on_threads(engine: Engine) -> None:
    position = bearing_off(engine)
    options = RolloutOptions(trials=12960, minimum=72, target=0.02)
    alone = engine.rollout(position, options=options)
    together = engine.rollout(position, options=options, threads=3)
    assert alone.finished and 72 <= alone.trials < 12960 and alone.equity.error <= 0.02
    assert numbers(alone) == numbers(together) and alone.trials == together.trials


def test_cancelling_gives_what_there_is(engine: Engine) -> None:
    told: list[int] = []

    def progress(found: tuple[Rollout, ...]) -> None:
        told.append(found[0].trials)

    found = engine.rollout(
        bearing_off(engine), trials=36000, progress=progress, cancelled=lambda: len(told) >= 3, threads=2
    )
    assert not found.finished and found.trials == told[-1] == 3 * CHUNK
    at_once = engine.rollout(engine.variant.start(), trials=36, cancelled=lambda: True)
    assert at_once.trials == 0 and math.isinf(at_once.equity.error)
    with pytest.raises(sb.StoppedError):
        engine.rollout_cube(engine.variant.start(), trials=36, cancelled=lambda: True)


def test_plays_are_compared_with_common_dice(engine: Engine) -> None:
    position = bearing_off(engine)
    plays = engine.rank(position, (4, 1))[:3]
    found = engine.rollout_plays(plays, trials=720)
    assert [each.equity for each in found] == sorted((each.equity for each in found), reverse=True)
    assert found[0].behind.mean == 0 and {each.play for each in found} == {each.play for each in plays}
    for each in found[1:]:
        assert each.behind == pytest.approx(found[0].equity - each.equity)
        apart = math.hypot(found[0].equity.error, each.equity.error)
        assert 0 <= each.behind.error < apart
    # A play alone is worth the same, and what is behind is seen by the player.
    alone = engine.rollout_plays([found[0].play], trials=720)[0]
    assert numbers(alone.rollout) == numbers(found[0].rollout)
    other_side = engine.rollout(found[0].play.result, trials=720)
    assert other_side.equity.mean == pytest.approx(-found[0].rollout.equity.mean)
    assert other_side.views["lose"].mean == pytest.approx(found[0].rollout.win.mean)


def test_a_clear_lead_ends_a_comparison(engine: Engine) -> None:
    position = bearing_off(engine)
    plays = engine.rank(position, (6, 5))
    options = RolloutOptions(trials=12960, minimum=72, lead=2.5)
    found = engine.rollout_plays([plays[0], plays[-1]], options=options)
    assert found[0].rollout.trials < 12960
    assert found[1].behind > 2.5 * found[1].behind.error


def test_plays_of_different_positions_cannot_be_compared(engine: Engine) -> None:
    start = engine.variant.start()
    for plays in ([], [start.legal_plays((3, 1))[0], bearing_off(engine).legal_plays((3, 1))[0]]):
        with pytest.raises(sb.PositionError, match="plays of one position"):
            engine.rollout_plays(plays, trials=36)


@pytest.mark.parametrize(
    "match",
    [
        sb.MatchState(),
        sb.MatchState(jacoby=False, cube=2, owner="white"),
        sb.MatchState(length=7, white=3, black=4),
        sb.MatchState(length=5, white=4, black=2, crawford=True),
        sb.MatchState(length=5, white=2, black=4),
    ],
)
def test_cubeful_rollouts_of_money_and_matches(engine: Engine, match: sb.MatchState) -> None:
    position = bearing_off(engine)
    full = engine.rollout(position, match, trials=1296)
    plain = engine.rollout(position, match, options=RolloutOptions(luck="none", trials=2592, seed=2))
    assert full.cubeful is not None and plain.cubeful is not None
    apart = math.hypot(full.cubeful.error, plain.cubeful.error)
    assert abs(full.cubeful - plain.cubeful) <= 3.5 * apart + 1e-9
    if match.crawford:
        assert full.cubeful == pytest.approx(full.equity, abs=1e-5)
    cubeless = engine.rollout(position, match, options=RolloutOptions(cube=False, trials=36))
    assert cubeless.cubeful is None


def test_a_cube_decision_is_rolled_out(engine: Engine) -> None:
    position = bearing_off(engine)
    found = engine.rollout_cube(position, sb.MatchState(jacoby=False), trials=720)
    assert found.decision.no_double == found.no_double.cubeful
    assert found.decision.double_take == found.double_take.cubeful
    assert found.decision.double_pass == pytest.approx(1)
    assert found.difference == pytest.approx(found.decision.double_take - found.decision.no_double)
    with pytest.raises(sb.CubeError):
        engine.rollout_cube(position, sb.MatchState(owner="black", cube=2), trials=36)


def test_in_the_last_bear_off_the_cube_is_that_of_the_table(nets: Path) -> None:
    """One position a verdict: a table of probabilities alone would give other ones."""
    exact = make_engine("backgammon", folders=[nets])
    for white, black in (({"5": 1, "2": 1}, {"24": 1}), ({"6": 1, "1": 1}, {"24": 2}), ({"3": 4}, {"20": 3})):
        off = {"white_off": 15 - sum(white.values()), "black_off": 15 - sum(black.values())}
        position = exact.variant.position({"white": white, "black": black, **off}, turn="white")
        for match in (
            sb.MatchState(jacoby=False),
            sb.MatchState(beavers=True),
            sb.MatchState(jacoby=False, cube=2, owner="white"),
        ):
            known, found = (
                exact.cube(position, match),
                exact.rollout_cube(position, match, trials=36).decision,
            )
            for way in ("no_double", "double_take", "double_pass", "double_beaver"):
                assert getattr(found, way) == pytest.approx(getattr(known, way), abs=1e-6), (white, way)
            assert (found.action, found.take, found.beaver) == (known.action, known.take, known.beaver)


def test_before_the_last_bear_off_the_cube_is_still_turned(nets: Path, engine: Engine) -> None:
    """What ends at a table must be worth what a table over one throw more says."""
    exact = make_engine("backgammon", folders=[nets])
    board = {"white": {"7": 1, "1": 1}, "black": {"20": 2}, "white_off": 13, "black_off": 13}
    position, match = exact.variant.position(board, turn="white"), sb.MatchState(jacoby=False)
    expected = 0.0
    for roll, ways in sb.Roll.all():
        worths = []
        for play in position.legal_plays(roll):
            over = play.result.result
            after = 1.0 if over else -exact.cube(play.result, match).equity
            worths.append(after)
        expected += ways / 36 * max(worths)
    found = exact.rollout(position, match, trials=1296)
    assert found.cubeful is not None and abs(found.cubeful - expected) <= 4 * found.cubeful.error + 1e-6


def test_who_may_double_first_does(engine: Engine) -> None:
    """Plays are compared by what follows them, the other side's double included."""
    match, options = sb.MatchState(jacoby=False), RolloutOptions(trials=36, truncate=1, luck="none")
    differences = []
    for play in plays_that_are_doubled(engine, match, 3):
        (each,) = engine.rollout_plays([play], match, options=options)
        alone = engine.rollout(play.result, match, options=options)
        decision = engine.rollout_cube(play.result, match, options=options).decision
        assert alone.cubeful == pytest.approx(decision.no_double)
        assert each.equity == pytest.approx(-decision.answered, abs=0.02)
        # What this net takes for a good double is none once it is played out; it is turned all the same.
        differences.append(abs(decision.answered - decision.no_double))
    assert min(differences) > 0.1, "nothing is told apart"


def plays_that_are_doubled(engine: Engine, match: sb.MatchState, count: int) -> list[sb.Play]:
    """Plays of random games after which the other side, as the model sees it, gains by a double."""
    chance, found = random.Random(1), list[sb.Play]()
    position = engine.variant.start()
    while len(found) < count:
        play = chance.choice(position.legal_plays((chance.randint(1, 6), chance.randint(1, 6))))
        position = play.result
        if position.result is not None:
            position = engine.variant.start()
            continue
        decision = engine.cube(position, match)
        if decision.action == "double" and decision.answered - decision.no_double > 0.1:
            found.append(play)
    return found


@pytest.mark.parametrize(
    "match",
    [
        sb.MatchState(jacoby=False),
        sb.MatchState(),
        sb.MatchState(length=5, white=3, black=4),
        sb.MatchState(length=5, white=4, black=3),
        sb.MatchState(length=7, white=3, black=5, cube=2, owner="white"),
        sb.MatchState(length=7, white=3, black=5, cube=2, owner="black"),
        sb.MatchState(length=2),
        sb.MatchState(jacoby=False, cube=2, owner="white"),
    ],
)
def test_the_core_values_the_cube_as_the_model_in_python_does(engine: Engine, match: sb.MatchState) -> None:
    """Cut after one throw, a rollout is the mean over all throws of what the model says of the best play."""
    options = RolloutOptions(trials=36, truncate=1, luck="none")
    for position in (bearing_off(engine), *positions_of_random_games(engine, 2)):
        found = engine.rollout(position, match, options=options)
        expected = 0.0
        for roll, ways in sb.Roll.all():
            plays = position.legal_plays(roll)
            expected += ways / 36 * max(worth_with_the_cube(engine, play, match) for play in plays)
        assert found.cubeful is not None
        assert found.cubeful.mean == pytest.approx(expected, abs=2e-5)


def positions_of_random_games(engine: Engine, count: int) -> list[sb.Position]:
    """Early enough that no throw ends the game or its contact: a rollout has one efficiency for all."""
    chance, found = random.Random(3), list[sb.Position]()
    while len(found) < count:
        position = engine.variant.start()
        for _ in range(chance.randint(2, 12)):
            position = chance.choice(
                position.legal_plays((chance.randint(1, 6), chance.randint(1, 6)))
            ).result
        found.append(position)
    return found


def worth_with_the_cube(engine: Engine, play: sb.Play, match: sb.MatchState) -> float:
    """To who makes the play: the other side may turn the cube before it throws."""
    after = play.result
    if after.result is None and match.may_double(after.turn):
        return -engine.cube(after, match).equity
    classes, efficiency = Classes.of(engine.variant).all, shipped_efficiency().at(after)
    shares = engine.evaluate(after, match).probabilities
    return -cubeful_equity(classes, shares, match, after.turn, efficiency=efficiency)


def test_a_won_game_needs_no_luck(engine: Engine) -> None:
    board = {"white": {}, "black": {"19": 2}, "white_off": 15, "black_off": 13}
    position = engine.variant.position(board, turn="black")
    found = engine.rollout(position, trials=72)
    lost = ResultClass("lose", "single", 1)
    assert found.classes[lost].mean == 1 and found.equity.mean == -1 and found.equity.error == 0


def test_bad_arguments_say_what_is_wrong(engine: Engine, nets: Path) -> None:
    too_large = ({"seed": 2**64}, {"truncate": 2**31}, {"filter_to": 2**31}, {"plies": 4}, {"trials": 10**30})
    no_numbers = ({"target": math.nan}, {"lead": math.nan}, {"target": "x"}, {"plies": 1.5})
    too_small = ({"trials": 0}, {"seed": -1}, {"luck": "some"}, {"target": -1.0})
    for wrong in (*too_large, *no_numbers, *too_small):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            RolloutOptions(**wrong)
    start = engine.variant.start()
    with pytest.raises(ValueError, match="threads"):
        engine.rollout(start, trials=36, threads=0)
    with pytest.raises(ValueError, match="plies"):
        engine.rollout(start, sb.MatchState(), options=RolloutOptions(plies=1))
    tapa = make_engine("tapa", folders=[nets])
    with pytest.raises(ValueError, match="without a cube"):
        tapa.rollout(tapa.variant.start(), options=RolloutOptions(cube=True))
    with pytest.raises(sb.PositionError):
        engine.rollout(tapa.variant.start())


def test_stratified_dice() -> None:
    for seed in (0, 9):
        pairs = [(_core.trial_dice(seed, t, 0), _core.trial_dice(seed, t, 1)) for t in range(1296, 2592)]
        for block in range(0, 1296, 36):
            for which in (0, 1):
                thrown = [pair[which] for pair in pairs[block : block + 36]]
                assert all(thrown.count(dice) == (1 if dice[0] == dice[1] else 2) for dice in thrown)
        one = {pair for pair in pairs if pairs.count(pair) == 1}
        assert len(set(pairs)) == 21 * 21 and len(one) == 36
    assert any(_core.trial_dice(0, t, 5) != _core.trial_dice(1, t, 5) for t in range(10))


def test_a_tally_knows_means_errors_and_differences() -> None:
    chance = random.Random(4)
    tally = Tally(2, ((0, 1),))
    rows = []
    for _ in range(20):
        chunk = [[first + chance.gauss(), first + chance.gauss()] for first in range(CHUNK)]
        rows += chunk
        before, chunks = tally, tally.chunks
        tally = before.plus(chunk)
        assert before.chunks == chunks and tally.chunks == chunks + 1
    assert tally.mean(0) == pytest.approx(sum(row[0] for row in rows) / len(rows))
    # What the first throw explains is no error: what is left has the variance 1.
    assert tally.error(0) == pytest.approx(1 / math.sqrt(720), rel=0.1)
    assert tally.joint_error(0) == pytest.approx(math.sqrt(2 / 720), rel=0.1)
    again = Tally.from_json(json.loads(json.dumps(tally.to_json())), 2, ((0, 1),))
    assert again == tally
    with pytest.raises(ValueError, match="shape"):
        Tally.from_json(tally.to_json(), 3, ())
    with pytest.raises(ValueError, match="36 rows"):
        tally.plus([[0.0, 0.0]])


def test_an_estimate_is_a_number_with_an_error() -> None:
    estimate = Estimate(0.25, 0.01)
    assert estimate == 0.25 and estimate.mean == 0.25 and estimate.error == 0.01
    again = pickle.loads(pickle.dumps(estimate))
    assert (again.mean, again.error) == (0.25, 0.01)
    assert str(estimate) == "+0.2500 ± 0.0100"


def test_classes_are_those_of_the_game(engine: Engine) -> None:
    found = engine.rollout(engine.variant.start(), options=RolloutOptions(trials=36, truncate=2))
    assert tuple(found.classes) == Classes.of(engine.variant).all


def test_what_a_search_leaves_open_is_settled_by_short_rollouts(nets: Path) -> None:
    engine = make_engine("backgammon", folders=[nets])
    position = sb.variant("backgammon").start()
    deeper = engine.rank(position, (6, 4), plies=1)
    depths = [each.plies for each in deeper]
    assert {0, 1} == set(depths)
    assert len(open_plays(deeper, 100.0)) == depths.count(1), "those alone that were looked at as deeply"

    few = RolloutOptions(trials=36, minimum=36, truncate=3, luck="none")
    ranked = engine.rank(position, (6, 4), plies=0)
    behind = ranked[0].equity - ranked[2].equity
    found = engine.settle(ranked, margin=behind, options=few)
    assert {each.play for each in found} == {each.play for each in ranked[:3]}
    equities = [float(each.equity) for each in found]
    assert equities == sorted(equities, reverse=True)
    assert found == engine.rollout_plays(ranked[:3], options=few)
    assert engine.settle(ranked[:1], options=few) == (), "nothing is open"
    assert engine.settle((), options=few) == ()
    with pytest.raises(ValueError, match="margin must be a number from 0 up, not -1"):
        engine.settle(ranked, margin=-1)


def test_what_is_open_is_counted_in_what_is_at_stake_where_checkers_left_are_paid(nets: Path) -> None:
    engine = make_engine("tawla31", folders=[nets])
    position = sb.variant("tawla31").start()
    while len(position.legal_plays((6, 4))) < 3:
        position = position.legal_plays((2, 1))[0].result
    ranked = engine.rank(position, (6, 4), plies=0)
    outcome = ranked[0].outcome
    stake = sum(p * abs(w) for p, w in zip(outcome.probabilities, outcome.class_values, strict=True))
    assert stake > 2
    margin = (ranked[0].equity - ranked[1].equity) / stake
    assert len(open_plays(ranked, margin * 1.001)) >= 2
    assert len(open_plays(ranked, margin * 0.999)) == 1
