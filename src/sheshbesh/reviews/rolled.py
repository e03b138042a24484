"""Decisions that two plies leave open, decided by rollouts: the deepest look of a review.

Open is what lies within `MARGIN` of the best, and what was played where it lost something, so that a loss is
given on one scale. The rollouts are cut short, with common dice, and with the cube where it is in play; they
follow from the position, the score and the net: the same decision has the same judgement on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from sheshbesh.cube.decision import CubeDecision
from sheshbesh.engines import Engine
from sheshbesh.engines.explain.verdict import CubeVerdict, PlayVerdict
from sheshbesh.engines.outcome import Candidate
from sheshbesh.engines.rollout.rollout import Estimate, RolledOutPlay
from sheshbesh.engines.rollout.subjects import CUT_SHORT, MARGIN, open_plays
from sheshbesh.match import MatchState
from sheshbesh.rules import Play, Position

SEARCHED: Final = 2
"""The depth of the search that says what is open."""

_PLAYS: Final = replace(CUT_SHORT, cube=None)
_CUBE: Final = replace(_PLAYS, minimum=324, lead=None, target=0.004)
"""Doubling is compared with the drop, too, which no trial plays: the equities themselves have to be known."""

_SURE: Final = 2.0
"""Standard errors of a rollout within which a loss is too close to call."""


@dataclass(frozen=True, slots=True)
class RolledPlays:
    """Candidates, best first, of which some were rolled out; those have in `errors` the standard error of
    what they are behind the best."""

    candidates: list[Candidate]
    errors: dict[Play, float]

    def settled(self, verdict: PlayVerdict) -> PlayVerdict:
        """The verdict, without a grade where the rollouts cannot tell the two plays apart."""
        error = self.errors.get(verdict.played.play, 0.0)
        return replace(verdict, grade=None) if 0 < verdict.loss <= _SURE * error else verdict


def roll_plays(
    engine: Engine, candidates: Sequence[Candidate], made: Play, match: MatchState | None
) -> RolledPlays:
    """The candidates with those that are open rolled out; where one stands alone and was played, none is.

    The open ones come first, by what the rollouts say; the others keep what the search says of them, but for
    the play that was made.
    """
    leading = open_plays(candidates, MARGIN)
    asked = list(leading)
    if all(each.play != made for each in asked):
        asked.append(next(each for each in candidates if each.play == made))
    if len(asked) < 2:
        return RolledPlays(list(candidates), {})
    found = engine.rollout_plays(asked, match, options=_PLAYS)
    rolled = {each.play: _candidate(each) for each in found}
    first = sorted((rolled[each.play] for each in leading), key=lambda each: -each.equity)
    opened = {each.play for each in leading}
    rest = [rolled.get(each.play, each) for each in candidates if each.play not in opened]
    rest.sort(key=lambda each: (-each.plies, -each.equity))
    return RolledPlays(first + rest, {each.play: each.behind.error for each in found})


def _candidate(rolled: RolledOutPlay) -> Candidate:
    return Candidate(rolled.play, rolled.rollout.outcome, SEARCHED, float(rolled.equity))


def roll_cube(
    engine: Engine, position: Position, match: MatchState | None, found: CubeDecision
) -> tuple[CubeDecision, Estimate | None]:
    """The decision rolled out, and by how much doubling and taking is better than waiting, with its error.

    As it was found, and None, where the databases know it.
    """
    if engine.is_exact(position):
        return found, None
    rolled = engine.rollout_cube(position, match, options=_CUBE)
    return replace(rolled.decision, approximate=found.approximate), rolled.difference


def is_close(found: CubeDecision, *, answer: bool) -> bool:
    """Return True if a cube decision, or the answer to a double, is open: its two sides within `MARGIN`."""
    if answer:
        return abs(found.double_take - found.double_pass) < MARGIN
    return abs(found.answered - found.no_double) < MARGIN


def settled_cube(verdict: CubeVerdict, difference: Estimate | None) -> CubeVerdict:
    """The verdict, without a grade where the rollout cannot tell."""
    if difference is None or not 0 < verdict.loss <= _SURE * difference.error:
        return verdict
    return replace(verdict, grade=None)
