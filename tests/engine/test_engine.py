"""The engine around its net: values, ranks, arguments. Nets with random weights judge."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.engines import Classes, make_engine
from sheshbesh.engines.explain.verdict import compare_plays
from sheshbesh.engines.utility import turned_share, utility
from sheshbesh.rules.notation import OFF
from sheshbesh.rules.setup import Geometry
from sheshbesh.rules.side import SIDES
from tests.engine.nets import write_net


def some_positions(game: sb.Variant, count: int, seed: int = 1) -> list[sb.Position]:
    """Positions of random games, none of them over."""
    chance = random.Random(seed)
    found: list[sb.Position] = []
    position = game.start()
    while len(found) < count:
        if position.result is not None:
            position = game.start()
        dice = None if position.pending else (chance.randint(1, 6), chance.randint(1, 6))
        plays = position.legal_plays(dice)
        position = plays[chance.randrange(len(plays))].result
        if position.result is None:
            found.append(position)
    return found


def engine_for(nets: Path, game: sb.Variant | str, **wishes: object) -> sb.Engine:
    return make_engine(game, folders=[nets], **wishes)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", sb.variants())
def test_probabilities_of_every_game_sum_to_one(name: str, nets: Path) -> None:
    engine = engine_for(nets, name)
    for outcome in engine.evaluate_many(some_positions(engine.variant, 40)):
        assert sum(outcome.classes.values()) == pytest.approx(1, abs=1e-5)
        assert 0 <= outcome.win_backgammon <= outcome.win_gammon <= outcome.win <= 1
        assert not outcome.approximate


@pytest.mark.parametrize("name", sb.variants())
def test_what_can_no_longer_be_has_no_chance(name: str, nets: Path) -> None:
    engine = engine_for(nets, name, bearoff=False)
    game, seen = engine.variant, 0
    for position in some_positions(game, 400):
        if position.turn.value == "black" and not any(position.counts(side)[OFF] for side in SIDES):
            continue
        for result, probability in engine.evaluate(position).classes.items():
            if result.ending == "tie" or probability == 0:
                continue
            loser = position.turn if result.ending == "lose" else position.turn.other
            off = position.counts(loser)[OFF]
            seen += off > 0
            if result.kind in ("count", "difference"):
                assert result.points <= Geometry.of(game.axes).checkers - off, (position.id, result)
            elif result.kind != "mother":
                possible = {*game.resignations(position, loser), *(() if off else ("closed_area",))}
                assert result.kind in possible, (position.id, result)
    assert seen


@pytest.mark.parametrize("name", ["backgammon", "tapa", "gul_bara"])
def test_a_value_depends_neither_on_the_batch_nor_on_what_was_asked_before(name: str, nets: Path) -> None:
    game = sb.variant(name)
    positions = some_positions(game, 30)
    together = engine_for(nets, game).evaluate_many(positions)
    engine = engine_for(nets, game)
    backwards = [engine.evaluate(position) for position in reversed(positions)]
    assert together == backwards[::-1]


def test_threads_get_the_same_answers(nets: Path) -> None:
    engine = engine_for(nets, "backgammon")
    positions = some_positions(engine.variant, 12)
    alone = [engine.rank(position, (4, 2), plies=1) for position in positions]
    with ThreadPoolExecutor(4) as pool:
        shared = list(pool.map(lambda position: engine.rank(position, (4, 2), plies=1), positions))
    assert alone == shared


def test_a_cancelled_engine_ranks_what_it_has_and_values_nothing_deep(nets: Path) -> None:
    engine = engine_for(nets, "backgammon")
    start = engine.variant.start()
    complete = engine.rank(start, (4, 2), plies=2)
    engine.cancel()
    found = engine.rank(start, (4, 2), plies=2)
    assert found == engine.rank(start, (4, 2), plies=0)
    with pytest.raises(sb.StoppedError, match="cancelled"):
        engine.evaluate(start, plies=2)
    engine.resume()
    assert engine.rank(start, (4, 2), plies=2) == complete


@pytest.mark.parametrize("name", ["backgammon", "long_nardy"])
@pytest.mark.parametrize("plies", [0, 1])
def test_the_colours_do_not_matter(name: str, plies: int, nets: Path) -> None:
    engine = engine_for(nets, name)
    white, black = engine.variant.start("white"), engine.variant.start("black")
    assert engine.evaluate(white, plies=plies) == engine.evaluate(black, plies=plies)
    ranks = [
        [(each.play.notation, each.equity) for each in engine.rank(start, (6, 3), plies=plies)]
        for start in (white, black)
    ]
    assert ranks[0] == ranks[1]


def test_a_finished_game_has_its_result_at_every_depth_and_no_plays(nets: Path) -> None:
    engine = engine_for(nets, "backgammon")
    over = engine.variant.position({"white_off": 15, "black": {"19": 14}, "black_off": 1}, turn="black")
    for plies in (0, 1, 2):
        outcome = engine.evaluate(over, plies=plies)
        assert (outcome.lose, outcome.lose_gammon, outcome.equity) == (1, 0, -1)
    assert engine.rank(over, (3, 1)) == ()
    with pytest.raises(sb.PositionError, match="game is over"):
        engine.choose(over, (3, 1))


def test_the_last_bear_off_is_exact_whatever_the_net_believes(nets: Path) -> None:
    game = sb.variant("backgammon")
    six = game.position({"white": {"6": 1}, "white_off": 14, "black": {"24": 1}, "black_off": 14})
    engine = engine_for(nets, game)
    assert engine.evaluate(six).win == pytest.approx(27 / 36, abs=1e-6)
    net_alone = engine_for(nets, game, bearoff=False)
    assert net_alone.evaluate(six).win != pytest.approx(27 / 36, abs=1e-3)


def test_a_race_of_three_checkers_is_exact_before_they_are_home(nets: Path) -> None:
    game = sb.variant("hypergammon")
    # Seven pips to go, the other side is off with whatever it throws: 18 throws and the doubles but 1-1 win.
    seven = game.position({"white": {"7": 1}, "white_off": 2, "black": {"24": 1}, "black_off": 2})
    engine = engine_for(nets, game)
    assert engine.is_exact(seven)
    assert engine.evaluate(seven).win == pytest.approx(23 / 36, abs=1e-6)
    assert not engine.is_exact(game.start())


def test_rank_lists_every_play_once_and_the_deepest_first(nets: Path) -> None:
    engine = engine_for(nets, "backgammon", plies=2)
    start = engine.variant.start()
    found = engine.rank(start, (3, 1))
    assert {each.play for each in found} == set(start.legal_plays((3, 1)))
    order = [(-each.plies, -each.equity) for each in found]
    assert order == sorted(order)
    assert found[0].plies == 2


def test_where_checkers_left_are_counted_filters_are_as_wide_as_the_game(nets: Path) -> None:
    """The best eight within .16 of what the game is about, which here is several points."""
    engine = engine_for(nets, "tawla31", bearoff=False)
    wider = 0
    for position in some_positions(engine.variant, 12, seed=3):
        static = engine.rank(position, (4, 2), plies=0)
        stake = sum(share * each.points for each, share in static[0].outcome.classes.items())
        looked_at = {each.play for each in engine.rank(position, (4, 2), plies=1) if each.plies == 1}
        limit = static[0].equity - 0.16 * stake
        assert stake > 2
        assert looked_at == {each.play for each in static[:8] if each.equity >= limit}
        wider += any(each.equity < static[0].equity - 0.16 for each in static if each.play in looked_at)
    assert wider


def test_a_candidate_is_worth_what_the_other_side_loses_after_it(nets: Path) -> None:
    engine = engine_for(nets, "backgammon")
    for each in engine.rank(engine.variant.start(), (5, 2)):
        assert each.equity == pytest.approx(-engine.evaluate(each.play.result).equity, abs=1e-5)
        assert each.outcome.win == pytest.approx(engine.evaluate(each.play.result).lose, abs=1e-6)


def test_one_ply_is_the_mean_over_all_throws_of_the_best_plays(nets: Path) -> None:
    engine = engine_for(nets, "hypergammon")
    position = engine.variant.start()
    mean = sum(weight / 36 * engine.rank(position, dice)[0].equity for dice, weight in sb.Roll.all())
    assert engine.evaluate(position, plies=1).equity == pytest.approx(mean, abs=1e-4)


def test_what_is_owed_is_ranked_without_dice(nets: Path) -> None:
    engine = engine_for(nets, "gul_bara")
    owed = next(position for position in some_positions(engine.variant, 3000) if position.pending)
    assert {each.play for each in engine.rank(owed)} == set(owed.legal_plays())
    with pytest.raises(sb.DiceError):
        engine.rank(engine.variant.start())


def test_where_a_double_is_named_the_plays_of_all_six_are_ranked(nets: Path) -> None:
    engine = engine_for(nets, "acey_deucey")
    positions = some_positions(engine.variant, 3000)
    choosing = next(each for each in positions if each.pending is not None and each.pending.choose)
    found = engine.rank(choosing)
    assert len(found) == len(choosing.legal_plays())
    assert {each.play.dice.first for each in found} == {1, 2, 3, 4, 5, 6}
    equities = [each.equity for each in found]
    assert equities == sorted(equities, reverse=True)


def test_rules_without_a_net_are_played_by_the_nearest_and_marked(nets: Path) -> None:
    engine = engine_for(nets, sb.variant("long_nardy", head_exception="none", block_rule="in_home"))
    assert engine.approximate
    start = engine.variant.start()
    assert engine.evaluate(start).approximate
    assert all(each.approximate for each in engine.rank(start, (6, 1)))


def test_a_game_of_ones_own_has_an_engine(tmp_path: Path, nets: Path) -> None:
    file = tmp_path / "mini.toml"
    file.write_text(
        'name = "mini"\ntitle = "Mini"\nregion = "here"\ndescription = "Five checkers a side."\n'
        'base = "tapa"\n[board]\ncheckers = 5\nsetup = { 24 = 5 }\nsource = "us"\n'
        "[options]\n"
    )
    engine = engine_for(nets, sb.variant_from_file(file), level="casual")
    assert engine.approximate
    position = engine.variant.start()
    for _ in range(8):
        play = engine.choose(position, (4, 3))
        assert play in position.legal_plays((4, 3))
        position = play.result


def test_with_a_cube_the_play_is_the_best_with_the_cube(nets: Path) -> None:
    plain, casual = engine_for(nets, "backgammon"), engine_for(nets, "backgammon", level="casual")
    changed = 0
    for match in (sb.MatchState(jacoby=False), sb.MatchState(length=7, white=2, cube=2, owner="black")):
        for position in some_positions(plain.variant, 60):
            chosen = plain.choose(position, (4, 2), match)
            compared = {
                each.play: each.equity for each in compare_plays(plain, position, (4, 2), match, plies=0)
            }
            assert compared[chosen] == pytest.approx(max(compared.values()), abs=0.005)
            changed += chosen != plain.rank(position, (4, 2), match)[0].play
            cubeless = sb.MatchState(length=1)  # the cube is dead: nothing to compare by but the chances
            assert plain.choose(position, (4, 2), cubeless) == plain.rank(position, (4, 2), cubeless)[0].play
    assert changed
    assert casual.choose(position, (4, 2), match) in position.legal_plays((4, 2))


def test_under_jacoby_gammons_count_by_what_the_cube_will_make_of_them(nets: Path) -> None:
    engine = engine_for(nets, "backgammon")
    position = engine.variant.start()
    plain = engine.evaluate(position)
    assert plain.equity == plain.points
    centred = engine.evaluate(position, sb.MatchState())
    beyond = plain.points - (plain.win - plain.lose)
    assert centred.equity == pytest.approx(plain.win - plain.lose + turned_share(0.68) * beyond)
    assert turned_share(0.68) == pytest.approx(0.624, abs=5e-4)
    assert turned_share(0.0) == 0.0, "a dead cube is never turned"
    assert centred.points == plain.points
    turned = engine.evaluate(position, sb.MatchState(cube=2, owner="white"))
    assert turned.equity == pytest.approx(plain.points)
    without = engine.evaluate(position, sb.MatchState(jacoby=False))
    assert without.equity == pytest.approx(plain.points)


def test_arguments_are_checked(nets: Path) -> None:
    engine = engine_for(nets, "backgammon")
    other = sb.variant("tapa").start()
    for ask in (engine.evaluate, lambda p: engine.rank(p, (3, 1)), lambda p: engine.evaluate_many([p])):
        with pytest.raises(sb.PositionError, match="Tapa"):
            ask(other)
    start = engine.variant.start()
    with pytest.raises(sb.DiceError):
        engine.rank(start, (7, 1))
    with pytest.raises(ValueError, match="0 to 3 plies"):
        engine.evaluate(start, plies=9)
    with pytest.raises(ValueError, match="0 to 3 plies"):
        engine_for(nets, "backgammon", plies=-1)
    for seed in ("x", 1.5, None, True):
        with pytest.raises(ValueError, match=f"a seed is a whole number, not {seed!r}"):
            engine_for(nets, "backgammon", seed=seed)
    with pytest.raises(ValueError, match="did you mean expert"):
        engine_for(nets, "backgammon", level="expret")
    with pytest.raises(sb.VariantError):
        engine_for(nets, "backgamon")
    with pytest.raises(TypeError):
        engine.evaluate("start")  # type: ignore[arg-type]
    wrong: Any = "7"
    for asked in (engine.evaluate, engine.cube, engine.rollout, engine.rollout_cube, engine.doubles):
        with pytest.raises(TypeError, match="MatchState is expected, not '7'"):
            asked(start, wrong)
    with pytest.raises(TypeError, match="MatchState is expected"):
        engine.rank(start, (3, 1), wrong)
    assert engine.evaluate_many([]) == []


def test_nardegammon_is_played_by_the_net_of_long_nardy(tmp_path: Path) -> None:
    path = write_net(tmp_path, sb.variant("long_nardy"))
    engine = sb.engine("nardegammon", net=path)
    assert not engine.approximate


# The score and the cube


def test_a_match_changes_what_gammons_are_worth(nets: Path) -> None:
    engine = engine_for(nets, "backgammon")
    start = engine.variant.start()
    plain = engine.evaluate(start)
    last = engine.evaluate(start, sb.MatchState(length=5, white=4, black=4))
    assert last.equity == pytest.approx(plain.win - plain.lose)
    assert last.probabilities == plain.probabilities
    # White needs one point, Black many: a gammon helps only the one who trails.
    leads = sb.MatchState(length=5, white=4, black=0, crawford=True)
    worth = dict(zip(plain.table.all, engine.evaluate(start, leads).values or (), strict=True))
    assert worth["win", "gammon", 2] == worth["win", "single", 1] == pytest.approx(1)  # type: ignore[index]
    assert worth["lose", "gammon", 2] < worth["lose", "single", 1] == pytest.approx(-1)  # type: ignore[index]


@pytest.mark.parametrize("name", sb.variants())
def test_every_game_can_be_judged_at_a_score(name: str, nets: Path) -> None:
    engine = engine_for(nets, name)
    match = sb.MatchState(length=7, white=2, black=5)
    start = engine.variant.start()
    ranked = engine.rank(start, (6, 5), match)
    assert ranked
    white, black = engine.evaluate(start, match), engine.evaluate(engine.variant.start("black"), match)
    assert white.probabilities == black.probabilities
    with pytest.raises(sb.MatchError, match="the match is over"):
        engine.evaluate(start, sb.MatchState(length=3, white=3, black=0))


def test_the_cube_is_decided_by_the_model_on_the_nets_probabilities(nets: Path) -> None:
    engine = engine_for(nets, "backgammon")
    for position in some_positions(engine.variant, 20):
        decision = engine.cube(position)
        assert decision.double_pass == pytest.approx(1)
        assert not decision.approximate
        assert engine.doubles(position) is (decision.action == "double")
        assert engine.answer(position) == ("take" if decision.take else "drop")


def test_a_race_that_is_won_is_doubled_and_dropped_at_every_level(nets: Path) -> None:
    game = sb.variant("backgammon")
    won = game.position({"white": {"1": 1}, "white_off": 14, "black": {"19": 15}})
    for level in ("beginner", "expert"):
        engine = engine_for(nets, game, level=level)
        # One ply sees the end, whatever the net believes.
        decision = engine.cube(won, plies=1)
        assert decision.action == "double" and not decision.take


def test_there_is_no_cube_decision_without_a_cube(nets: Path) -> None:
    engine = engine_for(nets, "tavla")
    with pytest.raises(sb.CubeError, match="without a cube"):
        engine.cube(engine.variant.start())
    nardy = engine_for(nets, "long_nardy")
    with pytest.raises(sb.CubeError):
        nardy.cube(nardy.variant.start())
    nardy.cube(sb.variant("nardegammon").start())
    backgammon = engine_for(nets, "backgammon")
    start = backgammon.variant.start()
    with pytest.raises(sb.CubeError, match="owner"):
        backgammon.cube(start, sb.MatchState(cube=2, owner="black"))
    with pytest.raises(sb.CubeError, match="Crawford"):
        backgammon.cube(start, sb.MatchState(length=5, white=4, crawford=True))
    over = backgammon.variant.position({"white_off": 15, "black": {"19": 15}}, turn="black")
    with pytest.raises(sb.CubeError, match="over"):
        backgammon.cube(over)


@pytest.mark.parametrize("name", ["tapa", "takhte", "tavla"])
def test_without_a_cube_nobody_doubles_after_the_crawford_game(name: str, nets: Path) -> None:
    """At 3-4 to 5 a plain win makes it 4-4, and one of two points wins the match."""
    engine = engine_for(nets, name)
    position = engine.variant.start(turn="white")
    values = {
        (each.ending, each.points): worth
        for each, worth in zip(
            Classes.of(engine.variant).all,
            utility(
                Classes.of(engine.variant),
                sb.MatchState(length=5, white=3, black=4),
                sb.Side.WHITE,
                has_cube=False,
            ),
            strict=True,
        )
    }
    outcome = engine.evaluate(position, sb.MatchState(length=5, white=3, black=4))
    expected = sum(outcome.classes[each] * values[each.ending, each.points] for each in outcome.classes)
    assert values["win", 2] > values["win", 1] + 0.5
    assert values["lose", 2] == pytest.approx(values["lose", 1])
    assert outcome.equity == pytest.approx(expected, abs=1e-5)


LAST_POINT = sb.MatchState(length=5, white=4, black=4)


def test_plays_equal_at_the_score_are_chosen_by_money_equity() -> None:
    """White wins in any case; only money tells the gammon from the plain win."""
    engine = sb.engine("backgammon", bearoff=False)
    board = {"white": {1: 2, 2: 2}, "white_off": 11, "black": {24: 3, 20: 11, 8: 1}}
    position = engine.variant.position(board, turn="black")
    for dice in ((2, 1), (1, 1), (6, 5), (4, 1)):
        money, last = engine.rank(position, dice), engine.rank(position, dice, LAST_POINT)
        assert last[0].outcome.lose_gammon <= min(each.outcome.lose_gammon for each in last) + 0.01
        assert {each.play for each in last} == {each.play for each in money}


@pytest.mark.parametrize("match", [LAST_POINT, sb.MatchState(length=1)])
def test_games_where_gammons_count_nothing_end_as_those_for_money(match: sb.MatchState) -> None:
    """Noise of the net used to decide between plays that win for certain."""
    engine = sb.engine("backgammon")
    ended = []
    for game in range(40):
        dice = random.Random(f"1/{game}")
        position = engine.variant.start()
        while position.result is None:
            candidates = engine.rank(position, (dice.randint(1, 6), dice.randint(1, 6)), match)
            assert all(-1 <= each.equity <= 1 for each in candidates)
            position = candidates[0].play.result
        ended.append(position.result.kind)
    assert ended.count("backgammon") <= 3


def test_a_rollout_where_gammons_count_nothing_keeps_their_rates() -> None:
    engine = sb.engine("backgammon")
    start = engine.variant.start()
    money = engine.rollout(start, trials=72).outcome
    for options in (None, sb.RolloutOptions(cube=False)):
        last = engine.rollout(start, LAST_POINT, trials=72, options=options).outcome
        for side in ("win", "lose"):
            rate = getattr(last, f"{side}_backgammon")
            assert rate <= getattr(money, f"{side}_backgammon") + 0.06
