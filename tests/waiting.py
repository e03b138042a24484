"""Waiting for something to happen, for as long as it takes."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from typing import Any

PATIENCE = 120.0
"""Seconds after which it is taken for never: far from what anything takes on a busy machine."""

_LOOK = 0.02


async def eventually(condition: Callable[[], Awaitable[Any] | Any], *, seconds: float = PATIENCE) -> Any:
    """Ask until the answer is true, and return it; TimeoutError if it never is.

    For what gives no sign of its own, as another process; else await the sign.
    """
    async with asyncio.timeout(seconds):
        while True:
            answer = condition()
            found = await answer if inspect.isawaitable(answer) else answer
            if found:
                return found
            await asyncio.sleep(_LOOK)


def until(condition: Callable[[], Any], *, seconds: float = PATIENCE) -> Any:
    """Do the same where nothing can be awaited, beside Playwright's own event loop too."""
    limit = time.monotonic() + seconds
    while not (answer := condition()):
        if time.monotonic() > limit:
            raise TimeoutError
        time.sleep(_LOOK)
    return answer
