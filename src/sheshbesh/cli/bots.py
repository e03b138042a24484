"""A simple opponent for every game: it looks one play ahead and knows no game by name.

It is a heuristic, no engine: each position a play can lead to gets a value in pips from what can
be seen on the board (the race, checkers that can be hit or imprisoned, points that are closed to
the enemy, walls in his way, tall piles), and the best is taken. Which of that matters follows from
the axes of the rule set, so a user's own game has an opponent too.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from sheshbesh.rules import Play, Position, Roll, Side
from sheshbesh.rules.notation import OFF

_HOME = range(1, 7)
_WIN = 10_000.0
_HIT_CHANCE = (0.0, 0.31, 0.33, 0.39, 0.42, 0.42, 0.47, 0.17, 0.17, 0.14, 0.08, 0.06, 0.08)
"""About how often a lone checker is reached from a distance of 0 to 12 pips on an open board."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What the bot values, in pips."""

    off: float = 2.0
    made_point: float = 1.6
    made_home_point: float = 1.4
    wall: float = 0.55
    tall_pile: float = 0.7
    captive: float = 0.8
    danger: float = 1.0


class SimpleBot:
    """Chooses plays by a one-ply heuristic; the same seed makes the same choices."""

    def __init__(self, seed: int | None = None, weights: Weights | None = None) -> None:
        self._random = random.Random(f"bot {seed}" if seed is not None else None)
        self._weights = weights or Weights()

    def choose(self, position: Position, dice: Roll | None) -> Play:
        """The best play of `dice`; of what is owed, a double to be named included, without dice."""
        plays = position.legal_plays(dice)
        if len(plays) == 1:
            return plays[0]
        # The small change breaks ties, which would else always go to the same side of the board.
        values = [self.value(play.result, position.turn) + self._random.random() * 1e-3 for play in plays]
        return plays[values.index(max(values))]

    def value(self, position: Position, side: Side) -> float:
        """How good a position is for `side`, who has just played, in pips; higher is better."""
        result = position.result
        if result is not None:
            won = 0 if result.winner is None else 1 if result.winner is side else -1
            return _WIN * won * max(result.points, 1)
        # Another element or throw of one's own is worth about an average throw.
        again = 8.0 if position.turn is side else 0.0
        weights = self._weights
        mine, theirs = position.counts(side), position.counts(side.other)
        race = position.pips(side.other) - position.pips(side)
        return (
            race
            + again
            + weights.off * mine[OFF]
            + self._structure(position, side)
            - weights.tall_pile * sum(count - 3 for count in mine[1:25] if count > 3)
            + weights.captive * sum(position.pinned(side.other))
            - weights.captive * sum(position.pinned(side))
            - weights.danger * self._danger(position, side, mine, theirs)
        )

    def _structure(self, position: Position, side: Side) -> float:
        """The worth of points that are closed to enemies who still have to pass them."""
        weights = self._weights
        mirrored = position.variant.geometry.mirrored
        theirs = position.counts(side.other)
        closed = self._closed(position, side)
        last = max((point for point in range(1, 27) if theirs[point]), default=0)
        value, run = 0.0, 0
        for point in range(24, 0, -1):
            if mirrored(point) not in closed:
                run = 0
                continue
            behind = sum(theirs[point + 1 :])
            if point < last and behind:
                run += 1
                value += weights.made_point + weights.wall * (2 * run - 1)
                value += weights.made_home_point if mirrored(point) in _HOME else 0.0
        return value

    def _closed(self, position: Position, side: Side) -> frozenset[int]:
        """The points, in the numbers of `side`, on which no enemy may land."""
        alone = position.variant.axes["contact"]["kind"] == "block"
        mirrored = position.variant.geometry.mirrored
        held = {mirrored(point) for point in position.pinned(side.other)}
        counts = position.counts(side)
        return frozenset(
            point
            for point in range(1, 25)
            if counts[point] >= 2 or (counts[point] and (alone or point in held))
        )

    def _danger(self, position: Position, side: Side, mine: Sequence[int], theirs: Sequence[int]) -> float:
        """The pips that may be lost with lone checkers: way to be made again, or held fast."""
        contact = position.variant.axes["contact"]["kind"]
        if contact == "block":
            return 0.0
        mirrored = position.variant.geometry.mirrored
        closed = self._closed(position, side)
        lost = 0.0
        for point in range(1, 25):
            if mine[point] != 1 or point in closed or point in position.pinned(side):
                continue
            there = mirrored(point)
            # From the bar or the hand (26, 25) an enemy comes in as from point 25.
            distances = [min(own, 25) - there for own in range(there + 1, 27) if theirs[own]]
            safe = 1.0
            for distance in distances:
                safe *= 1.0 - (_HIT_CHANCE[distance] if distance < len(_HIT_CHANCE) else 0.02)
            lost += (1.0 - safe) * (25 - point if contact == "hit" else point)
        return lost
