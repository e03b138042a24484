"""Pictures of boards for the site, made by one process of its own and kept while there is room.

Turning a drawing into pixels takes a tenth of a second and more, an animated game some seconds: that process
has the lowest priority, one picture is made at a time, and what was made is kept by what it shows.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from typing import Any, Final

from sheshbesh.i18n import Text
from sheshbesh.pictures.raster import animation, png
from sheshbesh.server.matches.render_cache import Key, RenderCache
from sheshbesh.server.refusals import Failure

_KEPT: Final = 24 * 1024 * 1024
"""Bytes of pictures that are kept."""
_WAITING: Final = 16
"""Pictures that may wait to be made."""
_TIMEOUT: Final = 60.0
"""Seconds for which a picture is waited for."""
_NICE: Final = 19


def _lower() -> None:
    with suppress(AttributeError, OSError):  # there is no nice value on Windows
        os.nice(_NICE)


class Press:
    """Makes pictures; the process is started when the first one is asked for."""

    def __init__(self) -> None:
        self._kept = RenderCache(_KEPT)
        self._waiting = 0
        self._pool: ProcessPoolExecutor | None = None

    async def close(self) -> None:
        """End the process."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(pool.shutdown, wait=True, cancel_futures=True)

    async def png(self, drawing: str, width: int) -> bytes:
        """A drawing as PNG, `width` in pixels; Failure 503 where too many pictures are waited for."""
        return await self._made(("png", str(width), drawing), lambda: self._run(png, drawing, width))

    async def animation(
        self, key: str, drawings: Callable[[], Awaitable[tuple[Sequence[str], Sequence[float]]]], width: int
    ) -> bytes:
        """Drawings and how many seconds each is shown, as an animation; `key` names what it is of.

        Failure 503 as above.
        """

        async def make() -> bytes:
            shown, seconds = await drawings()
            return await self._run(animation, shown, seconds, width)

        return await self._made(("animation", str(width), key), make)

    async def _made(self, key: Key, make: Callable[[], Awaitable[bytes]]) -> bytes:
        if self._waiting >= _WAITING and key not in self._kept:
            raise _busy()

        async def render() -> tuple[bytes, Mapping[Key, bytes]]:
            made = await make()
            return made, {key: made}

        self._waiting += 1
        try:
            async with asyncio.timeout(_TIMEOUT):
                return await self._kept.get(key, render)
        except TimeoutError:
            raise _busy() from None
        finally:
            self._waiting -= 1

    async def _run(self, make: Callable[..., bytes], *given: Any) -> bytes:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_lower)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, make, *given)
        except BrokenProcessPool:
            self._pool = None  # it was killed: the next picture starts another one
            raise _busy() from None


def _busy() -> Failure:
    return Failure(503, Text("too many pictures are being made: try again in a moment"), code="unavailable")
