"""Which players are at a match: by their connections here, and as other processes report theirs."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from sheshbesh.rules import Side
from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.tables.line import GONE, Viewer


async def _nobody_to_ask() -> None:
    pass


class SeatPresence:
    """The seats that are taken at each match. `parted` notifies other processes of a player's goodbye."""

    def __init__(self, parted: Callable[[str, Side], None] = lambda _match, _side: None) -> None:
        self.parted = parted
        self.ask: Callable[[], Awaitable[None]] = _nobody_to_ask
        """Read what other processes have stored at this moment."""
        self.changed = asyncio.Event()
        """Set when presence has changed here, or is to be read from other processes."""
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

    def merge(self, stored: Iterable[Mapping[str, Sequence[str]]]) -> None:
        """Take what each of the other processes has stored, in place of what they had before."""
        found: dict[str, set[Side]] = defaultdict(set)
        for boards in stored:
            for match, sides in boards.items():
                found[match].update(map(Side.of, sides))
        self._elsewhere = dict(found)

    def to_data(self) -> dict[str, list[str]]:
        """What this process says: the sides that sit here, by match."""
        return {match: sorted(side.value for side in sides) for match, sides in self._here.items()}


CLAIM_AFTER_GOODBYE, CLAIM_AFTER_SILENCE = 10.0, 120.0
"""Seconds after which an untimed match may be claimed from a player who left, or whose line broke."""

_PARTING = 15.0
"""Seconds for which a goodbye explains that somebody is missing: another process may notice that late."""

_RETURNED = 4.0
"""Seconds after a goodbye from which on a connected player has come back: all processes know it by then."""


class MatchPresence:
    """The two seats of a room, by what is known of their sockets."""

    __slots__ = ("_clock", "_elsewhere", "_goodbye", "_missing", "_sent_rtt", "sitting")

    def __init__(self, sides: Iterable[Side], clock: Clock = CLOCK) -> None:
        self._clock = clock
        # Nobody has come yet; who never comes counts as one whose line broke.
        self._missing: dict[Side, float] = dict.fromkeys(sides, clock.monotonic())
        self._goodbye: dict[Side, float] = {}
        self._elsewhere: dict[Side, float] = {}
        self.sitting: tuple[Side, ...] = ()
        """The sides whose players are there in this process."""
        self._sent_rtt: dict[Side, int | None] = {}

    def look(
        self, viewers: Collection[Viewer], seats: Collection[Side], elsewhere: Collection[Side] = ()
    ) -> bool:
        """Update who is connected, and how good their connection is; whether that has changed.

        `elsewhere` are the sides whose players sit at the match in another process.
        """
        now = self._clock.monotonic()
        if elsewhere:
            self._elsewhere.update(dict.fromkeys(elsewhere, now))
        last: dict[Side, float] = {}
        trips: dict[Side, int] = {}
        for viewer in viewers:
            ms = viewer.latency.ms
            for side in viewer.sides:
                if viewer.seen > last.get(side, 0.0):
                    last[side] = viewer.seen
                if ms is not None and ms <= trips.get(side, ms):
                    trips[side] = ms
        self.sitting = tuple([side for side in seats if side in last and now - last[side] < GONE])
        changed = False
        for side in seats:
            here = side in self.sitting or side in elsewhere
            if here and now - self._goodbye.get(side, now) > _RETURNED:
                del self._goodbye[side]  # they have long come back, by a page that was never missed
            if here and side in self._missing:
                del self._missing[side]
                self._goodbye.pop(side, None)
                changed = True
            elif not here and side not in self._missing:
                # A silent page in this process says nothing of when the player left another one.
                self._missing[side] = max(last.get(side, now), self._elsewhere.get(side, 0.0))
                changed = True
            if side in last and _differs(self._sent_rtt.get(side), trips.get(side)):
                changed = True
        return changed

    def goodbye(self, side: Side) -> None:
        """The player has closed the page."""
        self._goodbye[side] = self._clock.monotonic()

    def is_here(self, side: Side) -> bool:
        """Whether the player counts as connected."""
        return side not in self._missing

    @property
    def is_complete(self) -> bool:
        """Whether everybody counts as connected."""
        return not self._missing

    def claim_in(self, side: Side) -> float | None:
        """Seconds until the match may be claimed from this player; None while they are there."""
        if side not in self._missing:
            return None
        missing = self._missing[side]
        parted = side in self._goodbye and missing - self._goodbye[side] < _PARTING
        patience = CLAIM_AFTER_GOODBYE if parted else CLAIM_AFTER_SILENCE
        return max(missing + patience - self._clock.monotonic(), 0.0)

    def to_data(self, viewers: Iterable[Viewer], engines: Iterable[Side]) -> dict[str, Any]:
        """What everybody may know of it."""
        present = tuple(viewers)
        data: dict[str, Any] = {}
        for side in Side:
            here = side in engines or self.is_here(side)
            data[side.value] = {"here": here, "rtt": _round_trip(present, side)}
            self._sent_rtt[side] = data[side.value]["rtt"]
        return data | {"watchers": sum(not viewer.sides for viewer in present)}


def _round_trip(viewers: Iterable[Viewer], side: Side) -> int | None:
    """The best line of a player's pages, in milliseconds there and back; None while nothing is known."""
    latencies = (viewer.latency.ms for viewer in viewers if side in viewer.sides)
    return min((ms for ms in latencies if ms is not None), default=None)


def _differs(sent: int | None, now: int | None) -> bool:
    """Whether a player would see the difference."""
    if sent is None or now is None:
        return sent is not now
    return abs(now - sent) > max(20, sent // 4)
