"""The program's turns at a table: woken when something has changed, it acts while there is something to do.

Its seats at a match and its bots at a chouette are of this kind.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar
from weakref import proxy, ref

_MOST_REFUSALS = 3
"""A program whose actions are refused again and again stops, rather than trying for ever."""

Turn = TypeVar("Turn")
"""The task of a program."""


class TurnTaking(ABC, Generic[Turn]):
    """The one task of a table in which the program acts.

    It does not keep its table alive, which is freed at once where it is dropped; the task does.
    """

    __slots__ = ("_held", "_of", "_spawn", "_table", "_task")

    def __init__(self, table: Any) -> None:
        self._table: Any = proxy(table)
        self._of, self._spawn = ref(table), table.spawn
        self._held: int | None = None
        self._task: asyncio.Task[bool] | None = None

    @abstractmethod
    def due(self) -> Turn | None:
        """Return what the program has to do now; None for nothing."""

    @abstractmethod
    async def _take(self, turn: Turn) -> bool:
        """Do it; False where the action was refused though nobody else has been quicker."""

    @property
    def is_busy(self) -> bool:
        """True if the program is at work on its next action."""
        return self._task is not None

    def hold(self, event: int) -> None:
        """Let the program wait for a player to go on or try again, while event number `event` is the last."""
        self._held = event

    def release(self, event: int | None = None) -> None:
        """Let the program act again that has waited; with `event`, if it was for that one."""
        if event in (None, self._held):
            self._held = None
            self.wake()

    def wake(self) -> None:
        """Let the program act if there is something to do."""
        table = self._of()
        if table is not None and self._task is None and self.due() is not None:
            self._task = self._spawn(self._act(table))
            self._task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[bool]) -> None:
        self._task = None
        # Something may have happened between the program's last look and this call, when `wake` still
        # saw it at work. A program that has failed or was refused is not woken by itself.
        if not task.cancelled() and task.exception() is None and task.result():
            self.wake()

    async def _act(self, _table: object) -> bool:
        """Act as long as there is something to do; whether no action was refused too often.

        The table is there as long as this goes on.
        """
        refused = 0
        while refused < _MOST_REFUSALS and (turn := self.due()) is not None:
            refused += not await self._take(turn)
        return refused < _MOST_REFUSALS
