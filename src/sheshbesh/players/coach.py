"""The engine's advice to a person, as data: hints before a decision, a verdict after it.

It judges with the whole strength of the engine, whatever level sits opposite, and at the score of the
match. Where no net plays the rules there is no coach.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from sheshbesh.cube.decision import CubeDecision
from sheshbesh.engines import Candidate, Outcome, make_engine
from sheshbesh.engines.core_question import core_question
from sheshbesh.engines.explain.reasons import Reason
from sheshbesh.engines.explain.verdict import (
    CubeVerdict,
    PlayVerdict,
    compare_plays,
    judge_answer,
    judge_double,
    judge_play,
)
from sheshbesh.errors import CubeError, NetError
from sheshbesh.players.opponent import AnalysisEngine
from sheshbesh.rules import Position, Roll, Side, Variant
from sheshbesh.session import (
    BeaverAction,
    ConfirmAction,
    DoubleAction,
    DropAction,
    Event,
    Phase,
    PlayAction,
    RollAction,
    Session,
    TakeAction,
)

PLIES = 2
"""The number of plies that it looks: as far as it can without letting anybody wait."""

SHOWN = 5
"""The number of plays that a hint looks at equally deep."""


@dataclass(frozen=True, slots=True)
class PlayHint:
    """The best plays, best first, of `of` legal ones.

    `reasons` say what the first has against the second; `named` that a double is to be named and each
    candidate brings its own dice.
    """

    candidates: tuple[Candidate, ...]
    of: int
    reasons: tuple[Reason, ...]
    named: bool = False

    @property
    def lead(self) -> float:
        """The loss of the second play against the first, in points of equity; 0 where there is one play."""
        first, *others = self.candidates
        return max(first.equity - others[0].equity, 0.0) if others else 0.0


@dataclass(frozen=True, slots=True)
class CubeHint:
    """Advice to double or not and to take or not; the equities are those of the side on roll."""

    decision: CubeDecision


@dataclass(frozen=True, slots=True)
class Outlook:
    """The standing of the game for the side on roll, where there is nothing better to say."""

    side: Side
    outcome: Outcome


Hint: TypeAlias = PlayHint | CubeHint | Outlook
Verdict: TypeAlias = PlayVerdict | CubeVerdict


class Coach:
    """One game's judge."""

    def __init__(self, engine: AnalysisEngine, plies: int = PLIES) -> None:
        self._engine = engine
        self._plies = plies

    @classmethod
    def find(cls, game: Variant, *, progress: Callable[[str, float], None] | None = None) -> Coach | None:
        """The coach for a game, if some net can play it; `progress` as for the engine."""
        try:
            return cls(make_engine(game, progress=progress))
        except NetError:
            return None

    # Hints

    def hint(self, state: Session) -> Hint | None:
        """The best decision now for the side to act; None where nothing is to be decided."""
        position = state.position
        if position is None or position.result is not None:
            return None
        if state.phase in (Phase.MOVE, Phase.CHOOSE):
            return self._plays(position, state.dice if state.phase is Phase.MOVE else None, state)
        if state.phase in (Phase.ROLL, Phase.DOUBLED) and (decision := self._cube(state)) is not None:
            return CubeHint(decision)
        return Outlook(position.turn, self._engine.evaluate(position, state.judged_at))

    def _plays(self, position: Position, dice: Roll | None, state: Session) -> PlayHint:
        found = compare_plays(self._engine, position, dice, state.judged_at, plies=self._plies, shown=SHOWN)
        named = dice is None and position.pending is not None and position.pending.choose is not None
        reasons = self._engine.explain(found[0], found[1], state.judged_at) if len(found) > 1 else ()
        return PlayHint(tuple(found[:SHOWN]), len(found), reasons, named)

    def _cube(self, state: Session) -> CubeDecision | None:
        """The decision of the side on roll; None where it may not double."""
        assert state.position is not None
        if not state.card.has_cube:
            return None
        try:
            return self._engine.cube(state.position, state.judged_at, plies=self._plies)
        except CubeError:
            return None

    # Verdicts

    def verdict(self, before: Session, event: Event) -> Verdict | None:
        """Return what to say about a decision that has just been made; None where there was no choice."""
        action = event.action
        if isinstance(action, ConfirmAction | PlayAction):
            return self._on_play(before, action)
        if before.phase is Phase.ROLL and isinstance(action, RollAction | DoubleAction):
            return self._on_double(before, Side.of(event.actor), doubled=isinstance(action, DoubleAction))
        if before.phase is Phase.DOUBLED and isinstance(action, TakeAction | DropAction | BeaverAction):
            decision = self._cube(before)
            return None if decision is None else self._on_answer(before, decision, action)
        return None

    def _on_play(self, before: Session, action: ConfirmAction | PlayAction) -> PlayVerdict | None:
        turn = before.turn
        if turn is None:  # passed without a throw
            return None
        made = turn.written(action.play) if isinstance(action, PlayAction) else turn.finish()
        if turn.forced is not None:
            return None
        found = compare_plays(
            self._engine, turn.position, turn.dice, before.judged_at, plies=self._plies, play=made
        )
        return judge_play(self._engine, found, made, before.judged_at)

    def _on_answer(
        self, before: Session, decision: CubeDecision, action: TakeAction | DropAction | BeaverAction
    ) -> CubeVerdict:
        done: Literal["take", "drop", "beaver"] = "take"
        if not isinstance(action, TakeAction):
            done = "drop" if isinstance(action, DropAction) else "beaver"
        return judge_answer(decision, before.card.rules, self._plies, done=done)

    def _on_double(self, before: Session, side: Side, *, doubled: bool) -> CubeVerdict | None:
        if not before.may(side, "double") or (decision := self._cube(before)) is None:
            return None
        verdict = judge_double(decision, before.card.rules, self._plies, doubled=doubled)
        # Not doubling where that is right, or as good as right, is no decision that needs words.
        return None if not doubled and verdict.grade in ("best", "fine", None) else verdict


# The same asked of the core in a player's browser


def question(state: Session) -> dict[str, Any] | None:
    """The numbers by which the core in a browser gives the hint of `Coach.hint`; None where it has none."""
    position = state.position
    if position is None or position.result is not None:
        return None
    match, moves = state.judged_at, state.phase in (Phase.MOVE, Phase.CHOOSE)
    return core_question(
        position,
        state.dice if state.phase is Phase.MOVE else None,
        match,
        in_turn=moves,
        has_cube=state.card.has_cube,
        may_double=state.phase in (Phase.ROLL, Phase.DOUBLED)
        and state.card.has_cube
        and position.pending is None
        and match.may_double(position.turn),
    )


def judgement(before: Session, event: Event) -> dict[str, Any] | None:
    """What the core in a browser is asked for the verdict of `Coach.verdict`; None where there is none.

    `done` says what was decided; of a play `made` is the position after it, `dice` its dice.
    """
    action, turn = event.action, before.turn
    if isinstance(action, ConfirmAction | PlayAction):
        if turn is None or turn.forced is not None:
            return None
        made = turn.written(action.play) if isinstance(action, PlayAction) else turn.finish()
        decided = {"done": "play", "made": b64encode(made.result._core.row()).decode(), "dice": [*made.dice]}
    elif before.phase is Phase.ROLL and isinstance(action, RollAction | DoubleAction):
        if not before.may(event.actor, "double"):
            return None
        decided = {"done": "double" if isinstance(action, DoubleAction) else "no_double"}
    elif before.phase is Phase.DOUBLED and isinstance(action, TakeAction | DropAction | BeaverAction):
        decided = {"done": action.type}
    else:
        return None
    asked = question(before)
    if asked is None or (turn is None and not asked["doubles"]):
        return None
    return {**decided, "question": asked}
