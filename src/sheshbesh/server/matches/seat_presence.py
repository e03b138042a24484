"""Who sits at which board: in this process, and by what they have said of theirs in the others."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence

from sheshbesh.rules import Side


async def _nobody_to_ask() -> None:
    pass


class Boards:
    """The seats that are taken at each match. `parted` tells other processes of a player's goodbye."""

    def __init__(self, parted: Callable[[str, Side], None] = lambda _match, _side: None) -> None:
        self.parted = parted
        self.ask: Callable[[], Awaitable[None]] = _nobody_to_ask
        """Hear what other processes say at this moment."""
        self.changed = asyncio.Event()
        """Set when there is something to say, or to hear."""
        self._here: dict[str, frozenset[Side]] = {}
        self._elsewhere: Mapping[str, Collection[Side]] = {}

    @property
    def count(self) -> int:
        """How many boards somebody sits at in this process."""
        return len(self._here)

    def sit(self, match: str, sides: Collection[Side]) -> None:
        """These sides' players sit at the match in this process, and nobody else."""
        now = frozenset(sides)
        if now == self._here.get(match, frozenset()):
            return
        if now:
            self._here[match] = now
        else:
            del self._here[match]
        self.changed.set()

    def elsewhere(self, match: str) -> Collection[Side]:
        """The sides whose players sit at this match in other processes."""
        return self._elsewhere.get(match, ())

    def hear(self, said: Iterable[Mapping[str, Sequence[str]]]) -> None:
        """Take what each of the other processes has said, in place of all they said before."""
        found: dict[str, set[Side]] = defaultdict(set)
        for boards in said:
            for match, sides in boards.items():
                found[match].update(map(Side.of, sides))
        self._elsewhere = dict(found)

    def to_data(self) -> dict[str, list[str]]:
        """What this process says: the sides that sit here, by match."""
        return {match: sorted(side.value for side in sides) for match, sides in self._here.items()}
