"""What follows an action at once, without a decision: shares of the dice kept by the server,
and the readiness and opening throws of engines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, NamedTuple

from msgspec.structs import replace

from sheshbesh.errors import SheshbeshError
from sheshbesh.rules import Refused, Side
from sheshbesh.session import (
    Action,
    DiceKeeper,
    Event,
    Phase,
    ReadyAction,
    RollAction,
    Session,
    apply,
)
from sheshbesh.session.table_state import Outcome, State

_MOST = 40
"""No action has as many consequences; an endless loop would be worse than an error."""


class Followed(NamedTuple, Generic[State]):
    """An action and all that followed from it at once: each event with the state before it."""

    after: State
    events: tuple[Event, ...]
    before: tuple[State, ...]

    def steps(self) -> Iterator[tuple[State, Event, State]]:
        """Each event between the state before it and the one after it."""
        return zip(self.before, self.events, (*self.before[1:], self.after), strict=True)


def carried_on(
    done: Followed[State],
    due: Callable[[State], tuple[str, Action] | None],
    take: Callable[[State, str, Action], Outcome[State]],
) -> Followed[State]:
    """Take the actions that are due, one after the other, until none is."""
    for _ in range(_MOST):
        action = due(done.after)
        if action is None:
            return done
        try:
            after, _, event = take(done.after, *action)
        except Refused as refused:
            raise AssertionError(f"the server's own {action} was refused: {refused}") from refused
        done = Followed(after, (*done.events, event), (*done.before, done.after))
    raise SheshbeshError(f"the server's actions do not end after {done.events[-1].action}")


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
) -> Followed[Session]:
    """Take an action and do the server's part after it. Refused, or NotationError if a play cannot be read.

    `lag` is how long the action was under way, there and back, in milliseconds; `guessed` marks what an
    engine could not think about.
    """
    after, _, event = apply(session, actor, action, now, lag=lag)
    event = replace(event, guessed=True) if guessed else event
    return _followed(Followed(after, (event,), (session,)), now, keeper, engines)


def perform(session: Session, now: int, keeper: DiceKeeper, engines: tuple[Side, ...]) -> Followed[Session]:
    """Do what the server owes this state, as after a restart; no events if it owes nothing."""
    return _followed(Followed(session, (), ()), now, keeper, engines)


def _followed(
    done: Followed[Session], now: int, keeper: DiceKeeper, engines: tuple[Side, ...]
) -> Followed[Session]:
    return carried_on(
        done,
        lambda session: _next(session, keeper, engines),
        lambda session, actor, action: apply(session, actor, action, now),
    )


def _next(session: Session, keeper: DiceKeeper, engines: tuple[Side, ...]) -> tuple[str, Action] | None:
    due = next(iter(keeper.due_actions(session)), None)
    if due is not None:
        return due
    for side in engines:
        if session.phase is Phase.READY and session.may(side, "ready") and not session.paused:
            return side.value, keeper.with_share(session, side, ReadyAction())
        if session.phase is Phase.OPENING and session.may(side, "roll"):
            return side.value, keeper.with_share(session, side, RollAction())
    return None
