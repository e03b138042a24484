"""`sheshbesh records`: what is kept, listed, shown and deleted, and which match `--resume` takes."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner

from sheshbesh.cli.main import cli
from sheshbesh.cli.terminal.record_files import LockedRecord

pytestmark = pytest.mark.usefixtures("archive")

FORWARD = ("l", "1", "", "take", "y")
"""Whatever is asked, one of these answers it."""


def run(*words: str, lines: Iterable[str] = (), code: int = 0) -> str:
    """What the command says, as running text, when these lines are typed; the end of the input follows."""
    result = CliRunner().invoke(cli, words, input="".join(f"{line}\n" for line in lines))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == code, result.output
    assert all(len(line) < 80 or "/" in line for line in result.output.splitlines())
    return " ".join(result.output.split())


def begun(game: str, at: int, *, plays: int = 3) -> Path:
    """The record of a match of two that was left after some plays, last played at this second."""
    before = set(folder().glob("*.jsonl"))
    run("play", game, "--match", "3", "--opponent", "human", lines=["", "l", "1", ""] * plays)
    (path,) = set(folder().glob("*.jsonl")) - before
    os.utime(path, (at, at))
    return path


def folder() -> Path:
    return Path(os.environ["XDG_DATA_HOME"]) / "sheshbesh" / "matches"


def left_there(path: Path, *, events: int = 3) -> None:
    """Cut a record down to what a program leaves that is killed before the first play."""
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[: events + 1]), encoding="utf-8")
    os.utime(path, (2_000, 2_000))


# --- what is kept -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", [("play", "tapa", "--opponent", "human"), ("chouette", "Ann", "Bob", "Cem")]
)
def test_a_match_without_a_play_leaves_neither_record_nor_secrets(
    words: tuple[str, ...], archive: Path
) -> None:
    said = run(*words)
    assert "Nothing was played, so no record is kept." in said
    assert "--resume" not in said
    assert list(archive.iterdir()) == []


def test_a_file_named_for_the_record_is_not_kept_without_a_play_either(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    run("play", "tapa", "--opponent", "human", "--record", str(path))
    assert not path.exists()


def test_a_session_that_was_ended_at_once_is_not_kept(archive: Path) -> None:
    run("play", "tapa", "--opponent", "human", lines=["draw", "y", "accept"])
    assert list(archive.iterdir()) == []


def test_a_game_that_ended_without_a_play_is_kept(archive: Path) -> None:
    run("play", "tapa", "--opponent", "human", lines=["resign", "y", "accept", "n"])
    assert len(list(archive.glob("*.jsonl"))) == 1


def test_a_touched_checker_is_kept(archive: Path) -> None:
    words = ("play", "takhte", "--opponent", "human", "--dice", "typed")
    run(*words, lines=["6", "5", "6-5", "13/7"])
    assert "13/7" in run("play", "--resume")


def test_a_record_that_was_taken_up_again_is_never_removed(archive: Path) -> None:
    path = begun("tapa", 1_000)
    left_there(path)
    run("play", "--resume", str(path))
    assert path.exists()


def test_what_a_killed_program_left_without_a_play_is_removed_when_records_are_listed() -> None:
    path = begun("tapa", 1_000)
    left_there(path)
    assert "There are no records in" in run("records")
    assert not path.exists()
    assert not path.with_name(path.name + ".secret").exists()


def test_a_match_that_has_just_begun_elsewhere_is_left_alone_and_not_listed() -> None:
    path = begun("tapa", 1_000)
    left_there(path)
    os.utime(path)
    assert "There are no records in" in run("records")
    assert path.exists()


# --- what is resumed --------------------------------------------------------------------------------


def test_an_accidental_start_does_not_hide_the_match_to_be_resumed() -> None:
    path = begun("hypergammon", 1_000)
    run("play", "tapa", "--opponent", "human")
    assert path.stem in run("play", "--resume")


def test_the_newest_that_can_be_resumed_is_resumed(tmp_path: Path) -> None:
    wanted = begun("hypergammon", 1_000)
    stuck = begun("tapa", 2_000)
    stuck.with_name(stuck.name + ".secret").unlink()
    damaged = begun("tapa", 3_000)
    damaged.write_text("hello\n", encoding="utf-8")
    os.utime(damaged, (3_000, 3_000))
    run("chouette", "Ann", "Bob", "Cem", lines=["", "l", "1", ""] * 3)
    assert wanted.stem in run("play", "--resume")
    wanted.unlink()
    assert "no unfinished match" in run("play", "--resume", code=2)


def test_a_chouette_is_not_resumed_and_that_is_said_in_words(archive: Path) -> None:
    run("chouette", "Ann", "Bob", "Cem", lines=["", "l", "1", ""] * 3)
    (path,) = archive.glob("*.jsonl")
    said = run("play", "--resume", str(path), code=2)
    assert "is the record of a chouette, which cannot be resumed" in said


# --- list, show, delete -----------------------------------------------------------------------------


def test_records_are_listed_newest_first_with_what_can_be_done() -> None:
    old, stuck, damaged = begun("hypergammon", 1_000), begun("tapa", 2_000), begun("tapa", 3_000)
    stuck.with_name(stuck.name + ".secret").unlink()
    damaged.write_text("hello\n", encoding="utf-8")
    os.utime(damaged, (3_000, 3_000))
    said = run("records")
    assert said.index(damaged.stem) < said.rindex(stuck.stem) < said.index(old.stem)
    assert "Hypergammon, Match to 3: White 0, Black 0; unfinished" in said
    assert "cannot be resumed: the secrets of its dice are gone" in said
    assert "cannot be read" in said
    assert said == run("records", "list")


def test_only_the_newest_are_listed_unless_all_are_asked_for() -> None:
    path = begun("hypergammon", 1_000)
    for number in range(22):
        copy = path.with_name(f"copy-{number:02}.jsonl")
        copy.write_bytes(path.read_bytes())
        os.utime(copy, (2_000 + number, 2_000 + number))
    said = run("records")
    assert "copy-21" in said
    assert "copy-01" not in said
    assert "Only the newest 20 are listed" in said
    assert "copy-00" in run("records", "list", "--all")


def test_a_record_is_shown_with_table_score_and_plays() -> None:
    path = begun("hypergammon", 1_000)
    for name in (path.stem, path.name, "hyper", "newest", str(path)):
        said = run("records", "show", name)
        assert "Table: hypergammon.p3 (" in said
        assert "No game is finished yet." in said
        assert "Opening draw: White " in said
        assert " threw " in said
        assert "in your numbers" not in said


def test_a_chouette_is_shown_too(archive: Path) -> None:
    run("chouette", "Ann", "Bob", "Cem", lines=["", "l", "1", ""] * 3)
    said = run("records", "show", "newest")
    assert "Person Seat" in said
    assert " threw " in said


def test_a_record_is_deleted_after_a_question_with_its_secrets(archive: Path) -> None:
    path, other = begun("hypergammon", 1_000), begun("tapa", 2_000)
    asked = run("records", "delete", "hyper", lines=["n"])
    assert "unfinished" in asked
    assert "It is kept." in asked
    assert path.exists()
    assert f"{path.stem} is deleted." in run("records", "delete", "hyper", lines=["y"])
    assert {file.stem for file in archive.glob("*.jsonl")} == {other.stem}
    assert not path.with_name(path.name + ".secret").exists()
    assert "is deleted" in run("records", "delete", "newest", "--yes")


def test_names_that_are_wrong_delete_nothing(archive: Path) -> None:
    first, second = begun("tapa", 1_000), begun("tapa", 2_000)
    assert "there is no record 'chess'" in run("records", "delete", first.stem, "chess", "--yes", code=2)
    assert "is in the names of 2 records" in run("records", "delete", "tapa", "--yes", code=2)
    assert first.exists()
    assert second.exists()


def test_a_match_that_is_being_played_is_neither_deleted_nor_resumed() -> None:
    path = begun("tapa", 1_000)
    other = LockedRecord(path)
    assert other.lock()
    assert "being played in another terminal" in run("records")
    assert "being played in another terminal" in run("records", "delete", path.stem, "--yes", code=2)
    other.close()
    assert path.exists()
