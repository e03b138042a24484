"""A room with a clock: time in which its events could not be stored is nobody's.

An action counts as taken when it came. Where storing took long, or was impossible for a while, the server
takes that time off the running clock, by an event like others (`credit`), so that the clocks are the same in
all processes and after a restart.
"""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Awaitable, Callable
from typing import TypeVar

from sheshbesh.server.matches.event_log import Taken, UnavailableError
from sheshbesh.server.matches.event_room import TRIES, EventRoom
from sheshbesh.session import Session

log = logging.getLogger(__name__)

_SLOW = 200
"""Milliseconds of storing from which on they are given back to the clock that they ran on."""

Done = TypeVar("Done")


class ClockedRoom(EventRoom[Done]):
    """A room whose events are stored while a clock may run."""

    def __init__(self) -> None:
        super().__init__()
        self._stalled: int | None = None
        """Since when, in the table's time, the clock runs on what could not be stored at once."""

    @property
    @abstractmethod
    def id(self) -> str:
        """The id of the table."""

    @abstractmethod
    def now(self) -> int:
        """The time of the table in ms."""

    @property
    @abstractmethod
    def session(self) -> Session:
        """The board as it stands, with its clock."""

    @abstractmethod
    def _credited(self, ms: int, now: int) -> Done:
        """What follows when the server gives `ms` back to the running clock."""

    async def _stored(self, at: int, storing: Awaitable[None]) -> None:
        """Wait until events that happened at `at` are stored, and note where that takes long."""
        try:
            await storing
        except UnavailableError:
            if self._stalled is None:
                self._stalled = at
            raise
        if self.now() - at >= _SLOW:
            self._stalled = at

    async def _accept(self, actor: str, ref: str | None, decide: Callable[[], Done]) -> None:
        if self._stalled is not None:
            await self._give_back()
        await super()._accept(actor, ref, decide)

    async def _settle(self) -> None:
        """What was stored is stored, even where the time that it took cannot be given back yet."""
        if self._stalled is not None:
            try:
                await self._give_back()
            except Exception:
                log.warning("table %s: a clock cannot be set right yet", self.id, exc_info=True)

    async def _give_back(self) -> None:
        """Take the time in which nothing could be stored off the running clock."""
        for _ in range(TRIES):
            since, now = self._stalled, self.now()
            board = self.session
            if since is None or board.clock.deadline() is None:
                break
            # What came before the last event is settled, perhaps by another process.
            ms = min(now - max(since, board.at), board.clock.elapsed(now))
            if ms <= 0:
                break
            done = self._credited(ms, now)
            self._stalled = None
            try:
                await self._commit(done, None)
            except UnavailableError:
                self._stalled = since
                raise
            except Taken:
                self._stalled = since
                await self._catch_up()
        self._stalled = None
