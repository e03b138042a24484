"""`sheshbesh convert` and `sheshbesh statistics`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sheshbesh.cli.main import cli
from sheshbesh.records import read_match
from tests.records.help import DATA, games, sample

REPAIRED = "galaxy.txt"


def run(*arguments: object) -> Result:
    """What the command line answers."""
    return CliRunner().invoke(cli, [str(each) for each in arguments])


def test_convert_prints_the_json_form_of_the_contract() -> None:
    answer = run("convert", DATA / "four_ways.mat", "--to", "json")
    assert answer.exit_code == 0
    assert answer.stderr == ""
    data = json.loads(answer.stdout)
    assert list(data) == [*("format", "dialect", "variant", "length", "players", "tags", "games", "repairs")]
    assert list(data["games"][0]) == ["number", "score", "crawford", "events", "result"]
    assert data["games"][0]["events"][0] == {
        "type": "play",
        "side": "white",
        "dice": [5, 1],
        "play": "24/23 13/8",
        "legal": True,
        "position": "XGID=-b----E-C---eE---c-e----B-:0:0:1:51:0:0:0:7:10",
    }


def test_convert_tells_each_repair_in_one_line_and_still_succeeds() -> None:
    answer = run("convert", DATA / REPAIRED, "--to", "mat")
    assert answer.exit_code == 0
    (line,) = answer.stderr.splitlines()
    assert line.startswith("line 102: ")
    assert "result" in line


@pytest.mark.parametrize("dialect", ["xg", "gnubg"])
def test_convert_writes_a_file_that_reads_back(dialect: str, tmp_path: Path) -> None:
    out = tmp_path / "out.mat"
    answer = run("convert", DATA / "four_ways.xg", "--to", "mat", "--dialect", dialect, "-o", out)
    assert (answer.exit_code, answer.stdout) == (0, "")
    back = read_match(out)
    assert back.dialect == dialect
    assert games(back) == games(sample("four_ways.xg"))


@pytest.mark.parametrize("command", [("convert", "--to", "json"), ("statistics", "--json")])
def test_what_is_no_match_ends_with_two_and_one_line(command: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "no.txt"
    path.write_text("hello\nworld\n", encoding="utf-8")
    for file in (path, tmp_path / "missing", tmp_path):
        answer = run(command[0], file, *command[1:])
        assert (answer.exit_code, answer.stdout) == (2, "")
        assert len(answer.stderr.splitlines()) == 1


def test_statistics_prints_one_object_for_one_file_and_a_list_for_many() -> None:
    one = json.loads(run("statistics", DATA / "analysed.sgf", "--json").stdout)
    assert one["rule"] == "gnubg"
    player = one["players"][0]
    assert list(player) == [
        *("name", "moves", "cube", "luck", "rate_memg", "snowie", "fibs", "actual_mwc", "luck_adjusted_mwc")
    ]
    two = json.loads(run("statistics", DATA / "analysed.sgf", DATA / "analysed_2ply.sgf", "--json").stdout)
    assert two[0] == one


def test_statistics_by_xgs_rule_have_the_form_of_the_contract() -> None:
    data = json.loads(run("statistics", DATA / "four_ways.xg", "--rule", "xg", "--json").stdout)
    assert [list(player) for player in data["players"]] == [["name", "decisions", "error", "pr", "elo"]] * 2


def test_statistics_without_analysis_says_why() -> None:
    answer = run("statistics", DATA / "xg.txt", "--json")
    assert answer.exit_code == 2
    assert "no analysis" in answer.stderr


def test_statistics_for_reading_have_both_players_side_by_side() -> None:
    answer = run("statistics", DATA / "analysed.sgf", "--bars")
    assert answer.exit_code == 0
    assert "moves, unforced" in answer.stdout
    assert "bars, pr" in answer.stdout
