"""Applies an action to a match: the new state and its event.

`apply` is pure: no time but `now`, no randomness, nothing printed. An action that may not happen
raises Refused and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from sheshbesh.rules import Side
from sheshbesh.session import game_course, moves, offers, permissions
from sheshbesh.session.actions import (
    AbandonAction,
    AcceptAction,
    Action,
    AnchorAction,
    BeaverAction,
    BreakAction,
    CallAction,
    ChooseAction,
    ClaimAction,
    ConfirmAction,
    CreditAction,
    DiceAction,
    DoubleAction,
    DropAction,
    Event,
    ForfeitAction,
    LinkAction,
    PlayAction,
    ProposeAction,
    ReadyAction,
    RefuseAction,
    ResignAction,
    ResumeAction,
    RetryAction,
    RollAction,
    StepAction,
    SwapAction,
    TakeAction,
    TouchAction,
    UndoAction,
    WithholdAction,
)
from sheshbesh.session.state import Session
from sheshbesh.session.table_state import Outcome

Handler = Callable[[Session, str, Any, int], Outcome[Session]]

_HANDLERS: Mapping[type[Action], Handler] = MappingProxyType(
    {
        ReadyAction: game_course.ready,
        BreakAction: game_course.take_break,
        RollAction: game_course.throw,
        LinkAction: game_course.link,
        WithholdAction: game_course.withhold,
        AnchorAction: game_course.anchor,
        DiceAction: game_course.typed_dice,
        ClaimAction: game_course.claim_time,
        AbandonAction: game_course.abandon,
        CreditAction: game_course.credit,
        CallAction: game_course.call,
        ForfeitAction: game_course.forfeit,
        ChooseAction: moves.choose,
        TouchAction: moves.touch,
        StepAction: moves.step,
        UndoAction: moves.undo,
        SwapAction: moves.swap,
        ConfirmAction: moves.confirm,
        PlayAction: moves.play,
        RetryAction: moves.retry,
        DoubleAction: offers.double,
        TakeAction: offers.take,
        DropAction: offers.drop,
        BeaverAction: offers.beaver,
        ResignAction: offers.resign,
        ProposeAction: offers.propose,
        AcceptAction: offers.accept,
        RefuseAction: offers.refuse_offer,
        ResumeAction: offers.resume,
    }
)


TIMED = frozenset({"play", "confirm", "double", "take", "drop", "beaver"})
"""Actions that end a turn or answer: with it the time that it was under way is given back."""


def apply(state: Session, actor: Side | str, action: Action, now: int, *, lag: int = 0) -> Outcome[Session]:
    """Let `actor` (a side or "server") take `action` at `now`, in milliseconds.

    `lag` is how long it was under way, there and back, by the server's own measure; the event records what
    of it was given back to the actor's clock.

    NotationError if the text of a play cannot be read; Refused for everything else that is wrong with
    an action.
    """
    name = actor.value if isinstance(actor, Side) else actor
    # A clock that was set back must not date an event before the one it follows.
    now, given = max(now, state.at), 0
    running = state.clock.running
    if action.type in TIMED and running is not None and running.value == name:
        clock = state.clock.give_back(lag, now)
        state, given = state.but(clock=clock), clock.quota(running).given
    permissions.check(state, name, action.type, now)
    after, then, _ = _HANDLERS[type(action)](state, name, action, now)
    number = state.events + 1
    return Outcome(after.but(events=number, at=now), then, Event(number, now, name, action, then, given))
