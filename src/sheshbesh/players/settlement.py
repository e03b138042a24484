"""What an abandoned game costs whoever abandoned it: never less than playing on would have.

A game that is left is lost, whatever stood on the board; how dearly, the position says and not the one
who left. The price is the lowest class of result at which he may give up here that costs him no less
than playing on costs on average, as the engine sees it. (GamesGrid let an engine adjudge such games in
the same way.) Where the checkers left are counted there is one class alone, and that is the price;
where a table pays alike for several, as under Jacoby's rule, it is the lowest of them.

A match whose clock has run out is lost as a whole (`session`), so nothing is to be settled there.
"""

from __future__ import annotations

from dataclasses import dataclass

from sheshbesh.players import heuristic_stakes
from sheshbesh.players.engine_port import Judge
from sheshbesh.rules import GameResult, Position, Side
from sheshbesh.session import Phase, Session
from sheshbesh.session.game_course import game_points

_NEARLY = 0.02
"""Points by which an average may lie above a price and still be called it: the engine's own error."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What `loser` gives up at: a class of result and its points before the cube.

    `expected` are the points that playing on would have cost him on average, before the cube; None
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


def settle(state: Session, loser: Side, judge: Judge | None = None) -> Settlement | None:
    """The price of leaving the game now; None between games, where there is nothing to lose.

    Without a judge, by what is as good as certain on the board. While the cube is offered the price is
    that of the position, too: whoever has to answer may drop instead, if that is cheaper.
    """
    position = state.position
    if position is None or position.result is not None or state.phase in (Phase.READY, Phase.OVER):
        return None
    worth = sorted(position.variant.resignations(position, loser).items(), key=lambda each: each[1])
    paid = [_paid(state, loser, *each) for each in worth]
    if judge is None:
        expected, owed = None, paid[min(int(heuristic_stakes.is_far_behind(position, loser)), len(paid) - 1)]
    else:
        expected = _expected(judge, position, loser)
        owed = min(expected, paid[-1]) - _NEARLY
    kind, points = next(each for each, cost in zip(worth, paid, strict=True) if cost >= owed)
    return Settlement(loser, kind, points, expected)


def _paid(state: Session, loser: Side, kind: str, points: int) -> float:
    """What a class costs at this table, before the cube."""
    return game_points(state, GameResult(loser.other, points, kind)) / state.score.cube


def _expected(judge: Judge, position: Position, loser: Side) -> float:
    """The points that the position costs a side on average."""
    points = judge.evaluate(position).points
    return -points if position.turn is loser else points
