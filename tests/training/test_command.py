"""`sheshbesh train`: what it refuses, and what it leaves alone."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sheshbesh.cli.main import cli
from sheshbesh.training import files
from sheshbesh.training.files import Log

CHECK = {"event": "check", "games": 100, "against": "random", "pairs": 50, "per_game": 0.5, "error": 0.1}
"""What a log says of a measurement."""

FOREIGN = ("diary.txt", "tavla.net", "log.jsonl.old", "nested/checkpoint.bin")
"""Files that no run of tapa has written."""


def run(*words: str) -> Result:
    done = CliRunner().invoke(cli, ["train", *words])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def refused(*words: str) -> str:
    """What the command says when it refuses, in one line."""
    done = run(*words)
    assert done.exit_code == 2, done.output
    return " ".join(done.output.split())


@pytest.fixture
def old_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of runs in which one of tapa lies, among files that are not its own.

    Its name is short, wherever the tests lie: messages are wrapped, and long names with them.
    """
    monkeypatch.chdir(tmp_path)
    folder = Path("runs", "tapa")
    (folder / "nested").mkdir(parents=True)
    for name in (*FOREIGN, files.CHECKPOINT, files.LOG, files.TABLE, "tapa.net", "tapa.json", "tapa.net.new"):
        (folder / name).write_text("kept")
    return folder.parent


def left(runs: Path) -> set[str]:
    folder = runs / "tapa"
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}


def test_without_pytorch_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert "sheshbesh[train]" in refused("tapa")


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("tapa", "--games", "5", "--minutes", "1"),
        ("tapa", "--minutes", "nan"),
        ("tapa", "--minutes", "inf"),
        ("tapa", "--seed", "-1"),
        ("tapa", "--seed", "4294967296"),
        ("tapa", "--games", "9" * 400),
        ("tapa", "--gate", "10", "--fresh"),
        ("tapa", "--gate", "10", "--plot"),
        ("tapa", "--plot", "--fresh"),
    ],
)
def test_a_command_that_does_not_say_what_to_do_is_refused(words: tuple[str, ...]) -> None:
    refused(*words)


def test_only_the_files_of_a_run_are_removed_for_a_new_one(old_run: Path) -> None:
    files.clear(old_run / "tapa", "tapa")
    assert left(old_run) == set(FOREIGN)


def test_nothing_is_removed_before_everything_was_checked(old_run: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra train")
    before = left(old_run)
    broken = Path("broken.toml")
    broken.write_text("speed = 3")
    fresh = ("tapa", "--runs", str(old_run), "--fresh")
    assert "unknown entries speed" in refused(*fresh, "--recipe", str(broken))
    broken.write_text("options = [{ mother = true }]")
    assert "mother" in refused(*fresh, "--recipe", str(broken))
    assert "broken.toml" in refused(*fresh, "--init", str(broken))
    itself = old_run / "tapa" / files.CHECKPOINT
    assert "--fresh would remove" in refused(*fresh, "--init", str(itself))
    assert "nothing" in refused(*fresh, "--option", "nothing=1")
    assert left(old_run) == before


def test_a_run_that_is_there_does_not_begin_with_another_net(old_run: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra train")
    net = tmp_path / "other.net"
    net.touch()
    said = refused("tapa", "--runs", str(old_run), "--init", str(net))
    assert "holds a run already" in said and "--fresh" in said


@pytest.mark.parametrize("words", [("--gate", "100"), ("--plot",)])
def test_without_a_run_there_is_nothing_to_gate_or_draw(words: tuple[str, ...], tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra train")
    assert "There is no run" in refused("tapa", "--runs", str(tmp_path / "runs"), *words)
    assert not (tmp_path / "runs").exists()


def test_a_folder_that_cannot_be_written_to_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra train")
    (tmp_path / "file").touch()
    for place in (tmp_path / "file" / "runs", Path("/proc/x")):
        assert "cannot be written to" in refused("tapa", "--runs", str(place), "--games", "10")


def test_what_is_no_event_is_left_out_of_the_picture(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra train")
    folder = tmp_path / "tapa"
    folder.mkdir()
    good = [CHECK | {"share": 0.6}, {"event": "round", "games": 50, "loss": 1.0}, {"event": "promotion"}]
    lines = [b"5", b"[]", b"\xff\xfe", b'{"event": 7}', b'{"event": "round"}', b'{"per_game": 1}', b'{"ev']
    lines += [json.dumps(event).encode() for event in good]
    (folder / files.LOG).write_bytes(b"\n".join(lines))
    assert [event["event"] for event in Log(folder / files.LOG).read()] == [
        "round",
        "check",
        "round",
        "promotion",
    ]
    done = run("tapa", "--runs", str(tmp_path), "--plot")
    assert done.exit_code == 0, done.output
    assert len((folder / files.TABLE).read_text().splitlines()) == 2
    assert (folder / files.PICTURE).is_file()
