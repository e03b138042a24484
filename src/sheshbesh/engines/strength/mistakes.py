"""The mistakes of weak levels: what they overlook, misjudge and fear too little.

Weak players do not add noise to a table of equities. They think of some plays and not of others, and
the more checkers a play takes, the likelier it is missed. Of the plays they see they underrate gammons,
which are not on the board yet, and misjudge what their lone checkers risk: now bold, now timid, and the
same for all plays of a decision. Their comparisons are rough, the more roughly the more is at stake. All
of it is drawn from a generator that the caller seeds, so a level makes the same mistakes again.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from sheshbesh import _core
from sheshbesh.cube.decision import EVEN, Answer, CubeDecision
from sheshbesh.engines.outcome import Candidate, Outcome
from sheshbesh.rules import Play, Position, Side
from sheshbesh.rules.notation import BAR, HAND

_CONSPICUOUS = re.compile(r"\*|off|bar|hand")


@dataclass(frozen=True, slots=True)
class Weakness:
    """What a level lacks. The defaults lack nothing.

    `sight` is the chance to think of a play for every further group of checkers it moves, `gammons`
    the share of their equity at the score at which wins beyond a plain one are counted. The others are
    shares of the standard deviation of the equity there: `mood`, how far a lone checker that is sure to
    be hit is misjudged to either side; `noise`, the roughness of a comparison; `reluctance`, by how much
    a double must look right.
    """

    sight: float = 1.0
    gammons: float = 1.0
    mood: float = 0.0
    noise: float = 0.0
    reluctance: float = 0.0

    @property
    def is_none(self) -> bool:
        """Whether nothing is lacking: the best play is found as far as the search goes."""
        return self == Weakness()


def pick(candidates: Sequence[Candidate], weakness: Weakness, chance: random.Random) -> Candidate:
    """The play that a player of this weakness makes, of candidates in order."""
    if weakness.is_none or len(candidates) == 1:
        return candidates[0]
    ideas = [_ideas(candidate.play) for candidate in candidates]
    seen = [
        candidate
        for candidate, count in zip(candidates, ideas, strict=True)
        if chance.random() < weakness.sight**count
    ]
    seen = seen or [candidates[ideas.index(min(ideas))]]
    stake = max(candidates[0].outcome.deviation, 1e-3)
    boldness = chance.uniform(-1.0, 1.0) * weakness.mood * stake
    roughness = weakness.noise * stake
    return max(
        seen,
        key=lambda each: (
            each.equity
            - (1 - weakness.gammons) * _extra(each)
            + boldness * danger(each.play.result, each.play.position.turn)
            + roughness * _gumbel(chance)
        ),
    )


def doubles(decision: CubeDecision, outcome: Outcome, weakness: Weakness, chance: random.Random) -> bool:
    """Whether a player of this weakness turns the cube."""
    gain = decision.answered - decision.no_double
    if abs(gain) <= EVEN:
        # A turn that costs nothing needs neither courage nor a comparison.
        return True
    return gain + _error(weakness, outcome, chance) > weakness.reluctance * outcome.deviation


def answer(decision: CubeDecision, outcome: Outcome, weakness: Weakness, chance: random.Random) -> Answer:
    """What a player of this weakness answers to a double."""
    # A double turns the error of the position into twice as much.
    taken = decision.double_take + 2 * _error(weakness, outcome, chance)
    if decision.beaver and taken < 0:
        return "beaver"
    return "take" if taken <= decision.double_pass else "drop"


def _error(weakness: Weakness, outcome: Outcome, chance: random.Random) -> float:
    """The error of a comparison between two equities: for decisions about the cube."""
    if weakness.noise == 0:
        return 0.0
    return chance.gauss(0.0, 1.0) * weakness.noise * outcome.deviation


def _ideas(play: Play) -> int:
    """How many groups of checkers a play moves beyond the first, apart from the conspicuous ones.

    That is to enter, to hit or imprison, and to bear off.
    """
    groups = play.notation.split()
    plain = [group for group in groups if not _CONSPICUOUS.search(group)]
    return max(len(plain) - 1, 0)


def _gumbel(chance: random.Random) -> float:
    """A draw from Gumbel's distribution: the largest of several falls on each as a softmax would."""
    return -math.log(-math.log(max(chance.random(), 1e-12)))


def _extra(candidate: Candidate) -> float:
    """The part of the equity that comes from wins beyond a plain one, on both sides."""
    outcome = candidate.outcome
    return 0.0 if outcome.table.counted else sum(outcome.beyond)


def danger(position: Position, side: Side) -> float:
    """How much the lone checkers of `side` risk when the other side is on roll: about 0 to 1 each."""
    contact = position.variant._geometry.contact
    if contact == "block":
        return 0.0
    mirrored = position.variant._geometry.mirrored
    mine, theirs = position.counts(side), position.counts(side.other)
    pinned, pinning = position.pinned(side), {mirrored(p) for p in position.pinned(side.other)}
    total = 0.0
    for point in range(1, 25):
        if mine[point] != 1 or point in pinned or point in pinning:
            continue
        there = mirrored(point)
        safe = 1.0
        for own in range(there + 1, BAR + 1):
            if theirs[own]:
                safe *= 1.0 - _core.REACHED[min(own, HAND) - there]
        total += (1.0 - safe) * (25 - point if contact == "hit" else point) / 24
    return total
