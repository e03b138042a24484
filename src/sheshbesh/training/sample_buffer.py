"""The samples of the last rounds, which are fitted more than once, in memory and on disk."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from sheshbesh import _core
from sheshbesh.training import checkpoint, files
from sheshbesh.training.play import Games

_SLOTS, _TARGETS, _NUMBERS = np.uint8, np.float32, np.uint8

_Round: TypeAlias = tuple[int, NDArray[np.uint8], NDArray[np.float32], NDArray[np.uint8]]
"""Its number; slots, targets and numbers of rule sets, one row a position."""


class SampleBuffer:
    """Samples of the last `rounds` rounds; older ones are dropped.

    Every round is also written to `folder`, so that a resumed run has the same samples.
    Rounds that were dropped stay there until `tidy`: the last checkpoint may still refer to them.
    """

    def __init__(self, classes: int, rounds: int, folder: Path | None = None) -> None:
        self.rounds, self.folder = rounds, folder
        self._slots = np.zeros((0, _core.POSITION_SLOTS), _SLOTS)
        self._targets = np.zeros((0, classes), _TARGETS)
        self._numbers = np.zeros(0, _NUMBERS)
        self._held: list[tuple[int, int]] = []
        """Each round's number and how many positions it has, the oldest first."""

    def __len__(self) -> int:
        return len(self._slots)

    @property
    def held(self) -> list[int]:
        """The numbers of the rounds whose positions are here, the oldest first."""
        return [number for number, _ in self._held]

    def add(self, played: list[Games], round_: int) -> int:
        """Take in a round; returns the number of its positions."""
        slots = np.concatenate([games.slots for games in played])
        targets = np.concatenate([games.targets for games in played])
        numbers = np.concatenate([np.full(len(games.slots), games.number, _NUMBERS) for games in played])
        self.keep(max(0, self.rounds - 1))
        self._append([(round_, slots, targets, numbers)])
        if self.folder is not None:
            self.folder.mkdir(exist_ok=True)
            state = {"slots": _press(slots), "targets": _press(targets), "numbers": _press(numbers)}
            checkpoint.save(files.of_round(self.folder, round_), state)
        return len(slots)

    def _append(self, rounds: list[_Round]) -> None:
        self._held += [(round_, len(slots)) for round_, slots, _, _ in rounds]
        self._slots = np.concatenate([self._slots, *(slots for _, slots, _, _ in rounds)])
        self._targets = np.concatenate([self._targets, *(targets for _, _, targets, _ in rounds)])
        self._numbers = np.concatenate([self._numbers, *(numbers for _, _, _, numbers in rounds)])

    def keep(self, rounds: int) -> None:
        """Forget all but the last `rounds`."""
        forgotten = self._held[: max(0, len(self._held) - rounds)]
        drop = sum(size for _, size in forgotten)
        self._held = self._held[len(forgotten) :]
        self._slots, self._targets = self._slots[drop:], self._targets[drop:]
        self._numbers = self._numbers[drop:]

    def sample(
        self, chance: np.random.Generator, size: int
    ) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.uint8]]:
        """`size` positions drawn evenly: slots, targets, and the numbers of their rule sets."""
        drawn = chance.integers(0, len(self), size)
        return self._slots[drawn], self._targets[drawn], self._numbers[drawn]

    def newest(self, size: int) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.uint8]]:
        """About `size` positions spread over the last round, rule sets included."""
        last = self._held[-1][1]
        picked = np.arange(len(self) - last, len(self), max(1, last // size))[:size]
        return self._slots[picked], self._targets[picked], self._numbers[picked]

    def older(self, size: int) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.uint8]]:
        """About `size` positions spread over the rounds before the last one, rule sets included."""
        count = len(self) - self._held[-1][1]
        picked = np.arange(0, count, max(1, count // size))[:size]
        return self._slots[picked], self._targets[picked], self._numbers[picked]

    # On disk

    def take_up(self, rounds: Sequence[int]) -> None:
        """Read these rounds back; those whose files are gone are left out.

        TrainingError if a file is damaged.
        """
        self.keep(0)
        if self.folder is None:
            return
        found: list[_Round] = []
        for round_ in rounds:
            file = files.of_round(self.folder, round_)
            if not file.is_file():
                continue
            state = checkpoint.load(file, remedy="remove it to go on without its positions")
            numbers = _unpress(state["numbers"], _NUMBERS)
            slots = _unpress(state["slots"], _SLOTS).reshape(-1, self._slots.shape[1])
            targets = _unpress(state["targets"], _TARGETS).reshape(-1, self._targets.shape[1])
            found.append((round_, slots, targets, numbers))
        self._append(found)

    def tidy(self) -> None:
        """Remove the files of what is forgotten."""
        if self.folder is None:
            return
        kept = {files.of_round(self.folder, round_) for round_ in self.held}
        for file in files.of_rounds(self.folder):
            if file not in kept:
                file.unlink()


def _press(array: NDArray[Any]) -> torch.Tensor:
    # The slots are mostly zeros; the quickest level makes a fifth of them.
    pressed = zlib.compress(np.ascontiguousarray(array).data, 1)
    return torch.frombuffer(bytearray(pressed), dtype=torch.uint8)


def _unpress(pressed: torch.Tensor, kind: type[Any]) -> NDArray[Any]:
    return np.frombuffer(zlib.decompress(pressed.numpy().data), kind)
