"""Time without a server is nobody's: clocks go on where they were."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from sqlalchemy import update

from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import uptime
from sheshbesh.server.storage.uptime import GRACE, Uptime
from tests.server.clock import ManualClock
from tests.server.live import live_site
from tests.server.test_rooms import sit

pytestmark = pytest.mark.anyio


async def age(database: Database, seconds: int) -> None:
    """Let the last sign of life be so much older."""
    await database.write(update(uptime).values(alive=uptime.c.alive - 1000 * seconds))


async def test_a_silence_is_counted_once(database: Database) -> None:
    clock = ManualClock()
    first = Uptime(database, clock)
    await first.start()
    assert first.down == 0
    clock.advance(4)
    quick = Uptime(database, clock)
    await quick.start()
    assert quick.down == 0
    clock.advance(56)
    both = [Uptime(database, clock), Uptime(database, clock)]
    await asyncio.gather(*(each.start() for each in both))
    assert [each.down for each in both] == [60_000 + GRACE] * 2
    late = Uptime(database, clock)
    await late.start()
    assert late.down == both[0].down


async def test_a_process_says_that_it_is_up(database: Database) -> None:
    clock = ManualClock()
    up = Uptime(database, clock)
    await up.start()
    beating = asyncio.create_task(up.run())
    await clock.until_waiting(1.0)
    for _ in range(60):
        clock.advance(1.0)
        await clock.until_waiting(1.0)
    beating.cancel()
    assert up.is_kept
    other = Uptime(database, clock)
    await other.start()
    assert other.down == 0
    clock.advance(60)
    assert not up.is_kept
    late = Uptime(database, clock)
    await late.start()
    assert late.down == 60_000 + GRACE


async def test_clocks_do_not_run_while_the_server_is_down(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/site.db"
    async with live_site(database) as live:
        browser = await live.browser()
        cookies = dict(browser.http.cookies)
        match = await browser.match("backgammon.p1.dice-typed.clock-d1-60", side="white")
        player = await sit(browser, match, "white")
        assert (await player.do("ready"))["t"] == "ack"
        await player.until("opening")
        assert (await player.do("dice", first=6, second=5))["t"] == "ack"
        await player.until("move")
        before = player.state["clock"]["white"]
    closed = Database(database)
    await closed.open()
    await age(closed, 3600)
    await closed.close()
    async with live_site(database) as live:
        assert live.site.uptime.down > 3_600_000
        again = await live.browser()
        again.http.cookies.clear()
        again.http.cookies.update(cookies)
        socket = await again.socket(match)
        state = json.loads(await socket.recv())["d"]
        assert state["phase"] == "move"
        assert state["clock"]["running"] == "white"
        assert before - 10_000 < state["clock"]["white"] <= before
