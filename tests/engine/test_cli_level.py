"""`sheshbesh play --level`: the engine at the table, with nets that know nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import sheshbesh as sb
from sheshbesh.cli.main import cli
from sheshbesh.engines import registry
from sheshbesh.engines.strength import levels
from sheshbesh.players.opponent import (
    EngineOpponent,
    HeuristicOpponent,
    find_opponent,
    introduce,
    is_opponent,
)
from tests.sizes import sampled

pytestmark = pytest.mark.usefixtures("archive")

FORWARD = ("l", "1", "", "take", "y")
"""Whatever is asked, one of these answers it."""


@pytest.fixture
def shipped(nets: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The random nets in the place of those that are shipped."""
    monkeypatch.setattr(registry, "shipped_folder", nets)
    registry.shipped.cache_clear()
    yield nets
    registry.shipped.cache_clear()


@pytest.fixture
def no_nets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A program without any net."""
    folder = tmp_path / "none"
    folder.mkdir()
    monkeypatch.setattr(registry, "shipped_folder", folder)
    registry.shipped.cache_clear()
    yield
    registry.shipped.cache_clear()


def run(*words: str, lines: Iterable[str] = ()) -> Result:
    result = CliRunner().invoke(cli, words, input="".join(f"{line}\n" for line in lines))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def said(result: Result) -> str:
    return " ".join(result.output.split())


@pytest.mark.usefixtures("shipped")
@pytest.mark.parametrize("name", sampled(("tapa", "gioul"), "gioul".__eq__))
def test_a_game_against_a_level_goes_to_its_end(name: str) -> None:
    result = run("play", name, "--level", "casual", "--no-tutor", "--seed", "5", lines=FORWARD * 60)
    assert result.exit_code == 0
    assert "The casual bot " in said(result)
    assert "The game is over: " in result.output


@pytest.mark.usefixtures("shipped")
def test_a_match_with_the_cube_against_a_level_goes_to_its_end() -> None:
    result = run(
        "play", "backgammon", "--level", "beginner", "--no-tutor", "--match", "1", lines=FORWARD * 100
    )
    assert result.exit_code == 0
    assert "wins the match" in said(result)


@pytest.mark.usefixtures("shipped")
def test_the_same_seed_plays_the_same_game() -> None:
    first, second = (
        run("play", "tavla", "--level", "beginner", "--seed", "3", "--no-record", lines=FORWARD * 12)
        for _ in range(2)
    )
    assert first.output == second.output


@pytest.mark.usefixtures("shipped")
def test_a_match_is_taken_up_again_at_its_level(archive: Path) -> None:
    run("play", "portes", "--level", "beginner", lines=(*FORWARD, *FORWARD, "q"))
    assert next(archive.glob("*")).exists()
    result = run("play", "--resume", lines=("q",))
    assert result.exit_code == 0
    assert "beginner bot" in result.output


@pytest.mark.usefixtures("shipped")
def test_rules_that_no_net_was_made_for_are_said_to_be_played_by_another(shipped: Path) -> None:
    words = ("--option", "forced_bearoff=before_duty", "--level", "club", "--seed", "1")
    result = run("play", "tavla", *words, lines=("q",))
    assert "No net was trained for these rules, so that of Tavla stands in." in said(result)


@pytest.mark.usefixtures("no_nets")
def test_without_any_net_the_simple_bot_sits_down_and_says_so() -> None:
    result = run("play", "tavla", "--seed", "1", lines=("q",))
    assert "a simple bot, which plays by heuristics" in said(result)
    refused = run("play", "tavla", "--level", "club")
    assert refused.exit_code == 2
    assert "no net was found" in said(refused)


def test_a_level_is_the_programs_alone() -> None:
    result = run("play", "tavla", "--opponent", "human", "--level", "club")
    assert result.exit_code == 2
    assert run("play", "tavla", "--level", "godlike").exit_code == 2


@pytest.mark.usefixtures("shipped")
def test_the_level_sits_in_a_chouette_too() -> None:
    words = ("Ann", "Bob", "Cem", "--bots", "Bob,Cem", "--level", "beginner", "--seed", "2")
    result = run("chouette", *words, lines=(*FORWARD, "q"))
    assert "The beginner bot plays for Bob and Cem." in said(result)


def test_names_at_the_table_tell_who_is_none() -> None:
    assert is_opponent("bot") and is_opponent("club bot")
    assert not any(is_opponent(name) for name in ("you", "", "robot", "great bot", "Bot"))


@pytest.mark.usefixtures("shipped")
def test_the_opponent_says_what_it_loses_where_that_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = sb.variant("tavla")
    expert = find_opponent(game, "expert", 1)
    assert isinstance(expert, EngineOpponent)
    net = expert.engine.net.sha256
    rate = {"loss": 0.0123, "standard_error": 0.0015, "decisions": 400, "judge_plies": 2, "net": net}
    file = tmp_path / "levels.json"
    file.write_text(json.dumps({game.fingerprint: {"game": "tavla", "levels": {"expert": rate}}}))
    with monkeypatch.context() as patch:
        patch.setattr(levels, "measured_file", file)
        levels.measurements.cache_clear()
        known, unknown = introduce(expert, game), introduce(find_opponent(game, "casual", 1), game)
    levels.measurements.cache_clear()
    description = levels.find("expert").description
    assert known == f"The expert bot {description}; it gives up about 12.3 ± 1.5 mEq per decision."
    assert unknown == f"The casual bot {levels.find('casual').description}."
    assert "No net" in introduce(HeuristicOpponent(1), game)
