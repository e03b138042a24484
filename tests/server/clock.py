"""A clock that stands still until a test advances it."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

import pytest

from sheshbesh.server.ids import Clock
from sheshbesh.server.tables.store import UnavailableError
from tests.waiting import PATIENCE


class _Timer(asyncio.TimerHandle):
    """A call that is due when the clock has been advanced by so much."""

    def __init__(self, due: float, call: Callable[..., object], args: tuple[object, ...]) -> None:
        super().__init__(due, call, args, asyncio.get_running_loop())
        self.call = partial(call, *args)
        self.is_off = False

    def cancel(self) -> None:
        """Call it no more."""
        self.is_off = True


class ManualClock(Clock):
    """The time of a site in a test; what is stored begins at the time at which the test does."""

    def __init__(self) -> None:
        self._start, self._steady, self._passed = super().now_ms(), super().steady_ms(), 0.0
        self._timers: list[tuple[float, int, float, _Timer]] = []
        self._numbers = count()
        self._set = asyncio.Event()

    def now_ms(self) -> int:
        """Return the time of the wall clock in milliseconds."""
        return self._start + round(self._passed * 1000)

    def steady_ms(self) -> int:
        """Return the time of clocks and deadlines in milliseconds."""
        return self._steady + round(self._passed * 1000)

    def monotonic(self) -> float:
        """Return the seconds by which the test has advanced the clock."""
        return self._passed

    def call_later(self, seconds: float, call: Callable[..., object], *args: object) -> asyncio.TimerHandle:
        """Call this when the clock has been advanced by so much."""
        due = self._passed + max(seconds, 0.0)
        timer = _Timer(due, call, args)
        heapq.heappush(self._timers, (due, next(self._numbers), seconds, timer))
        self._set.set()
        return timer

    async def sleep(self, seconds: float) -> None:
        """Return when the clock has been advanced by so much."""
        awake = asyncio.Event()
        timer = self.call_later(seconds, awake.set)
        try:
            await awake.wait()
        finally:
            timer.cancel()

    async def until_waiting(self, seconds: float) -> None:
        """Wait until somebody waits for just so long, as a loop does when it has done its work."""
        async with asyncio.timeout(PATIENCE):
            while not any(each == seconds and not timer.is_off for *_, each, timer in self._timers):
                self._set.clear()
                await self._set.wait()

    def advance(self, seconds: float) -> None:
        """Let so much time pass: the timers that are due are called in their order."""
        end = self._passed + seconds
        while self._timers and self._timers[0][0] <= end:
            due, *_, timer = heapq.heappop(self._timers)
            self._passed = max(self._passed, due)
            if not timer.is_off:
                timer.call()
        self._passed = end


class Stalls:
    """A store that takes its time, or is away, as a test says."""

    def __init__(self, store: Any, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
        self.takes: list[int] = []
        """Milliseconds that the next writes take, one after the other."""
        self.is_away = False
        written = store.append

        async def append(writing: Any) -> None:
            if self.takes:
                clock.advance(self.takes.pop(0) / 1000)
            if self.is_away:
                raise UnavailableError("the disk is full")
            await written(writing)

        monkeypatch.setattr(store, "append", append)
