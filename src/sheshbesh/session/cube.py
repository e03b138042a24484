"""Doubling: offers and answers. What was offered or answered cannot be taken back.

The doubler's clock starts the other player's; who takes starts the doubler's; a drop stops the
clock until the next game. Source: Khalili (004), p. 11 and 12.
"""

from __future__ import annotations

from dataclasses import replace

from sheshbesh.rules import GameResult, Refusal, Side
from sheshbesh.session import actions as act
from sheshbesh.session import game_course
from sheshbesh.session.outcome import Outcome
from sheshbesh.session.state import OFFERED, Phase, Session


def double(state: Session, actor: str, _action: act.Double, now: int) -> Outcome | Refusal:
    """Offer to play on for twice the stake."""
    side = Side.of(actor)
    return Outcome(
        state.but(
            phase=Phase.DOUBLED,
            doubler=side,
            stake=state.score.cube,
            proposal=None,
            clock=state.clock.ask(side.other, now),
        ),
        {"cube": 2 * state.score.cube},
    )


def _doubler(state: Session) -> Side:
    assert state.doubler is not None
    return state.doubler


def take(state: Session, _actor: str, _action: act.Take, now: int) -> Outcome | Refusal:
    """Accept the stake offered. The cube goes to the taker of the double; a beaver keeps it there."""
    doubler = _doubler(state)
    cube = state.stake * OFFERED[state.phase]
    score = replace(state.score, cube=cube, owner=doubler.other)
    taken = state.but(phase=Phase.ROLL, score=score, doubler=None, clock=state.clock.answered(doubler, now))
    return Outcome(taken, {"cube": cube})


def drop(state: Session, actor: str, _action: act.Drop, now: int) -> Outcome | Refusal:
    """Give the game up for the stake before the open offer."""
    price = state.stake * OFFERED[state.phase] // 2
    result = GameResult(Side.of(actor).other, price, "single")
    return game_course.end_game(state, result, now, points=price, cube=price, reason="drop")


def beaver(state: Session, actor: str, _action: act.Beaver, now: int) -> Outcome | Refusal:
    """Take and turn the cube at once: a beaver, or against it a raccoon."""
    phase = Phase.BEAVERED if state.phase is Phase.DOUBLED else Phase.RACCOONED
    answering = state.but(phase=phase, clock=state.clock.ask_back(Side.of(actor).other, now))
    return Outcome(answering, {"cube": state.stake * OFFERED[phase]})
