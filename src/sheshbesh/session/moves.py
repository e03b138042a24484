"""Actions of the player on roll with the dice on the board."""

from __future__ import annotations

from sheshbesh.rules import Play, Refused, Roll, Side
from sheshbesh.session import game_course
from sheshbesh.session.actions import (
    ChooseAction,
    ConfirmAction,
    PlayAction,
    StepAction,
    SwapAction,
    TouchAction,
    UndoAction,
)
from sheshbesh.session.state import Session
from sheshbesh.session.table_state import Outcome
from sheshbesh.session.turn import Turn


def _turn(state: Session) -> Turn:
    assert state.turn is not None
    return state.turn


_ANY = Roll(6, 5)


def _ended(state: Session) -> Turn:
    """The turn that is ended; of a side that passes without a throw, that of any throw."""
    if state.turn is not None:
        return state.turn
    assert state.position is not None
    return Turn(state.position, _ANY)


def choose(state: Session, _actor: str, action: ChooseAction, _now: int) -> Outcome[Session]:
    """Name the double that was earned; it is played like a throw."""
    if not 1 <= action.die <= 6:
        raise Refused.of("dice.choose")
    return Outcome(game_course.show_dice(state, Roll(action.die, action.die)))


def touch(state: Session, _actor: str, action: TouchAction, _now: int) -> Outcome[Session]:
    """Touch a checker."""
    return Outcome(state.but(turn=_turn(state).touch(action.point)))


def step(state: Session, _actor: str, action: StepAction, _now: int) -> Outcome[Session]:
    """Move one checker provisionally."""
    return Outcome(state.but(turn=_turn(state).step(action.origin, action.target, action.die)))


def undo(state: Session, _actor: str, action: UndoAction, _now: int) -> Outcome[Session]:
    """Take steps back."""
    return Outcome(state.but(turn=_turn(state).undo(everything=action.all)))


def swap(state: Session, _actor: str, _action: SwapAction, _now: int) -> Outcome[Session]:
    """Turn the dice round."""
    return Outcome(state.but(turn=_turn(state).swap()))


def confirm(state: Session, actor: str, action: ConfirmAction, now: int) -> Outcome[Session]:
    """End the turn with the steps made so far; refused, with the reason, while it is not complete."""
    return _finish(state, actor, _ended(state).finish(), action.link, now)


def play(state: Session, actor: str, action: PlayAction, now: int) -> Outcome[Session]:
    """Make a whole play and end the turn."""
    return _finish(state, actor, _ended(state).written(action.play), action.link, now)


def _finish(state: Session, actor: str, play: Play, link: str | None, now: int) -> Outcome[Session]:
    gone_on = state.but(position=play.result)
    after = game_course.after_play(gone_on, Side.of(actor), link, now, passed=not play.steps)
    return after.noting(play=play.notation)
