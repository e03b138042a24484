"""A review judged on other hosts, in portions: each is a question to an engine, answered in half a second.

What they have judged is kept as a partial review of `sheshbesh.reviews`, so that the review goes on from
there wherever it goes on. Judgements that belong to another net or another version of the program are put
aside.
"""

from __future__ import annotations

import asyncio
import json
import logging
import zlib
from base64 import b64encode
from collections import deque
from collections.abc import AsyncGenerator
from typing import Any, Final

from sheshbesh.reviews import partial as kept
from sheshbesh.server.engines.pool import EnginePool
from sheshbesh.server.engines.queue import EngineError

log = logging.getLogger(__name__)

LONGEST: Final = 200 * 1024
"""Characters of a match file that is sent with each portion; larger ones are judged here."""

_SIZE: Final = 6
"""Decisions of a portion at most; what it does not get done waits for the next one."""
_AT_ONCE: Final = 4
"""Portions of one review that are judged at the same time."""
_STORE: Final = 4.0
"""Seconds between two times that what was judged is given out to be stored."""
_FAILURES: Final = 3
"""Portions without an answer after which the rest is judged here."""


def pack(content: bytes) -> str:
    """A match file as it is sent: by zlib and base64."""
    return b64encode(zlib.compress(content)).decode()


class Portions:
    """One review, for one person."""

    def __init__(self, engines: EnginePool, file: str, plies: int, who: str) -> None:
        self._engines, self._file, self._plies, self._who = engines, file, plies, who
        self._found: dict[int, dict[str, Any]] = {}
        self._places: deque[int] = deque()
        self._failures = 0

    async def judged(self, before: bytes | None) -> AsyncGenerator[tuple[dict[str, int], bytes]]:
        """Progress and the partial review, every few seconds and at the end; goes on from the one `before`.

        It ends early where the other hosts do not answer.
        """
        try:
            first = await self._engines.judge(self._file, self._plies, [], who=self._who)
        except EngineError as error:
            log.warning("a review is made here: %s", error)
            return
        key, total = str(first["key"]), int(first["total"])
        self._found = _read(before, key, self._plies)
        self._places.extend(place for place in range(total) if place not in self._found)
        work = [asyncio.create_task(self._work(key)) for _ in range(_AT_ONCE)]
        try:
            waiting: set[asyncio.Task[None]] = set(work)
            while waiting:
                _, waiting = await asyncio.wait(waiting, timeout=_STORE)
                progress = {"done": len(self._found), "total": total, "plies": self._plies}
                yield progress, kept(key, self._plies, self._found)
        finally:
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)

    async def _work(self, key: str) -> None:
        """Have one portion after the other judged, until none is left."""
        while self._places and self._failures < _FAILURES:
            places = [self._places.popleft() for _ in range(min(_SIZE, len(self._places)))]
            try:
                found = await self._engines.judge(self._file, self._plies, places, who=self._who)
            except EngineError as error:
                log.warning("a portion of a review is missing: %s", error)
                found, self._failures = {"key": key, "judged": []}, self._failures + 1
            if found["key"] == key:
                self._found |= {int(place): judged for place, judged in found["judged"]}
            else:  # a host with another version of the program
                self._failures += 1
            self._places.extendleft(place for place in reversed(places) if place not in self._found)


def _read(before: bytes | None, key: str, plies: int) -> dict[int, dict[str, Any]]:
    """What a partial review holds of this depth; nothing where it belongs to something else."""
    lines = [json.loads(line) for line in (before or b"").splitlines()]
    if not lines or lines[0] != {"review": key}:
        return {}
    return {int(place): judged for depth, place, judged in lines[1:] if depth == plies}
