"""`sheshbesh review`: JSON, folders, files, and one line where something is wrong."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from click import Context
from click.testing import CliRunner, Result

from sheshbesh.cli.commands.review import _depth
from sheshbesh.cli.game_arguments import LANGUAGE
from sheshbesh.cli.main import cli
from sheshbesh.i18n import translate
from sheshbesh.records import read_match
from sheshbesh.reviews.job import Progress
from tests.records.help import DATA
from tests.reviews.test_review import ROWS, short_text


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["review", "--plies", "0", "--workers", "1", *map(str, arguments)])


@pytest.fixture(autouse=True)
def kept(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which reviews are kept."""
    folder = tmp_path_factory.mktemp("data")
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    return folder / "sheshbesh" / "reviews"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "short.mat"
    path.write_text(short_text())
    return path


def test_one_file_is_one_object_and_a_folder_is_a_list(file: Path) -> None:
    alone = run(file, "--json")
    assert (alone.exit_code, alone.stderr) == (0, "")
    data = json.loads(alone.stdout)
    assert data["file"] == str(file)
    assert next(each["played"] for each in data["decisions"] if each["type"] == "play") == "13/7 8/7"
    folder = run(file.parent, "--json")
    assert json.loads(folder.stdout) == [data]
    assert len(json.loads(run(file, file, "--json").stdout)) == 2


@pytest.mark.parametrize("word", ["thorough", "rollout"])
def test_the_deepest_look_is_named_as_it_was_and_as_it_is(word: str) -> None:
    refused = CliRunner().invoke(cli, ["review", "--plies", word, "/no/such.mat"])
    assert "/no/such.mat" in refused.stderr and "--plies" not in refused.stderr


def test_the_deepest_look_goes_on_by_either_of_its_names(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[tuple[object, object]] = []

    def begin(_match: object, *, plies: object, state: object, **_: object) -> None:
        begun.append((plies, state))
        raise ValueError

    monkeypatch.setenv("SHESHBESH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("sheshbesh.reviews.start_review", begin)
    for word in ("thorough", "rollout"):
        CliRunner().invoke(cli, ["review", "--plies", word, "--resume", str(file)])
    assert len(begun) == 2 and begun[0] == begun[1]


def test_what_is_no_match_ends_with_one_line_and_is_left_out_of_a_folder(file: Path) -> None:
    bad = file.with_name("bad.txt")
    bad.write_text("a shopping list")
    alone = run(bad)
    assert (alone.exit_code, alone.stdout, len(alone.stderr.splitlines())) == (2, "", 1)
    assert str(bad) in alone.stderr
    folder = run(file.parent, "--json")
    assert (folder.exit_code, len(json.loads(folder.stdout)), len(folder.stderr.splitlines())) == (0, 1, 1)
    assert "left out" in folder.stderr and "bad.txt" in folder.stderr
    for arguments in (["/no/such.mat"], [file, "--cluster", "tcp://127.0.0.1:1"]):
        result = run(*arguments)
        assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)


def test_every_repair_is_a_line_on_standard_error() -> None:
    result = run(DATA / "galaxy.txt", "--json")
    assert result.exit_code == 0
    assert result.stderr.splitlines() and all(line.startswith("line ") for line in result.stderr.splitlines())


def test_on_a_terminal_no_line_is_longer_than_it_is_wide(file: Path) -> None:
    ours, theirs = pty.openpty()
    words = ["review", "--plies", "0", "--workers", "1", "--lang", "en", str(file)]
    done = subprocess.run(
        [sys.executable, "-m", "sheshbesh", *words],
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "COLUMNS": "60"},
        check=True,
    )
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 65536):
            shown += piece
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert done.returncode == 0
    whole = run(file, "--lang", "en").stdout
    assert max(map(len, shown.decode().splitlines())) < 60 < max(map(len, whole.splitlines()))
    assert shown.decode().split() == whole.split()


def test_the_rule_decides_what_is_counted(file: Path) -> None:
    data = json.loads(run(file, "--json", "--rule", "xg").stdout)
    assert data["statistics"]["rule"] == "xg"
    for side, player in zip(("white", "black"), data["statistics"]["players"], strict=True):
        counted = [each for each in data["decisions"] if each["side"] == side and each["counted"]]
        assert len(counted) == player["decisions"]


def test_a_review_that_was_resumed_leaves_nothing_behind(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHESHBESH_CACHE", str(tmp_path / "cache"))
    once, again = run(file, "--json"), run(file, "--json", "--resume")
    assert once.stdout == again.stdout
    assert not list((tmp_path / "cache" / "reviews").iterdir())


@pytest.mark.parametrize("lang", ["en", "fa", "ar", "ru", "tr"])
def test_the_report_speaks_the_language_that_is_asked_for(lang: str, file: Path) -> None:
    result = run(file, "--lang", lang)
    assert result.exit_code == 0
    assert ("The costliest errors" in result.stdout) == (lang == "en")
    assert len(ROWS) > 0 and "EMG" in result.stdout
    assert run(file, "--lang", "xx").exit_code == 2


def test_a_report_goes_to_a_page_a_match_file_or_a_folder_of_pages(file: Path, tmp_path: Path) -> None:
    page, match, folder = tmp_path / "a.html", tmp_path / "a.sgf", tmp_path / "pages"
    result = run(file, "-o", page, "--json")
    assert result.exit_code == 0 and json.loads(result.stdout)["file"] == str(file)
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert (run(file, "-o", match).stdout, read_match(match).analysis != ()) == ("", True)
    inside = tmp_path / "in"
    inside.mkdir()
    (inside / "one.txt").write_text(short_text())
    assert run(inside, "-o", folder).exit_code == 0
    assert [each.name for each in folder.iterdir()] == ["one.txt.html"]
    assert run(file, "-o", tmp_path / "no" / "such" / "a.html").exit_code == 2


def test_a_bar_names_its_pass_in_the_language_of_the_command() -> None:
    with Context(cli) as context:
        context.meta[LANGUAGE] = "ru"
        assert _depth(Progress(1, 2, "rollout")) == translate("rollouts", "ru") != "rollouts"
        assert _depth(Progress(1, 2, 2)) == "2 полухода"
