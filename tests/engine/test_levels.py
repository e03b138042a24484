"""Levels: they err like a person, legally, repeatably, and the better ones less."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sheshbesh as sb
from sheshbesh.engines import LEVELS, Level, make_engine, registry
from sheshbesh.engines.strength import levels
from sheshbesh.engines.strength.levels import Weakness
from tests.engine.test_engine import some_positions

NAMES = [level.name for level in LEVELS]


def test_the_names_are_the_same_everywhere_and_in_order() -> None:
    assert NAMES == ["beginner", "casual", "club", "advanced", "expert", "master", "strongest", "analyst"]
    assert [level.plies for level in LEVELS] == sorted(level.plies for level in LEVELS)


def losses(nets: Path, game: sb.Variant, level: str, seed: int, positions: list[sb.Position]) -> float:
    """What a level loses at some decisions, judged by the raw net behind it."""
    engine = make_engine(game, level=level, seed=seed, folders=[nets])
    total = 0.0
    for at, position in enumerate(positions):
        dice = None if position.pending else (1 + at % 6, 1 + at // 6 % 6)
        ranked = engine.rank(position, dice, plies=0)
        played = engine.choose(position, dice)
        total += ranked[0].equity - next(each.equity for each in ranked if each.play == played)
    return total / len(positions)


@pytest.mark.parametrize("name", ["backgammon", "tapa", "long_nardy"])
def test_a_better_level_loses_less(name: str, nets: Path) -> None:
    game = sb.variant(name)
    positions = some_positions(game, 75)
    lost = [sum(losses(nets, game, level, seed, positions) for seed in range(2)) / 2 for level in NAMES[:5]]
    assert lost == sorted(lost, reverse=True)
    assert lost[0] > 2 * lost[3] > 0
    assert lost[4] == 0


@pytest.mark.parametrize("name", sb.variants())
def test_a_beginner_makes_legal_plays_in_every_game(name: str, nets: Path) -> None:
    engine = make_engine(name, level="beginner", folders=[nets])
    for at, position in enumerate(some_positions(engine.variant, 25)):
        dice = None if position.pending else (1 + at % 6, 2)
        assert engine.choose(position, dice) in position.legal_plays(dice)


def test_the_analyst_plays_what_rollouts_say_of_the_plays_that_its_search_leaves_open() -> None:
    engine = make_engine("hypergammon", level="analyst")
    position = engine.variant.start()
    ranked = engine.rank(position, (2, 1))
    settled = engine.settle(ranked)
    assert len(settled) > 1, "several plays are open"
    assert engine.choose(position, (2, 1)) == settled[0].play
    engine.cancel()
    assert engine.choose(position, (2, 1)) == engine.rank(position, (2, 1))[0].play, "it says what it knows"
    engine.resume()
    assert engine.rank(position, (2, 1)) == ranked


def test_the_same_seed_makes_the_same_mistakes_in_any_order_and_another_seed_others(nets: Path) -> None:
    positions = some_positions(sb.variant("backgammon"), 60)

    def choices(seed: int, asked: list[sb.Position]) -> list[str]:
        engine = make_engine("backgammon", level="beginner", seed=seed, folders=[nets])
        return [engine.choose(position, (6, 2)).notation for position in asked]

    assert choices(3, positions) == choices(3, positions[::-1])[::-1]
    assert choices(3, positions) != choices(4, positions)


@pytest.mark.parametrize(
    ("name", "match"),
    [
        ("backgammon", sb.MatchState(length=1)),
        ("backgammon", sb.MatchState(length=7, white=6, black=6)),
        ("tapa", sb.MatchState(length=1)),
    ],
)
def test_who_underrates_gammons_makes_no_mistakes_where_they_count_nothing(
    name: str, match: sb.MatchState, nets: Path
) -> None:
    engine = make_engine(name, folders=[nets]).at_level(Level("blind", "", 0, Weakness(gammons=0.0)))
    changed = 0
    for position in some_positions(engine.variant, 40):
        at_score, money = engine.rank(position, (4, 2), match), engine.rank(position, (4, 2))
        assert engine.choose(position, (4, 2), match) == at_score[0].play
        changed += engine.choose(position, (4, 2)) != money[0].play
    assert changed


def test_who_sees_one_group_only_plays_with_one(nets: Path) -> None:
    engine = make_engine("backgammon", folders=[nets])
    short = Level("short", "", 0, Weakness(sight=0.0))
    start = engine.variant.start()
    seen = {engine.at_level(short, seed).choose(start, (6, 1)).notation for seed in range(30)}
    assert seen == {max(seen, key=len)} <= {"13/6", "24/17", "8/1"}, "the best of those that take one group"
    half = Level("half", "", 0, Weakness(sight=0.5, noise=9.0))
    chosen = [engine.at_level(half, seed).choose(start, (6, 1)).notation for seed in range(300)]
    single = sum(" " not in play for play in chosen)
    plays = [play.notation for play in start.legal_plays((6, 1))]
    alone = sum(" " not in play for play in plays)
    # Each of the others is seen half the time, and roughness decides among those that are seen.
    expected = alone / (alone + 0.5 * (len(plays) - alone))
    assert single / 300 == pytest.approx(expected, abs=0.12)


def test_the_errors_of_a_level_are_those_of_its_numbers_not_of_its_name(nets: Path) -> None:
    engine = make_engine("tapa", folders=[nets])
    weak = levels.find("beginner").weakness
    named, other = Level("a", "", 0, weak), Level("b", "", 0, weak)
    for position in some_positions(engine.variant, 25):
        dice = None if position.pending else (5, 3)
        assert engine.at_level(named, 7).choose(position, dice) == engine.at_level(other, 7).choose(
            position, dice
        )


def test_any_whole_number_is_a_seed(nets: Path) -> None:
    engine = make_engine("backgammon", folders=[nets])
    beginner, start = levels.find("beginner"), engine.variant.start()
    for seed in (-1, 0, 1 << 64, 1 << 200):
        assert engine.at_level(beginner, seed).choose(start, (6, 2)) in start.legal_plays((6, 2))


@pytest.mark.parametrize(
    ("name", "match"),
    [("backgammon", sb.MatchState(length=1)), ("tawla31", sb.MatchState(length=31, white=30, black=30))],
)
def test_errors_are_measured_by_what_is_at_stake_at_the_score(
    name: str, match: sb.MatchState, nets: Path
) -> None:
    engine = make_engine(name, folders=[nets])
    for position in some_positions(engine.variant, 20):
        last = engine.evaluate(position, match)
        decided = last.win + last.lose
        assert last.deviation == pytest.approx((decided - last.equity**2) ** 0.5)
        assert last.flipped().deviation == pytest.approx(last.deviation)
        assert engine.evaluate(position).deviation > last.deviation


WILD = Level("wild", "fears every double and guesses its worth", 0, Weakness(noise=9.0, reluctance=9.0))


def test_even_who_fears_doubles_turns_a_cube_that_costs_nothing(nets: Path) -> None:
    """The side that trails after the Crawford game: a game lost is the match lost, whatever the stake."""
    engine = make_engine("backgammon", folders=[nets]).at_level(WILD)
    trails = sb.MatchState(length=5, white=2, black=4)
    free = 0
    for position in some_positions(engine.variant, 40):
        if position.turn is not sb.Side.WHITE or position.result is not None:
            continue
        decision = engine.cube(position, trails)
        if abs(decision.answered - decision.no_double) <= 1e-9:
            free += 1
            assert engine.doubles(position, trails)
    assert free


def test_nobody_drops_where_the_drop_loses_the_match(nets: Path) -> None:
    engine = make_engine("backgammon", folders=[nets]).at_level(WILD)
    dead = sb.MatchState(length=5, white=4, black=4, allow_dead_double=True)
    alive = sb.MatchState(length=5, white=2, black=2)
    positions = [each for each in some_positions(engine.variant, 40) if each.result is None]
    assert {engine.answer(each, dead) for each in positions} == {"take"}
    assert {engine.answer(each, alive) for each in positions} == {"take", "drop"}


def test_the_strong_levels_play_what_they_rank_first(nets: Path) -> None:
    engine = make_engine("hypergammon", level="master", folders=[nets])
    for position in some_positions(engine.variant, 4):
        assert engine.choose(position, (5, 1)) == engine.rank(position, (5, 1))[0].play


def test_an_engine_without_a_level_plays_its_best(nets: Path) -> None:
    engine = make_engine("backgammon", folders=[nets])
    start = engine.variant.start()
    assert engine.level is None
    assert engine.choose(start, (6, 5)) == engine.rank(start, (6, 5))[0].play


def test_an_error_rate_is_read_from_what_was_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = sb.variant("tavla")
    net = registry.find(game).manifest.sha256
    entry = {"loss": 0.0423, "standard_error": 0.002, "decisions": 300, "judge_plies": 2, "net": net}
    other = registry.find(sb.variant("tapa")).manifest
    file = tmp_path / "levels.json"
    file.write_text(json.dumps({game.fingerprint: {"game": "tavla", "levels": {"club": entry}}}))
    monkeypatch.setattr(levels, "measured_file", file)
    levels.measurements.cache_clear()
    try:
        club, expert = levels.find("club"), levels.find("expert")
        assert str(club.error_rate("tavla")) == "42.3 ± 2.0 mEq"
        assert club.error_rate(game) is not None
        assert club.error_rate(game, other) is None, "it was measured with another net"
        assert expert.error_rate("tavla") is None
        assert club.error_rate("tapa") is None
    finally:
        levels.measurements.cache_clear()
