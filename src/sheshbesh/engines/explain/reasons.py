"""A reason in numbers: in what two plays of the same roll differ, as data for any face and language.

Two kinds of reason stand side by side. Those about the *result* (more wins, fewer gammons lost) add
up to the difference in equity itself, as it is at the score. Those about the *board* (shots, points,
primes, pins) are what a player can see; their weights are the heuristics of `features`, good
enough to say which to name first. A face phrases them by their id, as `wording` does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum

from sheshbesh.engines.explain.features import Measured, measure
from sheshbesh.engines.outcome import Candidate, Ending, Outcome
from sheshbesh.rules import Position, Side

RESULT_IDS = ("wins", "gammons_won", "gammons_lost", "points_won", "points_lost")
"""The reasons about the result; every other id is that of a feature of the board."""

_LEAST = 0.0005
"""Differences in the result below this, in points of equity, are not reported."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One difference between two plays.

    `mine` and `other` are the numbers of the two: rolls of 36, pips, checkers, points held. For the
    ids in RESULT_IDS they are shares of all games (0 to 1) or, where points are counted, mean points
    per game. `weight` is the value of the difference to the first play, in points of equity, and
    negative where it favours the other. `gained` are the points only the first play holds, `lost`
    those only the other holds, in the mover's numbers, highest first.
    """

    id: str
    mine: float
    other: float
    weight: float
    gained: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()

    @property
    def is_about_result(self) -> bool:
        """Whether it is about how games end, not about what stands on the board."""
        return self.id in RESULT_IDS


def compare(mine: Position, other: Position, side: Side | str) -> tuple[Reason, ...]:
    """What differs on the board for `side`, the heaviest difference first.

    Both positions are those after a play of `side`.
    """
    ours, theirs = measure(mine, side), measure(other, side)
    return _sorted(
        _board_reason(id_, ours[id_], theirs[id_])
        for id_ in ours
        if id_ in theirs and ours[id_].value != theirs[id_].value
    )


def explain(mine: Candidate, other: Candidate) -> tuple[Reason, ...]:
    """All differences between two plays of the same roll, the heaviest first, board and result alike."""
    side = mine.play.position.turn
    board = compare(mine.play.result, other.play.result, side)
    return _sorted((*board, *compare_outcomes(mine.outcome, other.outcome)))


def compare_outcomes(mine: Outcome, other: Outcome) -> tuple[Reason, ...]:
    """What differs in the results, the heaviest first; the weights sum to the difference in equity.

    So they are those of the score that both outcomes were asked at, and where gammons count nothing
    there is no reason about them. Weights too small to tell are missing in the sum.
    """
    won, lost = (here - there for here, there in zip(mine.beyond, other.beyond, strict=True))
    wins = mine.equity - other.equity - won - lost
    more = (
        (
            Reason("gammons_won", mine.win_gammon, other.win_gammon, won),
            Reason("gammons_lost", mine.lose_gammon, other.lose_gammon, lost),
        )
        if not mine.table.counted
        else (
            Reason("points_won", _points(mine, "win"), _points(other, "win"), won),
            Reason("points_lost", _points(mine, "lose"), _points(other, "lose"), lost),
        )
    )
    reasons = (Reason("wins", mine.win, other.win, wins), *more)
    return _sorted(reason for reason in reasons if abs(reason.weight) >= _LEAST)


def _points(outcome: Outcome, ending: Ending) -> float:
    """The mean points per game that these results bring the side they are for."""
    return fsum(share * abs(each.gain) for each, share in outcome.classes.items() if each.ending == ending)


def _board_reason(id_: str, mine: Measured, other: Measured) -> Reason:
    weight = mine.equity - other.equity
    if not (isinstance(mine.value, frozenset) and isinstance(other.value, frozenset)):
        assert not isinstance(mine.value, frozenset) and not isinstance(other.value, frozenset)
        return Reason(id_, mine.value, other.value, weight)
    gained = tuple(sorted(mine.value - other.value, reverse=True))
    lost = tuple(sorted(other.value - mine.value, reverse=True))
    return Reason(id_, len(mine.value), len(other.value), weight, gained, lost)


def _sorted(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    return tuple(sorted(reasons, key=lambda reason: -abs(reason.weight)))
