"""Two server processes behind one PostgreSQL: one match, each player at another process."""

from __future__ import annotations

import asyncio
import json
import random
from contextlib import AsyncExitStack
from typing import Any

import pytest

from sheshbesh.rules import Side
from sheshbesh.session import Phase
from tests.server.chaos import Chaos, ChaosPlayer
from tests.server.live import Browser, Live, SocketLine, live_site
from tests.server.player import Player
from tests.server.postgres import Postgres
from tests.server.test_chaos import check
from tests.server.test_rooms import SeatedPlayer, moving, sit
from tests.waiting import PATIENCE, eventually

pytestmark = pytest.mark.anyio


def at(browser: Browser, live: Live) -> Browser:
    """The same person's browser at another process."""
    return live.same(browser)


def player(browser: Browser, match: str, name: str, level: float, *, resigns: float = 0.0) -> ChaosPlayer:
    chance = random.Random(name)
    seated = Player(chance, name=name, resigns=resigns)
    return ChaosPlayer(lambda query: browser.socket(match, query), seated, Chaos(chance, level=level))


async def test_players_at_two_processes(postgres: Postgres) -> None:
    database = postgres.url()
    async with live_site(database) as one, live_site(database) as two:
        match, white, black = await one.friends("hypergammon.p1")
        players = [player(white, match, "white", 0.03), player(at(black, two), match, "black", 0.03)]
        await asyncio.gather(*(each.run() for each in players))
        await check(one, white, match, players)
        assert match in one.site.matches.loaded
        assert match in two.site.matches.loaded


async def test_players_at_two_processes_who_both_ask_for_a_rematch_get_one(postgres: Postgres) -> None:
    database = postgres.url()
    async with live_site(database) as one, live_site(database) as two:
        match, white, here = await one.friends("backgammon.p1.dice-typed")
        black = at(here, two)
        await one.over(match)
        async with AsyncExitStack() as stack:

            async def seated(who: Browser, match: str) -> SeatedPlayer:
                sitting = await sit(who, match, "p")
                stack.push_async_callback(sitting.socket.close)
                return sitting

            boards = await seated(white, match), await seated(black, match)
            elsewhere = SocketLine(await stack.enter_async_context(black.at("/ws/lobby")))

            async def told(kind: str) -> dict[str, Any]:
                while (found := json.loads(await elsewhere.receive()))["t"] != kind:
                    assert found["t"] != "rematch_asked", "once for a wish that is sent twice"
                return dict(found["d"])

            for _ in range(2):
                assert (await white.post(f"/matches/{match}/rematch"))["id"] is None
            name = (await white.get("/me"))["user"]["name"]
            assert await told("rematch_asked") == {"id": match, "url": f"/m/{match}", "by": name}
            for board in boards:
                assert (await board.hear("rematch"))["d"] == {"by": "white"}
            made = await black.post(f"/matches/{match}/rematch")
            assert await told("match") == made | {"rematch_of": match}
            for board in boards:
                while (heard := (await board.hear("rematch"))["d"]) == {"by": "white"}:
                    pass
                assert heard == made
            # Both sit there, sides changed, and asking again leads to the same one.
            seats = [(await seated(who, made["id"])).state["you"] for who in (white, black)]
            assert seats == [["black"], ["white"]]
            assert await white.post(f"/matches/{match}/rematch") == made
            # Who comes back to the old match later is told too.
            assert (await (await seated(white, match)).hear("rematch"))["d"] == made


async def test_two_who_ask_for_a_rematch_in_the_same_moment_get_one(postgres: Postgres) -> None:
    database = postgres.url()
    async with live_site(database) as one, live_site(database) as two:
        for _ in range(2):
            match, white, here = await one.friends("backgammon.p1.dice-typed")
            await one.over(match)
            asks = (who.post(f"/matches/{match}/rematch") for who in (white, at(here, two)))
            first, second = await asyncio.gather(*asks)
            assert {first["id"], second["id"]} - {None} == {second["id"] or first["id"]}
            again = await white.post(f"/matches/{match}/rematch")
            assert again["id"] in (first["id"], second["id"])


async def test_the_engine_waits_for_another_try_in_every_process(postgres: Postgres) -> None:
    database = postgres.url()
    async with live_site(database) as one, live_site(database) as two:
        room, white = await moving(one, "?retry=1")
        watching = await sit(await two.browser(), room.id, "")
        other = await two.site.matches.get(room.id)
        assert other is not None
        await eventually(lambda: "white" in two.site.presence.elsewhere(room.id))
        assert (await white.do("play", play="24/13"))["t"] == "ack"
        await eventually(lambda: other.version == room.version)
        assert (room.session.retriable, other.session.retriable) == (Side.WHITE, Side.WHITE)
        assert room.programs.due() is other.programs.due() is None
        await white.socket.close()
        await eventually(lambda: other.session.phase is Phase.THROWING)
        await watching.socket.close()


async def test_a_guest_waits_at_one_process_and_is_joined_at_another(postgres: Postgres) -> None:
    database = postgres.url()
    async with live_site(database) as one, live_site(database) as two:
        white, black = await one.browser(), await two.browser()
        made = await white.post("/matches", {"card": "tavla.p1", "opponent": {"kind": "friend"}})
        sitting = asyncio.create_task(sit(white, made["id"], "white"))
        await eventually(lambda: len(one.site.matches.waiting))
        await black.post(made["invite"].replace("/j/", "/invites/"))
        async with asyncio.timeout(PATIENCE):
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
        await eventually(lambda: first.v >= 20)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        moved = at(browser, two)
        second = player(moved, match, "second", 0.0, resigns=0.2)
        second.player.chains = first.player.chains
        await second.run()
        await check(two, browser, match, [second])
