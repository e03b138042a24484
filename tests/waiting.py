"""Waiting for something to happen, for as long as it takes."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable, Iterator
from time import monotonic
from typing import Any

PATIENCE = 120.0
"""Seconds after which it is taken for never: far from what anything takes on a busy machine."""

_LOOK, _SELDOM = 0.02, 0.2
"""Seconds between two looks: the first time, and after many, since each look costs what is waited for."""


def _pauses() -> Iterator[float]:
    pause = _LOOK
    while True:
        yield pause
        pause = min(1.3 * pause, _SELDOM)


async def eventually(condition: Callable[[], Awaitable[Any] | Any], *, seconds: float = PATIENCE) -> Any:
    """Ask until the answer is true, and return it; TimeoutError if it never is.

    For what gives no sign of its own, as another process; else await the sign.
    """
    async with asyncio.timeout(seconds):
        pauses = _pauses()
        while True:
            answer = condition()
            found = await answer if inspect.isawaitable(answer) else answer
            if found:
                return found
            await asyncio.sleep(next(pauses))


def until(condition: Callable[[], Any], *, seconds: float = PATIENCE) -> Any:
    """Do the same where nothing is awaited, as beside a browser."""
    clock, end, pauses = threading.Event(), monotonic() + seconds, _pauses()
    while not (found := condition()):
        if monotonic() > end:
            raise TimeoutError
        clock.wait(next(pauses))
    return found
