"""Adding up the trials of a rollout: means, and standard errors that are true of stratified dice.

Trials come in chunks of 36, one for each first throw. What the first throw explains is no error: the
variance of a mean is that within the trials of one first throw. Chunks are added in order, each trial
in its place, so the same trials give the same bits on every thread and in every run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum, isfinite, sqrt
from typing import Any, Self

CHUNK = 36
"""Trials played and added together: one for each first throw."""

Row = Sequence[float]


@dataclass(slots=True)
class Tally:
    """The sums over chunks of a number of columns, and of their products with one another.

    `pairs` are the pairs of columns whose covariance will be asked for; that of a column with itself
    is always known.
    """

    columns: int
    pairs: tuple[tuple[int, int], ...] = ()
    chunks: int = 0
    sums: list[list[float]] = field(default_factory=list)
    squares: list[list[float]] = field(default_factory=list)
    products: list[list[float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for kept, width in self._all():
            kept.extend([0.0] * width for _ in range(CHUNK - len(kept)))

    def _all(self) -> tuple[tuple[list[list[float]], int], ...]:
        return (
            (self.sums, self.columns),
            (self.squares, self.columns),
            (self.products, len(self.pairs)),
        )

    @property
    def trials(self) -> int:
        """The number of trials added."""
        return self.chunks * CHUNK

    def plus(self, rows: Sequence[Row]) -> Tally:
        """A new tally with a chunk more: one row for each first throw, in order.

        This one stays as it is, so that an interrupt at any moment finds a tally that is whole.
        """
        if len(rows) != CHUNK or any(len(row) != self.columns for row in rows):
            raise ValueError(f"a chunk has {CHUNK} rows of {self.columns} numbers")
        more = Tally(self.columns, self.pairs, self.chunks + 1)
        for first, row in enumerate(rows):
            more.sums[first] = [kept + value for kept, value in zip(self.sums[first], row, strict=True)]
            more.squares[first] = [
                kept + value * value for kept, value in zip(self.squares[first], row, strict=True)
            ]
            more.products[first] = [
                kept + row[a] * row[b] for kept, (a, b) in zip(self.products[first], self.pairs, strict=True)
            ]
        return more

    def mean(self, column: int) -> float:
        """The mean of a column; 0 without trials."""
        return fsum(sums[column] for sums in self.sums) / self.trials if self.chunks else 0.0

    def error(self, column: int) -> float:
        """The standard error of that mean; infinite without trials."""
        return self._root([squares[column] for squares in self.squares], column, column)

    def joint_error(self, pair: int) -> float:
        """The standard error of the difference of the means of a pair."""
        a, b = self.pairs[pair]
        own = self._variance([squares[a] for squares in self.squares], a, a)
        other = self._variance([squares[b] for squares in self.squares], b, b)
        common = self._variance([products[pair] for products in self.products], a, b)
        return sqrt(max(own + other - 2 * common, 0.0))

    def _root(self, products: Sequence[float], a: int, b: int) -> float:
        return sqrt(max(self._variance(products, a, b), 0.0))

    def _variance(self, products: Sequence[float], a: int, b: int) -> float:
        """The covariance of the means of two columns, given the sums of their products."""
        n = self.chunks
        if n == 0:
            return float("inf")
        if n == 1:
            # Nothing is known within a first throw; what the first throw explains is left in.
            whole = fsum(products) - CHUNK * self.mean(a) * self.mean(b)
            return whole / ((CHUNK - 1) * CHUNK)
        within = fsum(
            product - sums[a] * sums[b] / n for product, sums in zip(products, self.sums, strict=True)
        )
        return within / ((n - 1) * n * CHUNK * CHUNK)

    # As JSON: Python writes floats so that they are read back to the bit.

    def to_json(self) -> dict[str, Any]:
        """Return what `from_json` reads."""
        return {
            "chunks": self.chunks,
            "sums": self.sums,
            "squares": self.squares,
            "products": self.products,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], columns: int, pairs: tuple[tuple[int, int], ...]) -> Self:
        """A tally read back; ValueError if it has another shape or holds what no trials add up to."""
        chunks = data.get("chunks") if isinstance(data, Mapping) else None
        if type(chunks) is not int or chunks < 0:
            raise ValueError(f"its chunks are a whole number from 0 up, not {chunks!r}")
        try:
            kept = [
                [[float(value) for value in row] for row in data[name]]
                for name in ("sums", "squares", "products")
            ]
        except (KeyError, TypeError, OverflowError) as error:
            raise ValueError(f"its sums cannot be read: {error}") from error
        for rows, width in zip(kept, (columns, columns, len(pairs)), strict=True):
            if len(rows) != CHUNK or any(len(row) != width for row in rows):
                raise ValueError("its sums have another shape")
            if not all(isfinite(value) and (chunks or value == 0) for row in rows for value in row):
                raise ValueError("its sums are no sums of trials")
        return cls(columns, pairs, chunks, *kept)
