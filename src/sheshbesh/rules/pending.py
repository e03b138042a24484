"""The element owed before the next throw, in the games whose turns are chains of elements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sheshbesh import _core
from sheshbesh.errors import PositionError
from sheshbesh.i18n import Text
from sheshbesh.rules.side import Side

MOST_CHECKERS = 15


@dataclass(frozen=True, slots=True, eq=False)
class Pending(Mapping[str, object]):
    """An element that is owed before the next throw; also a mapping of the entries that say something.

    Parameters
    ----------
    by : Side
        Who plays it.
    steps : tuple[int, ...]
        The numbers to be played.
    rest : tuple[int, ...]
        The numbers of the later elements, four steps each.
    then : str, optional
        "own_throw" when the same side throws afterwards, None when its turn ends.
    choose : str, optional
        "double" where the player first names a double, playable or not.
    head : int
        The checkers that have left the head earlier in this roll, in the games that limit them.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> sb.variant("gioul").start().legal_plays((5, 5))[0].result.pending.steps
    (6, 6, 6, 6)
    """

    by: Side
    steps: tuple[int, ...] = ()
    rest: tuple[int, ...] = ()
    then: str | None = None
    choose: str | None = None
    head: int = 0

    @classmethod
    def from_core(cls, owed: _core.Pending, by: Side) -> Pending | None:
        """Translate the core's record of what is owed.

        Parameters
        ----------
        owed : _core.Pending
            The record.
        by : Side
            Who plays it.

        Returns
        -------
        Pending or None
            The element; None where nothing is owed.
        """
        if owed.choose_double:
            return cls(by, choose="double", head=owed.head)
        if owed.steps == 0:
            return None
        steps = (owed.die, owed.second) if owed.second else (owed.die,) * owed.steps
        rest = tuple(range(owed.die + 1, 7)) if owed.rest else ()
        return cls(by, steps, rest, "own_throw" if owed.then_throw else None, head=owed.head)

    def to_core(self) -> _core.Pending:
        """Give the core's record.

        Returns
        -------
        _core.Pending
            The record.

        Raises
        ------
        PositionError
            No chain could owe this.
        """
        if type(self.head) is not int or not 0 <= self.head <= MOST_CHECKERS:
            raise PositionError(
                Text(
                    "0 to {most} checkers have left the head, not {head}",
                    most=MOST_CHECKERS,
                    head=repr(self.head),
                )
            )
        if self.choose is not None:
            if self.choose != "double" or self.steps or self.rest:
                raise PositionError(
                    Text("only a double can be chosen, with nothing else owed: {what}", what=repr(self))
                )
            return _core.Pending(choose_double=True, head=self.head)
        numbers = sorted(self.steps, reverse=True)
        if not 1 <= len(numbers) <= 4 or not all(type(n) is int and 1 <= n <= 6 for n in numbers):
            raise PositionError(
                Text("an element has 1 to 4 steps of 1 to 6, not {steps}", steps=repr(self.steps))
            )
        high, low = numbers[0], numbers[-1]
        if high != low and (len(numbers) != 2 or self.rest):
            raise PositionError(Text("the steps of an element are equal: {steps}", steps=repr(self.steps)))
        if self.rest and tuple(self.rest) != tuple(range(high + 1, 7)):
            raise PositionError(
                Text(
                    "after {high} the chain goes on {expected}, not {rest}",
                    high=high,
                    expected=repr(tuple(range(high + 1, 7))),
                    rest=repr(self.rest),
                )
            )
        if self.then not in (None, "own_throw"):
            raise PositionError(
                Text('after an element comes "own_throw" or nothing, not {then}', then=repr(self.then))
            )
        return _core.Pending(
            die=high,
            second=low if high != low else 0,
            steps=len(numbers),
            rest=bool(self.rest),
            then_throw=self.then is not None,
            head=self.head,
        )

    def _entries(self) -> dict[str, object]:
        entries: dict[str, object] = {"by": self.by.value}
        if self.choose is not None:
            entries["choose"] = self.choose
        else:
            entries |= {"steps": list(self.steps), "rest": list(self.rest)}
        if self.then is not None:
            entries["then"] = self.then
        if self.head:
            entries["head"] = self.head
        return entries

    def __getitem__(self, key: str) -> object:
        return self._entries()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries())

    def __hash__(self) -> int:
        return hash((self.by, self.steps, self.rest, self.then, self.choose, self.head))

    def __len__(self) -> int:
        return len(self._entries())
