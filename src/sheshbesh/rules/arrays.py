"""Positions as arrays of bytes and back: one row a position, everything the rules depend on at fixed places.

| places | what |
|---|---|
| 0 to 26 | checkers of the side on roll: off, its points 1 to 24, in hand, on the bar |
| 27 to 53 | the same for the other side, in its own numbering |
| 54 to 77 | points 1 to 24 of the side on roll: 1 where a checker of theirs is pinned |
| 78 to 101 | the same for the other side |
| 102 | 1 if Black is on roll |
| 103, 104 | finished turns of either side, counted no further than the rules ask |
| 105, 106 | 1 for the side that started, where the rules ask |
| 107, 108 | 1 for the side whose mother is lost, where the rules ask |
| 109 to 115 | what is owed: number, second number, steps, rest, throw afterwards, naming, departures |
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sheshbesh import _core
from sheshbesh.errors import PositionError
from sheshbesh.rules.lookup import as_variant
from sheshbesh.rules.position import Position
from sheshbesh.rules.variant import Variant

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ROW = int(_core.ROW)
"""The bytes of a row."""


def _numpy() -> Any:
    """NumPy, which is loaded when it is needed; ImportError says what to install."""
    try:
        import numpy
    except ImportError as error:
        raise ImportError(f"arrays need the extra `envs`: pip install 'sheshbesh[envs]' ({error})") from error
    return numpy


def to_rows(positions: Iterable[Position]) -> NDArray[np.uint8]:
    """Write positions into an array.

    Parameters
    ----------
    positions : Iterable[Position]
        The positions.

    Returns
    -------
    NDArray[np.uint8]
        Bytes of shape (n, 116), each row seen by its side on roll; the places are in the guide to
        environments.

    Raises
    ------
    TypeError
        Something is no position.
    ImportError
        NumPy is not installed.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> sb.to_rows([sb.variant("tapa").start()]).shape
    (1, 116)
    """
    _numpy()
    if isinstance(positions, Position):
        raise TypeError("several positions are expected: for one, to_rows([position])")
    states = []
    for position in positions:
        if not isinstance(position, Position):
            raise TypeError(f"a position is expected, not {position!r}")
        states.append(position._core)
    return _core.to_rows(states)


def checked_rows(rows: object) -> NDArray[np.uint8]:
    """An array of rows as the core takes it; PositionError for another shape, or numbers that are no bytes.

    Nothing is converted: a number that a byte does not hold would become another one.
    """
    np = _numpy()
    found = np.asarray(rows)
    if found.dtype != np.uint8 or found.ndim != 2 or found.shape[1] != ROW:
        raise PositionError(
            f"positions are an array of uint8 of shape (n, {ROW}), not {found.dtype} of {found.shape}"
        )
    return np.ascontiguousarray(found)  # type: ignore[no-any-return]


def from_rows(game: Variant | str, rows: NDArray[np.uint8]) -> list[Position]:
    """Read positions from an array.

    Parameters
    ----------
    game : Variant or str
        The game, or its name.
    rows : NDArray[np.uint8]
        Bytes of shape (n, 116), as `to_rows` gives them.

    Returns
    -------
    list[Position]
        The positions.

    Raises
    ------
    PositionError
        A row is no position of the game; the first such row and the wrong place are named.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> start = sb.variant("tapa").start()
    >>> sb.from_rows("tapa", sb.to_rows([start])) == [start]
    True
    """
    game = as_variant(game)
    try:
        states = _core.from_rows(game._core, checked_rows(rows))
    except ValueError as error:
        raise PositionError(str(error)) from None
    return [Position(game, state) for state in states]
