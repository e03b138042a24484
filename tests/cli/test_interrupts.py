"""Ctrl-C in commands that compute for long: an end at once, nothing lost, and how to go on."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sheshbesh.engines.bearoff_databases import cache_folder
from tests.records.help import DATA
from tests.sizes import sampled

PATIENCE_S = 120.0
RESUMES = "The same command with --resume goes on from here."


def interrupted(words: list[str], shown: str, environment: dict[str, str]) -> tuple[int, str]:
    """The exit code and what a terminal shows of a command that gets Ctrl-C once it has shown a pattern.

    It is read to its end, which comes when the last process that writes to it has ended.
    """
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "sheshbesh", *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", **environment},
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(theirs)
    text, sent = "", False
    try:
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            text += piece.decode(errors="replace")
            if not sent and re.search(shown, text):
                os.killpg(process.pid, signal.SIGINT)
                sent = True
        code = process.wait(PATIENCE_S)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        os.close(ours)
    assert sent, text
    return code, text


WITHIN_EXEC = """
import signal, sys
from sheshbesh.__main__ import main
from sheshbesh.cli.commands import rules

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background has it ignored
rules.command.callback = lambda **_: exec("import signal; signal.raise_signal(signal.SIGINT)")
sys.argv = ["sheshbesh", "rules"]
main()
"""


def test_an_interrupt_while_a_dataclass_is_made_is_an_end_like_any_other() -> None:
    done = subprocess.run([sys.executable, "-c", WITHIN_EXEC], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "Stopped.\n")


WHILE_LOADING = """
import signal, sys

wanted = sys.argv[1]

class Finder:
    def find_spec(self, name, path, target=None):
        if name == wanted:
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Finder())
from sheshbesh.__main__ import main

sys.argv = ["sheshbesh", "rules"]
main()
"""


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("sheshbesh.errors", ""),
        ("sheshbesh.cli.terminal.console", ""),
        ("sheshbesh.cli.commands.rules", "Stopped.\n"),
    ],
)
def test_an_interrupt_while_the_program_is_loaded_is_an_end_like_any_other(module: str, said: str) -> None:
    words = [sys.executable, "-c", WHILE_LOADING, module]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", said)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Folders of this test, with the databases that are there already."""
    cache = tmp_path / "cache"
    cache.mkdir()
    for known in cache_folder().glob("*"):
        if known.name not in ("reviews", "rollouts"):
            (cache / known.name).symlink_to(known.resolve())
    return {"SHESHBESH_CACHE": str(cache), "XDG_DATA_HOME": str(tmp_path / "data")}


@pytest.mark.parametrize(
    ("words", "shown", "said"),
    sampled(
        [
            (["perft", "backgammon", "--depth", "6"], "backgammon B4", "Stopped."),
            (["rollout", "backgammon", "--trials", "1000000"], r"\d trials", RESUMES),
            (["rollout", "backgammon", "--trials", "1000000", "--threads", "2"], r"\d trials", RESUMES),
            (["rollout", "backgammon", "--dice", "3-1", "--depth", "3"], "backgammon B4", RESUMES),
            (["review", str(DATA / "galaxy.txt"), "--plies", "2", "--workers", "1"], " 2 plies", RESUMES),
            (
                ["review", str(DATA / "galaxy.txt"), "--plies", "thorough", "--workers", "2"],
                " rollouts",
                RESUMES,
            ),
            (["review", str(DATA / "galaxy.txt"), "--plies", "2", "--workers", "2"], " 0/177", RESUMES),
        ],
        lambda case: case[2] == "Stopped." or case[1] == " 0/177" or case[0][-2] == "--threads",
    ),
    ids=["perft", "rollout", "rollout-threads", "rollout-deep", "review", "review-workers", "review-begins"],
)
def test_an_interrupt_ends_the_command_and_says_how_to_go_on(
    words: list[str], shown: str, said: str, environment: dict[str, str]
) -> None:
    code, text = interrupted(words, shown, environment)
    assert code == 130
    assert said in text
    assert "Traceback" not in text and "terminate called" not in text
    kept = {"review": "reviews"}.get(words[0])
    assert kept is None or list((Path(environment["SHESHBESH_CACHE"]) / kept).iterdir())
