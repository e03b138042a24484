"""Time without a server is nobody's: clocks go on where they were."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from sqlalchemy import update

from sheshbesh.server.storage import Database
from sheshbesh.server.storage import uptime as module
from sheshbesh.server.storage.tables import uptime
from sheshbesh.server.storage.uptime import GRACE, Uptime
from tests.server.live import live_site
from tests.server.test_rooms import sit

pytestmark = pytest.mark.anyio


async def age(database: Database, seconds: int) -> None:
    """Let the last sign of life be so much older."""
    await database.write(update(uptime).values(alive=uptime.c.alive - 1000 * seconds))


async def test_a_silence_is_counted_once(database: Database) -> None:
    first = Uptime(database)
    await first.start()
    assert first.down == 0
    quick = Uptime(database)
    await quick.start()
    assert quick.down == 0
    await age(database, 60)
    both = [Uptime(database), Uptime(database)]
    await asyncio.gather(*(each.start() for each in both))
    assert both[0].down == both[1].down
    assert 60_000 <= both[0].down - GRACE < 62_000
    late = Uptime(database)
    await late.start()
    assert late.down == both[0].down


async def test_a_process_says_that_it_is_up(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BEAT", 0.01)
    up = Uptime(database)
    await up.start()
    await age(database, 60)
    beating = asyncio.create_task(up.run())
    await asyncio.sleep(0.2)
    beating.cancel()
    other = Uptime(database)
    await other.start()
    assert other.down == 0


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
