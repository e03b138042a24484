"""How a person errs: what a weak level overlooks, misjudges and fears too little.

A person does not add noise to a table of equities. He thinks of some plays and not of others, and
the more checkers a play takes, the likelier it is missed. Of what he sees he underrates gammons, which
are not on the board yet, and misjudges what his lone checkers risk: now he is bold, now timid, and all
plays of a decision with the same eye. And what he compares he compares roughly, the more roughly the
more is at stake. All of it is drawn from a generator that the caller
seeds, so a level errs in the same way again.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from sheshbesh import _core
from sheshbesh.engines.candidate import Candidate
from sheshbesh.engines.outcome import Outcome
from sheshbesh.rules import Play, Position, Side
from sheshbesh.rules.notation import BAR, HAND

_EYE_CATCHING = re.compile(r"\*|off|bar|hand")


@dataclass(frozen=True, slots=True)
class Weakness:
    """What a level lacks. The defaults lack nothing.

    `sight` is the chance to think of a play for every further group of checkers it moves, `gammons`
    the share of their worth at the score at which wins beyond a plain one are counted. The others are
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
    """The play a person of this weakness makes, of candidates in order."""
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


def blur(weakness: Weakness, outcome: Outcome, chance: random.Random) -> float:
    """The error of a comparison between two equities: for decisions about the cube."""
    if weakness.noise == 0:
        return 0.0
    return chance.gauss(0.0, 1.0) * weakness.noise * outcome.deviation


def _ideas(play: Play) -> int:
    """How many groups of checkers a play moves beyond the first, apart from what springs to the eye.

    That is to enter, to hit or imprison, and to bear off.
    """
    groups = play.notation.split()
    plain = [group for group in groups if not _EYE_CATCHING.search(group)]
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
    contact = position.variant.geometry.contact
    if contact == "block":
        return 0.0
    mirrored = position.variant.geometry.mirrored
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
