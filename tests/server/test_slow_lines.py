"""Lines that are slow: measured by the server, given back to the clock, shown to both players."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.clock import ManualClock
from tests.server.live import Live, live_site
from tests.server.test_rooms import SeatedPlayer, sit

pytestmark = pytest.mark.anyio

CARD = "backgammon.p1.dice-typed.clock-f0-60"
SLOW, THINKS = 0.24, 2.0
"""Seconds of White's round trip, and of a turn."""


class World:
    """A match of two, White behind a slow line, and the time by which it goes."""

    def __init__(self, live: Live, clock: ManualClock, match: str, players: list[SeatedPlayer]) -> None:
        self.live, self.clock, self.match = live, clock, match
        self.white, self.black = players

    async def ping(self, player: SeatedPlayer) -> None:
        """Have the server measure a player's line."""
        await player.socket.send('{"t":"ping"}')
        number = (await player.hear("pong"))["n"]
        self.clock.advance(SLOW if player is self.white else 0.0)
        await player.say("pong", n=number)
        await player.socket.send('{"t":"ping"}')
        await player.hear("pong")  # after the one that was read before

    async def turn(self, player: SeatedPlayer, play: str, dice: tuple[int, int]) -> dict[str, Any]:
        """Throw and play, what was measured before; the event of the play."""
        if player.state["phase"] == "roll":
            assert (await player.do("roll"))["t"] == "ack"
            await player.until("throwing")
            assert (await player.do("dice", first=dice[0], second=dice[1]))["t"] == "ack"
            await player.until("move")
        await self.ping(player)
        self.clock.advance(THINKS)
        assert (await player.do("play", play=play))["t"] == "ack"
        other = self.black if player is self.white else self.white
        await other.until("roll")
        await player.until("roll")
        kept = await self.live.site.matches.kind.store.load(self.match)
        assert kept is not None
        return next(event.to_data() for event in reversed(kept.events) if event.action.type == "play")


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    clock = ManualClock()
    async with live_site(f"sqlite:///{tmp_path}/site.db", clock=clock) as live:
        match, *browsers = await live.friends(CARD)
        await live.begun(match)
        players = [
            await sit(browser, match, side)
            for browser, side in zip(browsers, ("white", "black"), strict=True)
        ]
        yield World(live, clock, match, players)
        for player in players:
            await player.socket.close()


async def test_a_slow_player_gets_back_what_their_line_takes_and_both_are_told(world: World) -> None:
    slow = await world.turn(world.white, "24/18 18/13", (6, 5))
    quick = await world.turn(world.black, "8/5 6/5", (3, 1))
    assert slow["lag"] == 1000 * SLOW and not quick.get("lag")
    given = {"white": 1000 * SLOW, "black": 0}
    room = world.live.site.matches.loaded[world.match]
    room.viewers.look()
    for player in (world.white, world.black):
        assert player.state["clock"]["given"] == given, "in the state of both"
        presence = await player.hear("presence")
        while presence["d"]["white"]["rtt"] is None:
            presence = await player.hear("presence")
        assert {side: presence["d"][side]["rtt"] for side in given} == given
    # A room that is made again from its events has the same clocks.
    world.live.site.matches.drop(room)
    again = await world.live.site.matches.get(world.match)
    assert again is not None and again.session.clock == room.session.clock
