"""A turn in progress: provisional steps until it is confirmed.

Used by matches and by chouettes alike. It has the position and the dice, no players, score or time.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from sheshbesh.errors import IllegalPlayError, NotationError
from sheshbesh.rules import Play, Position, Refusal, Refused, Roll, Step
from sheshbesh.session.phases import Phase
from sheshbesh.session.refusals import not_now


@dataclass(frozen=True, slots=True)
class Turn:
    """The steps that the side on roll has made with its dice so far.

    `dice` are in the order in which they are shown. With touch-move nothing is taken back, and
    `touched` is the point whose checker must move next, if one was touched: until it has, there is
    nothing to do but that step.
    """

    position: Position
    dice: Roll
    touch_move: bool = False
    done: tuple[Step, ...] = ()
    touched: int | None = None

    def plays(self) -> Sequence[Play]:
        """All legal plays of the dice, whatever has been done of them."""
        return self.position.legal_plays(self.dice)

    def next_steps(self) -> tuple[Step, ...]:
        """The steps that may follow those done."""
        return self.position.legal_steps(self.dice, self.done)

    @property
    def forced(self) -> Play | None:
        """The only legal play, a pass included; None if there is a choice."""
        plays = self.plays()
        return plays[0] if len(plays) == 1 else None

    @property
    def made(self) -> Play | None:
        """The play that the steps make; None while the turn is not complete."""
        try:
            return self.finish()
        except Refused:
            return None

    # Changes: a new turn; what is not allowed raises Refused

    def touch(self, point: int) -> Turn:
        """Touch a checker. It binds only with touch-move, and only if that checker can move."""
        if self.touched is not None:
            raise Refused.of("turn.touched")
        if not self.touch_move or all(step.origin != point for step in self.next_steps()):
            return self
        return replace(self, touched=point)

    def step(self, origin: int, target: int, die: int | None = None) -> Turn:
        """Move one checker; where two dice would do, `die` decides, else the one shown first."""
        if self.touched is not None and origin != self.touched:
            raise Refused.of("turn.touched")
        fitting = [
            step
            for step in self.next_steps()
            if step.origin == origin and step.target == target and die in (None, step.die)
        ]
        if not fitting:
            raise self._step_refused(origin, target)
        shown = self.dice.first
        chosen = next((step for step in fitting if step.die == shown), fitting[0])
        # Spelled out: `replace` would take a tenth of the time of a step.
        return Turn(self.position, self.dice, self.touch_move, (*self.done, chosen))

    def _step_refused(self, origin: int, target: int) -> Refused:
        with suppress(NotationError):
            refusal = self.position.refusal((*self.done, (origin, target)), self.dice)
            if refusal is not None:
                return Refused(refusal)
        return not_now(Phase.MOVE)

    def undo(self, *, everything: bool = False) -> Turn:
        """Take back the last step, or all."""
        if self.touch_move:
            raise Refused.of("turn.touch_move")
        if not self.done:
            raise Refused.of("turn.nothing_done")
        return replace(self, done=() if everything else self.done[:-1])

    def swap(self) -> Turn:
        """Lay the dice in the other order."""
        return replace(self, dice=Roll(self.dice.second, self.dice.first))

    def written(self, text: str) -> Play:
        """A whole play given as text, in place of what was done; NotationError if unreadable."""
        if self.touched is not None:
            raise Refused.of("turn.touched")
        if self.touch_move and self.done:
            raise Refused.of("turn.touch_move")
        try:
            return self.position.parse_play(text, self.dice)
        except IllegalPlayError as error:
            raise Refused(Refusal(error.rule, error.source, error.text)) from None

    def finish(self) -> Play:
        """Return the play that the steps make; Refused if the turn is not complete."""
        if self.touched is not None:
            raise Refused.of("turn.touched")
        play = self.position.play_of(self.done, self.dice)
        if isinstance(play, Refusal):
            raise Refused(play)
        return play
