"""Recipes, and the rule sets a net is trained for: what holds, what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.errors import TrainingError

np = pytest.importorskip("numpy", reason="needs the extra train")
torch = pytest.importorskip("torch", reason="needs the extra train")

from sheshbesh.training import coverage, recipe  # noqa: E402
from tests.training.small import small_recipe  # noqa: E402


def test_one_net_serves_the_options_that_keep_the_ways_a_game_can_end() -> None:
    covered = coverage.cover(sb.variant("long_nardy"), "auto", 0.2)
    assert len(covered.variants) > 3
    assert len({coverage.classes_of(variant) for variant in covered.variants}) == 1
    assert covered.shares(0, 100) == [(0, 80), (1, 20)]
    assert len(covered.fingerprints()) == len(covered.variants)


def test_an_option_that_adds_a_result_needs_a_net_of_its_own() -> None:
    with pytest.raises(TrainingError, match="mother"):
        coverage.cover(sb.variant("tapa"), [{"mother": True}], 0.2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"round": 0}, "round"),
        ({"decay": [0.1, 2]}, "decay"),
        ({"widths": [100]}, "multiple of 64"),
        ({"speed": 3}, "speed"),
        ({"plies": 2}, "decay must be 0"),
        ({"plies": 9}, "plies"),
        ({"inner": 0.5, "plies": 1}, "plies must be 2 or 3"),
        ({"holding": 0.6, "priming": 0.6}, "at most 1 together"),
        ({"widths": 64}, "widths"),
        ({"widths": "64"}, "widths"),
        ({"keep": 0}, "keep"),
        ({"keep": 2.0}, "keep"),
        ({"passes": "x"}, "passes"),
        ({"passes": -1}, "passes"),
        ({"passes": float("inf")}, "passes"),
        ({"polish": "no"}, "polish"),
        ({"anew": 1}, "anew"),
        ({"head": "yes"}, "head"),
        ({"head": True, "anew": True}, "head"),
        ({"decay": True}, "decay"),
        ({"rate": float("nan")}, "rate"),
        ({"batch": 10**11}, "batch"),
        ({"gate_pairs": 1}, "gate_pairs"),
    ],
)
def test_a_recipe_that_does_not_hold_names_stage_and_entry(change: dict[str, Any], message: str) -> None:
    stage = {"games": 10, "widths": [64], "decay": 1.0, "rate": 1e-3}
    assert recipe.read({"stages": [stage]}, "x.toml").games == 10
    with pytest.raises(TrainingError, match=rf"recipe x\.toml, stage 2: .*{message}"):
        recipe.read({"stages": [stage, stage | change]}, "x.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stages = [1, 2]", "stage 1 is a table"),
        ("stages = 5", "no stages"),
        ("stage = 5", "stage is a table"),
        ("options = 5", "options is"),
        ('options = "none"', "options is"),
        ('options = ["a"]', "options is"),
        ('seed = "a"', "seed is a whole number"),
        ("seed = -1", "seed is a whole number"),
        ("seed = 4294967296", "seed is a whole number"),
        ("average = 2.0", "average is a number"),
        ('option_share = "x"', "option_share is a number"),
        ("checks = -1", "checks is a whole number"),
        ("check_pairs = 0", "check_pairs is from 2 up"),
        ("speed = 3", "unknown entries speed"),
        ("= =", "line 1"),
        ("# \udcff", "UTF-8"),
    ],
)
def test_a_recipe_file_that_does_not_hold_names_file_and_entry(
    text: str, message: str, tmp_path: Path
) -> None:
    file = tmp_path / "x.toml"
    file.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(TrainingError, match=rf"recipe .*x\.toml: .*{message}"):
        recipe.load(file)


def test_a_recipe_without_checks_needs_no_pairs_for_them(tmp_path: Path) -> None:
    plan = recipe.load(small_recipe(tmp_path, "checks = 0\ncheck_pairs = 0"))
    assert (plan.checks, plan.check_pairs) == (0, 0)


def test_a_net_never_shrinks_in_a_recipe() -> None:
    stage = {"games": 10, "widths": [128], "decay": 1.0, "rate": 1e-3}
    for smaller in ([64], [128, 64]):
        with pytest.raises(TrainingError, match="only grows"):
            recipe.read({"stages": [stage, stage | {"widths": smaller}]}, "x.toml")
    anew = stage | {"widths": [64], "anew": True}
    assert recipe.read({"stages": [stage, anew]}, "x.toml").stages[1].widths == (64,)


def test_a_polished_net_is_only_polished_further() -> None:
    stage = {"games": 10, "widths": [64], "decay": 1.0, "rate": 1e-3, "polish": True}
    for change in ({"polish": False}, {"widths": [128]}):
        with pytest.raises(TrainingError, match="after a stage that polishes"):
            recipe.read({"stages": [stage, stage | change]}, "x.toml")
        recipe.read({"stages": [stage, stage | change | {"anew": True, "polish": False}]}, "x.toml")
    with pytest.raises(TrainingError, match="stage 2: a net that begins anew"):
        recipe.read({"stages": [stage, stage | {"anew": True}]}, "x.toml")


def test_the_shipped_recipes_hold() -> None:
    default, further = recipe.load(), recipe.load(Path(recipe.FURTHER))
    assert default.games > 1000
    assert {stage.widths for stage in further.stages} == {default.stages[-1].widths}
    assert further.stages[0].anew, "so any net can teach it, polished or not"
    assert further.stages[-1].gate_pairs >= 10_000


def test_a_file_named_like_a_shipped_recipe_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / recipe.FURTHER).write_text("seed = 77")
    monkeypatch.chdir(tmp_path)
    assert recipe.load(Path(recipe.FURTHER)).seed == 77
    with pytest.raises(TrainingError, match="recipe nearer: No such file"):
        recipe.load(Path("nearer"))


def test_stages_follow_the_games_played() -> None:
    plan = recipe.load().scaled(1000)
    assert plan.share(0, 0.0) == 0.0
    assert plan.share(0, 1.0) == pytest.approx(plan.share(1, 0.0))
    assert plan.share(len(plan.stages), 0.0) == 1.0
    assert plan.games == pytest.approx(1000, abs=2)
