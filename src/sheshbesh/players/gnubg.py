"""GNU Backgammon as an opponent, asked over the socket of its command `external`.

The program is one of its own, installed by whoever wants it (Debian: `gnubg`). It is told positions as FIBS
tells them, and answers with a play, "roll", "double", "take", "drop" or "beaver".
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
import weakref
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from sheshbesh.cube.decision import NEARLY
from sheshbesh.errors import SheshbeshError
from sheshbesh.formats.fibs_board import format_fibs_board
from sheshbesh.i18n import Text
from sheshbesh.match import MatchState
from sheshbesh.players import heuristic_bot
from sheshbesh.rules import Play, Position, Roll, Side, Variant, variant
from sheshbesh.session import Phase, Session

NAME: Final = "gnubg bot"
"""Its name at the table and in records."""

PLIES: Final = 2
"""The plies that it looks, in its own counting: its level "world class"."""

_COMMAND = ("gnubg", "--tty", "--quiet", "--no-rc")
_PLACES = ("/usr/games", "/usr/local/games")
_WAIT = 60.0
"""Seconds for an answer, far beyond what any takes."""

_ITS_GAME = "backgammon"
_FREE = {("board", "setup"), ("opening", "dice"), ("opening", "later")}
_FREE_TABLES = {"cube", "table"}
"""The axes that may differ from the game that it plays: where checkers start, who begins with which dice, the
cube."""


class ProgramError(SheshbeshError):
    """Another program that is not there, does not play the game, or does not answer."""


def plays(game: Variant) -> bool:
    """Say whether GNU Backgammon plays by these rules."""
    axes = variant(_ITS_GAME).axes
    return all(
        game.axes[table][name] == value or table in _FREE_TABLES or (table, name) in _FREE
        for table, answers in axes.items()
        for name, value in answers.items()
    )


def find_program() -> str | None:
    """Return the path of the program; None where it is not installed."""
    return shutil.which(_COMMAND[0]) or shutil.which(_COMMAND[0], path=os.pathsep.join(_PLACES))


class Gnubg:
    """GNU Backgammon, in a process of its own that ends with this object.

    Parameters
    ----------
    game : Variant
        The game.
    plies : int
        How far it looks, in its own counting.

    Raises
    ------
    ProgramError
        The program is not installed, does not play this game, or does not answer.
    """

    name = NAME

    def __init__(self, game: Variant, *, plies: int = PLIES, jacoby: bool = True) -> None:
        if not plays(game):
            raise ProgramError(Text("GNU Backgammon does not play {game}", game=game.title))
        program = find_program()
        if program is None:
            raise ProgramError(Text("GNU Backgammon is not installed here; on Debian: apt-get install gnubg"))
        self.plies = plies
        folder = tempfile.TemporaryDirectory(prefix="gnubg-")
        path = Path(folder.name, "socket")
        process = subprocess.Popen(
            [program, *_COMMAND[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        ends = ExitStack()
        for last in (folder.cleanup, process.wait, process.kill):
            ends.callback(last)
        self._end = weakref.finalize(self, ends.close)
        assert process.stdin is not None
        ends.callback(process.stdin.close)
        kinds = ("chequerplay", "cubedecision")
        lines = [f"set evaluation {kind} evaluation plies {plies}" for kind in kinds]
        lines += [f"set jacoby {'on' if jacoby else 'off'}", f"external {path}"]
        process.stdin.write("\n".join(lines) + "\n")
        process.stdin.flush()
        line = ends.enter_context(_connected(path, process))
        self._lines = ends.enter_context(line.makefile("rw", encoding="ascii", newline="\n"))

    def close(self) -> None:
        """End the program."""
        self._end()

    def _ask(self, question: str) -> str:
        try:
            self._lines.write(question + "\n")
            self._lines.flush()
            answer = self._lines.readline().strip()
        except OSError as error:
            raise ProgramError(Text("GNU Backgammon does not answer: {why}", why=str(error))) from error
        if not answer or answer.startswith("Error"):
            raise ProgramError(Text("GNU Backgammon does not answer: {why}", why=answer or question))
        return answer

    def play(self, position: Position, dice: Roll | None, score: MatchState) -> Play:
        """Ask for the play of a throw, at the score."""
        plays = position.legal_plays(dice)
        if len(plays) == 1:
            return plays[0]
        answer = self._ask(format_fibs_board(position, score, dice))
        return position.parse_play(answer, dice)

    def doubles(self, state: Session, side: Side) -> bool:
        """Ask whether to turn the cube."""
        assert state.position is not None and state.position.turn is side
        return self._ask(format_fibs_board(state.position, state.judged_at)) == "double"

    def answers(self, state: Session, side: Side) -> str:
        """Ask what to say to a double; one's own double, and a beaver, stand."""
        assert state.position is not None
        if state.phase is not Phase.DOUBLED:
            return "take"
        line = format_fibs_board(state.position, state.judged_at, asked=side, doubled=True)
        answer = self._ask(line)
        return "take" if answer == "beaver" and "beaver" not in state.allowed(side) else answer

    def accepts_resignation(self, state: Session) -> bool:
        """Accept what pays no less than playing on, by its cubeless equity of the money game."""
        offer, position = state.resignation, state.position
        assert offer is not None and position is not None
        if heuristic_bot.pays_the_most(state):
            return True
        return offer.points >= self._equity(position, offer.by.other) - NEARLY

    def accepts_proposal(self, state: Session, side: Side) -> bool:
        """Decide as the simple bot does: the program is not asked about agreements."""
        return heuristic_bot.accepts_proposal(state, side)

    def _equity(self, position: Position, side: Side) -> float:
        """The cubeless equity of a side, the other gammons and backgammons included, at money play."""
        found = self._ask(f"evaluation fibsboard {format_fibs_board(position)} plies {min(self.plies, 1)}")
        win, gammons, backgammons, lost_gammons, lost_backgammons, *_ = map(float, found.split())
        equity = 2 * win - 1 + gammons + backgammons - lost_gammons - lost_backgammons
        return equity if position.turn is side else -equity


def _connected(path: Path, process: subprocess.Popen[str]) -> socket.socket:
    """The socket on which the program listens, once it does."""
    until = time.monotonic() + _WAIT
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(_WAIT)
    while True:
        try:
            line.connect(str(path))
        except OSError as error:
            if process.poll() is not None or time.monotonic() > until:
                line.close()
                raise ProgramError(Text("GNU Backgammon does not answer: {why}", why=str(error))) from error
            time.sleep(0.05)
        else:
            return line
