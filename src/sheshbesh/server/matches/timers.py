"""What happens in a room because time passes: clocks run out, silent players' links are left out."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic

from sheshbesh.match import DiceSource
from sheshbesh.rules import Refused
from sheshbesh.server.matches.port import TimedRoom
from sheshbesh.session import SERVER, ClaimAction, Phase, WithholdAction

PATIENCE = 3.0
"""Seconds for which a throw waits for a silent player's link, where it can go on without."""

_SETTLING = 2.0
"""Seconds for which nobody's time is claimed upon an event of another process: it may have taken long to
store, which that process says next."""

_SOON = 120_000
"""Milliseconds: a room whose clock runs for longer may sleep until somebody comes, or the time is up."""

_LATE = 0.02
"""Seconds by which a timer may be early against the clock of the world."""


class Timers:
    """The timers of one room: one for the running clock, one for a link that does not come."""

    __slots__ = ("_expiry", "_expiry_at", "_room", "_silence", "_silent_at")

    def __init__(self, room: TimedRoom) -> None:
        self._room = room
        self._expiry: asyncio.TimerHandle | None = None
        self._expiry_at = 0
        self._silence: asyncio.TimerHandle | None = None
        self._silent_at: int | None = None

    @property
    def is_needed(self) -> bool:
        """Whether something will happen by itself soon; `DueTables` know what happens later."""
        deadline = self.deadline
        return self._silence is not None or (deadline is not None and deadline - self._room.now() < _SOON)

    @property
    def deadline(self) -> int | None:
        """When the running clock runs out for good, in ms of the match's time; see `Clock.expiry`."""
        return self._room.session.clock.expiry()

    @property
    def is_up(self) -> bool:
        """Whether somebody's time has run out for good."""
        deadline = self.deadline
        return deadline is not None and self._room.now() >= deadline and self._settles_in <= 0

    @property
    def _settles_in(self) -> float:
        """Seconds until what another process stored last stands for sure."""
        return self._room.adopted + _SETTLING - monotonic()

    def set(self) -> None:
        """Set the timers by the state of the match."""
        deadline = self.deadline
        loop = asyncio.get_running_loop()
        # A timer that is too early looks again when it rings: cheaper than a new one for each action.
        if deadline is not None and (self._expiry is None or deadline < self._expiry_at):
            if self._expiry is not None:
                self._expiry.cancel()
            delay = max((deadline - self._room.now()) / 1000, self._settles_in, 0) + _LATE
            self._expiry = loop.call_later(delay, self._ring)
            self._expiry_at = deadline
        self._set_silence(loop)

    def _set_silence(self, loop: asyncio.AbstractEventLoop) -> None:
        throwing = self._room.session.throwing
        # In an opening draw the players throw by hand, and take the time they take.
        waits = (
            self._room.session.phase is Phase.THROWING
            and throwing.source is DiceSource.CHAINS
            and throwing.roller is not None
            and self._room.session.may(SERVER, "withhold")
        )
        at = throwing.table.number if waits and throwing.table is not None else None
        if at == self._silent_at:
            return
        self._silent_at = at
        if self._silence is not None:
            self._silence.cancel()
            self._silence = None
        if at is not None:
            self._silence = loop.call_later(PATIENCE, self._spawn_withhold, at)

    def stop(self) -> None:
        """Nothing happens by itself any more."""
        for timer in (self._expiry, self._silence):
            if timer is not None:
                timer.cancel()
        self._expiry = self._silence = self._silent_at = None

    def _ring(self) -> None:
        self._expiry = None
        if self.is_up:
            self._room.port.spawn(self._expire())
        else:
            self.set()

    async def _expire(self) -> None:
        with suppress(Refused):  # another process may have been quicker
            await self._room.act(SERVER, ClaimAction())
        self.set()

    def _spawn_withhold(self, number: int) -> None:
        self._silence = self._silent_at = None
        self._room.port.spawn(self._withhold(number))

    async def _withhold(self, number: int) -> None:
        """Go on without the links that throw `number` still waits for."""
        # They may have come to another process.
        await self._room.catch_up()
        for side in self._room.session.throwing.awaited():
            session = self._room.session
            table = session.throwing.table
            if session.phase is not Phase.THROWING or table is None or table.number != number:
                break
            with suppress(Refused):
                await self._room.act(SERVER, WithholdAction(side.value))
        self.set()
