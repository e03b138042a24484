"""Pictures of boards for the site, made by engine processes in the background and kept while there is room.

Turning a drawing into pixels takes a tenth of a second and more. An animated game, half a minute of work, is
drawn in portions, so that nobody's picture waits behind it. What was made is kept by what it shows; who has
waited for long enough is told to ask again, and finds it ready.
"""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

from sheshbesh.i18n import Text
from sheshbesh.pictures import Look
from sheshbesh.server.engine.questions import Questions
from sheshbesh.server.engine.queue import EngineError
from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.refusals import Failure
from sheshbesh.server.tables.replay import Key, RenderCache

MOST_FRAMES: Final = 100
"""Drawings of an animation; of a longer game some turns are left out, evenly. The largest one costs some 20
seconds of a processor, and its frames fit a question to an engine."""
_EACH, _LAST = 1.4, 4.0
"""Seconds for which a drawing is shown, and the last one."""
_PORTION: Final = 0.5
"""Seconds for which frames are drawn until others take their turn."""
_KEPT, _KEPT_ANIMATIONS = 8 * 1024 * 1024, 24 * 1024 * 1024
"""Bytes of pictures and of animations that are kept."""
_WAITING, _WAITING_ANIMATIONS = 16, 4
"""Pictures and animations that may wait to be made, the one at work included."""
PATIENCE: Final = 20.0
"""Seconds for which a request waits for what it asks for."""
SOON: Final = 2.0
"""The same for who wants to be told how far it is."""
_AGAIN: Final = 5
"""Seconds after which to ask again."""


class Press:
    """Makes pictures and animations; a request waits `patience` seconds at most."""

    def __init__(self, engines: Questions, patience: float = PATIENCE, clock: Clock = CLOCK) -> None:
        self._engines = engines
        self._pictures = _Line(_KEPT, _WAITING, patience, clock)
        self._animations = _Line(_KEPT_ANIMATIONS, _WAITING_ANIMATIONS, patience, clock)
        self._drawn: dict[str, tuple[int, int]] = {}

    async def close(self) -> None:
        """End what is being made."""
        await asyncio.gather(self._pictures.close(), self._animations.close())

    async def png(self, drawing: str, width: int) -> bytes:
        """A drawing as PNG, `width` in pixels; Failure 503 where too many pictures are waited for."""

        async def make() -> bytes:
            return b64decode(await self._engines.draw({"ask": "png", "drawing": drawing, "width": width}))

        return await self._pictures.made(("png", str(width), drawing), make)

    async def animation(
        self,
        key: str,
        queries: Sequence[Mapping[str, str]],
        look: Look,
        width: int,
        patience: float | None = None,
    ) -> bytes:
        """A game as an animation, by the queries of its situations; `key` names what it is of.

        Failure 503 where too many are waited for, and where it is not ready yet: its code is `making`,
        and its text says how far it is.
        """
        step = -(-len(queries) // MOST_FRAMES) or 1
        chosen = [*queries[:-1:step], *queries[-1:]]
        name = f"{width} {key}"
        return await self._animations.made(
            ("animation", name),
            lambda: self._animated(name, chosen, look, width),
            lambda: self._drawn.get(name),
            patience,
        )

    async def _animated(
        self, name: str, queries: Sequence[Mapping[str, str]], look: Look, width: int
    ) -> bytes:
        try:
            return await self._draw_all(name, queries, look, width)
        finally:
            self._drawn.pop(name, None)

    async def _draw_all(
        self, name: str, queries: Sequence[Mapping[str, str]], look: Look, width: int
    ) -> bytes:
        frames, ask = list[str](), dict[str, Any](ask="frames", palette=[], limit=_PORTION, width=width)
        ask |= {"view": look.viewer.value, "look": look.material, "title": look.title}
        while len(frames) < len(queries):
            found = await self._engines.draw(ask | {"queries": queries[len(frames) :]})
            frames += found["frames"]
            self._drawn[name] = len(frames), len(queries)
            ask["palette"] = found["palette"]
        seconds = [*[_EACH] * (len(frames) - 1), _LAST]
        return b64decode(await self._engines.draw({"ask": "gif", "frames": frames, "seconds": seconds}))


class _Line:
    """The pictures that wait to be made, and those that were made."""

    def __init__(self, kept: int, waiting: int, patience: float, clock: Clock) -> None:
        self._kept = RenderCache(kept)
        self._most, self._patience, self._clock = waiting, patience, clock
        self._making: dict[Key, asyncio.Task[bytes]] = {}

    async def close(self) -> None:
        """End the work; what waits for it is not made."""
        for task in self._making.values():
            task.cancel()
        await asyncio.gather(*self._making.values(), return_exceptions=True)

    async def made(
        self,
        key: Key,
        make: Callable[[], Awaitable[bytes]],
        far: Callable[[], tuple[int, int] | None] = lambda: None,
        patience: float | None = None,
    ) -> bytes:
        """Return what is kept by this key, or else what `make` returns; `far` tells how much is done."""
        if key in self._kept:
            return await self._make(key, make)
        task = self._making.get(key)
        if task is None:
            if len(self._making) >= self._most:
                raise _busy()
            task = self._making[key] = asyncio.create_task(self._make(key, make))
            task.add_done_callback(lambda done: self._ended(key, done))
        # It goes on when those who wait for it go away: who asks again finds it.
        try:
            async with self._clock.timeout(self._patience if patience is None else patience):
                await asyncio.wait({task})
        except TimeoutError:
            raise _not_ready(far()) from None
        try:
            return task.result()
        except EngineError:
            raise _busy() from None

    def _ended(self, key: Key, task: asyncio.Task[bytes]) -> None:
        del self._making[key]
        if not task.cancelled():
            task.exception()  # nobody may have waited for it

    async def _make(self, key: Key, make: Callable[[], Awaitable[bytes]]) -> bytes:
        async def render() -> tuple[bytes, Mapping[Key, bytes]]:
            made = await make()
            return made, {key: made}

        return await self._kept.get(key, render)


def _busy() -> Failure:
    text = Text("too many pictures are being made: try again in a moment")
    return Failure(503, text, code="unavailable", wait=_AGAIN)


def _not_ready(far: tuple[int, int] | None) -> Failure:
    text = Text("this picture is still being made: ask again in a moment")
    if far is not None:
        text = Text("being drawn: {done} of {of} turns", done=far[0], of=far[1])
    return Failure(503, text, code="making", wait=_AGAIN)
