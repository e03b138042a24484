"""What is rendered once and kept: answers about matches that are over and will never be others."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

MOST = 48 * 1024 * 1024
"""Bytes that are kept."""

Key: TypeAlias = tuple[str, ...]


class RenderCache:
    """Texts by key, the least recently used of which are forgotten where they are too many bytes.

    One thing is rendered at a time: threads that compute would take turns with the event loop.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[Key, bytes] = OrderedDict()
        self._size = 0
        self._lock = asyncio.Lock()

    @property
    def size(self) -> int:
        """Bytes that are kept."""
        return self._size

    def __contains__(self, key: Key) -> bool:
        return key in self._kept

    async def get(
        self, key: Key, render: Callable[[], Awaitable[tuple[bytes, Mapping[Key, bytes]]]]
    ) -> bytes:
        """What is kept by this key, or else the first of what `render` gives; it keeps the second.

        Requests for the same key while it is being rendered wait for that.
        """
        if (found := self._find(key)) is not None:
            return found
        async with self._lock:
            if (found := self._find(key)) is not None:
                return found
            answer, lasting = await render()
            for each, text in lasting.items():
                self._keep(each, text)
            return answer

    def _find(self, key: Key) -> bytes | None:
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def _keep(self, key: Key, text: bytes) -> None:
        self._size += len(text) - len(self._kept.pop(key, b""))
        self._kept[key] = text
        while self._size > self._most and self._kept:
            _, oldest = self._kept.popitem(last=False)
            self._size -= len(oldest)
