"""Who sits at a board, where each player is connected to another process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import NamedTuple

import pytest
from sqlalchemy import select

from sheshbesh.rules import Side
from sheshbesh.server.storage import tables
from sheshbesh.server.tables import presence as processes
from sheshbesh.server.tables.line import OFTEN, SELDOM, Line, RoundTrip
from sheshbesh.server.tables.match import claimable
from sheshbesh.server.tables.presence import Patience, TablePresence
from tests.server.clock import ManualClock
from tests.server.live import Live, live_site
from tests.server.postgres import Postgres
from tests.server.test_rooms import SeatedPlayer, sit
from tests.waiting import eventually

pytestmark = pytest.mark.anyio


class Table(NamedTuple):
    """An untimed match under way, White at process `one` and Black at process `two`."""

    match: str
    one: Live
    two: Live
    white: SeatedPlayer
    black: SeatedPlayer

    def waits(self, patience: Patience) -> None:
        """Have White's process wait for this long before others may act."""
        self.one.site.matches.loaded[self.match].viewers.presence.patience = patience

    async def white_sees_black(self, *, here: bool) -> None:
        """Wait until White's page says whether Black is there."""
        said = [message["d"] for message in self.white.others if message["t"] == "presence"]
        while not said or said[-1]["black"]["here"] is not here:
            said = [(await self.white.hear("presence"))["d"]]


@pytest.fixture
async def table(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    monkeypatch.setattr(processes, "_BEAT", 0.2)
    monkeypatch.setattr(processes, "_DEAD", 600_000)  # none is taken for dead because the machine is slow
    url = postgres.url()
    async with live_site(url) as one, live_site(url) as two:
        match, white, black = await one.friends("backgammon.p1.dice-typed")
        await one.begun(match)
        first, second = await sit(white, match, "white"), await sit(two.same(black), match, "black")
        yield Table(match, one, two, first, second)
        for player in (first, second):
            await player.socket.close()


async def test_nobody_is_claimed_who_sits_there_through_another_process(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.white_sees_black(here=True)
    table.waits(Patience(10.0, 0.0))
    assert (await table.white.do("time"))["d"]["rule"] == "claim.early"
    # A process that has not heard of it yet asks before it takes a match away.
    room = await table.one.site.matches.get(table.match)
    assert room is not None
    with monkeypatch.context() as unaware:
        unaware.setattr(room.kind.presence, "elsewhere", lambda _table: ())
        room.viewers.look()
    assert claimable(room) == (Side.BLACK,)
    assert (await table.white.do("time"))["d"]["rule"] == "claim.early"
    await table.black.socket.close()
    await table.white_sees_black(here=False)
    assert (await table.white.do("time"))["t"] == "ack"


async def test_who_says_goodbye_at_another_process_is_waited_for_no_longer_than_here(table: Table) -> None:
    table.waits(Patience(0.3, 120.0))
    await table.white_sees_black(here=True)
    await table.black.socket.send('{"t":"bye"}')
    await table.white_sees_black(here=False)
    while "time" not in table.white.state["allowed"]:
        await table.white.hear("state")
    assert (await table.white.do("time"))["t"] == "ack"


async def test_those_at_a_process_that_died_are_gone(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await table.white_sees_black(here=True)

    async def dead() -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(table.two.site.presence, "beat", dead)
    monkeypatch.setattr(processes, "_DEAD", 1_000)
    table.waits(Patience(10.0, 0.5))
    await table.white_sees_black(here=False)
    while "time" not in table.white.state["allowed"]:
        await table.white.hear("state")
    assert (await table.white.do("time"))["t"] == "ack"


async def test_a_process_taken_for_dead_says_anew_who_sits_there(table: Table) -> None:
    site = table.two.site
    said = select(tables.processes.c.boards).where(tables.processes.c.id == site.process)
    await table.white_sees_black(here=True)
    await site.presence.stop()

    async def is_said_anew() -> bool:
        row = await site.database.first(said)
        return row is not None and row.boards == {table.match: ["black"]}

    await eventually(is_said_anew)


def test_a_silent_page_here_says_nothing_of_when_somebody_left_elsewhere() -> None:
    clock = ManualClock()
    clock.advance(1000)
    seats = TablePresence(Patience(10.0, 120.0), clock)
    page = Line("u", (Side.BLACK,), clock=clock)
    seats.look([page], tuple(Side))
    clock.advance(500)
    seats.look([page], tuple(Side), [Side.BLACK])
    assert seats.is_here(Side.BLACK)
    clock.advance(1)
    seats.look([page], tuple(Side))
    assert seats.away_in(Side.BLACK) == 119.0


def test_a_line_is_gone_when_what_its_page_was_asked_for_has_not_come() -> None:
    clock = ManualClock()
    page = Line("u", (Side.BLACK,), clock=clock)

    def goes_after(seconds: float) -> bool:
        clock.advance(seconds - 0.5)
        was_here = page.is_here
        clock.advance(0.5)
        return was_here and not page.is_here

    assert goes_after(6.0)
    page.mark_alive()
    page.ask(SELDOM)
    assert goes_after(36.0)
    page.mark_alive()
    clock.advance(14.0)
    page.ask(OFTEN)  # they are to act now, and may have been silent until then
    assert goes_after(6.0)


def test_a_frame_that_cannot_be_sent_at_once_keeps_those_after_it_waiting() -> None:
    page, written, is_slow = Line("u"), list[str](), [False]

    def write(frame: str) -> bool:
        if not is_slow[0]:
            written.append(frame)
        return not is_slow[0]

    page.write = write
    page.send("1")
    is_slow[0] = True
    page.send("2")
    is_slow[0] = False
    page.send("3")
    assert written == ["1"] and [page.outbox.get_nowait() for _ in range(2)] == ["2", "3"]
    page.sent()
    page.send("4")  # what was taken out is not on its way yet
    page.sent()
    assert page.outbox.get_nowait() == "4"
    page.sent()
    page.send("5")
    page.cut()
    page.send("6")
    assert written == ["1", "5"]


def test_a_round_trip_is_measured_at_first_and_then_every_ten_seconds() -> None:
    clock = ManualClock()
    trip = RoundTrip(clock)
    asked = []
    for _ in range(12):
        asked.append(trip.next_ping())
        clock.advance(2.5)
    assert asked == [1, 2, 3, 4, None, None, None, 5, None, None, None, 6]
