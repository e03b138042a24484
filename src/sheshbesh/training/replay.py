"""The positions of the last rounds, to learn from more than once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheshbesh import _core
from sheshbesh.training.play import Games


class Replay:
    """Positions of the last `rounds` rounds; older ones are forgotten."""

    def __init__(self, classes: int, rounds: int) -> None:
        self.rounds = rounds
        self._slots = np.zeros((0, _core.POSITION_SLOTS), np.uint8)
        self._targets = np.zeros((0, classes), np.float32)
        self._numbers = np.zeros(0, np.uint8)
        self._sizes: list[int] = []

    def __len__(self) -> int:
        return len(self._slots)

    def add(self, played: list[Games]) -> int:
        """Take in a round; returns the number of its positions."""
        size = sum(len(games.slots) for games in played)
        drop = 0
        while self._sizes and len(self._sizes) >= self.rounds:
            drop += self._sizes.pop(0)
        self._sizes.append(size)
        self._slots = np.concatenate([self._slots[drop:], *(games.slots for games in played)])
        self._targets = np.concatenate([self._targets[drop:], *(games.targets for games in played)])
        numbers = [np.full(len(games.slots), games.number, np.uint8) for games in played]
        self._numbers = np.concatenate([self._numbers[drop:], *numbers])
        return size

    def sample(
        self, chance: np.random.Generator, size: int
    ) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.uint8]]:
        """`size` positions drawn evenly: slots, targets, and the numbers of their rule sets."""
        drawn = chance.integers(0, len(self), size)
        return self._slots[drawn], self._targets[drawn], self._numbers[drawn]

    def newest(self, size: int) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.uint8]]:
        """About `size` positions spread over the last round, rule sets included."""
        last = self._sizes[-1]
        picked = np.arange(len(self) - last, len(self), max(1, last // size))[:size]
        return self._slots[picked], self._targets[picked], self._numbers[picked]
