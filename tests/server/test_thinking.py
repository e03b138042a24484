"""The engine's part in a room: it is never left asleep when it is its turn."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from sheshbesh.rules import Side
from sheshbesh.server.rooms.thinking import Thinking

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Seat(Thinking):
    """An engine that acts once each time it is its turn, and a table where that can be said."""

    __slots__ = ("acted", "turns")

    def __init__(self, turns: int) -> None:
        hall = SimpleNamespace(spawn=lambda work: asyncio.get_running_loop().create_task(work))
        super().__init__(cast(Any, SimpleNamespace(hall=hall)))
        self.turns, self.acted = turns, 0

    def _turn(self) -> Side | None:
        return Side.WHITE if self.turns else None

    async def _act(self) -> bool:
        while self.turns:
            self.turns -= 1
            self.acted += 1
        return True


async def test_a_turn_that_comes_just_as_the_engine_ends_is_not_missed() -> None:
    seat = Seat(1)
    seat.wake()
    await asyncio.sleep(0)  # it has acted, but its end is not yet known
    assert seat.is_busy
    seat.turns = 1
    seat.wake()
    for _ in range(4):
        await asyncio.sleep(0)
    assert (seat.acted, seat.is_busy) == (2, False)


async def test_an_engine_that_was_refused_too_often_stays_asleep() -> None:
    class Refused(Seat):
        async def _act(self) -> bool:
            self.acted += 1
            return False

    seat = Refused(1)
    seat.wake()
    for _ in range(4):
        await asyncio.sleep(0)
    assert (seat.acted, seat.is_busy) == (1, False)
