"""Plays that a search leaves open, decided by rollouts that are cut short.

Plays are open that the search looked at as deeply as its first one and found nearly as good. They are rolled
out with common dice, for some throws and then by the net's value, until one leads each other by some standard
errors. A rollout that is cut believes the net, but only when most of the difference between the plays has
shown, and it costs a fraction of one that is played to the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import TYPE_CHECKING, Final, Unpack

from sheshbesh.engines.rollout.rollout import RolledOutPlay, RolloutOptions
from sheshbesh.engines.rollout.subjects import Way

if TYPE_CHECKING:
    from sheshbesh.engines.engine import Engine
    from sheshbesh.engines.outcome import Candidate
    from sheshbesh.match import MatchState

MARGIN: Final = 0.04
"""How far behind the first a play may be and still be open, in points of equity; where the checkers left are
counted, so much of what is at stake."""

CUT_SHORT: Final = RolloutOptions(trials=1296, minimum=108, lead=2.5, truncate=8, cube=False)
"""Eight throws and the net's value; an end at 2.5 standard errors."""


def open_plays(candidates: Sequence[Candidate], margin: float = MARGIN) -> tuple[Candidate, ...]:
    """Those of a ranking that a search leaves open; the first alone where it leaves nothing.

    ValueError for a margin that is no number from 0 up.
    """
    if not margin >= 0:
        raise ValueError(f"margin must be a number from 0 up, not {margin!r}")
    if not candidates:
        return ()
    first = candidates[0]
    least = first.equity - margin * _at_stake(first)
    return tuple(each for each in candidates if each.plies == first.plies and each.equity >= least)


def _at_stake(candidate: Candidate) -> float:
    """1, or where the checkers left are counted what a result pays on average, as for a search's filters."""
    outcome = candidate.outcome
    if not outcome.table.counted:
        return 1.0
    paid = zip(outcome.probabilities, outcome.worths, strict=True)
    return max(fsum(chance * abs(points) for chance, points in paid), 1.0)


def settle(
    engine: Engine,
    candidates: Sequence[Candidate],
    match: MatchState | None,
    options: RolloutOptions,
    margin: float,
    **way: Unpack[Way],
) -> tuple[RolledOutPlay, ...]:
    """The open plays rolled out, best first; nothing where the search left only one."""
    found = open_plays(candidates, margin)
    if len(found) < 2:
        return ()
    return engine.rollout_plays(found, match, options=options, **way)
