"""A reason in numbers: in what two plays of the same roll differ, as data for any face and language.

Two kinds of reason stand side by side. Those about the *result* (more wins, fewer gammons lost) add
up to the difference in equity itself, as it is at the score. Those about the *board* (shots, points,
primes, pins) are what a player can see. What the next throw of the other side may hit or leave unmoved is
measured in the position itself, by the best reply to each throw; what stands on the board has the weights of
`features`. The core compares (`reasons.h`), `Engine.explain` asks it; a face phrases reasons by their id, as
`wording` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sheshbesh import _core
from sheshbesh.engines.explain.features import weights
from sheshbesh.engines.outcome import Candidate
from sheshbesh.rules import Side

RESULT_IDS = ("wins", "gammons_won", "gammons_lost", "points_won", "points_lost")
"""The reasons about the result; every other id is that of a feature of the board."""


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
        """True if it is about how games end, not about what stands on the board."""
        return self.id in RESULT_IDS


def between(
    search: _core.Searcher, mine: Candidate, other: Candidate, values: Sequence[float]
) -> tuple[Reason, ...]:
    """In what two plays of a position differ, the heaviest first.

    `search` looks at the next throw, `values` are the equities of the classes to the player.
    """
    before = mine.play.position
    rows = search.reasons(
        before.turn is Side.BLACK,
        mine.play.result._core,
        mine.outcome.probabilities,
        other.play.result._core,
        other.outcome.probabilities,
        values,
        weights(before.variant),
    )
    return tuple(
        Reason(name, _plain(here), _plain(there), weight, tuple(reversed(gained)), tuple(reversed(lost)))
        for name, here, there, weight, gained, lost in rows
    )


def _plain(number: float) -> float:
    """A count as a whole number."""
    return int(number) if number.is_integer() else number
