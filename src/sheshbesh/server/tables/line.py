"""One connection to a table: the frames that wait for it, and when a message last came from it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from itertools import count

from sheshbesh.server.ids import CLOCK, Clock

_AT_FIRST, _THEN_EVERY = 4, 10.0
"""Pongs that ask for an echo at first; afterwards one after this many seconds does."""
_REFRESH = 0.1
"""The weight of each new measurement."""
_LONGEST = 10_000.0
"""Milliseconds; whatever takes longer is a line that was down, and no measure of it."""


class RoundTrip:
    """The round trip of one socket."""

    __slots__ = ("_clock", "_numbers", "_pings", "_sent", "_waiting", "ms")

    def __init__(self, clock: Clock = CLOCK) -> None:
        self._clock = clock
        self.ms: int | None = None
        """The round trip in milliseconds; None while nothing has been measured."""
        self._numbers = count(1)
        self._pings = 0
        self._waiting = 0
        self._sent = 0.0

    def next_ping(self) -> int | None:
        """The number that the next pong asks the page to echo; None if it asks for none."""
        self._pings += 1
        now = self._clock.monotonic()
        if self._pings > _AT_FIRST and now - self._sent < _THEN_EVERY:
            return None
        self._waiting, self._sent = next(self._numbers), now
        return self._waiting

    def answered(self, number: int) -> None:
        """An echo has come; one that was not asked for, or that comes twice, is ignored."""
        if not self._waiting or number != self._waiting:
            return
        self._waiting = 0
        took = (self._clock.monotonic() - self._sent) * 1000
        if took > _LONGEST:
            return
        self.ms = round(took if self.ms is None else self.ms + _REFRESH * (took - self.ms))


OFTEN, SELDOM = 2.5, 15.0
"""Seconds between two messages, such as heartbeats, that are asked of those who are to act, and of others."""

_GONE = 2.4
"""By how many times what was asked for a line may be silent before it counts as gone."""

QUICK = _GONE * OFTEN
"""Seconds before which no line goes that has just been heard."""

_MOST_WAITING = 128
"""Frames that may wait for a slow line before it is cut; it comes back and is sent the state."""


class Line:
    """One connection of a viewer, a player or a watcher. Sending never waits.

    What `write` cannot send at once waits in the outbox, which a writer empties, and says so by `sent`.
    `names` are those by which they act at the table; the table sets them when they enter. `has_core` says
    that their browser can be asked what the tutor is asked; `judging` has the last decisions that it was
    asked, by number, each with what has it judged here. `retries` says that programs wait after their plays
    until their page lets them go on.
    """

    __slots__ = (
        "_asked",
        "_beat",
        "_clock",
        "_unsent",
        "has_core",
        "is_cut",
        "judging",
        "lang",
        "latency",
        "names",
        "outbox",
        "retries",
        "seen",
        "user",
        "write",
    )

    def __init__(
        self,
        user: str | None,
        names: Sequence[str] = (),
        lang: str = "en",
        *,
        has_core: bool = False,
        retries: bool = False,
        clock: Clock = CLOCK,
    ) -> None:
        self.user, self._clock = user, clock
        self.has_core, self.retries = has_core, retries
        self.judging: dict[int, Callable[[], None]] = {}
        self.names = tuple(names)
        self.lang = lang
        self.latency = RoundTrip(clock)
        self.seen = self._asked = self._clock.monotonic()
        self._beat = OFTEN
        self.is_cut = False
        """True if nothing is read from it any more."""
        self.outbox: asyncio.Queue[str | None] = asyncio.Queue()
        self._unsent = 0
        self.write: Callable[[str], bool] = lambda _frame: False

    def send(self, frame: str) -> None:
        """Put a frame on its way, after those that wait; a line too slow for it is cut."""
        if not self._unsent and not self.is_cut and self.write(frame):
            return
        if self.outbox.qsize() < _MOST_WAITING:
            self._unsent += 1
            self.outbox.put_nowait(frame)
        elif self.outbox.qsize() == _MOST_WAITING:
            self.cut()

    def sent(self) -> None:
        """Note that a frame of the outbox is on its way."""
        self._unsent -= 1

    def cut(self) -> None:
        """Take nothing any more, and close the connection after what is on its way."""
        self.is_cut = True
        self.outbox.put_nowait(None)

    def ask(self, beat: float) -> None:
        """Expect a message every `beat` seconds, as its page is being asked for."""
        if beat != self._beat:
            # To have been silent for longer before was what the page had been asked for.
            self._beat, self._asked = beat, self._clock.monotonic()

    @property
    def gone_at(self) -> float:
        """The time at which the line counts as gone if nothing comes, by the monotonic clock."""
        return max(self.seen, self._asked) + _GONE * self._beat

    @property
    def is_here(self) -> bool:
        """True if what its page was asked for has come."""
        return self._clock.monotonic() < self.gone_at

    def mark_alive(self) -> None:
        """Note that something has come in."""
        self.seen = self._clock.monotonic()
