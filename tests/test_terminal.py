"""`sheshbesh play` in real terminals: a pseudo-terminal, and tmux as a person would use it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from uuid import uuid4

import pytest

import sheshbesh as sb
from tests.waiting import PATIENCE, until

COMMAND = (sys.executable, "-c", "from sheshbesh.cli.main import main; main()")
COLUMNS, ROWS = 80, 24

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")
_REDRAWN = re.compile(r"(?:\r|\x1b\[1A|\x1b\[2K)*\x1b\[2K")
"""A bar of progress is drawn anew in its place."""
_COLOUR = re.compile(r"\x1b\[[0-9;]+m")
_SILENCE_S = 0.15
"""An answer is waited for after a prompt and this long without more. A busy machine writes in pieces."""
_PROMPT = re.compile(r"(?:> |: |\) )$")


def _heed_interrupts() -> None:
    # Tests that run in the background inherit that Ctrl-C is ignored; a person's terminal heeds it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class PseudoTerminal:
    """The command with a terminal of 80 columns of its own."""

    def __init__(self, *words: str, environment: Mapping[str, str]) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        plain = {
            key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "LINES")
        }
        self._process = subprocess.Popen(
            [*COMMAND, *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**plain, "TERM": "xterm-256color", **environment},
            start_new_session=True,
            preexec_fn=_heed_interrupts,
        )
        os.close(theirs)
        self.raw = ""

    @property
    def lines(self) -> list[str]:
        """All that was shown, without control codes and the bars of databases made on first use."""
        shown = _CONTROL.sub("", _REDRAWN.sub("\n", self.raw)).split("\n")
        return [line for line in shown if not line.startswith("making the ")]

    def read(self) -> str:
        """What was shown up to the next prompt, or to the end."""
        shown = ""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if not select.select([self._ours], [], [], _SILENCE_S)[0]:
                # The prompt is shown a moment before anybody listens for an answer.
                if _PROMPT.search(_CONTROL.sub("", shown)) and self._listens():
                    break
                continue
            try:
                piece = os.read(self._ours, 65536).decode()
            except OSError:  # the other end is closed
                break
            shown += piece
        self.raw += shown
        return _CONTROL.sub("", shown)

    def _listens(self) -> bool:
        """Tell whether the command does nothing but wait, as for a line."""
        try:
            state = Path(f"/proc/{self._process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
        except FileNotFoundError:  # it has ended, or there is no such folder here
            return True
        return state == "S"

    def read_all(self) -> str:
        """What was shown until the command ended by itself."""
        shown = ""
        while self._process.poll() is None:
            shown += self.read()
        return shown + self.read()

    def type(self, text: str) -> str:
        """Type a line and wait for the next prompt."""
        os.write(self._ours, text.encode() + b"\n")
        return self.read()

    def interrupt(self) -> str:
        """What Ctrl-C does."""
        self._process.send_signal(signal.SIGINT)
        return self.read()

    def kill(self) -> None:
        """End the command at once, if it still runs."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def close(self) -> int:
        """The exit code, after the end of the input if need be."""
        if self._process.poll() is None:
            os.write(self._ours, b"\x04")
            self.read()
        code = self._process.wait(PATIENCE)
        os.close(self._ours)
        return code


Opener = Callable[..., PseudoTerminal]


@pytest.fixture(autouse=True)
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the records of this test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "sheshbesh" / "matches"


@pytest.fixture
def opened() -> Iterator[Opener]:
    """Opens terminals by words and environment, and ends what a failed test leaves running."""
    terminals: list[PseudoTerminal] = []

    def open_one(*words: str, **environment: str) -> PseudoTerminal:
        terminals.append(PseudoTerminal(*words, environment=environment))
        return terminals[-1]

    yield open_one
    for terminal in terminals:
        terminal.kill()


def test_the_end_of_a_game_and_the_next_without_colour_in_80_columns(opened: Opener) -> None:
    terminal = opened("play", "portes", "--position", "a22A:w", "--roll", "6-5", "--seed", "3", NO_COLOR="1")
    terminal.read()
    shown = terminal.type("")
    assert "The game is over: White wins 1 point" in shown
    assert "Another game?" in shown
    assert ">" in terminal.type("y")
    assert terminal.close() == 0
    assert not _COLOUR.search(terminal.raw)
    assert [line for line in terminal.lines if len(line) > COLUMNS] == []


def test_colour_on_a_terminal_that_has_it_changes_no_text(opened: Opener) -> None:
    shown = []
    for environment in ({}, {"NO_COLOR": "1"}):
        terminal = opened("play", "tapa", "--seed", "3", "--no-record", **environment)
        terminal.read()
        assert terminal.close() == 0
        # Where a database is made, an empty line stays behind its bar.
        shown.append((list(filter(None, terminal.lines)), bool(_COLOUR.search(terminal.raw))))
    assert shown[0][0] == shown[1][0]
    assert [coloured for _, coloured in shown] == [True, False]


def test_an_error_may_be_tried_again_once_before_the_best_play_is_told(opened: Opener) -> None:
    start = sb.variant("backgammon").start().id
    terminal = opened("play", "backgammon", "--position", start, "--roll", "3-1")
    terminal.read()
    terminal.type("24/23 6/3")
    asked = terminal.type("")
    assert "Verdict: blunder" in asked and "against" not in asked and asked.endswith("t tries again> ")
    assert "or type t" in terminal.type("what")
    assert "24/23 6/3 back" in terminal.type("t")
    terminal.type("24/23 6/3")
    assert "t tries again" not in terminal.type("")
    assert terminal.close() == 0


def test_the_end_of_the_input_leaves_the_position_to_go_on_from(opened: Opener) -> None:
    terminal = opened("play", "tapa", "--position", "O22o:w", "--roll", "6-5", NO_COLOR="1")
    terminal.read()
    terminal.type("24/18")
    assert terminal.close() == 0
    assert "Left at position: O22o:w" in terminal.lines
    assert "    --position O22o:w --roll 6-5" in terminal.lines


def test_an_interrupt_ends_as_cleanly(opened: Opener) -> None:
    terminal = opened("play", "tapa", "--position", "O22o:w", "--roll", "6-5", NO_COLOR="1")
    terminal.read()
    assert "Left at position: O22o:w" in terminal.interrupt()
    assert terminal.close() == 0
    assert not any("Traceback" in line for line in terminal.lines)


def test_a_person_without_a_game_in_mind_is_asked(opened: Opener) -> None:
    terminal = opened("play", NO_COLOR="1")
    assert "Which game?" in terminal.read()
    assert len(terminal.lines) <= ROWS
    assert "did you mean tapa?" in terminal.type("tpaa")
    assert "Tapa. " in terminal.type("6")
    assert terminal.close() == 0


def test_help_is_shown_a_screen_at_a_time(opened: Opener) -> None:
    terminal = opened("play", "tapa", "--seed", "1", NO_COLOR="1")
    terminal.read()
    first = terminal.type("?")
    assert first.endswith("-- Enter for more, q to go back: ")
    assert len(first.split("\n")) <= ROWS
    assert "Your path runs" in terminal.type("")
    assert terminal.type("q").endswith("> ")
    assert terminal.close() == 0


def test_a_match_that_was_killed_goes_on_where_it_was(opened: Opener, archive: Path) -> None:
    terminal = opened("play", "takhte", "--match", "3", "--seed", "3", "--no-tutor", NO_COLOR="1")
    terminal.read()
    terminal.type("l")
    terminal.type("1")
    board = terminal.type("")
    terminal.kill()
    again = opened("play", "--resume", NO_COLOR="1")
    shown = again.read()
    rows = [row for row in board.split("\n") if row.startswith(("|", "+", "Match"))]
    assert [row for row in shown.split("\n") if row.startswith(("|", "+", "Match"))] == rows[-len(rows) :]
    assert shown.split("\n")[-1] == board.split("\n")[-1]
    assert again.close() == 0
    assert "Everything is in the record. To resume:" in again.lines
    terminal.close()


def test_a_flag_falls_while_the_player_thinks(opened: Opener, archive: Path) -> None:
    terminal = opened("play", "tapa", "--match", "1", "--clock", "d0-2", "--opponent", "human", NO_COLOR="1")
    text = " ".join(terminal.read_all().split())
    assert re.search(r"> .*The time of (\w+) has run out: (\w+) wins the match\.", text)
    assert "Game White Black How" in text or "No game is finished yet." in text
    assert terminal.close() == 0


# --- tmux -------------------------------------------------------------------------------------------


class Tmux:
    """A shell in a tmux of 80 by 24 on a server of its own."""

    def __init__(self) -> None:
        self._socket = f"sheshbesh-{uuid4().hex[:12]}"
        self._tmux(
            "-f", os.devnull, "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), "env PS1=ready# sh"
        )

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-L", self._socket, *words], capture_output=True, text=True, check=True
        )
        return done.stdout

    def screen(self) -> list[str]:
        """The lines on the screen."""
        return self._tmux("capture-pane", "-p").rstrip("\n").split("\n")

    def type(self, text: str) -> None:
        self._tmux("send-keys", "-l", "--", text)
        self._tmux("send-keys", "Enter")

    def press(self, key: str) -> None:
        self._tmux("send-keys", key)

    def wait(self, holds: Callable[[list[str]], bool]) -> list[str]:
        """The screen as soon as it is as expected."""
        screen: list[str] = []

        def is_shown() -> bool:
            screen[:] = self.screen()
            return holds(screen)

        try:
            until(is_shown)
        except TimeoutError:
            raise AssertionError("\n".join(screen)) from None
        return screen

    def wait_for(self, text: str) -> list[str]:
        return self.wait(lambda screen: any(text in line for line in screen))

    def close(self) -> None:
        self._tmux("kill-server")


@pytest.fixture
def tmux() -> Iterator[Tmux]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    terminal = Tmux()
    terminal.wait_for("ready#")
    yield terminal
    terminal.close()


def start(tmux: Tmux, *words: str) -> None:
    tmux.type(f"clear; NO_COLOR=1 {shlex.join([*COMMAND, *words])}")


def test_in_tmux_the_board_stands_whole_on_the_screen(tmux: Tmux) -> None:
    start(tmux, "play", "long_nardy", "--position", "O11o11:w", "--roll", "5-5", "--seed", "1")
    screen = tmux.wait_for("White 5-5>")
    assert any(line.endswith("White's head") for line in screen)
    assert "Black's head" in screen
    assert any("15X" in line for line in screen)
    tmux.type("24/19(2)")
    tmux.wait_for("Not allowed: only 1 checker may leave the head in a turn")
    tmux.type("24/9")
    screen = tmux.wait_for("White 5-5 (24/9)>")
    assert any("14O" in line for line in screen)


def test_in_tmux_keys_edit_the_line_and_end_the_game(tmux: Tmux) -> None:
    start(tmux, "play", "backgammon", "--position", "B4e1c3Ee3C1E4b:w", "--roll", "3-1", "--seed", "1")
    tmux.wait_for("White 3-1>")
    for key in ("8", "/", "6", "BSpace", "5", "Space", "6", "/", "5", "Enter"):
        tmux.press(key)
    screen = tmux.wait_for("White 3-1 (8/5 6/5)>")
    assert max(map(len, screen)) <= COLUMNS
    tmux.press("Up")
    tmux.wait_for("White 3-1 (8/5 6/5)> 8/5 6/5")
    tmux.press("C-c")
    tmux.wait(lambda lines: lines[-1].startswith("ready#"))
    assert not any("Traceback" in line for line in tmux.screen())


def test_in_tmux_ctrl_d_leaves_the_position(tmux: Tmux) -> None:
    start(tmux, "play", "acey_deucey", "--position", "24:w:h15.15", "--roll", "2-1", "--seed", "1")
    tmux.wait_for("White 2-1>")
    tmux.type("hand/24 hand/23")
    tmux.wait_for("(hand/24 hand/23)>")
    tmux.type("")
    tmux.wait_for("White names>")
    tmux.press("C-d")
    tmux.wait_for("To resume:")
    # The line after it may still be on its way.
    tmux.wait(lambda lines: any("--position 'AA22:w:h13.15:p?'" in line for line in lines))


def test_in_tmux_a_match_with_cube_and_clock_stands_whole_on_the_screen(tmux: Tmux) -> None:
    start(tmux, "play", "backgammon", "--match", "3", "--clock", "d12-120", "--opponent", "human")
    tmux.wait(lambda lines: re.fullmatch(r"(White|Black) \d-\d>", lines[-1]) is not None)
    tmux.type("l")
    tmux.wait_for("Type a number")
    tmux.type("1")
    tmux.wait_for("Enter confirms")
    tmux.type("")
    screen = tmux.wait_for("Enter rolls, double offers the cube>")
    assert "Match to 3, game 1: White 0, Black 0. Cube 1, centred." in screen
    assert len([line for line in screen[-17:] if line.startswith(("|", "+"))]) == 13
    assert any(re.search(r"runs 6:00 \+\d+ s$", line) for line in screen)
    tmux.type("double")
    tmux.wait_for("take or drop>")
    tmux.type("take")
    screen = tmux.wait(lambda lines: re.fullmatch(r"(White|Black) \d-\d>", lines[-1]) is not None)
    assert any(re.search(r"   cube 2   time 6:00$", line) for line in screen)
    assert max(map(len, screen)) <= COLUMNS
    tmux.press("C-c")
    tmux.wait_for("Everything is in the record. To resume:")
