"""The engine's processes: every kind of question, in time, whatever happens to a process."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress

import pytest

import sheshbesh as sb
from sheshbesh.cli.terminal.match_loop import start_at
from sheshbesh.engines.strength import levels
from sheshbesh.match import Card
from sheshbesh.players.engines import Engines
from sheshbesh.players.snapshot import read_snapshot, snapshot_data
from sheshbesh.rules import Refused
from sheshbesh.server.engine.questions import Questions
from sheshbesh.session import (
    AcceptAction,
    Action,
    ChooseAction,
    DoubleAction,
    DropAction,
    Event,
    Phase,
    PlayAction,
    ProposeAction,
    ReadyAction,
    RefuseAction,
    ResignAction,
    RollAction,
    Session,
    TakeAction,
    apply,
)
from tests.sizes import sampled_games

pytestmark = pytest.mark.anyio

WHITE, BLACK = sb.Side.WHITE, sb.Side.BLACK


@pytest.fixture
async def pool() -> AsyncIterator[Questions]:
    async with Questions(1, limit=1.0) as found:
        yield found


@pytest.fixture
async def patient() -> AsyncIterator[Questions]:
    """One that gives no answer up because the machine has much else to do."""
    async with Questions(1, limit=60.0) as found:
        yield found


def at(code: str, dice: tuple[int, int] | None = (3, 1)) -> Session:
    card = Card.from_code(f"{code}.dice-seeded")
    roll = None if dice is None else sb.Roll.of(dice)
    return start_at(Session.new(card, match_id="test", seed="1"), card.rules.start(), roll)


def plays(state: Session) -> Sequence[sb.Play]:
    assert state.turn is not None
    return state.turn.plays()


def randomly(code: str, seed: int) -> list[Session]:
    """The moments of a match in which both sides do anything that they may."""
    chance, state = random.Random(seed), Session.new(Card.from_code(code), match_id="m", seed="1")
    seen: list[Session] = []
    while state.phase is not Phase.OVER and len(seen) < 400:
        seen.append(state)
        side = state.to_act[0]
        words = [word for word in state.allowed(side) if word in _RANDOM]
        word = chance.choice(words)
        with suppress(Refused):
            state = apply(state, side, _RANDOM[word](state, side), 0).state
    return seen


_RANDOM: dict[str, Callable[[Session, sb.Side], Action]] = {
    "ready": lambda state, side: ReadyAction(),
    "roll": lambda state, side: RollAction(),
    "double": lambda state, side: DoubleAction(),
    "take": lambda state, side: TakeAction(),
    "drop": lambda state, side: DropAction(),
    "accept": lambda state, side: AcceptAction() if state.phase is Phase.RESIGNED else RefuseAction(),
    "refuse": lambda state, side: RefuseAction(),
    "choose": lambda state, side: ChooseAction(6),
    "play": lambda state, side: PlayAction(plays(state)[0].notation),
    "resign": lambda state, side: ResignAction("single"),
    "propose": lambda state, side: ProposeAction("settle", 1),
}


@pytest.mark.parametrize(
    "code",
    ["backgammon.m.beavers.dice-seeded", "gioul.p3.dice-seeded", "backgammon.p3.nocrawford.dice-seeded"],
)
def test_a_moment_as_data_keeps_all_that_is_decided_by(code: str) -> None:
    for state in (each for seed in range(4) for each in randomly(code, seed)):
        found = read_snapshot(snapshot_data(state))
        assert snapshot_data(found) == snapshot_data(state)
        assert (found.position, found.score, found.dice) == (state.position, state.score, state.dice)
        if state.phase not in (Phase.READY, Phase.OPENING, Phase.THROWING):
            for side in sb.Side:
                assert found.may(side, "double") == state.may(side, "double")
                assert found.may(side, "beaver") == state.may(side, "beaver")
                assert found.may(side, "accept") == state.may(side, "accept")


async def test_every_kind_of_decision_is_one_that_may_be_made(pool: Questions) -> None:
    asked: dict[tuple[Phase, bool], Session] = {}
    for seed in range(12):
        for state in randomly("backgammon.m.beavers.dice-seeded", seed):
            asked.setdefault((state.phase, state.proposal is not None), state)
    kinds = set()
    for (phase, _), state in asked.items():
        if phase in (Phase.READY, Phase.OPENING):
            continue
        side = state.to_act[0]
        action = (await pool.decide(state, side, "beginner")).action
        kinds.add(phase)
        apply(state, side, action, 0)  # refused, it would raise
    assert kinds >= {Phase.ROLL, Phase.MOVE, Phase.DOUBLED, Phase.RESIGNED}


@pytest.mark.parametrize("game", sampled_games(10))
async def test_every_game_has_an_opponent(pool: Questions, game: str) -> None:
    state = at(f"{game}.p3")
    made = await pool.decide(state, WHITE, "club")
    apply(state, WHITE, made.action, 0)  # refused, it would raise


async def test_advice_comes_in_the_language_asked_for(patient: Questions) -> None:
    state = at("backgammon.p3")
    hint = await patient.hint(state)
    assert hint is not None and hint["candidates"][0]["play"] == "8/5 6/5"
    turkish = await patient.hint(state, "tr")
    assert turkish is not None and turkish["reason"]["text"] != hint["reason"]["text"]
    verdict = await patient.verdict(state, Event(1, 0, "white", PlayAction("24/20")))
    assert verdict is not None and verdict["grade"] == "blunder"
    assert verdict["best"]["steps"] == hint["candidates"][0]["steps"]


@pytest.mark.parametrize("level", ["expert", "strongest"])
def test_without_time_a_search_says_what_the_net_alone_knows(level: str) -> None:
    """A limit of nothing is what a question gets that many wait behind."""
    state, engines = at("backgammon.p5", (2, 2)), Engines()
    engine = sb.engine("backgammon")
    assert state.position is not None
    net_alone = engine.at_level(levels.find(level), 7, plies=0).choose(
        state.position, state.dice, state.score
    )
    assert engines.decide(state, WHITE, level, 7, 0.0) == PlayAction(net_alone.notation)


async def test_what_was_thought_about_is_not_called_a_guess() -> None:
    async with Questions(1, limit=60.0) as patient:
        assert not (await patient.decide(at("tavla.p3"), WHITE, "beginner")).guessed


async def test_leaving_and_the_last_bear_off(pool: Questions) -> None:
    assert await pool.level_of_loss(at("backgammon.m"), BLACK) == "single"
    board = {"white": {"6": 1, "5": 1}, "white_off": 13, "black": {"24": 2}, "black_off": 13}
    position = sb.variant("backgammon").position(board)
    fresh = Session.new(Card.from_code("backgammon.p1.dice-seeded"), match_id="t", seed="1")
    state = start_at(fresh, position, sb.Roll(6, 5))
    assert await pool.finish(state) == "6/off 5/off"
    assert await pool.finish(at("backgammon.p1")) is None


def test_the_rule_sets_kept_ready_are_bounded() -> None:
    engines = Engines(kept=2)
    for game in ("tavla", "tapa", "fevga", "tavla"):
        state = at(f"{game}.p1")
        assert state.turn is not None
        action = engines.decide(state, WHITE, "club", 1, 1.0)
        apply(state, WHITE, action, 0)  # refused, it would raise
    assert engines.ready == 2
