"""A simple opponent for every game: it looks one play ahead and knows no game by name.

It is no engine: it takes what the careful one of the hand-written players likes best, so a user's own
game has an opponent too, whether there is a net that could play it or not.
"""

from __future__ import annotations

import random

from sheshbesh.engines import written
from sheshbesh.rules import Play, Position, Roll

_PLAYER = "careful"


class SimpleBot:
    """Chooses plays by a one-ply heuristic; the same seed makes the same choices."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(f"bot {seed}" if seed is not None else None)

    def choose(self, position: Position, dice: Roll | None) -> Play:
        """The best play of `dice`; of what is owed, a double to be named included, without dice."""
        plays = position.legal_plays(dice)
        if len(plays) == 1:
            return plays[0]
        judge = written.values(_PLAYER, position.variant)
        reached = [play.result for play in plays]
        worths = [judge.value(each.core) for each in reached]
        # The small change breaks ties, which would else always go to the same side of the board.
        worths = [
            (worth if each.turn is position.turn else -worth) + self._random.random() * 1e-3
            for worth, each in zip(worths, reached, strict=True)
        ]
        return plays[worths.index(max(worths))]
