"""Help with the last bear-off: the play that nobody would think about, once the sides have passed.

It never chooses among plays that are worth different things without knowing which is best: where no
exact table knows the position, it plays only what bears off most and leaves nothing to choose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sheshbesh.engines.explain.features import View
from sheshbesh.rules import Play, Position
from sheshbesh.rules.notation import OFF
from sheshbesh.session import Phase, Session

if TYPE_CHECKING:
    from sheshbesh.engines import Engine


def is_race(position: Position) -> bool:
    """Whether the sides have passed each other for good, so that only the dice decide."""
    if position.pinned(position.turn) or position.pinned(position.turn.other):
        return False
    return not View(position, position.turn).has_contact


def finish(state: Session, engine: Engine | None = None) -> Play | None:
    """The play of the dice in a race that bears off; None where there is something to think about.

    With an engine, the best play where the exact tables know all of them; without, or where they do
    not, the play that bears off most, if it is the only one that does.
    """
    turn = state.turn
    if state.phase is not Phase.MOVE or turn is None or turn.done:
        return None
    position = turn.position
    if not is_race(position) or not _is_home(position):
        return None
    plays = turn.plays()
    if len(plays) == 1:
        return plays[0]
    if engine is not None and all(engine.is_exact(play.result) for play in plays):
        return engine.rank(position, turn.dice, state.judged_at, plies=0)[0].play
    side = position.turn
    most = max(play.result.counts(side)[OFF] for play in plays)
    greedy = [play for play in plays if play.result.counts(side)[OFF] == most]
    return greedy[0] if len(greedy) == 1 and most > position.counts(side)[OFF] else None


def _is_home(position: Position) -> bool:
    """Whether the side on roll has nothing outside the last six points, on the bar or in hand."""
    counts = position.counts(position.turn)
    return not any(counts[7:])
