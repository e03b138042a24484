"""What the engine says to a person at the table: hints when asked, and a verdict after a decision.

It judges with the whole strength of the engine, whatever level sits opposite, and at the score of the
match. Where no net plays the rules there is no coach.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sheshbesh.cli.tables import progress_bars
from sheshbesh.engine import Candidate, make_engine
from sheshbesh.engine.reasons import explain
from sheshbesh.engine.verdict import (
    CubeVerdict,
    PlayVerdict,
    compare_plays,
    judge_answer,
    judge_double,
    judge_play,
)
from sheshbesh.engine.wording import because
from sheshbesh.errors import CubeError, NetError
from sheshbesh.rules import Play, Position, Roll, Side, Variant
from sheshbesh.session import Event, Phase, Session, actions

if TYPE_CHECKING:
    from sheshbesh.cli.ubgi.port import Judge
    from sheshbesh.engine.cube import CubeDecision

PLIES = 2
"""How far it looks: as far as it can without letting anybody wait."""

_SHOWN = 5
_CUBE_WORDS = {"no_double": "no double", "double": "double", "take": "take", "drop": "drop"}


class Coach:
    """One game's judge."""

    def __init__(self, engine: Judge, plies: int = PLIES) -> None:
        self._engine = engine
        self._plies = plies

    @classmethod
    def find(cls, game: Variant) -> Coach | None:
        """The coach for a game, if some net can play it."""
        try:
            with progress_bars() as bars:
                return cls(make_engine(game, progress=bars))
        except NetError:
            return None

    # Hints

    def hint(self, state: Session) -> list[str]:
        """Lines on what to do now, for whoever is to decide."""
        position = state.position
        if position is None or position.result is not None:
            return ["There is nothing to decide."]
        if state.phase in (Phase.MOVE, Phase.CHOOSE):
            return self._plays(position, state.dice if state.phase is Phase.MOVE else None, state)
        if state.phase in (Phase.ROLL, Phase.DOUBLED) and (decision := self._cube(state)) is not None:
            return [_cube_text(decision)]
        outcome = self._engine.evaluate(position, state.score)
        who = position.turn.value.capitalize()
        return [f"{who} wins {outcome.win:.1%} of the games from here; equity {outcome.equity:+.3f}."]

    def _plays(self, position: Position, dice: Roll | None, state: Session) -> list[str]:
        found = compare_plays(self._engine, position, dice, state.score, plies=self._plies, shown=_SHOWN)
        named = dice is None and position.pending is not None and position.pending.choose is not None
        lines = [_row(place, each, found[0], named=named) for place, each in enumerate(found[:_SHOWN], 1)]
        if len(found) > _SHOWN:
            lines.append(f"     and {len(found) - _SHOWN} more")
        if len(found) > 1 and (why := because(explain(found[0], found[1]))):
            lines.append(f"{found[0].play.notation} {why}.")
        return lines

    def _cube(self, state: Session) -> CubeDecision | None:
        """The decision of the side on roll; None where it may not double."""
        assert state.position is not None
        if not state.card.has_cube:
            return None
        try:
            return self._engine.cube(state.position, state.score, plies=self._plies)
        except CubeError:
            return None

    # Verdicts

    def verdict(self, before: Session, event: Event) -> list[str]:
        """What to say about a decision that has just been made; nothing where there was no choice."""
        action = event.action
        if isinstance(action, actions.Confirm | actions.MakePlay):
            return self._on_play(before, action)
        if before.phase is Phase.ROLL and isinstance(action, actions.Throw | actions.Double):
            return self._on_double(before, Side.of(event.actor), doubled=isinstance(action, actions.Double))
        if before.phase is Phase.DOUBLED and isinstance(action, actions.Take | actions.Drop):
            decision = self._cube(before)
            took = isinstance(action, actions.Take)
            return [] if decision is None else _cube_verdict(judge_answer(decision, took=took))
        return []

    def _on_play(self, before: Session, action: actions.Confirm | actions.MakePlay) -> list[str]:
        turn = before.turn
        assert turn is not None
        made = turn.written(action.play) if isinstance(action, actions.MakePlay) else turn.finish()
        assert isinstance(made, Play)
        if turn.forced is not None:
            return []
        found = compare_plays(
            self._engine, turn.position, turn.dice, before.score, plies=self._plies, play=made
        )
        return [verdict_text(judge_play(found, made))]

    def _on_double(self, before: Session, side: Side, *, doubled: bool) -> list[str]:
        if "double" not in before.allowed(side) or (decision := self._cube(before)) is None:
            return []
        verdict = judge_double(decision, doubled=doubled)
        # Who rightly goes on playing has decided nothing that needs words.
        return [] if not doubled and verdict.grade in ("best", "fine") else _cube_verdict(verdict)


def verdict_text(verdict: PlayVerdict) -> str:
    """A verdict in one sentence."""
    if verdict.grade == "best":
        return f"Verdict: best ({verdict.played.equity:+.3f})."
    why = because(verdict.reasons)
    which = f", which {why}" if why else ""
    return f"Verdict: {verdict.grade}, {-verdict.loss:.3f} against {verdict.best.play.notation}{which}."


def _cube_verdict(verdict: CubeVerdict) -> list[str]:
    if verdict.grade == "best":
        return [f"Verdict: best, {_CUBE_WORDS[verdict.done]}."]
    return [f"Verdict: {verdict.grade}, {-verdict.loss:.3f} against {_CUBE_WORDS[verdict.best]}."]


def _cube_text(decision: CubeDecision) -> str:
    text = str(decision)
    return f"{text[0].upper()}{text[1:]}."


def _row(place: int, candidate: Candidate, best: Candidate, *, named: bool) -> str:
    """One line of a hint: the play, its equity and loss, what it wins and loses."""
    outcome = candidate.outcome
    loss = max(best.equity - candidate.equity, 0.0)
    behind = f"{-loss:+.3f}" if place > 1 else ""
    text = f"{candidate.play.dice}: {candidate.play.notation}" if named else candidate.play.notation
    shares = f"wins {_percent(outcome.win)}"
    if not outcome.table.counted:
        shares += f"  gammons {_percent(outcome.win_gammon)} :{_percent(outcome.lose_gammon)}"
    return f"{place:>3}  {text:<24} {candidate.equity:+.3f} {behind:>6}  {shares}"


def _percent(share: float) -> str:
    return f"{100 * share:4.1f}"
