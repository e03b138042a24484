"""Lines that are slow: measured by the server, given back to the clock, shown to both players."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.server.live import Browser, Live, live_site
from tests.server.player import Player
from tests.server.slow import slow_line

pytestmark = pytest.mark.anyio

DELAY = 0.12
"""Seconds each way."""


@pytest.fixture
async def live(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Live]:
    async with live_site(f"sqlite:///{tmp_path_factory.mktemp('slow')}/site.db") as running:
        yield running


class Page:
    """A page at a line: pings, echoes at once, and plays whatever it may."""

    def __init__(self, line: ClientConnection, name: str, *, think: float) -> None:
        self.line, self.think = line, think
        self.player = Player(random.Random(name), name=name)
        self.events: list[dict[str, Any]] = []
        self.state: dict[str, Any] = {}
        self.rtt: dict[str, int | None] = {}

    async def run(self, turns: int) -> None:
        """Play until both sides have made this number of turns."""
        await self.line.send('{"t":"ping"}')
        async for text in self.line:
            message = json.loads(text)
            if message["t"] == "pong" and "n" in message:
                await self.line.send(json.dumps({"t": "pong", "n": message["n"]}))
            elif message["t"] == "presence":
                self.rtt = {side: message["d"][side]["rtt"] for side in ("white", "black")}
            elif message["t"] == "state":
                self.events += message["events"]
                self.state = message["d"]
                if sum(event["type"] == "play" for event in self.events) >= turns:
                    return
                await self.line.send('{"t":"ping"}')
                await self.act(message["key"])

    async def act(self, key: str) -> None:
        (side,) = self.state["you"]
        action = self.player.choose(self.state, side)
        if action is not None:
            if action["type"] == "play":
                await asyncio.sleep(self.think)
            frame = {"t": "do", "ref": next(self.player.refs), "key": key, "d": action}
            await self.line.send(json.dumps(frame))


def at(browser: Browser, port: int, match: str) -> connect:
    cookie = "; ".join(f"{name}={value}" for name, value in browser.http.cookies.items())
    headers = {"Origin": browser.base, "Cookie": cookie}
    return connect(f"ws://127.0.0.1:{port}/ws/match/{match}", additional_headers=headers, max_size=None)


async def test_a_slow_player_gets_back_what_their_line_takes_and_both_are_told(live: Live) -> None:
    match, white, black = await live.friends("hypergammon.p1.clock-f0-60")
    port = live.site.settings.port
    async with (
        slow_line(port, DELAY) as far,
        at(white, far, match) as slow_socket,
        at(black, port, match) as quick_socket,
    ):
        slow, quick = Page(slow_socket, "white", think=0.2), Page(quick_socket, "black", think=0.2)
        async with asyncio.timeout(30):
            await asyncio.gather(slow.run(8), quick.run(8))
        plays = [event for event in quick.events if event["type"] == "play"]
        given = {side: [play.get("lag", 0) for play in plays if play["actor"] == side] for side in slow.rtt}
        round_trip = 2000 * DELAY
        # A machine with much else to do may take its time at any one of them, but not at all.
        assert round_trip <= min(given["white"][1:]) < 2 * round_trip, given
        assert min(given["black"]) < round_trip, given
        # What each was given last is in the state of both, and the line as the server measured it.
        room = live.site.play.registry.rooms[match]
        for page in (slow, quick):
            told = page.state["clock"]["given"]
            assert told["white"] in given["white"] and told["black"] in given["black"]
        for page in (slow, quick):
            assert page.rtt["white"] is not None and page.rtt["white"] >= round_trip
            assert page.rtt["black"] is not None and page.rtt["black"] < page.rtt["white"]
        # A room that is made again from its events has the same clocks.
        live.site.play.registry.drop(room)
        again = await live.site.play.registry.room(match)
        assert again is not None and again.session.clock == room.session.clock
