"""The rates at which anybody may do anything: token buckets, in memory that is bounded.

A process counts for itself and sends the others once a second what was taken, over the bus: so what somebody
may do each second holds over all processes, and what they may do at once holds for each of them until then.
"""

from __future__ import annotations

import json
import logging
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Final

from sheshbesh.i18n import Text
from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.monitoring.logs import Recent
from sheshbesh.server.news.bus import Bus
from sheshbesh.server.refusals import Failure

log = logging.getLogger(__name__)

TAKEN: Final = "limits.taken"
"""News of what was taken from the buckets of a process: `of` a limit, by key."""


_OWN_BOARDS, _STRANGERS_BOARDS = 48, 128
"""Matches at whose sockets one person is, and strangers from one address, in this process."""
_TOO_MANY_BOARDS = Text("too many matches are open here already: close some")
_ONE_ROLLOUT = Text("a rollout of yours is under way already: stop it first")

_HANDS: Final = frozenset({"swap", "touch", "step", "undo"})
"""Actions of a turn that is not over yet."""
_WORDS: Final = frozenset(
    {"propose", "resign", "settle", "decline", "advise", "hand_over", "join", "leave", "stop"}
)
"""Actions by which people agree on something: each is stored, and none has to be the last of its kind."""

_MOST_KEYS = 20_000
_EACH = 1.0
"""Seconds between two such news."""
_LARGEST_NEWS = 6_000
"""Bytes of one of them; PostgreSQL carries no more than 8,000."""


@dataclass(slots=True)
class Bucket:
    """`burst` tokens at first, `rate` more each second, never above `burst`."""

    rate: float
    burst: float
    clock: Clock = CLOCK
    tokens: float | None = None
    at: float = 0.0

    def take(self, cost: float = 1.0) -> float:
        """Take `cost` tokens: 0.0 if there were enough, else the seconds until there are.

        What costs more than the bucket holds may be had when it is full.
        """
        self._fill()
        assert self.tokens is not None
        needed = min(cost, self.burst)
        if self.tokens >= needed:
            self.tokens -= cost
            return 0.0
        return (needed - self.tokens) / self.rate

    def drain(self, cost: float) -> None:
        """`cost` tokens were taken elsewhere; never more than what fills it twice."""
        self._fill()
        assert self.tokens is not None
        self.tokens = max(self.tokens - cost, -self.burst)

    def _fill(self) -> None:
        now = self.clock.monotonic()
        gained = 0.0 if self.tokens is None else (now - self.at) * self.rate
        self.tokens = min(self.burst, self.burst if self.tokens is None else self.tokens + gained)
        self.at = now


class Limiter:
    """A bucket for each key; those unused for longest are forgotten."""

    def __init__(
        self, rate: float, burst: float, *, what: str, keys: int = _MOST_KEYS, clock: Clock = CLOCK
    ) -> None:
        self._rate, self._burst, self._what, self._keys, self._clock = rate, burst, what, keys, clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._taken: dict[str, float] | None = None

    def take(self, key: str, cost: float = 1.0) -> float:
        """Take `cost` for a key: 0.0 if it may, else the seconds to wait."""
        wait = self._bucket(key).take(cost)
        if not wait and self._taken is not None:
            self._taken[key] += cost
        return wait

    def check(self, key: str, cost: float = 1.0) -> None:
        """Take `cost`; Failure 429 says for how long to wait."""
        if wait := self.take(key, cost):
            raise Failure(429, self._refusal(wait), wait=wait)

    def share(self) -> None:
        """From now on keep what is taken, for `taken`."""
        self._taken = defaultdict(float)

    def taken(self) -> Mapping[str, float]:
        """Return what was taken since this was asked last, by key."""
        found = self._taken or {}
        if found:
            self.share()
        return found

    def merge(self, taken: Mapping[str, float]) -> None:
        """Add what was taken in another process."""
        for key, cost in taken.items():
            self._bucket(key).drain(cost)

    def _bucket(self, key: str) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._rate, self._burst, self._clock)
            if len(self._buckets) > self._keys:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket

    def _refusal(self, wait: float) -> Text:
        seconds = max(1, round(wait))
        return Text("too many {what}: try again in {seconds} s", what=self._what, seconds=seconds)

    def __len__(self) -> int:
        return len(self._buckets)


class Open:
    """The lines that anybody has open at once, by key: no more than `most`."""

    def __init__(self, most: float, refusal: Text) -> None:
        self._most, self._refusal = most, refusal
        self._open: Counter[str] = Counter()

    @contextmanager
    def one(self, key: str) -> Iterator[None]:
        """One more is open as long as this lasts; Failure 429 where that would be too many."""
        if self._open[key] >= self._most:
            raise Failure(429, self._refusal, wait=60)
        self._open[key] += 1
        try:
            yield
        finally:
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]


class Limits:
    """The limits of a process; those by address are for households, not for single people."""

    def __init__(self, *, are_on: bool = True, clock: Clock = CLOCK) -> None:
        more = 1.0 if are_on else 1e6
        self._clock = clock
        self.logged = Recent(clock.monotonic)
        """Refusals that the log of security has, by code and address."""

        def limit(rate: float, burst: float, what: str) -> Limiter:
            return Limiter(rate, burst, what=what, clock=clock)

        self.requests = limit(30 * more, 300 * more, Text("requests"))
        self.people = limit(20 * more, 200 * more, Text("requests"))
        self.guests = limit(more / 30, 30 * more, Text("new guests from one address"))
        self.passwords = limit(more / 30, 10 * more, Text("attempts to sign in"))
        self.passkeys = limit(more / 2, 30 * more, Text("attempts to sign in"))
        self.sockets = limit(2 * more, 60 * more, Text("connections"))
        self.streams = limit(more, 20 * more, Text("streams"))
        self.uploads = limit(more / 20, 10 * more, Text("match files"))
        self.matches = limit(more / 5, 30 * more, Text("new matches"))
        self.seeks = limit(more / 5, 15 * more, Text("seeks"))
        self.chat = limit(more / 2, 6 * more, Text("messages"))
        self.event_chat = limit(more / 5, more, Text("messages"))
        self.accounts = limit(more / 60, 10 * more, Text("changes to accounts"))
        self.mail = limit(more / 300, 5 * more, Text("requests for mail"))
        self.mail_to = limit(more / 1200, 3 * more, Text("requests for mail"))
        self.reports = limit(more / 60, 5 * more, Text("reports"))
        self.exports = limit(more / 600, 3 * more, Text("exports"))
        self.swaps = limit(more / 2, 12 * more, Text("messages"))
        self.touches = limit(4 * more, 60 * more, Text("messages"))
        self.words = limit(more / 2, 12 * more, Text("messages"))
        self.own_boards = Open(_OWN_BOARDS * more, _TOO_MANY_BOARDS)
        self.rollouts = Open(more, _ONE_ROLLOUT)
        self.strangers_boards = Open(_STRANGERS_BOARDS * more, _TOO_MANY_BOARDS)
        self._more = more

    def boards(self, user: str | None, host: str) -> AbstractContextManager[None]:
        """One more match is looked at by a person, or by a stranger from there; Failure 429 as above."""
        return self.own_boards.one(user) if user is not None else self.strangers_boards.one(host)

    def exceeds_rate(self, who: str, kind: str) -> bool:
        """Return True if somebody takes actions that bring no turn to its end (swap, step, an offer) too
        often."""
        if kind in _WORDS:
            return self.words.take(who) > 0
        return kind in _HANDS and (self.swaps if kind == "swap" else self.touches).take(who) > 0

    def listen(self, bus: Bus) -> None:
        """Subscribe to what is taken in other processes."""
        if not bus.reaches_others:
            return
        known = self._known()
        for limiter in known.values():
            limiter.share()
        bus.subscribe(TAKEN, lambda news: known[str(news["of"])].merge(news["by"]))

    def _known(self) -> dict[str, Limiter]:
        return {name: limiter for name, limiter in vars(self).items() if isinstance(limiter, Limiter)}

    async def run(self, bus: Bus) -> None:
        """Send other processes what was taken here once a second, until cancelled."""
        while bus.reaches_others:
            await self._clock.sleep(_EACH)
            try:
                self.share(bus)
            except Exception:
                log.exception("what was taken from limits could not be sent")

    def share(self, bus: Bus) -> None:
        """Send other processes what was taken here since the last time."""
        for name, limiter in self._known().items():
            for part in _parts(limiter.taken()):
                bus.tell_others(TAKEN, of=name, by=part)

    def messages(self) -> Bucket:
        """A bucket for the messages of one socket."""
        return Bucket(20 * self._more, 80 * self._more, self._clock)


def _parts(taken: Mapping[str, float]) -> Iterator[Mapping[str, float]]:
    """Return what was taken, in parts that fit a notification."""
    part: dict[str, float] = {}
    size = 0
    for key, cost in taken.items():
        size += len(json.dumps(key)) + 12
        if size > _LARGEST_NEWS:
            yield part
            part, size = {}, len(json.dumps(key)) + 12
        part[key] = round(cost, 2)
    if part:
        yield part
