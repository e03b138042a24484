"""A stranger follows "Add a game" of CONTRIBUTING.md to the letter."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

import sheshbesh as sb
from sheshbesh.cli.main import cli
from sheshbesh.rules import loader

PAGE = Path(__file__).resolve().parents[1] / "CONTRIBUTING.md"
SECTION = re.search(r"^## Add a game\n(.*?)^## ", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
LEAVE = "q\ny\n"


def blocks(kind: str) -> list[str]:
    """The fenced blocks of the section."""
    assert SECTION is not None
    found = re.findall(rf"^```{kind}\n(.*?)^```$", SECTION[1], re.MULTILINE | re.DOTALL)
    assert found, kind
    return found


def commands() -> list[list[str]]:
    return [shlex.split(line) for block in blocks("sh") for line in block.splitlines()]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, the stranger's, with the file of step 1."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path.with_name("records")))
    (text,) = blocks("toml")
    (tmp_path / f"{tomllib.loads(text)['name']}.toml").write_text(text, "utf-8")
    return tmp_path


def test_the_file_is_named_as_the_page_says(folder: Path) -> None:
    (file,) = folder.iterdir()
    assert f"`{file.name}`" in PAGE.read_text("utf-8")
    assert file.stem not in sb.variants()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", commands(), ids=shlex.join)
def test_every_command_works(command: list[str]) -> None:
    assert command[0] == "sheshbesh"
    outcome = CliRunner().invoke(cli, command[1:], input=LEAVE)
    assert outcome.exit_code == 0, f"{outcome.output}{outcome.exception!r}"
    assert outcome.output.strip()


def test_the_check_finds_a_fault_when_there_is_one(folder: Path) -> None:
    (file,) = folder.iterdir()
    file.write_text(file.read_text("utf-8").replace("checkers = 3", "checkers = 4"), "utf-8")
    (check,) = [command for command in commands() if command[1:3] == ["variant", "check"]]
    outcome = CliRunner().invoke(cli, check[1:])
    assert outcome.exit_code != 0
    assert "3 checkers in the setup" in outcome.output


@pytest.mark.usefixtures("folder")
def test_the_proof_passes_and_the_game_is_what_the_page_says() -> None:
    names: dict[str, object] = {}
    for block in blocks("python"):
        exec(compile(block, str(PAGE), "exec"), names)
    game = names["game"]
    assert isinstance(game, sb.Variant)
    assert game.title == "Hyper tapa"
    assert game.axes["contact"]["kind"] == "pin"
    assert sum(game.start().counts("white")) == 3
    assert loader.load_file(Path("hyper_tapa.toml")).options["mother"].values == (False, True)
