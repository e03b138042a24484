"""Games cut short: what an abandoned one costs the player who left, and the last bear-off played for them.

An abandoned game never costs less than playing on would have. It is lost, whatever stood on the board; how
dearly, the position says and not the one who left. The price is the lowest class of result at which they
may resign here that costs them no less than playing on costs on average, as the engine sees it. (GamesGrid
let an engine adjudge such games in the same way.) Where the checkers left are counted there is one class
alone, and that is the price; where a table pays alike for several, as under Jacoby's rule, it is the lowest
of them.

A match whose clock has run out is lost as a whole (`session`), so nothing is to be settled there.

An automatic bear-off never chooses among plays of different values without knowing which is
best: where no database covers the position, it plays only what bears off most and leaves nothing to choose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sheshbesh.cube.decision import NEARLY
from sheshbesh.players import heuristic_bot
from sheshbesh.players.opponent import AnalysisEngine
from sheshbesh.rules import GameResult, Play, Position, Side
from sheshbesh.rules.notation import OFF
from sheshbesh.session import Phase, Session
from sheshbesh.session.game_course import game_points

if TYPE_CHECKING:
    from sheshbesh.engines import Engine


@dataclass(frozen=True, slots=True)
class Settlement:
    """The price at which `loser` gives up: a class of result and its points before the cube.

    `expected` are the points that playing on would have cost the loser on average, before the cube; None
    where no engine was asked and the price is what is as good as certain.
    """

    loser: Side
    kind: str
    points: int
    expected: float | None = None

    def to_data(self) -> dict[str, object]:
        """The settlement as plain data."""
        return {
            "loser": self.loser.value,
            "kind": self.kind,
            "points": self.points,
            "expected": self.expected,
        }


def settle(state: Session, loser: Side, judge: AnalysisEngine | None = None) -> Settlement | None:
    """The price of leaving the game now; None between games, where there is nothing to lose.

    Without a judge, by what is as good as certain on the board. While the cube is offered the price is
    that of the position, too: the side that has to answer may drop instead, if that is cheaper.
    """
    position = state.position
    if position is None or position.result is not None or state.phase in (Phase.READY, Phase.OVER):
        return None
    results = sorted(position.variant.resignations(position, loser).items(), key=lambda each: each[1])
    paid = [_paid(state, loser, *each) for each in results]
    if judge is None:
        expected, owed = None, paid[min(int(heuristic_bot.is_far_behind(position, loser)), len(paid) - 1)]
    else:
        expected = _expected(judge, position, loser)
        owed = min(expected, paid[-1]) - NEARLY
    kind, points = next(each for each, cost in zip(results, paid, strict=True) if cost >= owed)
    return Settlement(loser, kind, points, expected)


def _paid(state: Session, loser: Side, kind: str, points: int) -> float:
    """Return the cost of a class at this table, before the cube."""
    return game_points(state, GameResult(loser.other, points, kind)) / state.score.cube


def _expected(judge: AnalysisEngine, position: Position, loser: Side) -> float:
    """The points that the position costs a side on average."""
    points = judge.evaluate(position).points
    return -points if position.turn is loser else points


def finish(state: Session, engine: Engine | None = None) -> Play | None:
    """The play of the dice in a race that bears off; None where there is something to decide.

    With an engine, the best play where the bear-off databases cover all of them; without, or where they do
    not, the play that bears off most, if it is the only one that does.
    """
    turn = state.turn
    if state.phase is not Phase.MOVE or turn is None or turn.done:
        return None
    position = turn.position
    if position.has_contact or not _is_home(position):
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
    """Return True if the side on roll has nothing outside the last six points, on the bar or in hand."""
    counts = position.counts(position.turn)
    return not any(counts[7:])
