"""Actions of the player on roll with the dice on the board."""

from __future__ import annotations

from sheshbesh.rules import Play, Refusal, Roll, Side
from sheshbesh.session import game_course, throws
from sheshbesh.session.actions import (
    ChooseAction,
    ConfirmAction,
    PlayAction,
    StepAction,
    SwapAction,
    TouchAction,
    UndoAction,
)
from sheshbesh.session.refusals import refuse
from sheshbesh.session.state import Session, Transition, add
from sheshbesh.session.turn import Turn


def _with(state: Session, turn: Turn | Refusal) -> Transition | Refusal:
    return turn if isinstance(turn, Refusal) else Transition(state.but(turn=turn))


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


def choose(state: Session, _actor: str, action: ChooseAction, _now: int) -> Transition | Refusal:
    """Name the double that was earned; it is played like a throw."""
    if not 1 <= action.die <= 6:
        return refuse("dice.choose")
    return Transition(throws.show_dice(state, Roll(action.die, action.die)))


def touch(state: Session, _actor: str, action: TouchAction, _now: int) -> Transition | Refusal:
    """Touch a checker."""
    return _with(state, _turn(state).touch(action.point))


def step(state: Session, _actor: str, action: StepAction, _now: int) -> Transition | Refusal:
    """Move one checker provisionally."""
    return _with(state, _turn(state).step(action.origin, action.target, action.die))


def undo(state: Session, _actor: str, action: UndoAction, _now: int) -> Transition | Refusal:
    """Take steps back."""
    return _with(state, _turn(state).undo(everything=action.all))


def swap(state: Session, _actor: str, _action: SwapAction, _now: int) -> Transition | Refusal:
    """Turn the dice round."""
    return _with(state, _turn(state).swap())


def confirm(state: Session, actor: str, action: ConfirmAction, now: int) -> Transition | Refusal:
    """End the turn with the steps made so far; refused, with the reason, while it is not complete."""
    return _finish(state, actor, _ended(state).finish(), action.link, now)


def play(state: Session, actor: str, action: PlayAction, now: int) -> Transition | Refusal:
    """Make a whole play and end the turn."""
    return _finish(state, actor, _ended(state).written(action.play), action.link, now)


def _finish(
    state: Session, actor: str, play: Play | Refusal, link: str | None, now: int
) -> Transition | Refusal:
    if isinstance(play, Refusal):
        return play
    transition = game_course.after_play(state.but(position=play.result), Side.of(actor), link, now)
    if isinstance(transition, Refusal):
        return transition
    return add(transition, play=play.notation)
