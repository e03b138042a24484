"""A turn in progress: provisional steps until it is confirmed.

Used by matches and by chouettes alike. It has the position and the dice, no players, score or time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sheshbesh.errors import IllegalPlayError, NotationError
from sheshbesh.rules import Play, Position, Refusal, Roll, Step
from sheshbesh.session.refusals import refuse


@dataclass(frozen=True, slots=True)
class Turn:
    """What the side on roll has done with its dice so far.

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

    # Changes: a new turn, or why not

    def touch(self, point: int) -> Turn | Refusal:
        """Touch a checker. It binds only with touch-move, and only if that checker can move."""
        if self.touched is not None:
            return refuse("turn.touched")
        if not self.touch_move or all(step.origin != point for step in self.next_steps()):
            return self
        return replace(self, touched=point)

    def step(self, origin: int, target: int, die: int | None = None) -> Turn | Refusal:
        """Move one checker; where two dice would do, `die` decides, else the one shown first."""
        if self.touched is not None and origin != self.touched:
            return refuse("turn.touched")
        fitting = [
            step
            for step in self.next_steps()
            if step.origin == origin and step.target == target and die in (None, step.die)
        ]
        if not fitting:
            return self._step_refusal(origin, target)
        shown = self.dice.first
        chosen = next((step for step in fitting if step.die == shown), fitting[0])
        # Spelled out: `replace` would take a tenth of the time of a step.
        return Turn(self.position, self.dice, self.touch_move, (*self.done, chosen))

    def _step_refusal(self, origin: int, target: int) -> Refusal:
        try:
            refusal = self.position.refusal((*self.done, (origin, target)), self.dice)
        except NotationError:
            refusal = None
        return refusal or refuse("turn.not_now")

    def undo(self, *, everything: bool = False) -> Turn | Refusal:
        """Take back the last step, or all."""
        if self.touch_move:
            return refuse("turn.touch_move")
        if not self.done:
            return refuse("turn.nothing_done")
        return replace(self, done=() if everything else self.done[:-1])

    def swap(self) -> Turn:
        """Lay the dice in the other order."""
        return replace(self, dice=Roll(self.dice.second, self.dice.first))

    def written(self, text: str) -> Play | Refusal:
        """A whole play given as text, in place of what was done; NotationError if unreadable."""
        if self.touched is not None:
            return refuse("turn.touched")
        if self.touch_move and self.done:
            return refuse("turn.touch_move")
        try:
            return self.position.parse_play(text, self.dice)
        except IllegalPlayError as error:
            return Refusal(error.rule, error.source, error.text)

    def finish(self) -> Play | Refusal:
        """The play that the steps make, or why the turn is not complete."""
        if self.touched is not None:
            return refuse("turn.touched")
        return self.position.play_of(self.done, self.dice)
