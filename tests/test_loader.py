"""The games as data: what the rule sheets say, inheritance, options, sources, fingerprints."""

from __future__ import annotations

import pickle
import subprocess
import sys
from itertools import combinations, product
from pathlib import Path

import pytest

from sheshbesh.errors import VariantError
from sheshbesh.rules import loader
from sheshbesh.rules.axes import AXES, TABLE_ONLY
from sheshbesh.rules.coherence import contradictions

START = {24: 2, 13: 5, 8: 3, 6: 5}
HEAD = {24: 15}

# The tables of the rule sheets: setup, movement, contact, opening dice, later start, cube, and the
# points for single, gammon, backgammon, home mars (or how checkers left are counted).
SHEETS = {
    "backgammon": (START, "contrary", "hit", "played", "roll", True, (1, 2, 3, 0)),
    "nackgammon": (
        {24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
        "contrary",
        "hit",
        "played",
        "roll",
        True,
        (1, 2, 3, 0),
    ),
    "takhte": (START, "contrary", "hit", "reroll", "winner", False, (1, 2, 0, 0)),
    "tavla": (START, "contrary", "hit", "reroll", "roll", False, (1, 2, 0, 0)),
    "old_english": (START, "contrary", "hit", "played", "roll", False, (1, 0, 0, 0)),
    "tapa": (HEAD, "contrary", "pin", "reroll", "winner", False, (1, 2, 0, 0)),
    "long_nardy": (HEAD, "parallel", "block", "reroll", "roll", False, (1, 2, 0, 3)),
    "nardegammon": (HEAD, "parallel", "block", "played", "roll", True, (1, 2, 0, 3)),
    "tawla31": (HEAD, "contrary", "block", "reroll", "winner", False, "count"),
    "portes": (START, "contrary", "hit", "reroll", "winner", False, (1, 2, 0, 0)),
    "plakoto": (HEAD, "contrary", "pin", "reroll", "winner", False, (1, 2, 0, 0)),
    "mahbusa": (HEAD, "contrary", "pin", "reroll", "winner", False, (1, 2, 0, 0)),
    "fevga": (HEAD, "parallel", "block", "reroll", "winner", False, (1, 2, 0, 0)),
    "moultezim": (HEAD, "parallel", "block", "reroll", "roll", False, (1, 2, 0, 0)),
    "gul_bara": (HEAD, "parallel", "block", "reroll", "winner", False, (1, 2, 0, 0)),
    "gioul": (HEAD, "contrary", "block", "reroll", "winner", False, (1, 2, 0, 0)),
    "hypergammon": ({24: 1, 23: 1, 22: 1}, "contrary", "hit", "played", "roll", True, (1, 2, 3, 0)),
    "longgammon": (HEAD, "contrary", "hit", "played", "roll", True, (1, 2, 3, 0)),
    "khachapuri": ({24: 4, 6: 11}, "parallel", "block", "reroll", "winner", False, "difference"),
    "irish": (START, "contrary", "hit", "played", "roll", False, (1, 0, 0, 0)),
    "acey_deucey": ({}, "contrary", "hit", "reroll", "roll", False, "count"),
}

# Everything else in which a game differs from backgammon.
DIFFERENCES: dict[str, dict[str, object]] = {
    "takhte": {"duty.tie": "pips", "hit_run.ban": "soft", "hit_run.priority": "dice_first"}
    | {"table.touch_move": True, "table.agreements": True},
    "tavla": {"hit_run.ban": "hard", "bearoff.forced": "after_duty"},
    "old_english": {"duty.dice": "voluntary", "duty.tie": "none", "occupancy.stack_cap": 5},
    "long_nardy": {"head.limit": 1, "head.exception": "three_doubles", "prime.allowed": "ahead_of_block"},
    "nardegammon": {"head.limit": 1, "head.exception": "three_doubles", "prime.allowed": "ahead_of_block"},
    "tawla31": {"runner.to": "home", "ending.closed_area": True},
    "plakoto": {"ending.mother": "at_once", "bearoff.pinned_blocks": True},
    "mahbusa": {"ending.mother": "at_once", "bearoff.pinned_blocks": True},
    "fevga": {
        "runner.to": "past_opponent_start",
        "occupancy.own_quarter": 5,
        "duty.must_open": "stack_behind",
    },
    "moultezim": {"runner.to": "past_opponent_start", "occupancy.opponent_quarter": 4},
    "gul_bara": {"throw.progression_from": 4},
    "gioul": {"throw.progression_from": 1, "throw.unused_to_opponent": True},
    "hypergammon": {"board.checkers": 3},
    "khachapuri": {"prime.allowed": "ahead_of_block"},
    "irish": {"throw.double_steps": 2},
    "acey_deucey": {"board.hand": 15, "throw.one_two_bonus": "needs_all"},
}

HEAD_WORDS = ("three_doubles", "any_blocked", "any_double")
BLOCK = {"block_rule": ("ahead_of_block", "in_home", "may_move", "none"), "block_transit": (True, False)}
NARDY = {"head_exception": (*HEAD_WORDS, "none"), **BLOCK, "home_mars": (3, 2), "koks": (False, True)}
PINNING = {"mother": (True, False), "mother_points": (2, 1), "pinned_blocks_bearoff": (True, False)}

# The rule options of the two option tables: keyword -> values, the first the default.
OPTIONS = {
    "tavla": {
        "hit_run_priority": ("absolute", "dice_first", "off"),
        "forced_bearoff": ("after_duty", "before_duty", "off"),
    },
    "old_english": {"partial": ("voluntary", "blocking"), "gammons": (False, True)},
    "tapa": {"mother": (False, True), "pinned_blocks_bearoff": (False, True)},
    "long_nardy": {**NARDY, "last_roll_tie": (False, True)},
    "nardegammon": NARDY,
    "tawla31": {
        "runner_to": ("home", "past_opponent_start"),
        "closed_area": ("win", "no_result", "forbidden", "off"),
        "loose_bearoff": (False, True),
        "scoring": ("count", "plain"),
    },
    "portes": {"hit_run_priority": ("off", "absolute", "dice_first"), "triple": (False, True)},
    "plakoto": PINNING,
    "mahbusa": {**PINNING, "mother_ends": ("at_once", "plays_on"), "runner_to": (None, "home")},
    "fevga": {
        "quarter_rule": ("own_start", "both", "opponents", "own_until_passed", "none"),
        "must_open": ("stack_behind", "any_lock", "off"),
        "runner_to": ("past_opponent_start",),
    },
    "moultezim": {
        "quarter_rule": ("four_of_opponents", "own_start", "none"),
        "must_open": ("off", "stack_behind", "any_lock"),
        "runner_to": ("past_opponent_start",),
    },
    "gul_bara": {
        "progression_from": (4, 1),
        "progression_count": ("own", "game"),
        "progression_in_bearoff": (True, False),
        "unused_to_opponent": (False, True),
        "runner_to": (None, "past_opponent_start"),
        "head_exception": (None, *HEAD_WORDS, "none"),
        "block_rule": (None, "ahead_of_block", "in_home"),
        "exact_bearoff": (False, True),
    },
    "gioul": {
        "progression_in_bearoff": (True, False),
        "unused_to_opponent": (True, False),
        "forfeit_simple": (False, True),
    },
    "khachapuri": {**BLOCK, "scoring": ("difference", "plain")},
    "irish": {"opening_dice": ("played", "reroll")},
    "acey_deucey": {
        "bonus_needs_all": (True, False),
        "exact_bearoff": (False, True),
        "scoring": ("count", "plain"),
    },
}

# What each option answers, where a word does not say it already.
EFFECTS = [
    ("tavla", {"hit_run_priority": "off"}, {"hit_run.ban": "none"}),
    ("tavla", {"hit_run_priority": "dice_first"}, {"hit_run.ban": "hard", "hit_run.priority": "dice_first"}),
    ("tavla", {"forced_bearoff": "before_duty"}, {"bearoff.forced": "before_duty"}),
    ("old_english", {"partial": "blocking"}, {"duty.dice": "blocking", "duty.tie": "none"}),
    ("old_english", {"gammons": True}, {"score.gammon": 2, "score.backgammon": 0}),
    ("tapa", {"mother": True}, {"ending.mother": "at_once", "ending.mother_points": 2}),
    ("long_nardy", {"head_exception": "none"}, {"head.limit": 1, "head.exception": "none"}),
    ("long_nardy", {"block_rule": "none"}, {"prime.allowed": "always"}),
    ("long_nardy", {"block_rule": None}, {"prime.allowed": "always"}),
    ("long_nardy", {"block_transit": False}, {"prime.transit": False}),
    ("long_nardy", {"home_mars": 2}, {"score.home_mars": 2, "score.koks": 0}),
    ("long_nardy", {"koks": True}, {"score.home_mars": 2, "score.koks": 3}),
    ("long_nardy", {"last_roll_tie": True}, {"ending.last_roll_tie": True}),
    (
        "tawla31",
        {"closed_area": "forbidden"},
        {"ending.closed_area": False, "occupancy.own_quarter": 5, "occupancy.quarter_until": "enemy_home"},
    ),
    (
        "tawla31",
        {"closed_area": "no_result"},
        {"ending.closed_area": True, "ending.closed_area_wins": False, "occupancy.own_quarter": 6},
    ),
    ("tawla31", {"closed_area": "off"}, {"ending.closed_area": False, "occupancy.own_quarter": 6}),
    ("tawla31", {"scoring": "plain"}, {"score.left": "off", "score.gammon": 2}),
    ("tawla31", {"loose_bearoff": True}, {"bearoff.overshoot": "loose"}),
    ("portes", {"hit_run_priority": "absolute"}, {"hit_run.ban": "hard", "hit_run.priority": "absolute"}),
    ("portes", {"triple": True}, {"score.gammon": 2, "score.backgammon": 3}),
    ("plakoto", {"mother": False}, {"ending.mother": "off"}),
    ("mahbusa", {"mother_ends": "plays_on"}, {"ending.mother": "plays_on"}),
    ("fevga", {"quarter_rule": "both"}, {"occupancy.own_quarter": 5, "occupancy.opponent_quarter": 5}),
    ("fevga", {"quarter_rule": "opponents"}, {"occupancy.own_quarter": 6, "occupancy.opponent_quarter": 5}),
    (
        "fevga",
        {"quarter_rule": "own_until_passed"},
        {"occupancy.own_quarter": 5, "occupancy.quarter_until": "enemy_passed"},
    ),
    (
        "moultezim",
        {"quarter_rule": "own_start"},
        {"occupancy.own_quarter": 5, "occupancy.opponent_quarter": 6},
    ),
    ("gul_bara", {"head_exception": "any_double"}, {"head.limit": 1, "head.exception": "any_double"}),
    ("gul_bara", {"head_exception": "none"}, {"head.limit": 1, "head.exception": "none"}),
    ("gul_bara", {"head_exception": None}, {"head.limit": 0, "head.exception": "none"}),
    ("gul_bara", {"exact_bearoff": True}, {"bearoff.overshoot": "exact", "bearoff.inside": False}),
    ("acey_deucey", {"exact_bearoff": True}, {"bearoff.overshoot": "exact", "bearoff.inside": True}),
    ("acey_deucey", {"bonus_needs_all": False}, {"throw.one_two_bonus": "always"}),
    ("acey_deucey", {"scoring": "plain"}, {"score.left": "off", "score.single": 1, "score.gammon": 0}),
    ("khachapuri", {"scoring": "plain"}, {"score.left": "off", "score.gammon": 2, "score.home_mars": 0}),
    ("irish", {"opening_dice": "reroll"}, {"opening.dice": "reroll"}),
    (
        "takhte",
        {"opening": "lower", "touch_move": False},
        {"opening.starter": "lower", "table.touch_move": False},
    ),
    ("tapa", {"cube": True, "allow_dead_double": True}, {"cube.use": True, "table.allow_dead_double": True}),
    ("irish", {"opening_dice": "reroll", "opening": "lower"}, {"opening.starter": "lower"}),
]


def answer(data: loader.VariantData, axis: str) -> object:
    """One answer of a game by its dotted name."""
    table, key = axis.split(".")
    return data.axes[table][key]


def test_every_shipped_game_has_its_sheet() -> None:
    assert loader.names() == tuple(SHEETS)
    assert {path.stem for path in loader.variants_folder.glob("*.toml")} == set(SHEETS)


@pytest.mark.parametrize("name", SHEETS)
def test_game_is_what_its_sheet_says(name: str) -> None:
    data = loader.load(name)
    setup, movement, contact, dice, later, cube, score = SHEETS[name]
    expected: dict[str, object] = {
        "board.setup": setup,
        "board.movement": movement,
        "contact.kind": contact,
        "opening.dice": dice,
        "opening.later": later,
        "cube.use": cube,
        "score.left": score if isinstance(score, str) else "off",
    }
    points = (1, 0, 0, 0) if isinstance(score, str) else score
    expected |= dict(
        zip(("score.single", "score.gammon", "score.backgammon", "score.home_mars"), points, strict=True)
    )
    expected |= DIFFERENCES.get(name, {})
    root = loader.load("backgammon")
    for table, keys in AXES.items():
        for key in keys:
            axis = f"{table}.{key}"
            assert answer(data, axis) == expected.get(axis, answer(root, axis)), axis


@pytest.mark.parametrize("name", SHEETS)
def test_axes_are_complete_allowed_and_coherent(name: str) -> None:
    data = loader.load(name)
    assert {table: tuple(keys) for table, keys in data.axes.items()} == {
        table: tuple(keys) for table, keys in AXES.items()
    }
    assert all(
        AXES[table][key].accepts(value) for table, keys in data.axes.items() for key, value in keys.items()
    )
    assert contradictions(data.axes) == []
    assert all(data.source_of(table, key).source for table, keys in AXES.items() for key in keys)
    assert all((data.title, data.description, data.region))


def test_inheritance_is_shallow() -> None:
    for name in loader.names():
        base = loader.load(name).base
        if base is not None:
            first = loader.load(base).base
            assert first is None or loader.load(first).base is None


def test_names_and_aliases() -> None:
    assert loader.resolve("short_nardy") == "backgammon"
    assert loader.resolve(" Long Nardy ") == loader.resolve("long-nardy") == "long_nardy"
    assert loader.load("short_nardy") is loader.load("backgammon")
    taken = [name for game in loader.names() for name in (game, *loader.load(game).aliases)]
    assert len(taken) == len(set(taken))
    with pytest.raises(VariantError, match="did you mean tapa") as caught:
        loader.resolve("tapaa")
    assert "khachapuri" in str(caught.value)


def test_sources_follow_the_file_that_answered() -> None:
    tavla = loader.load("tavla")
    assert "Tavla" in tavla.source_of("hit_run", "ban").source
    assert "Tavla" in tavla.source_of("bearoff", "forced").source
    assert "(000)" in tavla.source_of("bearoff", "overshoot").source
    mahbusa = loader.load("mahbusa")
    assert mahbusa.source_of("cube", "use") == loader.load("plakoto").source_of("cube", "use")
    koks = loader.load("long_nardy").with_options(koks=True)
    assert koks.source_of("score", "koks").note == "option koks = true"
    assert koks.source_of("score", "gammon") == loader.load("long_nardy").source_of("score", "gammon")
    with pytest.raises(KeyError):
        tavla.source_of("hit_run", "nothing")


def test_a_table_with_a_source_alone_confirms_all_its_answers() -> None:
    gioul = loader.load("gioul")
    assert gioul.axes["head"] == loader.load("gul_bara").axes["head"]
    assert gioul.source_of("head", "limit").source == "family default"


# --- options ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHEETS)
def test_options_are_those_of_the_sheets(name: str) -> None:
    options = loader.load(name).options
    rules = {key: spec for key, spec in options.items() if spec.level == "rule"}
    assert {key: spec.values for key, spec in rules.items()} == OPTIONS.get(name, {})
    assert all(spec.doc and spec.source and spec.default == spec.values[0] for spec in options.values())
    cards = {key for key, spec in options.items() if spec.level == "card"}
    _, _, _, dice, later, cube, _ = SHEETS[name]
    expected = {"later_start", "cube", "touch_move", "settle", "agreements"}
    expected |= {"opening"} if dice == "reroll" else set()
    expected |= {"allow_dead_double", "cube_limit"} if cube else set()
    assert cards == expected
    assert options["later_start"].default == later
    assert set(options["later_start"].values) == {"roll", "winner", "alternate"}
    assert options["cube"].values == (cube, not cube)
    assert not cube or options["cube_limit"].values == (None, 64)
    assert options["touch_move"].default is (name == "takhte")
    assert options["agreements"].default is (name == "takhte")


@pytest.mark.parametrize(("name", "options", "answers"), EFFECTS)
def test_option_answers(name: str, options: dict[str, object], answers: dict[str, object]) -> None:
    data = loader.load(name).with_options(**options)
    assert {axis: answer(data, axis) for axis in answers} == answers
    untouched = {axis.split(".")[0] for axis in answers}
    plain = loader.load(name)
    assert all(data.axes[table] == plain.axes[table] for table in AXES if table not in untouched)


@pytest.mark.parametrize("name", SHEETS)
def test_every_value_and_every_pair_of_values_is_a_game(name: str) -> None:
    data = loader.load(name)
    for key, spec in data.options.items():
        for value in spec.values:
            changed = data.with_options(**{key: value})
            assert changed.chosen == ({} if value == spec.default else {key: value})
    rules = {key: spec for key, spec in data.options.items() if spec.level == "rule"}
    for first, second in combinations(rules, 2):
        for one, two in product(rules[first].values, rules[second].values):
            # The one pair that asks for two things at once: a mother that means nothing and plays on.
            if (one, second, two) == (False, "mother_ends", "plays_on") and first == "mother":
                with pytest.raises(VariantError, match="mother_ends and mother contradict"):
                    data.with_options(**{first: one, second: two})
            else:
                changed = data.with_options(**{first: one, second: two})
                assert contradictions(changed.axes) == []


def test_defaults_change_nothing() -> None:
    tapa = loader.load("tapa")
    assert tapa.with_options(mother=False, cube=False) is tapa
    assert tapa.with_options(mother=True).with_options(mother=False) is tapa
    both = tapa.with_options(mother=True).with_options(pinned_blocks_bearoff=True)
    assert both == tapa.with_options(pinned_blocks_bearoff=True, mother=True)
    assert dict(both.chosen) == {"mother": True, "pinned_blocks_bearoff": True}


def test_none_and_its_name_are_the_same_everywhere() -> None:
    gul_bara = loader.load("gul_bara")
    assert gul_bara.with_options(runner_to="none", head_exception=None) is gul_bara
    nardy = loader.load("long_nardy")
    assert nardy.with_options(head_exception=None) == nardy.with_options(head_exception="none")


def test_every_wrong_option_is_named_with_what_is_allowed() -> None:
    with pytest.raises(VariantError) as caught:
        loader.load("tapa").with_options(mothr=True, cube=1, pinned_blocks_bearoff="yes")
    assert len(caught.value.problems) == 3
    text = str(caught.value)
    assert "did you mean mother?" in text
    assert "cube = 1 is not allowed; allowed: false (default), true" in text
    assert "pinned_blocks_bearoff = 'yes'" in text


@pytest.mark.parametrize("value", [True, 4.0, "4", None, [4], 2])
def test_values_of_another_type_are_refused(value: object) -> None:
    with pytest.raises(VariantError, match="progression_from"):
        loader.load("gul_bara").with_options(progression_from=value)


def test_options_that_contradict_each_other() -> None:
    with pytest.raises(VariantError, match=r"contradict each other about ending\.mother"):
        loader.load("mahbusa").with_options(mother=False, mother_ends="plays_on")
    with pytest.raises(VariantError, match="allow_dead_double can be set only with cube = true"):
        loader.load("backgammon").with_options(cube=False, allow_dead_double=True)


def test_option_texts_as_a_command_line_has_them() -> None:
    options = loader.load("gul_bara").options
    assert options["progression_from"].parse("1") == 1
    assert options["exact_bearoff"].parse("True") is True
    assert options["runner_to"].parse("none") is None
    assert options["runner_to"].parse("somewhere") == "somewhere"


# --- fingerprints and copies ------------------------------------------------------------------------


def test_fingerprints_stand_for_rules_not_names() -> None:
    prints = {name: loader.load(name).fingerprint for name in loader.names()}
    assert all(len(value) == 16 and int(value, 16) >= 0 for value in prints.values())
    assert prints["nardegammon"] == prints["long_nardy"]
    assert prints["mahbusa"] == prints["plakoto"]
    assert len(set(prints.values())) == len(prints) - 2
    tapa = loader.load("tapa")
    assert tapa.with_options(mother=True, pinned_blocks_bearoff=True).fingerprint == prints["plakoto"]


def test_the_table_leaves_the_fingerprint_alone() -> None:
    tapa = loader.load("tapa")
    changed = tapa.with_options(cube=True, later_start="alternate", opening="lower", touch_move=True)
    assert changed.fingerprint == tapa.fingerprint
    assert {"opening", "cube", "table"} == set(TABLE_ONLY)


def test_fingerprint_is_stable() -> None:
    # A new value here breaks every net and table in the world: change the rules on purpose only.
    assert loader.load("backgammon").fingerprint == "e4d40f712fcb0e1e"
    code = "from sheshbesh.rules import loader; print(loader.load('fevga').fingerprint)"
    fresh = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert fresh.stdout.strip() == loader.load("fevga").fingerprint


def test_games_travel_between_processes_and_stay_read_only() -> None:
    data = loader.load("long_nardy").with_options(koks=True)
    copy = pickle.loads(pickle.dumps(data))
    assert copy == data
    assert (hash(copy), copy.fingerprint) == (hash(data), data.fingerprint)
    assert copy.with_options(koks=False) == loader.load("long_nardy")
    for game in (data, copy):
        for mapping in (game.axes, game.axes["score"], game.axes["board"]["setup"], game.chosen):
            with pytest.raises(TypeError):
                mapping["single"] = 3  # type: ignore[index]


# --- games of the user's own ------------------------------------------------------------------------

OWN = """
name = "short_tapa"
title = "Short tapa"
base = "tapa"
keep_options = ["mother"]

[board]
checkers = 5
setup = { 24 = 5 }
source = "our club"

[options.strict]
doc = "whether nothing moves inside the home"
source = "our club"
level = "rule"
[options.strict.values]
false = {}
true = { bearoff = { overshoot = "exact", inside = false } }
"""


def test_a_game_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN, encoding="utf-8")
    data = loader.load_file(path)
    assert data.axes["board"]["setup"] == {24: 5}
    assert data.axes["contact"]["kind"] == "pin"
    assert data.source_of("board", "checkers").source == "our club"
    assert data.source_of("contact", "kind") == loader.load("tapa").source_of("contact", "kind")
    assert [key for key, spec in data.options.items() if spec.level == "rule"] == ["mother", "strict"]
    assert data.with_options(strict=True, mother=True).axes["bearoff"]["inside"] is False


def test_an_option_answers_axes_that_there_are_alone(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    answer = "bearoff = { overshoot"
    for written, known in (("endgame = { overshoot", "endgame"), ("bearoff = { overshot", "overshot")):
        path.write_text(OWN.replace(answer, written), encoding="utf-8")
        with pytest.raises(VariantError, match=rf"options\.strict\.values\.true\S*{known}: unknown"):
            loader.load_file(path)


def test_a_broken_file_raises_with_every_problem(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN.replace("short_tapa", "tapa").replace("24 = 5", "24 = 6"), encoding="utf-8")
    with pytest.raises(VariantError) as caught:
        loader.load_file(path)
    assert len(caught.value.problems) == 2
    for text in ("[[[", "name = \x00", "a = " + "[" * 5000):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(VariantError, match="not a TOML file"):
            loader.load_file(path)
    with pytest.raises(VariantError, match="cannot be read"):
        loader.load_file(tmp_path / "missing.toml")
