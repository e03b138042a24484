"""The samples of the last rounds, which are fitted more than once, in memory and on disk."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from sheshbesh import _core
from sheshbesh.training import checkpoint, files
from sheshbesh.training.play import Games

_SLOTS, _TARGETS, _NUMBERS = np.uint8, np.float32, np.uint8

_PROCESSOR: Final = torch.device("cpu")

Rows: TypeAlias = tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.uint8]]
"""Slots, targets and numbers of rule sets, one row a position."""


class SampleBuffer:
    """Samples of the last `rounds` rounds; older ones are dropped.

    They lie in the memory of `device`. Every round is also written to `folder`, so that a resumed run has
    the same samples. Rounds that were dropped stay there until `tidy`: the last checkpoint may still refer
    to them.
    """

    def __init__(
        self, classes: int, rounds: int, folder: Path | None = None, device: torch.device = _PROCESSOR
    ) -> None:
        self.rounds, self.folder, self.device = rounds, folder, device
        # Rows from `_begin` to `_end` are in use; those after are room for rounds to come.
        self._columns = _columns(0, classes, device)
        self._begin = self._end = 0
        self._held: list[tuple[int, int]] = []
        """Each round's number and how many positions it has, the oldest first."""

    def __len__(self) -> int:
        return self._end - self._begin

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
        self._append(round_, slots, targets, numbers)
        if self.folder is not None:
            self.folder.mkdir(exist_ok=True)
            state = {"slots": _press(slots), "targets": _press(targets), "numbers": _press(numbers)}
            checkpoint.save(files.of_round(self.folder, round_), state)
        return len(slots)

    def _append(
        self, round_: int, slots: NDArray[np.uint8], targets: NDArray[np.float32], numbers: NDArray[np.uint8]
    ) -> None:
        end = self._end + len(slots)
        if end > len(self._columns[0]):
            self._move(2 * (end - self._begin))
            end = self._end + len(slots)
        for column, rows in zip(self._columns, (slots, targets, numbers), strict=True):
            column[self._end : end] = torch.from_numpy(np.require(rows, requirements=("C", "W")))
        self._end = end
        self._held.append((round_, len(slots)))

    def _move(self, capacity: int) -> None:
        """Go on in larger arrays: so rarely that a position is moved about once in its time here."""
        before = self._columns
        self._columns = _columns(capacity, before[1].shape[1], self.device)
        for old, new in zip(before, self._columns, strict=True):
            new[: len(self)] = old[self._begin : self._end]
        self._begin, self._end = 0, len(self)

    def keep(self, rounds: int) -> None:
        """Forget all but the last `rounds`."""
        forgotten = self._held[: max(0, len(self._held) - rounds)]
        self._held = self._held[len(forgotten) :]
        self._begin += sum(size for _, size in forgotten)

    def sample(self, chance: torch.Generator, size: int) -> tuple[Tensor, Tensor, Tensor]:
        """`size` positions drawn evenly, on the device: slots, targets, and the numbers of their rule sets.

        `chance` is a generator of the device.
        """
        drawn = torch.randint(self._begin, self._end, (size,), generator=chance, device=self.device)
        slots, targets, numbers = (column[drawn] for column in self._columns)
        return slots, targets, numbers

    def newest(self, size: int) -> Rows:
        """About `size` positions spread over the last round, rule sets included."""
        last = self._held[-1][1]
        return self._spread(self._end - last, self._end, size)

    def older(self, size: int) -> Rows:
        """About `size` positions spread over the rounds before the last one, rule sets included."""
        return self._spread(self._begin, self._end - self._held[-1][1], size)

    def _spread(self, begin: int, end: int, size: int) -> Rows:
        picked = slice(begin, end, max(1, (end - begin) // size))
        slots, targets, numbers = (column[picked][:size].cpu().numpy() for column in self._columns)
        return slots, targets, numbers

    # On disk

    def take_up(self, rounds: Sequence[int]) -> None:
        """Read these rounds back; those whose files are gone are left out.

        TrainingError if a file is damaged.
        """
        self.keep(0)
        if self.folder is None:
            return
        for round_ in rounds:
            file = files.of_round(self.folder, round_)
            if not file.is_file():
                continue
            state = checkpoint.load(file, remedy="remove it to go on without its positions")
            numbers = _unpress(state["numbers"], _NUMBERS)
            slots = _unpress(state["slots"], _SLOTS).reshape(len(numbers), -1)
            self._append(
                round_, slots, _unpress(state["targets"], _TARGETS).reshape(len(numbers), -1), numbers
            )

    def tidy(self) -> None:
        """Remove the files of what is forgotten."""
        if self.folder is None:
            return
        kept = {files.of_round(self.folder, round_) for round_ in self.held}
        for file in files.of_rounds(self.folder):
            if file not in kept:
                file.unlink()


def _columns(rows: int, classes: int, device: torch.device) -> tuple[Tensor, Tensor, Tensor]:
    """Room for slots, targets and numbers of rule sets."""
    return (
        torch.empty((rows, _core.POSITION_SLOTS), dtype=torch.uint8, device=device),
        torch.empty((rows, classes), dtype=torch.float32, device=device),
        torch.empty(rows, dtype=torch.uint8, device=device),
    )


def _press(array: NDArray[Any]) -> Tensor:
    # The slots are mostly zeros; the quickest level makes a fifth of them.
    pressed = zlib.compress(np.ascontiguousarray(array).data, 1)
    return torch.frombuffer(bytearray(pressed), dtype=torch.uint8)


def _unpress(pressed: Tensor, kind: type[Any]) -> NDArray[Any]:
    return np.frombuffer(zlib.decompress(pressed.numpy().data), kind)
