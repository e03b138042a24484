"""Actions of the player on roll with his dice on the board."""

from __future__ import annotations

from sheshbesh.rules import Play, Refusal, Roll, Side
from sheshbesh.session import actions as act
from sheshbesh.session import game_course, throws
from sheshbesh.session.outcome import Outcome, add
from sheshbesh.session.refusals import refuse
from sheshbesh.session.state import Session
from sheshbesh.session.turn import Turn


def _with(state: Session, turn: Turn | Refusal) -> Outcome | Refusal:
    return turn if isinstance(turn, Refusal) else Outcome(state.but(turn=turn))


def _turn(state: Session) -> Turn:
    assert state.turn is not None
    return state.turn


def choose(state: Session, _actor: str, action: act.Choose, _now: int) -> Outcome | Refusal:
    """Name the double that was earned; it is played like a throw."""
    if not 1 <= action.die <= 6:
        return refuse("dice.choose")
    return Outcome(throws.show_dice(state, Roll(action.die, action.die)))


def touch(state: Session, _actor: str, action: act.Touch, _now: int) -> Outcome | Refusal:
    """Touch a checker."""
    return _with(state, _turn(state).touch(action.point))


def step(state: Session, _actor: str, action: act.Move, _now: int) -> Outcome | Refusal:
    """Move one checker provisionally."""
    return _with(state, _turn(state).step(action.origin, action.target, action.die))


def undo(state: Session, _actor: str, action: act.Undo, _now: int) -> Outcome | Refusal:
    """Take steps back."""
    return _with(state, _turn(state).undo(everything=action.all))


def swap(state: Session, _actor: str, _action: act.Swap, _now: int) -> Outcome | Refusal:
    """Turn the dice round."""
    return _with(state, _turn(state).swap())


def confirm(state: Session, actor: str, action: act.Confirm, now: int) -> Outcome | Refusal:
    """End the turn with the steps made so far; refused, with the reason, while it is not complete."""
    return _finish(state, actor, _turn(state).finish(), action.link, now)


def play(state: Session, actor: str, action: act.MakePlay, now: int) -> Outcome | Refusal:
    """Make a whole play and end the turn."""
    return _finish(state, actor, _turn(state).written(action.play), action.link, now)


def _finish(
    state: Session, actor: str, play: Play | Refusal, link: str | None, now: int
) -> Outcome | Refusal:
    if isinstance(play, Refusal):
        return play
    outcome = game_course.after_play(state.but(position=play.result), Side.of(actor), link, now)
    if isinstance(outcome, Refusal):
        return outcome
    return add(outcome, play=play.notation)
