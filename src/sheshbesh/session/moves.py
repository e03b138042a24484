"""Actions of the player on roll with the dice on the board."""

from __future__ import annotations

from dataclasses import replace

from sheshbesh.match.timing import ClockKind
from sheshbesh.rules import Play, Refused, Roll, Side
from sheshbesh.session import game_course
from sheshbesh.session.actions import (
    ChooseAction,
    ConfirmAction,
    PlayAction,
    RetryAction,
    StepAction,
    SwapAction,
    TouchAction,
    UndoAction,
)
from sheshbesh.session.state import Played, Session
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


def retry(state: Session, _actor: str, action: RetryAction, _now: int) -> Outcome[Session]:
    """Take the play back that was just made: the same dice lie on the board again, and none is thrown."""
    played = state.played
    assert played is not None
    if action.side != played.side.value:
        raise Refused.of("turn.no_retry")
    turn = replace(_turn(played.before), done=(), touched=None)
    return Outcome(played.before.but(turn=turn, tried=played.play), {"taken_back": played.play})


def _finish(state: Session, actor: str, play: Play, link: str | None, now: int) -> Outcome[Session]:
    side, tried = Side.of(actor), state.tried
    gone_on = state.but(position=play.result, tried=None)
    after = game_course.after_play(gone_on, side, link, now, passed=not play.steps)
    if tried is None and link is None and play.steps and _may_be_retried(state, after.state, side):
        played = Played(side, play.notation, state.events + 1, state.but(played=None))
        after = after._replace(state=after.state.but(played=played))
    return after.noting(play=play.notation)


def _may_be_retried(before: Session, after: Session, side: Side) -> bool:
    """Tell whether a play may be taken back for another try: it ended the turn and not the game, and no clock
    ran."""
    free = before.card.clock.kind is ClockKind.NONE and before.event is None
    return free and before.turn is not None and after.on_roll is side.other
