"""The line protocol as a program: pipes, a terminal, stopping, leaving."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.waiting import PATIENCE

COMMAND = (sys.executable, "-c", "from sheshbesh.cli.main import main; main()")
ROOT = Path(__file__).resolve().parents[2]


class Program:
    """The protocol in a process of its own; every read has an end."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.cli.serve", *arguments],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def send(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def until(self, start: str) -> list[str]:
        """The lines up to the first that begins so."""
        assert self.process.stdout is not None
        said = []
        for line in self.process.stdout:
            said.append(line.rstrip("\n"))
            if line.startswith(start):
                return said
        raise AssertionError(f"ended before {start!r}: {said}")

    def end(self) -> str:
        """What is still said after the end of the input; the program must leave without an error."""
        out, err = self.process.communicate(timeout=PATIENCE)
        assert err == ""
        assert self.process.returncode == 0
        return out

    def close(self) -> None:
        """Leave nothing behind."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


@pytest.fixture
def slow(nets: Path) -> Iterator[Program]:
    """A program that is asked for rollouts without end."""
    program = Program(str(nets))
    yield program
    program.close()


def test_everything_asked_before_the_end_of_the_input_is_answered_in_order(nets: Path) -> None:
    lines = [
        "ubgi",
        "isready",
        "setoption name Plies value 1",
        "position start",
        "dice 31",
        "go",
        "rank 2",
        "nonsense",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "tests.cli.serve", str(nets)],
        input="\n".join(lines),  # without a last line end
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stderr == ""
    kinds = [line.split()[0] for line in done.stdout.splitlines() if not line.startswith(("option", "id"))]
    assert kinds == [
        "ubgiok", "readyok", "info", "info", "bestmove", "bestmoveid", "rank", "rank", "rankok", "error",
    ]  # fmt: skip


def test_a_rollout_reports_and_can_be_stopped(slow: Program) -> None:
    slow.send("position start", "rollout trials 1000000", "isready")
    assert slow.until("readyok")
    assert slow.until("info rollout trials")
    slow.send("stop")
    last = slow.until("rollout ")[-1]
    assert int(last.split()[2]) < 1_000_000
    slow.send("dice 3 1", "go depth 0")
    assert slow.until("bestmoveid")
    assert slow.end() == ""


def test_readyok_comes_after_the_errors_of_earlier_commands(slow: Program) -> None:
    wrong = "setoption name Variant value nosuchgame"
    slow.send("position start", "rollout trials 1000000", wrong, "position xgid nonsense", "isready")
    said = slow.until("readyok")
    errors = [" ".join(line.split()[:3]) for line in said if line.startswith("error")]
    assert errors == ["error bad_argument setoption:", "error bad_argument position:"]
    assert not any(line.startswith("rollout ") for line in said)
    slow.send("stop", "eval")
    assert [line for line in slow.until("eval ") if line.startswith("error bad_argument")] == []
    assert slow.end() == ""


def test_stop_reaches_what_is_still_waiting(slow: Program) -> None:
    slow.send("position start", "rollout trials 1000000", "rollout trials 1000000", "isready", "stop", "eval")
    said = slow.until("eval ")
    answers = [line for line in said if line.startswith(("rollout ", "error "))]
    assert len(answers) == 2
    # The second was not begun; whether the first had got anywhere, is chance.
    assert answers[1].startswith("error stopped rollout: ")
    assert answers[0].startswith(("rollout trials ", "error stopped rollout: "))


def test_quit_gives_up_what_is_being_done(slow: Program) -> None:
    slow.send("position start", "rollout trials 1000000")
    slow.until("info rollout")
    slow.send("quit")
    assert "\nrollout" not in slow.end(), "it would take much longer than is waited for"


def test_quit_comes_after_the_answers_before_it(nets: Path) -> None:
    program = Program(str(nets))
    program.send("ubgi", "isready", "quit")
    said = program.end().splitlines()
    program.close()
    assert said[-2:] == ["ubgiok", "readyok"]


def test_a_reader_who_leaves_ends_the_program(slow: Program) -> None:
    slow.send("position start", "rollout trials 1000000")
    slow.until("info rollout")
    slow.process.stdout.close()  # type: ignore[union-attr]
    with suppress(BrokenPipeError):  # it may have ended already
        slow.send("isready")
    assert slow.process.wait(timeout=PATIENCE) == 0


def test_it_speaks_over_a_terminal(nets: Path) -> None:
    master, slave = pty.openpty()
    process = subprocess.Popen([*COMMAND, "engine"], stdin=slave, stdout=slave, stderr=slave, cwd=ROOT)
    os.close(slave)
    try:
        os.write(master, b"isready\n")
        heard = b""
        while b"readyok" not in heard:
            heard += os.read(master, 1000)
        os.write(master, b"quit\n")
        assert process.wait(timeout=PATIENCE) == 0
    finally:
        process.kill()
        process.wait()
        os.close(master)


def test_stray_bytes_are_answered_like_any_nonsense() -> None:
    done = subprocess.run(
        [*COMMAND, "engine"],
        input=b"\xff\xfe\x00\nisready\n",
        capture_output=True,
        cwd=ROOT,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout.startswith(b"error unknown_command ")
    assert done.stdout.endswith(b"\nreadyok\n")
    assert done.stderr == b""
