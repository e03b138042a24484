"""Reads that many ask for at the same time, done as one: what costs is the query, not its rows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import islice
from typing import Generic, TypeVar

Key = TypeVar("Key")
Answer = TypeVar("Answer")

_MOST = 100
"""Keys that one read asks for: bounds how long the first of them waits for the last."""


class Together(Generic[Key, Answer]):
    """Reads by keys. Those that are asked for while a read is under way share the next one.

    `read` returns what it found by key. An answer is never older than its question: a read that has begun
    takes in no more keys.
    """

    def __init__(self, read: Callable[[Sequence[Key]], Awaitable[Mapping[Key, Answer]]]) -> None:
        self._read = read
        self._waiting: dict[Key, asyncio.Future[Answer | None]] = {}
        self._task: asyncio.Task[None] | None = None

    async def get(self, key: Key) -> Answer | None:
        """Return what is found by a key, None if nothing is; an error of the read is that of all who share
        it."""
        found = self._waiting.get(key)
        if found is None:
            loop = asyncio.get_running_loop()
            found = self._waiting[key] = loop.create_future()
            if self._task is None:
                self._task = loop.create_task(self._run())
        return await asyncio.shield(found)

    async def _run(self) -> None:
        try:
            while self._waiting:
                keys = tuple(islice(self._waiting, _MOST))
                waiting = [self._waiting.pop(key) for key in keys]
                try:
                    found = await self._read(keys)
                except Exception as error:
                    for future in waiting:
                        future.set_exception(error)
                        future.exception()  # those who asked may have been cancelled
                else:
                    for key, future in zip(keys, waiting, strict=True):
                        future.set_result(found.get(key))
        finally:
            self._task = None
