"""A table in memory whose every change is decided under a lock, stored, and only then announced.

A process that loses the race for an event's number to another takes over what that one stored, and
decides again. A match and a chouette are rooms of this kind.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from sheshbesh.rules import Refusal, Refused
from sheshbesh.server.matches.event_log import Repeated, Taken

_REFS = 16
"""Outcomes of actions kept at hand, so that one sent twice has one answer."""

TRIES = 5
"""How often an action is decided anew when another process was quicker."""

Done = TypeVar("Done")
"""What was decided: events, with the states they lead to."""


class EventRoom(ABC, Generic[Done]):
    """The lock of a room, and the order in which things happen under it."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._outcomes: OrderedDict[tuple[str, str], Refusal | None] = OrderedDict()

    @property
    @abstractmethod
    def version(self) -> int:
        """The number of the last event."""

    @abstractmethod
    async def _commit(self, done: Done, ref: str | None) -> None:
        """Store what was decided, then let everybody know of it; raises as `EventLog.append`."""

    @abstractmethod
    async def _catch_up(self) -> None:
        """Take over what another process has stored."""

    @abstractmethod
    async def _has_action(self, actor: str, ref: str) -> bool:
        """Whether this actor's action `ref` is stored already."""

    async def _settle(self) -> None:
        """What is left to do after an action, under the lock still."""

    async def _in_order(self, actor: str, ref: str | None, decide: Callable[[], Done]) -> None:
        """Decide and store an action. With `ref` one that comes again has its first outcome."""
        async with self._lock:
            if ref is not None and (actor, ref) in self._outcomes:
                outcome = self._outcomes[actor, ref]
            else:
                outcome = await self._outcome(actor, ref, decide)
                if ref is not None:
                    self._outcomes[actor, ref] = outcome
                    if len(self._outcomes) > _REFS:
                        self._outcomes.popitem(last=False)
        if outcome is not None:
            raise Refused(outcome)

    async def _outcome(self, actor: str, ref: str | None, decide: Callable[[], Done]) -> Refusal | None:
        try:
            await self._accept(actor, ref, decide)
        except Refused as refused:
            outcome: Refusal | None = refused.refusal
        else:
            outcome = None
        await self._settle()
        return outcome

    async def _accept(self, actor: str, ref: str | None, decide: Callable[[], Done]) -> None:
        for _ in range(TRIES):
            try:
                await self._commit(decide(), ref)
            except Refused:
                # Refused now, but perhaps accepted before this process, or this line, broke down.
                if ref is None or not await self._has_action(actor, ref):
                    raise
                await self._catch_up()
            except Repeated:
                await self._catch_up()
            except Taken:
                await self._catch_up()
                continue
            return
        raise Refused.of("wire.busy")

    async def _do_due_actions(self, decide: Callable[[], Done]) -> None:
        """Decide and store what the server owes the table, until no other process is quicker."""
        async with self._lock:
            for _ in range(TRIES):
                try:
                    await self._commit(decide(), None)
                except Taken:
                    await self._catch_up()
                else:
                    break

    async def catch_up(self, v: int | None = None) -> None:
        """Take over what another process has stored, up to event `v` at least."""
        async with self._lock:
            # What was announced later may have come with what was read before.
            if v is None or self.version < v:
                await self._catch_up()
