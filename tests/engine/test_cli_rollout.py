"""`sheshbesh rollout`: the same numbers as from Python, and plain words where the input is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import sheshbesh as sb
from sheshbesh.cli.main import cli
from sheshbesh.engines import registry


@pytest.fixture(autouse=True)
def _random_nets(nets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "shipped", lambda: registry.manifests(nets))


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ("rollout", *words))


def test_a_position_is_rolled_out_to_a_file_and_again(tmp_path: Path) -> None:
    engine = sb.engine("hypergammon")
    position = engine.variant.start().legal_plays((6, 5))[0].result
    file = tmp_path / "rollout.json"
    words = ("hypergammon", "--position", position.id, "--trials", "72", "--seed", "4", "--file", str(file))
    first = run(*words)
    assert first.exit_code == 0, first.output
    found = engine.rollout(position, options=sb.RolloutOptions(trials=72, seed=4))
    assert position.id in first.output and "72 trials" in first.output
    assert f"Equity                 {found.equity}" in first.output
    assert file.exists() and run(*words, "--threads", "2").output == first.output
    other = run(*words[:-3], "5", *words[-2:])
    assert other.exit_code == 2 and "another rollout" in other.output


def test_an_id_of_another_program_brings_its_dice_and_score() -> None:
    start = sb.variant("hypergammon").start()
    theirs, ours = (
        ["hypergammon", "--plays", "2", "--trials", "36"],
        ["--position", start.id, "--dice", "6-5"],
    )
    for text in (
        sb.format_xgid(start, None, (6, 5)).removeprefix("XGID="),
        sb.format_gnubg_id(start, None, (6, 5)),
    ):
        assert run(*theirs, "--position", text).output == run(*theirs, *ours).output
    at_score = sb.format_xgid(start, sb.MatchState(length=5, white=3, black=2))
    assert "Equity with the cube" in run("hypergammon", "--position", at_score, "--trials", "36").output
    wrong = run("hypergammon", "--position", "XGID=----BbC---dE---c-e----B-:0:0:1:00:0:0:3:0:10")
    assert wrong.exit_code != 0
    assert "the board of an XGID has 26 characters" in f"{wrong.output}{wrong.exception}"


def test_plays_are_compared_and_the_cube_may_be_in_play() -> None:
    found = run("hypergammon", "--dice", "6-5", "--plays", "2", "--trials", "36")
    assert found.exit_code == 0, found.output
    assert len(found.output.splitlines()) == 3 and "±" in found.output.splitlines()[1]
    cubeful = run("backgammon", "--trials", "36", "--truncate", "2", "--money")
    assert "Equity with the cube" in cubeful.output


@pytest.mark.parametrize(
    "words",
    [
        ("--dice", "7"),
        ("--dice", "a-b"),
        ("--position", "x"),
        ("nogame",),
        ("--depth", "2", "--money"),
        ("--target", "nan"),
        ("--lead", "nan"),
        ("--seed", "99999999999999999999999"),
        ("--truncate", "99999999999"),
        ("--file", f"{__file__}/x.json"),
        ("tapa", "--money"),
        ("--position", "n23:b"),
    ],
)
def test_wrong_words_get_a_sentence(words: tuple[str, ...]) -> None:
    result = run(*words)
    assert result.exit_code == 2 and isinstance(result.exception, SystemExit)
    assert "Error" in result.output
