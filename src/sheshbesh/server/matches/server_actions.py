"""What follows an action at once, without anybody thinking: shares of the dice kept by the server,
and the readiness and opening throws of engines."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from sheshbesh.errors import SheshbeshError
from sheshbesh.rules import Refusal, Side
from sheshbesh.session import Action, Applied, DiceKeeper, Event, Phase, Session, actions, apply

_MOST = 40
"""No action calls for so many others; a server that went on for ever would be worse than one that stops."""


class Followed(NamedTuple):
    """An action and all that followed from it at once: each event with the state before it."""

    after: Session
    events: tuple[Event, ...]
    before: tuple[Session, ...]


def follow(
    session: Session,
    actor: str,
    action: Action,
    now: int,
    *,
    keeper: DiceKeeper,
    engines: tuple[Side, ...],
    lag: int = 0,
    guessed: bool = False,
) -> Followed | Refusal:
    """Take an action and do the server's part after it. NotationError if a play cannot be read.

    `lag` is how long the action was under way, there and back, in milliseconds; `guessed` marks what an
    engine could not think about.
    """
    applied = apply(session, actor, action, now, lag=lag)
    if isinstance(applied, Refusal):
        return applied
    events = tuple(replace(event, guessed=True) for event in applied.events) if guessed else applied.events
    return _followed(Followed(applied.state, events, (session,)), now, keeper, engines)


def perform(session: Session, now: int, keeper: DiceKeeper, engines: tuple[Side, ...]) -> Followed:
    """Do what the server owes this state, as after a restart; no events if it owes nothing."""
    return _followed(Followed(session, (), ()), now, keeper, engines)


def _followed(done: Followed, now: int, keeper: DiceKeeper, engines: tuple[Side, ...]) -> Followed:
    for _ in range(_MOST):
        duty = _next(done.after, keeper, engines)
        if duty is None:
            return done
        applied = apply(done.after, *duty, now)
        assert isinstance(applied, Applied), f"the server's own {duty} was refused: {applied}"
        done = Followed(applied.state, (*done.events, *applied.events), (*done.before, done.after))
    raise SheshbeshError(f"the server's duties do not end in phase {done.after.phase}")


def _next(session: Session, keeper: DiceKeeper, engines: tuple[Side, ...]) -> tuple[str, Action] | None:
    duty = next(iter(keeper.duties(session)), None)
    if duty is not None:
        return duty
    for side in engines:
        if session.phase is Phase.READY and session.may(side, "ready") and not session.paused:
            return side.value, keeper.dress(session, side, actions.Ready())
        if session.phase is Phase.OPENING and session.may(side, "roll"):
            return side.value, keeper.dress(session, side, actions.Throw())
    return None
