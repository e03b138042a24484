"""Hints and verdicts as data, with the shipped nets, in a game of every kind."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

import sheshbesh as sb
from sheshbesh.cli.terminal.match_loop import start_at
from sheshbesh.engines import make_engine
from sheshbesh.engines.explain.verdict import PlayVerdict
from sheshbesh.match.card import Card
from sheshbesh.players.coach import Coach, Outlook, PlayHint
from sheshbesh.players.data import hint_data, verdict_data
from sheshbesh.players.opponent import EngineOpponent, HeuristicOpponent, decide, find_opponent
from sheshbesh.session import Event, Phase, PlayAction, ReadyAction, RollAction, Session, apply
from tests.engine.nets import write_net

GAMES = ("backgammon", "tapa", "long_nardy", "tawla31")


@pytest.fixture(scope="module")
def nets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a net that knows nothing."""
    folder = tmp_path_factory.mktemp("nets")
    write_net(folder, sb.variant("takhte"))
    return folder


def at(code: str, dice: tuple[int, int] | None = None, *, turns: int = 0) -> Session:
    """A match in whose first game a number of turns have been played at random."""
    card = Card.from_code(f"{code}.dice-seeded")
    roll = None if dice is None else sb.Roll.of(dice)
    chance, position = random.Random(7), card.rules.start()
    for _ in range(turns):
        plays = position.legal_plays((chance.randint(1, 6), chance.randint(1, 6)))
        position = plays[chance.randrange(len(plays))].result
    return start_at(Session.new(card, match_id="test", seed="1"), position, roll)


def coach(code: str) -> Coach:
    found = Coach.find(Card.from_code(code).rules)
    assert found is not None
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_names_plays_that_are_legal_and_a_reason(game: str) -> None:
    state = at(f"{game}.p3", (3, 1))
    hint = coach(f"{game}.p3").hint(state)
    assert hint is not None
    data = json.loads(json.dumps(hint_data(hint)))
    assert data["kind"] == "play"
    losses = [each["loss"] for each in data["candidates"]]
    assert losses[0] == 0 and losses == sorted(losses)
    for each in data["candidates"]:
        steps = [(origin, target) for origin, target, _, _ in each["steps"]]
        assert state.position is not None
        assert state.position.refusal(steps, (3, 1)) is None
    if data["reason"] is not None:
        assert data["reason"]["parts"]


@pytest.mark.parametrize("game", GAMES)
def test_the_best_play_is_best_and_the_worst_is_not(game: str) -> None:
    state, judge = at(f"{game}.p3", (4, 2), turns=10), coach(f"{game}.p3")
    assert state.turn is not None
    grades = set()
    for play in state.turn.plays():
        verdict = judge.verdict(state, Event(1, 0, "white", PlayAction(play.notation)))
        assert verdict is not None
        data = json.loads(json.dumps(verdict_data(verdict)))
        assert (data["grade"] == "best") == (data["loss"] == 0)
        grades.add(data["grade"])
    assert "best" in grades and len(grades) > 1
    assert grades <= {"best", "fine", "error", "blunder"}


def test_the_cube_has_a_hint_of_its_own() -> None:
    hint = coach("backgammon.p5").hint(at("backgammon.p5"))
    assert hint is not None
    data = hint_data(hint)
    assert (data["kind"], data["action"], data["answer"]) == ("cube", "no_double", "take")


def test_there_is_nothing_to_say_between_games() -> None:
    assert coach("tavla.p3").hint(Session.new(Card.from_code("tavla.p3"))) is None


@pytest.mark.parametrize("code", ["backgammon.p3.dice-seeded", "gioul.p1.dice-seeded"])
def test_an_opponent_decides_a_whole_match(code: str) -> None:
    card = Card.from_code(code)
    players = {sb.Side.WHITE: find_opponent(card.rules, "beginner", 1), sb.Side.BLACK: HeuristicOpponent(2)}
    state = Session.new(card, match_id="test", seed="3")
    while state.phase is not Phase.OVER:
        side = state.to_act[0]
        between = state.phase in (Phase.READY, Phase.OPENING)
        action = (
            (ReadyAction() if state.phase is Phase.READY else RollAction())
            if between
            else decide(players[side], state, side)
        )
        state = apply(state, side, action, 0).state
    with pytest.raises(ValueError, match="nothing is to be decided"):
        decide(players[sb.Side.WHITE], state, sb.Side.WHITE)


@pytest.mark.parametrize(
    ("code", "judged"), [("takhte.g5", True), ("tawla31.g5", True), ("takhte.p3", False)]
)
def test_in_a_match_of_games_winning_the_game_is_all_that_counts(code: str, *, judged: bool) -> None:
    """At 1-1 most of five is no race to three points: a gammon there is one game like any other."""
    state = at(code, (5, 4), turns=16)
    state = state.but(score=replace(state.score, white=1, black=1))
    judge, opponent = coach(code), find_opponent(state.card.rules, "expert", 1)
    hint = judge.hint(state)
    assert isinstance(hint, PlayHint)
    by_wins = [each.equity == pytest.approx(each.outcome.win - each.outcome.lose) for each in hint.candidates]
    assert all(by_wins) if judged else not any(by_wins)
    shallow = Coach(make_engine(state.card.rules), plies=0)
    action = decide(opponent, state, state.to_act[0])
    verdict = shallow.verdict(state, Event(1, 0, state.to_act[0].value, action))
    assert isinstance(verdict, PlayVerdict)
    assert verdict.grade == "best"
    outlook = judge.hint(state.but(phase=Phase.ROLL, turn=None))
    if isinstance(outlook, Outlook):
        by_wins = [outlook.outcome.equity == pytest.approx(outlook.outcome.win - outlook.outcome.lose)]
        assert by_wins == [judged]
    assert (state.score.white, state.judged_at == state.score) == (1, not judged)


def test_bots_in_a_match_of_games_take_no_risk_for_a_gammon(nets: Path) -> None:
    game = sb.variant("takhte")
    engine = make_engine(game, level="expert", folders=[nets], bearoff=False)
    start = at("takhte.g5", (5, 4), turns=0)
    changed = 0
    for turns in range(4, 40):
        state = at("takhte.g5", (5, 4), turns=turns)
        state = state.but(score=replace(start.score, white=1, black=1))
        assert state.position is not None
        action = decide(EngineOpponent(engine), state, state.to_act[0])
        assert isinstance(action, PlayAction)
        safest = engine.rank(state.position, (5, 4), sb.MatchState(length=1))[0].play
        assert action.play == safest.notation
        changed += safest != engine.rank(state.position, (5, 4), state.score)[0].play
    assert changed
