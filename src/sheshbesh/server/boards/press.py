"""Pictures of boards for the site, made by processes of their own and kept while there is room.

Turning a drawing into pixels takes a tenth of a second and more, an animated game up to half a minute. The
processes have the lowest priority; one makes pictures and another one animations, so that nobody's picture
waits behind an animation. What was made is kept by what it shows. It is made in the background: who has
waited for long enough is told to ask again, and finds it ready.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from typing import Any, Final

from sheshbesh.i18n import Text
from sheshbesh.pictures import Look
from sheshbesh.pictures.raster import png
from sheshbesh.server.boards.view import animated
from sheshbesh.server.refusals import Failure
from sheshbesh.server.tables.replay import Key, RenderCache

_KEPT, _KEPT_ANIMATIONS = 8 * 1024 * 1024, 24 * 1024 * 1024
"""Bytes of pictures and of animations that are kept."""
_WAITING, _WAITING_ANIMATIONS = 16, 4
"""Pictures and animations that may wait to be made, the one at work included."""
PATIENCE: Final = 20.0
"""Seconds for which a request waits for what it asks for."""
_AGAIN: Final = 5
"""Seconds after which to ask again."""
_NICE: Final = 19


def _lower() -> None:
    with suppress(AttributeError, OSError):  # there is no nice value on Windows
        os.nice(_NICE)


class Press:
    """Makes pictures and animations; a process is started when the first one is asked for.

    A request waits `patience` seconds at most.
    """

    def __init__(self, patience: float = PATIENCE) -> None:
        self._pictures = _Line(_KEPT, _WAITING, patience)
        self._animations = _Line(_KEPT_ANIMATIONS, _WAITING_ANIMATIONS, patience)

    async def close(self) -> None:
        """End the processes."""
        await asyncio.gather(self._pictures.close(), self._animations.close())

    async def png(self, drawing: str, width: int) -> bytes:
        """A drawing as PNG, `width` in pixels; Failure 503 where too many pictures are waited for."""
        return await self._pictures.made(("png", str(width), drawing), png, drawing, width)

    async def animation(
        self, key: str, queries: Sequence[Mapping[str, str]], look: Look, width: int
    ) -> bytes:
        """A game as an animation, by the queries of its situations; `key` names what it is of.

        Failure 503 where too many are waited for, and where it is not ready yet: its code is `making`.
        """
        name = ("animation", str(width), key)
        return await self._animations.made(name, animated, queries, look, width)


class _Line:
    """One process, what waits for it, and what it has made."""

    def __init__(self, kept: int, waiting: int, patience: float) -> None:
        self._kept = RenderCache(kept)
        self._most, self._patience = waiting, patience
        self._making: dict[Key, asyncio.Task[bytes]] = {}
        self._pool: ProcessPoolExecutor | None = None

    async def close(self) -> None:
        """End the process; what waits for it is not made."""
        for task in self._making.values():
            task.cancel()
        await asyncio.gather(*self._making.values(), return_exceptions=True)
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(pool.shutdown, wait=True, cancel_futures=True)

    async def made(self, key: Key, make: Callable[..., bytes], *given: Any) -> bytes:
        """What is kept by this key, or else what `make` returns in the process."""
        if key in self._kept:
            return await self._make(key, make, *given)
        task = self._making.get(key)
        if task is None:
            if len(self._making) >= self._most:
                raise _busy()
            task = self._making[key] = asyncio.create_task(self._make(key, make, *given))
            task.add_done_callback(lambda done: self._ended(key, done))
        # It goes on when those who wait for it go away: who asks again finds it.
        done, _ = await asyncio.wait({task}, timeout=self._patience)
        if not done:
            raise _not_ready()
        return task.result()

    def _ended(self, key: Key, task: asyncio.Task[bytes]) -> None:
        del self._making[key]
        if not task.cancelled():
            task.exception()  # nobody may have waited for it

    async def _make(self, key: Key, make: Callable[..., bytes], *given: Any) -> bytes:
        async def render() -> tuple[bytes, Mapping[Key, bytes]]:
            made = await self._run(make, *given)
            return made, {key: made}

        return await self._kept.get(key, render)

    async def _run(self, make: Callable[..., bytes], *given: Any) -> bytes:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_lower)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, make, *given)
        except BrokenProcessPool:
            self._pool = None  # it was killed: the next picture starts another one
            raise _busy() from None


def _busy() -> Failure:
    text = Text("too many pictures are being made: try again in a moment")
    return Failure(503, text, code="unavailable", wait=_AGAIN)


def _not_ready() -> Failure:
    text = Text("this picture is still being made: ask again in a moment")
    return Failure(503, text, code="making", wait=_AGAIN)
