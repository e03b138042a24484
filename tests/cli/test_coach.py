"""Hints and verdicts in the terminal. Nets with random weights judge, so nothing is about strength."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import sheshbesh as sb
from sheshbesh.cli.main import cli
from sheshbesh.cli.terminal.card_options import with_dice
from sheshbesh.cli.terminal.coach import Coach
from sheshbesh.cli.terminal.match_loop import start_at
from sheshbesh.cube.decision import CubeDecision
from sheshbesh.engines import make_engine, registry
from sheshbesh.match.card import Card, DiceSource
from sheshbesh.players.coach import Coach as JudgingCoach
from sheshbesh.session import Action, DoubleAction, DropAction, Event, Phase, RollAction, Session, TakeAction

GAMES = ("backgammon", "tapa", "long_nardy", "gul_bara", "tawla31")
VERDICT = re.compile(
    r"Verdict: (best \([+-]\d+\.\d{3}\)|(fine|inaccuracy|error|blunder), -\d+\.\d{3} against )"
)


pytestmark = pytest.mark.usefixtures("archive")


@pytest.fixture(autouse=True)
def shipped(nets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "shipped", lambda: registry.manifests(nets))


def play(*words: str, lines: Iterable[str] = ()) -> str:
    result = CliRunner().invoke(cli, ["play", *words], input="".join(f"{line}\n" for line in lines))
    assert result.exit_code == 0, result.output
    lines_ = result.output.splitlines()
    assert max(len(line) for line in lines_ if not line.startswith(("    /", "Record: "))) <= 80
    return result.output


def said(output: str) -> str:
    return " ".join(output.split())


@pytest.mark.parametrize("game", GAMES)
def test_hints_and_verdicts_come_in_every_kind_of_game(game: str) -> None:
    output = play(game, "--seed", "3", lines=["hint", "l", "1", ""] * 6)
    assert len(VERDICT.findall(said(output))) >= 1
    assert re.search(r"^  1  \S.* [+-]\d+\.\d{3} .*wins ", output, re.MULTILINE)


def test_a_verdict_names_the_best_play_with_a_reason() -> None:
    game = sb.variant("backgammon")
    position = game.start()
    candidates = make_engine(game).rank(position, (3, 1), plies=2)
    worst = candidates[-1].play.notation
    output = said(
        play("backgammon", "--position", position.id, "--roll", "3-1", "--seed", "1", lines=[worst, ""])
    )
    verdict = re.search(r"Verdict: (\w+), (-\d\.\d{3}) against (.*?), which (.*?)\.", output)
    assert verdict is not None
    best = make_engine(game).rank(position, (3, 1), match=sb.MatchState(jacoby=False), plies=2)[0]
    assert verdict[3] == best.play.notation
    assert float(verdict[2]) < 0


def test_the_best_play_is_told_so() -> None:
    game = sb.variant("backgammon")
    position = game.start()
    output = play("backgammon", "--position", position.id, "--roll", "3-1", "--seed", "1", lines=["hint"])
    first = re.search(r"^  1  (.*?)  ", output, re.MULTILINE)
    assert first is not None
    again = play(
        "backgammon", "--position", position.id, "--roll", "3-1", "--seed", "1", lines=[first[1], ""]
    )
    assert "Verdict: best (" in again


def test_the_tutor_keeps_quiet_on_request_and_between_people() -> None:
    lines = ["l", "1", "", "l", "1", "", "hint"]
    assert "Verdict" not in play("backgammon", "--seed", "3", "--no-tutor", lines=lines)
    between = play("backgammon", "--seed", "3", "--opponent", "human", lines=lines)
    assert "Verdict" not in between
    assert "There are no hints here" in said(between)
    asked = play("backgammon", "--seed", "3", "--opponent", "human", "--tutor", lines=lines)
    assert VERDICT.search(said(asked))


def test_without_a_net_nothing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    monkeypatch.setattr(registry, "shipped", lambda: registry.manifests(tmp_path / "none"))
    output = play("backgammon", "--seed", "3", lines=["hint", "l", "1", ""])
    assert "There are no hints here" in said(output)
    assert "Verdict" not in output


def test_a_forced_play_has_no_verdict() -> None:
    board = {"white": {"6": 2}, "white_off": 13, "black": {"19": 1}, "black_off": 14}
    position = sb.variant("backgammon").position(board)
    assert len(position.legal_plays((6, 6))) == 1
    output = play("backgammon", "--position", position.id, "--roll", "6-6", "--seed", "1", lines=["", ""])
    assert "Verdict" not in output


# Cube


class Cubed:
    """An engine whose cube is known."""

    def __init__(self, engine: Any, decision: CubeDecision) -> None:
        self._engine = engine
        self._decision = decision

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def cube(
        self, position: sb.Position, match: sb.MatchState | None = None, *, plies: int | None = None
    ) -> CubeDecision:
        return self._decision


def coach(no_double: float, double_take: float) -> Coach:
    decision = CubeDecision(
        no_double=no_double, double_take=double_take, double_pass=1.0, double_beaver=None, redouble=False
    )
    return Coach(JudgingCoach(Cubed(make_engine("backgammon"), decision)))


def before_the_roll() -> Session:
    card = with_dice(Card.from_code("backgammon.p7"), DiceSource.SEEDED)
    state = start_at(Session.new(card, match_id="test", seed="1"), sb.variant("backgammon").start(), None)
    assert state.phase is Phase.ROLL
    assert "double" in state.allowed(sb.Side.WHITE)
    return state


def event(actor: str, action: Action) -> Event:
    return Event(1, 0, actor, action)


def test_who_rolls_hears_only_of_a_double_that_was_missed() -> None:
    state, throw = before_the_roll(), event("white", RollAction())
    assert coach(0.5, 0.4).verdict(state, throw).lines == []
    assert coach(0.5, 0.7).verdict(state, throw).lines == ["Verdict: blunder, -0.200 against double."]


def test_who_doubles_hears_whether_it_was_right() -> None:
    state, double = before_the_roll(), event("white", DoubleAction())
    assert coach(0.5, 0.7).verdict(state, double).lines == ["Verdict: best, double."]
    assert coach(0.5, 0.45).verdict(state, double).lines == ["Verdict: error, -0.050 against no double."]


def test_the_answer_is_judged_by_what_it_gives_away() -> None:
    from sheshbesh.session import apply

    doubled = apply(before_the_roll(), sb.Side.WHITE, DoubleAction(), 0).state
    take, drop = event("black", TakeAction()), event("black", DropAction())
    assert coach(0.5, 0.7).verdict(doubled, take).lines == ["Verdict: best, take."]
    assert coach(0.5, 0.7).verdict(doubled, drop).lines == ["Verdict: blunder, -0.300 against take."]
    assert coach(0.9, 1.03).verdict(doubled, take).lines == ["Verdict: inaccuracy, -0.030 against drop."]
    assert "double, take" in coach(0.5, 0.7).hint(doubled).lines[0].casefold()
