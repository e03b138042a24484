"""Makes the cards and the positions of finished reviews, in the background."""

from __future__ import annotations

import asyncio
import logging
import zlib
from typing import Any, Final

from sqlalchemy import Row

from sheshbesh.server.engine.questions import Questions
from sheshbesh.server.engine.queue import NOT_STARTED, EngineBusyError, EngineError
from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.practice.store import PracticeStore
from sheshbesh.server.storage.database import Conflict
from sheshbesh.server.storage.failures import is_unavailable

log = logging.getLogger(__name__)

_LOOK: Final = 1.5
"""Seconds between two polls for finished reviews."""


class Indexing:
    """Goes through finished reviews one after the other, each in a process of its own that is bounded.

    Two server processes may go through the same one: what the second keeps is what the first has kept.
    """

    def __init__(self, store: PracticeStore, engines: Questions, clock: Clock = CLOCK) -> None:
        self._store, self._engines, self._clock = store, engines, clock

    async def run(self) -> None:
        """Work on what there is, until cancelled."""
        while True:
            try:
                await self.catch_up()
            except Exception:
                log.exception("practice: the next review could not be gone through")
            await self._clock.sleep(_LOOK)

    async def catch_up(self) -> None:
        """Go through all that nobody has gone through yet."""
        while (row := await self._store.unread()) is not None:
            await self._read(row)

    async def _read(self, row: Row[Any]) -> None:
        try:
            content = await asyncio.to_thread(zlib.decompress, row.report)
            found = await self._engines.index(content)
            await self._store.keep(row, found["cards"], found["positions"])
        except Conflict:
            return  # another process was first, or the review is gone; if not, it is its turn again
        except Exception as error:
            if is_unavailable(error) or _is_for_later(error):
                raise
            log.exception("practice: review %s", row.id)
            await self._store.give_up(row.id)


def _is_for_later(error: Exception) -> bool:
    """Return True if no engine was asked, so that the error says nothing of the review."""
    return isinstance(error, EngineBusyError) or (
        isinstance(error, EngineError) and error.code == NOT_STARTED
    )
