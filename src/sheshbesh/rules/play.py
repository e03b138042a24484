"""Plays and steps: what a player may do with a throw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

from sheshbesh import _core
from sheshbesh.rules import notation
from sheshbesh.rules.roll import Roll

if TYPE_CHECKING:
    from sheshbesh.rules.position import Position


class Step(NamedTuple):
    """One checker moved by one die, in the mover's own numbering.

    Parameters
    ----------
    origin : int
        The point 1 to 24, 25 for the hand or 26 for the bar.
    target : int
        The point 1 to 24, or 0 for off.
    die : int
        The number of the die.
    takes : bool
        Whether an enemy checker is hit or imprisoned there.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> sb.Step(26, 22, 3, takes=True).notation
    'bar/22*'
    """

    origin: int
    target: int
    die: int
    takes: bool = False

    @property
    def notation(self) -> str:
        """The step as text, such as `bar/22*`."""
        return notation.format_step(self.origin, self.target, takes=self.takes)

    def __str__(self) -> str:
        return self.notation


class Stage(NamedTuple):
    """A moment of a turn in progress, as a board needs it.

    Parameters
    ----------
    is_whole : bool
        Whether the steps so far make a legal play.
    onward : tuple[tuple[Step, int], ...]
        The steps that may follow, from the highest origin down, each with the number of the stage it leads
        to.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> sb.variant("backgammon").start().stages((3, 1))[0].is_whole
    False
    """

    is_whole: bool
    onward: tuple[tuple[Step, int], ...]


class Play:
    """A legal play: the steps of one way to make it, and the position it leads to.

    Plays come from `Position.legal_plays` and `Position.parse_play`. Two are equal when they lead from the
    same position to the same position.

    Parameters
    ----------
    position : Position
        The position before it.
    plays : _core.PlayList
        The list of the core.
    index : int
        The place in that list.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> play = sb.variant("backgammon").start().parse_play("8/5 6/5", (3, 1))
    >>> play.notation, play.result.turn == "black"
    ('8/5 6/5', True)
    """

    __slots__ = ("_index", "_list", "_position", "_steps")

    def __init__(self, position: Position, plays: _core.PlayList, index: int) -> None:
        self._position = position
        self._list = plays
        self._index = index
        self._steps: tuple[Step, ...] | None = None

    @property
    def position(self) -> Position:
        """The position before the play."""
        return self._position

    @property
    def dice(self) -> Roll:
        """The numbers played, larger first; for an element that is owed, its numbers."""
        return Roll(*self._list.dice)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The single steps in an order in which they may be played; none for a pass."""
        if self._steps is None:
            self._steps = tuple(Step(*step) for step in self._list.steps(self._index))
        return self._steps

    @property
    def notation(self) -> str:
        """The play as text, such as `8/5* 6/5`; "pass" if nothing is played."""
        return notation.format_steps(self.steps)

    @property
    def result(self) -> Position:
        """The position after the play, normally with the other side on roll."""
        return self._position._with_core(self._list.after(self._index))

    @property
    def is_pass(self) -> bool:
        """True if nothing is played."""
        return not self.steps

    def __str__(self) -> str:
        return self.notation

    def _repr_svg_(self) -> str:
        """The board before the play with its steps as arrows, as a notebook shows it."""
        return self._position._repr_svg_(self.dice, self.steps)

    def __repr__(self) -> str:
        return f"<Play {self.notation} with {self.dice} from {self._position.id}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Play):
            return NotImplemented
        return self._position == other._position and self.result == other.result

    def __hash__(self) -> int:
        return hash((self._position, self.result))

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _play, (self._position, *self._list.dice, self._index)


class Plays(Sequence[Play]):
    """All legal plays of a throw, in a fixed order, each distinct final position once.

    Parameters
    ----------
    position : Position
        The position before them.
    plays : _core.PlayList
        The list of the core.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> len(sb.variant("backgammon").start().legal_plays((3, 1)))
    16
    """

    __slots__ = ("_list", "_position")

    def __init__(self, position: Position, plays: _core.PlayList) -> None:
        self._position = position
        self._list = plays

    def __len__(self) -> int:
        return len(self._list)

    @overload
    def __getitem__(self, index: int) -> Play: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Play, ...]: ...
    def __getitem__(self, index: int | slice) -> Play | tuple[Play, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self._list))))
        size = len(self._list)
        if not -size <= index < size:
            raise IndexError(f"play {index} of {size}")
        return Play(self._position, self._list, index % size)

    def __iter__(self) -> Iterator[Play]:
        for index in range(len(self._list)):
            yield Play(self._position, self._list, index)

    def find(self, position: Position) -> Play | None:
        """Find the play that ends in a position.

        Parameters
        ----------
        position : Position
            The position after it.

        Returns
        -------
        Play or None
            The play, if there is one.
        """
        index = self._list.index_of(position._core)
        return None if index == len(self._list) else self[index]

    def __repr__(self) -> str:
        return f"<{len(self)} plays of {Roll(*self._list.dice)} from {self._position.id}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Plays):
            return NotImplemented
        return self._position == other._position and self._list.dice == other._list.dice

    def __hash__(self) -> int:
        return hash((self._position, self._list.dice))

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _plays, (self._position, *self._list.dice)


# The core's list does not travel between processes: it is made anew from what it was made of.


def _plays(position: Position, first: int, second: int) -> Plays:
    return Plays(position, _core.legal_plays(position.variant._core, position._core, first, second))


def _play(position: Position, first: int, second: int, index: int) -> Play:
    return _plays(position, first, second)[index]
