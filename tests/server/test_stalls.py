"""A database that takes its time, or is away: what that takes is nobody's time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from sheshbesh.rules import Side
from sheshbesh.server.tables.match import Match
from sheshbesh.server.tables.store import UnavailableError, Writing
from sheshbesh.session import (
    SERVER,
    ClaimAction,
    CreditAction,
    Event,
    Phase,
    PlayAction,
    Session,
    SwapAction,
)
from tests.dice_help import refused
from tests.server.live import Live, live_site

pytestmark = pytest.mark.anyio

CARD = "backgammon.p1.dice-typed.clock-t30"
TURN, STALL = 30_000, 45_000
"""Milliseconds: a stall is longer than a turn."""


class World:
    """The time of the world, which goes on when a test says so, and a database that is as it says."""

    def __init__(self, live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
        self.live, self.now = live, 1_000_000
        self.takes: list[int] = []
        self.is_away = False
        registry = live.site.play.registry
        store: Callable[[Any], Awaitable[None]] = registry.kind.store.append

        async def append(writing: Any) -> None:
            if self.takes:
                self.now += self.takes.pop(0)
            if self.is_away:
                raise UnavailableError("the disk is full")
            await store(writing)

        monkeypatch.setattr(registry.kind, "now", lambda _table: self.now)
        monkeypatch.setattr(registry.kind.store, "append", append)

    async def started(self) -> Match:
        """A match with White to play 3-1."""
        match, _, _ = await self.live.friends(CARD)
        return await self.live.begun(match, (3, 1))

    async def again(self, room: Match) -> Session:
        """The match as it is after a restart."""
        self.live.site.play.registry._drop(room)
        found = await self.live.site.play.registry.room(room.id)
        assert found is not None and found is not room
        return found.session


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    async with live_site(f"sqlite:///{tmp_path}/site.db") as live:
        yield World(live, monkeypatch)


async def rung(room: Match) -> None:
    """Let the clock's timer ring, if it would."""
    await asyncio.sleep(0.1)
    async with room._lock:
        pass


async def test_a_player_not_told_in_time_has_their_whole_turn_from_the_commit_on(world: World) -> None:
    room = await world.started()
    world.takes = [STALL]
    await room.act(Side.WHITE, PlayAction("8/5 6/5"))
    await rung(room)
    assert room.session.phase is Phase.ROLL
    assert room.session.clock.bank(Side.BLACK, world.now) == TURN
    assert room.session.clock == (await world.again(room)).clock


async def test_what_a_player_sends_while_others_things_are_stored_counts_when_it_came(world: World) -> None:
    room = await world.started()
    world.now += TURN - 5_000
    world.takes = [STALL]
    swap = asyncio.create_task(room.act(Side.WHITE, SwapAction()))
    play = asyncio.create_task(room.act(Side.WHITE, PlayAction("8/5 6/5")))
    await asyncio.gather(swap, play)
    assert room.session.clock.bank(Side.BLACK, world.now) == TURN


async def test_nobody_loses_on_time_while_nothing_can_be_stored(world: World) -> None:
    room = await world.started()
    world.now += 10_000
    world.is_away = True
    with pytest.raises(UnavailableError):
        await room.act(Side.WHITE, PlayAction("8/5 6/5"))
    world.now += STALL
    world.is_away = False
    with refused("clock.running"):
        await room.act(SERVER, ClaimAction())
    assert room.session.clock.bank(Side.WHITE, world.now) == TURN - 10_000
    await room.act(Side.WHITE, PlayAction("8/5 6/5"))


async def test_storing_in_good_time_leaves_no_trace_in_the_record(world: World) -> None:
    room = await world.started()
    before = room.version
    world.takes = [5]
    await room.act(Side.WHITE, PlayAction("8/5 6/5"))
    assert room.version == before + 1


async def test_time_that_is_really_over_stays_over(world: World) -> None:
    room = await world.started()
    world.now += TURN + 60_000
    world.takes = [STALL]
    await room.act(SERVER, ClaimAction())
    assert room.session.ending == "time" and room.session.winner is Side.BLACK


async def test_no_player_may_give_themselves_time(world: World) -> None:
    room = await world.started()
    world.now += 1_000
    with refused("actor.server"):
        await room.act(Side.WHITE, CreditAction(500))
    with refused("clock.credit"):
        await room.act(SERVER, CreditAction(5_000))


async def test_what_another_process_stored_is_let_settle_before_time_is_claimed_upon_it(world: World) -> None:
    room = await world.started()
    world.now += TURN + 60_000
    assert room.is_up
    elsewhere = Event(room.version + 1, room.session.at, "white", SwapAction(), {})
    await room.kind.store.append(Writing(room.agreement, [elsewhere], room.state))
    await room.catch_up()
    assert not room.is_up
