"""Many positions at once: as objects, or as arrays at the speed of the core."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast, overload

from sheshbesh import _core
from sheshbesh.engines.outcome import Candidate, Outcome
from sheshbesh.engines.utility import Scores
from sheshbesh.errors import DiceError
from sheshbesh.match import MatchState
from sheshbesh.rules import Position, Side
from sheshbesh.rules.arrays import checked_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BLACK_ON_ROLL = 102
"""The place of a row that says who is on roll; see `docs/guide/envs.md`."""


class EvaluatedRows(NamedTuple):
    """The values of `n` positions, each for the side on roll before it throws.

    `probabilities` has `n` rows of the classes of results: the wins of the side on roll in the order of
    `Outcome.classes`, those of the other side, the tie if the game has one. `equities` are in points, or in
    equity at the score.
    """

    probabilities: NDArray[np.float32]
    equities: NDArray[np.float32]


class RankedRows(NamedTuple):
    """The legal plays of `n` throws, best first.

    Those of throw `i` stand at `offsets[i]` up to `offsets[i + 1]`: `plays` are their places in the order of
    `Position.legal_plays`, `equities` their values for the side that plays. A position that is over has none.
    """

    offsets: NDArray[np.int64]
    plays: NDArray[np.int32]
    equities: NDArray[np.float32]

    @property
    def best(self) -> NDArray[np.int32]:
        """The best play of each throw; -1 where there is none."""
        import numpy as np

        first = np.minimum(self.offsets[:-1], max(len(self.plays) - 1, 0))
        found = self.plays[first] if len(self.plays) else np.full(len(first), -1, np.int32)
        return np.where(self.offsets[:-1] < self.offsets[1:], found, np.int32(-1)).astype(np.int32)


def _as_many(dice: int, positions: int) -> str:
    return f"as many dice as positions are needed, and there are {dice} for {positions}"


def _checked_dice(dice: object, n: int) -> NDArray[np.uint8]:
    """The dice of `n` rows as the core takes them; DiceError for another shape, or numbers that are no dice.

    They are compared before they become bytes, of which 257 would be a 1.
    """
    import numpy as np

    found = np.asarray(dice)
    if found.ndim != 2 or found.shape[1] != 2 or found.dtype.kind not in "iu":
        raise DiceError(f"dice are whole numbers of shape (n, 2), not {found.dtype} of {found.shape}")
    if len(found) != n:
        raise ValueError(_as_many(len(found), n))
    return np.ascontiguousarray(np.where((found >= 0) & (found <= 6), found, 7), np.uint8)


class BatchEngine:
    """The work of an engine for many positions; see `Engine`."""

    _scores: Scores
    _search: _core.Searcher

    def evaluate(
        self, position: Position, match: MatchState | None = None, *, plies: int | None = None
    ) -> Outcome:
        """See `Engine.evaluate`."""
        raise NotImplementedError

    def rank(
        self,
        position: Position,
        dice: Iterable[int] | None = None,
        match: MatchState | None = None,
        *,
        plies: int | None = None,
    ) -> tuple[Candidate, ...]:
        """See `Engine.rank`."""
        raise NotImplementedError

    def _depth(self, plies: int | None) -> int:
        raise NotImplementedError

    def _check(self, position: Position) -> None:
        raise NotImplementedError

    def _outcome(self, probabilities: Sequence[float], values: Sequence[float]) -> Outcome:
        raise NotImplementedError

    @overload
    def evaluate_many(
        self, positions: NDArray[np.uint8], match: MatchState | None = None, *, plies: int | None = None
    ) -> EvaluatedRows: ...

    @overload
    def evaluate_many(
        self, positions: Iterable[Position], match: MatchState | None = None, *, plies: int | None = None
    ) -> list[Outcome]: ...

    def evaluate_many(
        self,
        positions: Iterable[Position] | NDArray[np.uint8],
        match: MatchState | None = None,
        *,
        plies: int | None = None,
    ) -> list[Outcome] | EvaluatedRows:
        """The value of many positions; the raw net takes them all at once.

        Each has the value that it has alone. With a match state all are at that score. An array of rows as of
        `to_rows` is evaluated by the raw net without an object for any of them; ValueError names a row that
        is no position of the game, or a depth other than 0.
        """
        deep = self._depth(plies)
        if hasattr(positions, "dtype"):
            self._refuse_depth(deep)
            return self._evaluate_rows(cast("NDArray[np.uint8]", positions), match)
        asked = list(cast("Iterable[Position]", positions))
        if deep > 0:
            return [self.evaluate(position, match, plies=deep) for position in asked]
        for position in asked:
            self._check(position)
        rows = self._search.evaluate([position._core for position in asked])
        return [
            self._outcome(row, self._scores.equities(match, position.turn))
            for row, position in zip(rows, asked, strict=True)
        ]

    @overload
    def rank_many(
        self,
        positions: NDArray[np.uint8],
        dice: NDArray[np.uint8],
        match: MatchState | None = None,
        *,
        plies: int | None = None,
    ) -> RankedRows: ...

    @overload
    def rank_many(
        self,
        positions: Iterable[Position],
        dice: Iterable[Iterable[int] | None],
        match: MatchState | None = None,
        *,
        plies: int | None = None,
    ) -> list[tuple[Candidate, ...]]: ...

    def rank_many(
        self,
        positions: Iterable[Position] | NDArray[np.uint8],
        dice: Iterable[Iterable[int] | None] | NDArray[np.uint8],
        match: MatchState | None = None,
        *,
        plies: int | None = None,
    ) -> list[tuple[Candidate, ...]] | RankedRows:
        """The legal plays of many throws, best first, as `rank` gives them one by one.

        An array of rows as of `to_rows` with an array of dice, two to a row, is ranked by the raw net;
        where an element is owed, its dice are ignored. ValueError names a row that is no position, whose
        dice are none, or in which a double is to be named; or a depth other than 0.
        """
        deep = self._depth(plies)
        if not hasattr(positions, "dtype"):
            asked = list(cast("Iterable[Position]", positions))
            thrown = list(cast("Iterable[Iterable[int] | None]", dice))
            if len(asked) != len(thrown):
                raise ValueError(_as_many(len(thrown), len(asked)))
            pairs = zip(asked, thrown, strict=True)
            return [self.rank(position, each, match, plies=deep) for position, each in pairs]
        self._refuse_depth(deep)
        return self._rank_rows(cast("NDArray[np.uint8]", positions), cast("NDArray[np.uint8]", dice), match)

    def _refuse_depth(self, deep: int) -> None:
        if deep:
            raise ValueError(f"arrays are evaluated by the raw net: plies must be 0, not {deep}")

    def _evaluate_rows(self, rows: NDArray[np.uint8], match: MatchState | None) -> EvaluatedRows:
        import numpy as np

        rows = checked_rows(rows)
        probabilities = self._search.evaluate_rows(rows)
        values = np.array(
            [self._scores.equities(match, side) for side in (Side.WHITE, Side.BLACK)], np.float32
        )
        if (values[0] == values[1]).all():
            return EvaluatedRows(probabilities, probabilities @ values[0])
        return EvaluatedRows(probabilities, (probabilities * values[rows[:, BLACK_ON_ROLL]]).sum(axis=1))

    def _rank_rows(self, rows: NDArray[np.uint8], dice: Any, match: MatchState | None) -> RankedRows:
        rows, dice = checked_rows(rows), _checked_dice(dice, len(rows))
        values = [self._scores.equities(match, side) for side in (Side.WHITE, Side.BLACK)]
        choosing = [self._scores.choosing(match, each) for each in values]
        return RankedRows(*self._search.rank_rows(rows, dice, choosing[0], choosing[1], values[0], values[1]))
