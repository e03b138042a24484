"""Reads a typed play into steps. No input, no output."""

from __future__ import annotations

from collections.abc import Sequence

from sheshbesh.errors import IllegalPlayError
from sheshbesh.rules import Play, Roll, Step
from sheshbesh.rules.drawing import Picture
from sheshbesh.rules.notation import Move, format_steps, parse_moves
from sheshbesh.session import Turn

_MOST_STEPS = 4
"""No throw has more steps; a text that names more cannot be the beginning of a play."""


class MoveInput:
    """The play being entered in a turn, before it goes to the match.

    `plays` are the legal plays; `steps` what is played provisionally, always the beginning of a
    legal play or a whole one.
    """

    def __init__(self, turn: Turn) -> None:
        self.position = turn.position
        self.dice = turn.dice
        self.plays: Sequence[Play] = turn.plays()
        self.steps = turn.done

    @property
    def roll(self) -> Roll:
        """The numbers being played."""
        return self.plays[0].dice

    @property
    def is_forced(self) -> bool:
        """True if there is only one play, the pass included."""
        return len(self.plays) == 1

    @property
    def is_dance(self) -> bool:
        """True if nothing can be played."""
        return self.is_forced and self.plays[0].is_pass

    @property
    def picture(self) -> Picture:
        """The board with the provisional steps made."""
        return Picture.of(self.position).after(self.position.turn, self.steps)

    @property
    def text(self) -> str:
        """The provisional steps as a play, such as `13/8 6/5`; empty without any."""
        return format_steps(self.steps) if self.steps else ""

    def next_steps(self) -> tuple[Step, ...]:
        """The steps that may come next."""
        return self.position.legal_steps(self.dice, self.steps)

    @property
    def is_whole(self) -> bool:
        """True if the provisional steps make a whole play."""
        return bool(self.steps) and isinstance(self.position.play_of(self.steps, self.dice), Play)

    def choose(self, play: Play) -> None:
        """Make a legal play provisionally, in place of what was played so far."""
        self.steps = play.steps

    def add(self, step: Step) -> None:
        """Make one of the next steps provisionally."""
        self.steps = (*self.steps, step)

    def read(self, text: str, *, may_replace: bool) -> None:
        """Make what the text says provisionally.

        It may finish the play, continue it, or (with `may_replace`) be a whole play in place of what
        was played so far. Raises NotationError if it cannot be read, IllegalPlayError if it is not
        legal; then nothing changes.
        """
        moves = parse_moves(text)
        try:
            whole = f"{_written(self.steps)} {text}"
            self.steps = self._as_written(self.position.parse_play(whole, self.dice), moves)
            return
        except IllegalPlayError as error:
            refused = error
        more = self._continue(moves)
        if more is not None:
            self.steps = more
            return
        if self.steps and may_replace:
            try:
                self.steps = self.position.parse_play(text, self.dice).steps
                return
            except IllegalPlayError:
                pass
        raise self._refused_step(moves) or refused

    def _as_written(self, play: Play, moves: Sequence[Move]) -> tuple[Step, ...]:
        """The steps of a play in the order the player gave, so that undo takes back the last of them."""
        steps = self._continue(moves)
        return steps if steps is not None and self._ends_in(play, steps) else play.steps

    def _ends_in(self, play: Play, steps: Sequence[Step]) -> bool:
        try:
            return self.position.parse_play(_written(steps), self.dice).result == play.result
        except IllegalPlayError:
            return False

    def _continue(self, moves: Sequence[Move]) -> tuple[Step, ...] | None:
        """The provisional steps with the moves after them, if the rules leave that open."""
        return self._walk(self.steps, _hops(moves)) if moves else None

    def _walk(self, done: tuple[Step, ...], hops: Sequence[tuple[int, int]]) -> tuple[Step, ...] | None:
        if not hops or len(hops) > _MOST_STEPS:
            return None if hops else done
        following = self.position.legal_steps(self.dice, done)
        # The moves may have been written in an order in which they cannot be made.
        for origin, target in dict.fromkeys(hops):
            rest = list(hops)
            rest.remove((origin, target))
            for step in following:
                if step.origin != origin or step.target < target:
                    continue
                left = rest if step.target == target else [(step.target, target), *rest]
                found = self._walk((*done, step), left)
                if found is not None:
                    return found
        return None

    def _refused_step(self, moves: Sequence[Move]) -> IllegalPlayError | None:
        """Why the moves cannot continue the play, if each is a single step; else None."""
        steps: list[Step | str | tuple[int, int]] = [*self.steps, *_hops(moves)]
        refusal = self.position.refusal(steps, self.dice)
        if refusal is None or refusal.rule == "dice.not_thrown":
            return None
        return IllegalPlayError(refusal.rule, refusal.source, refusal.text)


def _written(steps: Sequence[Step]) -> str:
    """Steps as text that is read back as the same steps."""
    return " ".join(step.notation for step in steps)


def _hops(moves: Sequence[Move]) -> list[tuple[int, int]]:
    """The ways of the moves from named point to named point."""
    return [
        hop
        for move in moves
        for _ in range(move.times)
        for hop in zip(move.points, move.points[1:], strict=False)
    ]
