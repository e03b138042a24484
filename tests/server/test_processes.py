"""Two server processes behind one PostgreSQL: one match, each player at another process."""

from __future__ import annotations

import asyncio
import random

import pytest

from tests.server.chaos import Chaos, ChaosPlayer
from tests.server.live import Browser, Live, live_site
from tests.server.player import Player
from tests.server.postgres import Postgres
from tests.server.test_chaos import check
from tests.server.test_rooms import sit

pytestmark = pytest.mark.anyio


def at(browser: Browser, live: Live) -> Browser:
    """The same person's browser at another process."""
    other = Browser(live.base)
    other.http.cookies.update(browser.http.cookies)
    return other


def player(browser: Browser, match: str, name: str, level: float) -> ChaosPlayer:
    chance = random.Random(name)
    return ChaosPlayer(
        lambda query: browser.socket(match, query), Player(chance, name=name), Chaos(chance, level=level)
    )


@pytest.mark.parametrize("card", ["backgammon.p1", "long_nardy.p1.dice-typed"])
async def test_players_at_two_processes(postgres: Postgres, card: str) -> None:
    database = postgres.url()
    async with live_site(database) as one, live_site(database) as two:
        match, white, black = await one.friends(card)
        players = [player(white, match, "white", 0.03), player(at(black, two), match, "black", 0.03)]
        await asyncio.gather(*(each.run() for each in players))
        await check(one, white, match, players)
        assert match in one.site.hall.rooms
        assert match in two.site.hall.rooms


async def test_a_guest_waits_at_one_process_and_is_joined_at_another(postgres: Postgres) -> None:
    database = postgres.url()
    async with live_site(database) as one, live_site(database) as two:
        white, black = await one.browser(), await two.browser()
        made = await white.post("/matches", {"card": "tavla.p1", "opponent": {"kind": "friend"}})
        sitting = asyncio.create_task(sit(white, made["id"], "white"))
        await asyncio.sleep(0.2)
        await black.post(made["invite"].replace("/j/", "/invites/"))
        async with asyncio.timeout(10):
            player = await sitting
        assert player.state["phase"] == "ready"


async def test_the_match_goes_on_where_another_process_was_killed(postgres: Postgres) -> None:
    """The engine's chains and the server's are taken over from the database."""
    database = postgres.url()
    async with live_site(database) as one, live_site(database) as two:
        browser = await one.browser()
        match = await browser.match("backgammon.p1", side="white")
        first = player(browser, match, "first", 0.0)
        playing = asyncio.create_task(first.run())
        while first.v < 30:
            await asyncio.sleep(0.02)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        moved = at(browser, two)
        second = player(moved, match, "second", 0.0)
        second._player.chains = first._player.chains
        await second.run()
        await check(two, browser, match, [second])
