"""Chouettes with a clock: time that nobody has used, rooms that sleep, slow lines."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from sheshbesh.match import Card
from sheshbesh.server.storage.tables import chouettes
from sheshbesh.server.tables.chouette import ChouetteInPlay, ChouetteKind
from sheshbesh.server.tables.seats import ChouetteAgreement
from sheshbesh.server.tables.store import UnavailableError
from sheshbesh.session import (
    SERVER,
    Chouette,
    ClaimAction,
    DiceAction,
    PlayAction,
    RollAction,
)
from tests.dice_help import refused
from tests.server.chouette_player import Sitter
from tests.server.clock import ManualClock, Stalls
from tests.server.live import Live, live_site
from tests.waiting import PATIENCE, eventually

pytestmark = pytest.mark.anyio

TURN, STALL = 30_000, 45_000
"""Milliseconds: a stall is longer than a turn."""


class World:
    """The time of the world, which goes on when a test says so, and a database that is as it says."""

    def __init__(self, live: Live, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
        self.live, self.clock = live, clock
        self.store = Stalls(live.site.chouettes.kind.store, clock, monkeypatch)

    async def started(self) -> ChouetteInPlay:
        """A chouette of three at one screen, with the box to play 3-1."""
        self.browser = await self.live.browser()
        room = await self.live.chouette(self.browser, "backgammon.m.dice-typed.clock-t30")
        await room.act(room.state.seats.box, DiceAction(3, 1))
        return room

    async def room(self, chouette: str) -> ChouetteInPlay:
        room = await self.live.site.chouettes.get(chouette)
        assert room is not None
        return room

    async def again(self, room: ChouetteInPlay) -> Chouette:
        """The chouette as it is after a restart."""
        self.live.site.chouettes.drop(room)
        found = await self.room(room.id)
        assert found is not room
        return found.state


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    clock = ManualClock()
    async with live_site(f"sqlite:///{tmp_path}/site.db", clock=clock) as live:
        yield World(live, clock, monkeypatch)


async def test_time_in_which_nothing_could_be_stored_is_nobodys(world: World) -> None:
    room = await world.started()
    world.store.takes = [STALL]
    await room.act(room.state.seats.box, PlayAction("8/5 6/5"))
    assert room.session.clock.deadline() == room.now() + TURN
    assert not room.is_up and await world.again(room) == room.state
    room = await world.room(room.id)
    world.clock.advance((10_000) / 1000)
    world.store.is_away = True
    with pytest.raises(UnavailableError):
        await room.act(room.state.captain, RollAction())
    assert not room.is_idle  # the time is given back as soon as that can be stored
    world.clock.advance(STALL / 1000)
    world.store.is_away = False
    with refused("clock.running"):
        await room.act(SERVER, ClaimAction())
    assert room.session.clock.deadline() == room.now() + TURN - 10_000
    world.clock.advance(TURN / 1000)
    world.store.takes = [STALL]
    await room.act(SERVER, ClaimAction())  # what is really over stays over
    assert len(room.state.rows) == 1


async def test_a_sleeping_room_is_loaded_when_the_time_is_up_and_the_chouette_goes_on(
    world: World,
) -> None:
    room = await world.started()
    rooms, site = world.live.site.chouettes, world.live.site
    assert not room.is_idle  # less than two minutes
    row = select(chouettes.c.due).where(chouettes.c.id == room.id)
    (due,) = await site.database.first(row) or (0,)
    assert due == room.deadline and await site.chouettes.poll() == 0
    rooms.drop(room)
    world.clock.advance((due - room.now()) / 1000)
    await eventually(lambda: room.id in rooms.loaded)
    room = rooms.loaded[room.id]
    world.clock.advance(1)
    await eventually(lambda: room.state.rows)
    assert room.session.games[-1].reason == "time" and not room.state.is_over
    assert room.state.seats.box != room.state.seats.queue[-1]
    assert tuple(await site.database.first(row) or ()) == (None,)
    assert room.is_idle


def test_no_server_no_time_and_tables_older_than_clocks_keep_that_of_the_world() -> None:
    nothing: Any = None
    clock = ManualClock()
    kind = ChouetteKind(nothing, nothing, nothing, nothing, down=lambda: 5 * TURN, clock=clock)
    card = Card.from_code("backgammon.m")
    old, new = (kind.now(ChouetteAgreement("t", card, (), down=down)) for down in (None, TURN))
    assert (old, new) == (clock.steady_ms(), clock.steady_ms() - 4 * TURN)


async def test_what_a_slow_line_takes_is_measured_and_given_back(world: World) -> None:
    room = await world.started()
    box = room.state.seats.box
    async with Sitter(world.browser, room.id) as sitter:
        await sitter.socket.send('{"t":"ping"}')
        # News of the lobby may come first.
        async with asyncio.timeout(PATIENCE):
            while (pong := json.loads(await sitter.socket.recv()))["t"] != "pong":
                pass
        assert pong["n"] == 1
        clock = sitter.state["clock"]
        assert (clock["running"], clock["white"], clock["kind"]) == ("white", TURN, "per_turn")
        (viewer,) = room.viewers
        viewer.latency.ms = 400
        world.clock.advance((5_000) / 1000)
        assert await sitter.do(box, {"type": "play", "play": "8/5 6/5"}) == "ack"
        assert await sitter.do(box, {"type": "time"}, free=True) == "clock.running"
        assert await sitter.do(box, {"type": "credit", "ms": 5}, free=True) == "actor.server"
    record = await world.browser.http.get(f"/api/v1/chouettes/{room.id}/record")
    assert json.loads(record.text.splitlines()[-1])["lag"] == 400
    assert (await world.again(room)).board.clock == room.session.clock
