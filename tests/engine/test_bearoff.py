"""The bear-off databases: known values, an independent solution, and the files they live in."""

from __future__ import annotations

import logging
import random
from itertools import pairwise
from pathlib import Path

import pytest

import sheshbesh as sb
from sheshbesh import _core
from sheshbesh.engines import bearoff_databases
from sheshbesh.i18n import translate
from sheshbesh.rules.setup import Geometry
from tests.engine.bearoff_help import Chains, Home, Solver, homes, position
from tests.sizes import sampled

GAMES = ("backgammon", "takhte", "hypergammon", "tawla31")
"""Gammons, koks, three checkers and checkers left that are paid; the others bear off as one of these."""

THROWS_FOR_TWO = {
    (6, 6): 4, (6, 5): 6, (6, 4): 8, (6, 3): 10, (6, 2): 13, (6, 1): 15,
    (5, 5): 6, (5, 4): 10, (5, 3): 14, (5, 2): 19, (5, 1): 23,
    (4, 4): 11, (4, 3): 17, (4, 2): 23, (4, 1): 29,
    (3, 3): 17, (3, 2): 25, (3, 1): 34, (2, 2): 26, (2, 1): 36, (1, 1): 36,
}  # fmt: skip
"""How many of the 36 throws bear off the last two checkers: printed in every book on backgammon, e.g.
Magriel, Backgammon (1976), the chapter on bearing off."""


def database(game: sb.Variant) -> _core.BearoffDatabase:
    (found,) = bearoff_databases.for_variant(game)
    return found


def home(*points: int) -> Home:
    return tuple(points.count(point) for point in range(1, 7))


def lookup(game: sb.Variant, mine: Home, theirs: Home) -> list[float]:
    found = database(game).lookup(position(game, mine, theirs)._core)
    assert found is not None
    return found


def money(game: sb.Variant, chances: list[float]) -> float:
    wins, _ = _core.class_table(game._core)
    half = len(wins)
    return sum(points * (chances[i] - chances[i + half]) for i, (_, points) in enumerate(wins))


def win(game: sb.Variant, mine: Home, theirs: Home) -> float:
    return sum(lookup(game, mine, theirs)[: len(_core.class_table(game._core)[0])])


@pytest.mark.parametrize(("points", "throws"), THROWS_FOR_TWO.items())
def test_the_last_two_checkers_go_off_with_the_known_number_of_throws(
    points: tuple[int, int], throws: int
) -> None:
    game = sb.variant("backgammon")
    # The other side is off with whatever it throws.
    assert win(game, home(*points), home(1)) == pytest.approx(throws / 36, abs=1e-6)


def test_one_checker_each_on_the_six_point_by_hand() -> None:
    game = sb.variant("backgammon")
    # 27 throws bear it off at once, else it goes off next time; so the other side wins 9/36 of 27/36.
    assert win(game, home(6), home(6)) == pytest.approx(1 - 9 / 36 * 27 / 36, abs=1e-6)
    turns = database(game).average_turns(position(game, home(6), home(6))._core)
    assert turns == pytest.approx([1.25, 1.25], abs=1e-6)


def test_a_stack_on_the_ace_point_has_the_known_effective_pip_count() -> None:
    """Seven pips for every throw still needed, and one: W. Trice, Backgammon Boot Camp (2004)."""
    game = sb.variant("backgammon")
    for checkers in (6, 8, 10, 12, 14):
        turns = database(game).average_turns(position(game, home(*[1] * checkers), home(1))._core)
        assert turns is not None
        assert turns[0] * 49 / 6 == pytest.approx(7 * checkers / 2 + 1, abs=0.35)


def test_the_cube_in_the_last_throw_by_hand() -> None:
    game = sb.variant("backgammon")
    for points, throws in THROWS_FOR_TWO.items():
        found = database(game).cubeful(position(game, home(*points), home(1))._core)
        # Nobody doubles after this throw: the equity is the cubeless one wherever the cube is.
        assert found == pytest.approx([2 * throws / 36 - 1] * 3, abs=1e-6)


def test_a_double_that_is_too_late_is_not_forgotten() -> None:
    # 6-5 against 2-1: a miss (30/36) loses, as the other side doubles and goes off with every throw.
    game = sb.variant("backgammon")
    found = database(game).cubeful(position(game, home(6, 5), home(2, 1))._core)
    assert found == pytest.approx([6 / 18 - 1] * 3, abs=1e-6)
    # 4-1 against 6: 29 throws win; else the other side has 27 of 36, a double and a take of which
    # costs twice 18/36, unless the cube is mine.
    found = database(game).cubeful(position(game, home(4, 1), home(6))._core)
    assert found is not None
    centred, owned, theirs = found
    assert centred == pytest.approx((29 - 7 * 1.0) / 36, abs=1e-6)
    assert theirs == pytest.approx((29 - 7 * 1.0) / 36, abs=1e-6)
    assert owned == pytest.approx((29 - 7 * 0.5) / 36, abs=1e-6)


OWN = """
name = "{name}"
title = "Own"
region = "here"
description = "A backgammon with another bear-off."
base = "backgammon"

[board]
checkers = {checkers}
setup = {{ {setup} }}
source = "these tests"

{rules}
source = "these tests"
"""

EXACT = '[bearoff]\novershoot = "exact"\ninside = false'
EXACT_INSIDE = '[bearoff]\novershoot = "exact"\ninside = true'
LOOSE = '[bearoff]\novershoot = "loose"'
CAPPED = "[occupancy]\nstack_cap = 4"
VOLUNTARY = '[duty]\ndice = "voluntary"\ntie = "none"'


def own_game(folder: Path, rules: str, checkers: int = 15) -> sb.Variant:
    """A game that differs from backgammon in its bear-off and the number of checkers."""
    name = f"own_{checkers}_{rules.split()[-1].strip(chr(34))}"
    file = folder / f"{name}.toml"
    setup = f"6 = {checkers}" if checkers <= 4 else f"6 = 4, 5 = {checkers - 4}"
    text = OWN.format(name=name, checkers=checkers, rules=rules, setup=setup)
    file.write_text(text, encoding="utf-8")
    return sb.variant_from_file(file)


def compare_with_plain_solver(game: sb.Variant) -> None:
    solver, chance = Solver(game), random.Random(game.name)
    low = [h for h in homes(3) if sum(p * n for p, n in enumerate(h, 1)) <= 9]
    pairs = [(chance.choice(low), chance.choice(low)) for _ in range(30)]
    pairs += [(home(6, 5), home(6, 6)), (home(5, 3, 1), home(4, 4)), (home(2, 1, 1), home(3, 1, 1))]
    most = max(points for _, points in _core.class_table(game._core)[0])
    for mine, theirs in pairs:
        expected = solver.row(mine, theirs)
        chances = lookup(game, mine, theirs)
        assert sum(chances) == pytest.approx(1, abs=1e-6)
        assert money(game, chances) == pytest.approx(expected[0], abs=1e-6 * most)
        state = position(game, mine, theirs)._core
        cubeful = database(game).cubeful(state)
        if Geometry.of(game.axes).stack_cap:
            assert cubeful is None  # a double may have nowhere to go there
        else:
            assert cubeful == pytest.approx(expected[1:], abs=1e-6 * most)
        if (turns := database(game).average_turns(state)) is not None:
            assert turns == pytest.approx([solver.turns(mine), solver.turns(theirs)], abs=1e-6)


@pytest.mark.parametrize(
    "name",
    sampled(
        [
            "backgammon",
            "tapa",
            "long_nardy",
            "takhte",
            "tavla",
            "irish",
            "hypergammon",
            "tawla31",
            "khachapuri",
        ],
        GAMES.__contains__,
    ),
)
def test_small_positions_are_those_of_a_plain_solver(name: str) -> None:
    compare_with_plain_solver(sb.variant(name))


@pytest.mark.parametrize("rules", [LOOSE, CAPPED, VOLUNTARY])
def test_small_positions_of_other_bearoffs_are_those_of_a_plain_solver(rules: str, tmp_path: Path) -> None:
    compare_with_plain_solver(own_game(tmp_path, rules, checkers=5))


def test_with_three_checkers_a_gammon_is_possible_to_the_end() -> None:
    game = sb.variant("hypergammon")
    chances = lookup(game, home(1, 1, 1), home(6, 6, 6))
    assert [points for _, points in _core.class_table(game._core)[0]] == [1, 2, 3]
    # A double ends the game at once. Else the other side saves the gammon with 19 throws: those with a six,
    # 5-1, 4-2, and every double but 1-1.
    assert chances[1] == pytest.approx(1 / 6 + 5 / 6 * 17 / 36, abs=1e-6)
    assert chances[2] == chances[5] == 0


def far(*points: int) -> Home:
    return tuple(points.count(point) for point in range(1, 24))


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (far(9, 7), far(10)),
        (far(11), far(8, 4)),
        (far(7, 2), far(9, 3)),
        (far(7, 1, 1), far(7, 7, 6)),
        (far(2, 1, 1), far(18, 1, 1)),
    ],
)
def test_races_of_three_checkers_are_those_of_a_plain_solver(mine: Home, theirs: Home) -> None:
    game = sb.variant("hypergammon")
    expected = Solver(game).row(mine, theirs)
    assert money(game, lookup(game, mine, theirs)) == pytest.approx(expected[0], abs=3e-6)
    state = position(game, mine, theirs)._core
    assert database(game).is_exact(state)
    assert database(game).cubeful(state) == pytest.approx(expected[1:], abs=3e-6)


def test_a_straggler_in_the_winners_home_loses_a_backgammon_by_hand() -> None:
    game = sb.variant("hypergammon")
    chances = lookup(game, far(1, 1, 1), far(23, 1, 1))
    # A double ends the game at once, the straggler where it is: three points. Else the other side throws.
    # With 1-1, 2-1 and 3-1, five throws, it does not get out; with 6-6 it bears one off and loses one point.
    assert chances[2] == pytest.approx(1 / 6 + 5 / 6 * 5 / 36, abs=1e-6)
    assert chances[0] == pytest.approx(5 / 6 * 1 / 36, abs=1e-6)
    assert sum(chances[:3]) == pytest.approx(1, abs=1e-6)


def test_where_throws_are_passed_one_checker_each_by_hand(tmp_path: Path) -> None:
    game = own_game(tmp_path, EXACT, checkers=7)
    hit = 11 / 36
    assert win(game, home(6), home(2)) == pytest.approx(hit / (1 - (1 - hit) ** 2), abs=1e-6)
    turns = database(game).average_turns(position(game, home(3), home(5))._core)
    assert turns == pytest.approx([1 / hit, 1 / hit], rel=1e-6)
    # Stakes that may double for ever have no value.
    assert database(game).cubeful(position(game, home(6), home(2))._core) is None


def test_both_sides_together_win_once() -> None:
    for name in GAMES:
        game = sb.variant(name)
        for mine, theirs in ((home(3, 2), home(4)), (home(6, 5, 4), home(3, 3, 2))):
            if sum(mine) <= Geometry.of(game.axes).checkers:
                chances = lookup(game, mine, theirs)
                assert all(-1e-6 <= chance <= 1 + 1e-6 for chance in chances)
                assert sum(chances) == pytest.approx(1, abs=1e-6)


def test_fewer_pips_win_more() -> None:
    game = sb.variant("backgammon")
    stages = [home(*[point] * 6) for point in range(1, 7)]
    chances = [win(game, mine, home(4, 4, 4, 4)) for mine in stages]
    assert all(a > b for a, b in pairwise(chances))


def test_the_product_of_two_one_sided_distributions_is_close() -> None:
    game = sb.variant("backgammon")
    path = bearoff_databases.info(game)[0].path
    assert path is not None
    exact = database(game)
    product = _core.BearoffDatabase(game._core, _core.OneSided.parse(path.read_bytes(), game._core), None)
    all_homes, chance = list(homes(6)), random.Random(1)
    errors = []
    for _ in range(500):
        mine, theirs = chance.choice(all_homes), chance.choice(all_homes)
        state = position(game, mine, theirs)._core
        near, right = product.lookup(state), exact.lookup(state)
        assert near is not None and right is not None
        errors.append(abs(near[0] - right[0]))
    assert sum(errors) / len(errors) < 1.2e-3
    assert max(errors) < 2e-2


def test_many_checkers_have_a_value_too_and_gammons() -> None:
    game = sb.variant("backgammon")
    full = home(6, 6, 6, 5, 5, 5, 4, 4, 4, 3, 3, 2, 2, 1, 1)
    chances = lookup(game, home(*[1] * 2), full)
    assert [points for _, points in _core.class_table(game._core)[0]] == [1, 2, 3]
    assert chances[0] == pytest.approx(0, abs=1e-6) and chances[1] == pytest.approx(1, abs=1e-6)
    assert 0.5 < win(game, full, full) < 0.7


@pytest.mark.parametrize("name", ["gul_bara", "gioul", "acey_deucey"])
def test_where_throws_go_on_turns_are_those_of_a_plain_solver(name: str) -> None:
    game, chance = sb.variant(name), random.Random(name)
    one, two = bearoff_databases.info(game)
    assert not one.obstacle and two.obstacle
    solver = Chains(game)
    few = [each for each in homes(4) if sum(p * n for p, n in enumerate(each, 1)) <= 12]
    for mine in [home(6, 6), home(5, 4, 2), *chance.sample(few, 25)]:
        turns = database(game).average_turns(position(game, mine, home(6))._core)
        assert turns is not None and turns[0] == pytest.approx(solver.turns(mine), abs=1e-5)


@pytest.mark.parametrize("name", ["gul_bara", "gioul", "acey_deucey"])
def test_what_is_owed_in_the_middle_of_a_turn_is_worth_what_its_best_play_is(name: str) -> None:
    game, chance, seen = sb.variant(name), random.Random(name), 0
    for _ in range(40):
        mine, theirs = (tuple(chance.randrange(3) for _ in range(6)) for _ in "ab")
        if not any(mine) or not any(theirs):
            continue
        start = position(game, mine, theirs)
        for dice in ((2, 1), (3, 3), (5, 5)):
            for play in start.legal_plays(dice)[:3]:
                owed = play.result
                if owed.pending is None or owed.result is not None:
                    continue
                best = max(worth_of(game, each.result, sb.Side.WHITE) for each in owed.legal_plays())
                # The best for the fewest turns is not always the best in this race.
                assert best - 0.1 * stake(game) < worth_of(game, owed, sb.Side.WHITE) < best + 1e-5
                seen += 1
    assert seen > 20


def worth_of(game: sb.Variant, state: sb.Position, side: sb.Side) -> float:
    """What the database, or the end of the game, gives a side."""
    if (over := state.result) is not None:
        return float(over.points if over.winner == side.value else -over.points)
    found = database(game).lookup(state._core)
    assert found is not None
    return money(game, found) if state.turn is side else -money(game, found)


def stake(game: sb.Variant) -> float:
    return max(points for _, points in _core.class_table(game._core)[0])


def test_before_doubles_go_on_and_where_a_die_may_be_passed_there_is_no_database() -> None:
    game = sb.variant("gul_bara")
    early = game.position(
        {"white": {"1": 15}, "black": {"13": 15}, "white_off": 0, "black_off": 0},
        turn="white",
        first_turn=True,
    )
    assert database(game).lookup(early._core) is None, "the first turns have no chains"
    exact = sb.variant("gul_bara", exact_bearoff=True)
    assert bearoff_databases.for_variant(exact) == ()
    assert all(
        each.obstacle and each.path is None and not each.exists for each in bearoff_databases.info(exact)
    )
    with pytest.raises(ValueError, match="bear-off"):
        _core.generate_bearoff(exact._core, _core.Sides.one)


def test_checkers_left_that_are_paid_are_close_to_the_exact_database() -> None:
    game = sb.variant("tawla31")
    path = bearoff_databases.info(game)[0].path
    exact = database(game)
    assert path is not None
    product = _core.BearoffDatabase(game._core, _core.OneSided.parse(path.read_bytes(), game._core), None)
    all_homes, chance = list(homes(6)), random.Random(1)
    errors, wins = [], []
    for _ in range(1000):
        state = position(game, chance.choice(all_homes), chance.choice(all_homes))._core
        near, right = product.lookup(state), exact.lookup(state)
        assert near is not None and right is not None
        assert sum(near) == pytest.approx(1, abs=1e-5)
        half = len(_core.class_table(game._core)[0])
        errors.append(abs(money(game, near) - money(game, right)))
        wins.append(abs(sum(near[:half]) - sum(right[:half])))
    assert sum(errors) / len(errors) < 0.01 and sum(wins) / len(wins) < 1e-3
    many = home(*[1] * 7)
    left = lookup(game, many, many)
    assert left[14] == left[7] == 0 and sum(left[:7]) > 0.5, "no more can be left than there are"


def test_positions_of_other_parts_of_the_game_are_not_covered() -> None:
    game = sb.variant("backgammon")
    assert database(game).lookup(game.start()._core) is None
    finished = position(game, home(1), home(1)).legal_plays((2, 1))[0].result
    assert database(game).lookup(finished._core) is None


# Files


def test_games_that_differ_elsewhere_share_their_databases() -> None:
    paths = {
        name: [found.path for found in bearoff_databases.info(sb.variant(name))] for name in sb.variants()
    }
    assert paths["backgammon"] == paths["tapa"] == paths["long_nardy"] == paths["nackgammon"]
    assert paths["backgammon"] != paths["tavla"]
    assert paths["irish"] != paths["backgammon"] != paths["hypergammon"]


def test_a_database_is_made_once_and_then_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = own_game(tmp_path, EXACT, checkers=2)
    told: list[tuple[str, float]] = []
    monkeypatch.setenv(bearoff_databases.CACHE_VARIABLE, str(tmp_path / "a"))
    assert not any(found.exists for found in bearoff_databases.info(game))
    bearoff_databases.for_variant(game, lambda label, done: told.append((label, done)))
    assert all(found.exists for found in bearoff_databases.info(game))
    assert {translate(label, "tr").partition(" ")[0] for label, _ in told} == {"tek", "iki"}
    assert told[-1][1] == 1.0 and all(0 <= done <= 1 for _, done in told)
    told.clear()
    (tmp_path / "a").rename(tmp_path / "b")
    monkeypatch.setenv(bearoff_databases.CACHE_VARIABLE, str(tmp_path / "b"))
    assert database(game).lookup(position(game, home(1), home(1))._core) is not None
    bearoff_databases.for_variant(game, lambda label, done: told.append((label, done)))
    assert not told


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "old", "foreign"])
def test_a_damaged_file_is_made_anew_with_a_note(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = own_game(tmp_path, EXACT, checkers=2)
    monkeypatch.setenv(bearoff_databases.CACHE_VARIABLE, str(tmp_path / "a"))
    expected = lookup(game, home(6, 1), home(5))
    path = bearoff_databases.info(game)[1].path
    assert path is not None
    good = path.read_bytes()
    bad = {
        "cut": good[:-100],
        "changed": good[:500] + bytes([good[500] ^ 1]) + good[501:],
        "empty": b"",
        "old": good[:8] + b"\0" + good[9:],
        "foreign": _core.generate_bearoff(
            own_game(tmp_path, EXACT_INSIDE, checkers=2)._core, _core.Sides.two
        ),
    }[damage]
    path.write_bytes(bad)
    (tmp_path / "a").rename(tmp_path / "b")
    monkeypatch.setenv(bearoff_databases.CACHE_VARIABLE, str(tmp_path / "b"))
    with caplog.at_level(logging.WARNING):
        assert lookup(game, home(6, 1), home(5)) == expected
    assert "made anew" in caplog.text and path.name in caplog.text
    again = bearoff_databases.info(game)[1].path
    assert again is not None and again.read_bytes() == good
    assert [file.suffix for file in again.parent.iterdir()] == [".table", ".table"]


def test_without_a_folder_to_write_to_databases_live_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = own_game(tmp_path, EXACT_INSIDE, checkers=2)
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    monkeypatch.setenv(bearoff_databases.CACHE_VARIABLE, str(tmp_path / "file"))
    with caplog.at_level(logging.WARNING):
        assert win(game, home(1), home(1)) > 0.5
    assert "cannot be written" in caplog.text
    caplog.clear()
    assert win(game, home(1), home(1)) > 0.5
    assert not caplog.text


def test_the_work_can_be_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = own_game(tmp_path, EXACT, checkers=2)
    monkeypatch.setenv(bearoff_databases.CACHE_VARIABLE, str(tmp_path / "a"))

    class StopError(Exception):
        pass

    def stop(label: str, done: float) -> None:
        raise StopError

    with pytest.raises(StopError):
        bearoff_databases.for_variant(game, stop)
    assert not (tmp_path / "a").exists()
    assert bearoff_databases.for_variant(game)


@pytest.mark.parametrize(("name", "kind"), [("hypergammon", "two-sided"), ("gul_bara", "one-sided")])
def test_a_file_is_the_same_whenever_it_is_made(name: str, kind: str) -> None:
    """Nor has one that was kept from an earlier run other values than those that the core makes today."""
    game = sb.variant(name)
    bearoff_databases.for_variant(game)
    (path,) = (each.path for each in bearoff_databases.info(game) if each.path and each.kind == kind)
    sides = {"one-sided": _core.Sides.one, "two-sided": _core.Sides.two}[kind]
    assert path.read_bytes() == _core.generate_bearoff(game._core, sides)
