"""How fast a match changes: applied actions per second, the aim being 50,000 on one core.

A match is walked once with seeded dice, turns taken step by step as on a board or as whole plays in
text; timed is `apply` alone, action by action. Replaying a record does a little more.
"""

from __future__ import annotations

import random
from functools import cache, partial
from typing import Any

import pytest

from sheshbesh.engines.measure.speed import Summary, check
from sheshbesh.match import Card
from sheshbesh.session import (
    Action,
    ConfirmAction,
    Event,
    Header,
    Phase,
    PlayAction,
    ReadyAction,
    Record,
    RollAction,
    Session,
    StepAction,
    apply,
)

ROUNDS = 5
ACTIONS = 4000
SEED = 1

Call = tuple[str, Action]

EXPECTED: dict[str, Summary] = {
    "backgammon steps": (4000, 12, 3, 8),
    "backgammon plays": (4000, 21, 10, 10),
    "takhte steps": (4002, 9, 7, 7),
    "takhte plays": (4000, 19, 21, 9),
    "long_nardy steps": (4000, 10, 8, 3),
    "long_nardy plays": (4000, 21, 11, 13),
}
"""Actions, games, and the points of both sides: what tells one walk from another."""


def _next(state: Session, rng: random.Random, *, stepwise: bool) -> list[Call]:
    """What the player who is waited for does: an action, or those of a whole turn."""
    side = state.to_act[0].value
    if state.phase is Phase.READY:
        return [(side, ReadyAction())]
    if state.phase is not Phase.MOVE:
        return [(side, RollAction())]
    assert state.turn is not None
    plays = state.turn.plays()
    play = plays[rng.randrange(len(plays))]
    if not stepwise:
        return [(side, PlayAction(play.notation))]
    steps: list[Call] = [(side, StepAction(step.origin, step.target, step.die)) for step in play.steps]
    return [*steps, (side, ConfirmAction())]


@cache
def walk(game: str, *, stepwise: bool) -> tuple[Record, tuple[Call, ...]]:
    """A money session of random plays: its record, and the actions as they were given."""
    header = Header(Card.from_code(f"{game}.m.dice-seeded"), "speed", seed="speed")
    state, rng = header.session(), random.Random(SEED)
    calls: list[Call] = []
    events: list[Event] = []
    while len(calls) < ACTIONS:
        for actor, action in _next(state, rng, stepwise=stepwise):
            applied = apply(state, actor, action, len(calls))
            state = applied.state
            calls.append((actor, action))
            events.append(applied.event)
    return Record(header, tuple(events)), tuple(calls)


def _summary(state: Session) -> Summary:
    return (state.events, state.game_no, state.score.white, state.score.black)


def run(state: Session, calls: tuple[Call, ...]) -> Summary:
    """Apply all actions."""
    for now, (actor, action) in enumerate(calls):
        state = apply(state, actor, action, now).state
    return _summary(state)


def _measure(benchmark: Any, name: str, work: Any, units: int) -> None:
    check(name, work(), EXPECTED[name])
    benchmark.pedantic(work, rounds=ROUNDS)
    if benchmark.stats is not None:  # None where the timing is switched off
        benchmark.extra_info["actions_per_s"] = round(units / benchmark.stats.stats.min)


@pytest.mark.parametrize("way", ["steps", "plays"])
@pytest.mark.parametrize("game", ["backgammon", "takhte", "long_nardy"])
def test_applied_actions(benchmark: Any, game: str, way: str) -> None:
    record, calls = walk(game, stepwise=way == "steps")
    work = partial(run, record.header.session(), calls)
    _measure(benchmark, f"{game} {way}", work, len(calls))


def test_replay(benchmark: Any) -> None:
    record, calls = walk("backgammon", stepwise=True)
    _measure(benchmark, "backgammon steps", lambda: _summary(record.replay()), len(calls))
