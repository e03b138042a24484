"""A database that takes its time, or is away: what that takes is nobody's time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

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
from tests.server.clock import ManualClock, Stalls
from tests.server.live import Live, live_site

pytestmark = pytest.mark.anyio

CARD = "backgammon.p1.dice-typed.clock-t30"
TURN, STALL = 30_000, 45_000
"""Milliseconds: a stall is longer than a turn."""


class World:
    """The time of the world, which goes on when a test says so, and a database that is as it says."""

    def __init__(self, live: Live, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
        self.live, self.clock = live, clock
        self.store = Stalls(live.site.matches.kind.store, clock, monkeypatch)

    async def started(self) -> Match:
        """A match with White to play 3-1."""
        match, _, _ = await self.live.friends(CARD)
        return await self.live.begun(match, (3, 1))

    async def again(self, room: Match) -> Session:
        """The match as it is after a restart."""
        self.live.site.matches.drop(room)
        found = await self.live.site.matches.get(room.id)
        assert found is not None and found is not room
        return found.session


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    clock = ManualClock()
    async with live_site(f"sqlite:///{tmp_path}/site.db", clock=clock) as live:
        yield World(live, clock, monkeypatch)


async def test_a_player_not_told_in_time_has_their_whole_turn_from_the_commit_on(world: World) -> None:
    room = await world.started()
    world.store.takes = [STALL]
    await room.act(Side.WHITE, PlayAction("8/5 6/5"))
    with refused("clock.running"):  # as the timer was, which rang meanwhile
        await room.act(SERVER, ClaimAction())
    assert room.session.phase is Phase.ROLL
    assert room.session.clock.bank(Side.BLACK, room.now()) == TURN
    assert room.session.clock == (await world.again(room)).clock


async def test_what_a_player_sends_while_others_things_are_stored_counts_when_it_came(world: World) -> None:
    room = await world.started()
    world.clock.advance((TURN - 5_000) / 1000)
    world.store.takes = [STALL]
    swap = asyncio.create_task(room.act(Side.WHITE, SwapAction()))
    play = asyncio.create_task(room.act(Side.WHITE, PlayAction("8/5 6/5")))
    await asyncio.gather(swap, play)
    assert room.session.clock.bank(Side.BLACK, room.now()) == TURN


async def test_nobody_loses_on_time_while_nothing_can_be_stored(world: World) -> None:
    room = await world.started()
    world.clock.advance((10_000) / 1000)
    world.store.is_away = True
    with pytest.raises(UnavailableError):
        await room.act(Side.WHITE, PlayAction("8/5 6/5"))
    world.clock.advance(STALL / 1000)
    world.store.is_away = False
    with refused("clock.running"):
        await room.act(SERVER, ClaimAction())
    assert room.session.clock.bank(Side.WHITE, room.now()) == TURN - 10_000
    await room.act(Side.WHITE, PlayAction("8/5 6/5"))


async def test_storing_in_good_time_leaves_no_trace_in_the_record(world: World) -> None:
    room = await world.started()
    before = room.version
    world.store.takes = [5]
    await room.act(Side.WHITE, PlayAction("8/5 6/5"))
    assert room.version == before + 1


async def test_time_that_is_really_over_stays_over(world: World) -> None:
    room = await world.started()
    world.clock.advance((TURN + 60_000) / 1000)
    world.store.takes = [STALL]
    await room.act(SERVER, ClaimAction())
    assert room.session.ending == "time" and room.session.winner is Side.BLACK


async def test_no_player_may_give_themselves_time(world: World) -> None:
    room = await world.started()
    world.clock.advance((1_000) / 1000)
    with refused("actor.server"):
        await room.act(Side.WHITE, CreditAction(500))
    with refused("clock.credit"):
        await room.act(SERVER, CreditAction(5_000))


async def test_what_another_process_stored_is_let_settle_before_time_is_claimed_upon_it(world: World) -> None:
    room = await world.started()
    assert room.deadline is not None
    world.clock.advance((room.deadline - room.now()) / 1000)
    assert room.is_up
    elsewhere = Event(room.version + 1, room.session.at, "white", SwapAction(), {})
    await room.kind.store.append(Writing(room.agreement, [elsewhere], room.state))
    await room.catch_up()
    assert not room.is_up
    world.clock.advance(2)
    assert room.is_up
