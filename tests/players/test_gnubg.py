"""GNU Backgammon as an opponent: what it is told, what it answers, and the files that it reads of ours.

It is asked itself where it is installed; a program that speaks as it does stands in elsewhere.
"""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

import sheshbesh as sb
from sheshbesh.formats.fibs_board import format_fibs_board
from sheshbesh.players import gnubg
from sheshbesh.players.opponent import HeuristicOpponent, decide, is_opponent, opponent_named
from sheshbesh.records import PlayEvent
from sheshbesh.session import DiceAction, Header, Phase, ReadyAction, Session, apply
from tests.cli_help import run
from tests.waiting import PATIENCE

INSTALLED = pytest.mark.skipif(gnubg.find_program() is None, reason="GNU Backgammon is not installed")

SPEAKER = """#!{python}
import socket, sys
path = None
for line in sys.stdin:
    print(line, end="", file=open({log!r}, "a"))
    if line.startswith("external"):
        path = line.split()[1]
        break
listens = socket.socket(socket.AF_UNIX)
listens.bind(path)
listens.listen()
lines = listens.accept()[0].makefile("rw")
for line in lines:
    print(line, end="", file=open({log!r}, "a"))
    fields = line.split(":")
    if line.startswith("evaluation"):
        answer = "0.6 0.1 0.0 0.1 0.0 0.3"
    elif fields[40] == "1":
        answer = "beaver"
    elif fields[33:35] == ["0", "0"]:
        answer = "double"
    else:
        answer = "8/5 6/5 "
    lines.write(answer + "\\n")
    lines.flush()
"""


@pytest.fixture
def speaker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program called gnubg that answers by its protocol; the file has what it was told."""
    log = tmp_path / "told"
    program = tmp_path / "gnubg"
    program.write_text(SPEAKER.format(python=sys.executable, log=str(log)))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return log


def test_a_board_is_told_in_the_fields_of_fibs() -> None:
    start = sb.variant("backgammon").start()
    points = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    rest = "1:-1:0:25:0:0:0:0:4:0:1:0"
    assert format_fibs_board(start, dice=(3, 1)) == (
        f"board:You:Opponent:9999:0:0:{points}:1:3:1:0:0:1:1:1:0:{rest}"
    )
    match = sb.MatchState(length=7, white=3, black=4, cube=2, owner="black")
    assert format_fibs_board(start.mirror(), match, doubled=True, asked="white") == (
        f"board:You:Opponent:7:3:4:{points}:-1:0:0:0:0:2:0:1:1:{rest}"
    )
    crawford = sb.MatchState(length=3, white=2, crawford=True)
    assert format_fibs_board(start, crawford).split(":")[37:43] == ["1", "0", "0", "0", "1", "-1"]


def test_checkers_on_the_bar_and_off_have_fields_of_their_own() -> None:
    board = {
        "white": {"6": 2},
        "white_off": 12,
        "white_bar": 1,
        "black": {"1": 3},
        "black_off": 10,
        "black_bar": 2,
    }
    position = sb.variant("backgammon").position(board, "white")
    fields = format_fibs_board(position).split(":")
    assert (fields[6], fields[31], fields[12], fields[7]) == ("-2", "1", "2", "-3")
    assert fields[45:49] == ["12", "10", "1", "2"]


def test_games_by_other_rules_are_refused_before_the_program_is_looked_for() -> None:
    assert [name for name in sb.variants() if gnubg.plays(sb.variant(name))] == [
        "backgammon",
        "nackgammon",
        "longgammon",
    ]
    with pytest.raises(gnubg.ProgramError, match="GNU Backgammon does not play Tavla"):
        gnubg.Gnubg(sb.variant("tavla"))


def test_a_program_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gnubg, "find_program", lambda: None)
    with pytest.raises(gnubg.ProgramError, match="not installed here"):
        gnubg.Gnubg(sb.variant("backgammon"))


def test_it_is_told_whether_jacobys_rule_holds(speaker: Path) -> None:
    opponent_named(sb.variant("backgammon"), gnubg.NAME, jacoby=False)
    assert speaker.read_text().splitlines()[2] == "set jacoby off"


def test_it_is_asked_for_plays_doubles_answers_and_resignations(speaker: Path) -> None:
    player = opponent_named(sb.variant("backgammon"), gnubg.NAME)
    assert is_opponent(player.name) and isinstance(player, gnubg.Gnubg)
    start = sb.variant("backgammon").start()
    assert player.play(start, sb.Roll(3, 1), sb.MatchState()).notation == "8/5 6/5"
    with pytest.raises(sb.SheshbeshError, match="not legal"):
        player.play(start, sb.Roll(6, 5), sb.MatchState())
    game = sb.Game(sb.Card(game="backgammon", length=3), dice=[(3, 1)])
    game.roll()
    game.play("8/5 6/5")
    state = game.to_record().replay()
    assert player.doubles(state, sb.Side.BLACK)
    game.double()
    assert player.answers(game.to_record().replay(), sb.Side.WHITE) == "take"  # no beavers in a match
    player.close()
    told = speaker.read_text().splitlines()
    assert told[:2] == [
        f"set evaluation {kind} evaluation plies 2" for kind in ("chequerplay", "cubedecision")
    ]
    assert told[2] == "set jacoby on"
    assert [line.split(":")[0] for line in told[4:]] == ["board"] * 4


def played(names: dict[sb.Side, object], seed: int) -> Session:
    """A match to 3 points between opponents, its dice from a seed."""
    card = sb.Card(game="backgammon", length=3)
    chance = random.Random(seed)
    header = Header(sb.Game(card, dice=[]).card, "local", {"white": "", "black": ""})
    state = header.session()
    for _ in range(3000):
        if state.is_over:
            break
        if state.phase is Phase.READY:
            for side in state.to_act:
                state = apply(state, side, ReadyAction(), state.at).state
        elif state.phase in (Phase.OPENING, Phase.THROWING):
            throw = DiceAction(chance.randint(1, 6), chance.randint(1, 6))
            state = apply(state, state.on_roll or sb.Side.WHITE, throw, state.at).state
        else:
            side = state.to_act[0]
            state = apply(state, side, decide(names[side], state, side), state.at).state  # type: ignore[arg-type]
    return state


@INSTALLED
def test_it_plays_a_match_with_the_cube_to_its_end() -> None:
    player = gnubg.Gnubg(sb.variant("backgammon"), plies=0)
    state = played({sb.Side.WHITE: player, sb.Side.BLACK: HeuristicOpponent(3)}, seed=5)
    player.close()
    assert state.is_over and max(state.score.white, state.score.black) >= 3


@INSTALLED
@pytest.mark.parametrize(
    ("name", "suffix"),
    [("backgammon", "mat"), ("backgammon", "sgf"), ("nackgammon", "sgf"), ("hypergammon", "sgf")],
)
def test_it_reads_every_match_that_we_write(name: str, suffix: str, tmp_path: Path) -> None:
    chance = random.Random(4)
    game = sb.Game(sb.Card(game=name, length=3), seed=4, white="Ana", black="Bo")
    while not game.is_over:
        if game.result is not None:
            game.next_game()
        may_double = game.dice is None and game.turn is not None and game.match.may_double(game.turn)
        if may_double and chance.random() < 0.05:
            game.double()
            game.take()
        game.roll()
        game.play(chance.choice(game.legal))
    ours, theirs = tmp_path / f"ours.{suffix}", tmp_path / "theirs.sgf"
    sb.write_match(game, ours, dialect="gnubg")
    commands = tmp_path / "commands"
    reads = f"import mat {ours}" if suffix == "mat" else f"load match {ours}"
    commands.write_text(f"{reads}\nsave match {theirs}\n")
    program = gnubg.find_program()
    assert program is not None
    subprocess.run(
        [program, "-t", "-q", "-r", "-c", str(commands)], capture_output=True, timeout=PATIENCE, check=True
    )
    mine, read = game.to_match(), sb.read_match(theirs)
    assert [len(each.events) for each in read.games] == [len(each.events) for each in mine.games]
    for one, other in zip(mine.games, read.games, strict=True):
        after = [event.after for event in one.events if isinstance(event, PlayEvent)]
        assert [event.after for event in other.events if isinstance(event, PlayEvent)] == after
        assert (one.result, one.white, one.black) == (other.result, other.white, other.black)


def test_the_command_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gnubg, "find_program", lambda: None)
    assert "not installed here" in run("play", "backgammon", "--opponent", "gnubg").output
