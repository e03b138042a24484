"""A match that begins in the middle of a game, for study: it has no record and proves no dice."""

from __future__ import annotations

from sheshbesh.rules import Position, Refusal, Roll
from sheshbesh.session import Session
from sheshbesh.session.game_course import after_play
from sheshbesh.session.throws import show_dice


def study(state: Session, position: Position, dice: Roll | None) -> Session:
    """A new match as if `position` had just been played to, with `dice` on the table if given."""
    arrived = state.but(game_no=1, position=position, starter=position.turn)
    outcome = after_play(arrived, position.turn.other, None, 0)
    assert not isinstance(outcome, Refusal)
    return outcome.state if dice is None else show_dice(outcome.state, dice)
