"""The engine's part in a room: it is never left asleep when it is its turn."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from sheshbesh.rules import Side
from sheshbesh.server.engine.questions import Questions
from sheshbesh.server.tables import view
from sheshbesh.server.tables.programs import TurnTaking
from sheshbesh.session import (
    DiceAction,
    DoubleAction,
    Event,
    Phase,
    PlayAction,
    ReadyAction,
    RollAction,
    TakeAction,
)
from tests.server.live import live_site
from tests.session_help import Table
from tests.waiting import PATIENCE, eventually

pytestmark = pytest.mark.anyio


class Room:
    """What programs know of any table."""

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        return asyncio.get_running_loop().create_task(work)


class Seat(TurnTaking[Side]):
    """A program that acts once each time there is something to do, and a table where that can be said."""

    def __init__(self, turns: int, *, refused: bool = False) -> None:
        self.room = Room()
        super().__init__(self.room)
        self.turns, self.acted, self._refused = turns, 0, refused
        self.has_acted = asyncio.Event()

    def due(self) -> Side | None:
        return Side.WHITE if self.turns else None

    async def _take(self, turn: Side) -> bool:
        self.acted += 1
        self.has_acted.set()
        if not self._refused:
            self.turns -= 1
        return not self._refused


async def test_a_turn_that_comes_just_as_the_engine_ends_is_not_missed() -> None:
    seat = Seat(1)
    seat.wake()
    await seat.has_acted.wait()  # it has acted, but its end is not yet known
    assert seat.is_busy
    seat.turns = 1
    seat.wake()
    await eventually(lambda: not seat.is_busy)
    assert (seat.acted, seat.is_busy) == (2, False)


async def test_an_engine_that_waits_goes_on_for_the_event_that_it_waits_for() -> None:
    seat = Seat(0)
    seat.hold(7)
    seat.turns = 1
    seat.release(5)
    assert not seat.is_busy, "an earlier decision was judged"
    seat.release(7)
    assert seat.is_busy
    await eventually(lambda: not seat.is_busy)
    assert seat.acted == 1


async def test_an_engine_that_was_refused_too_often_stays_asleep() -> None:
    seat = Seat(1, refused=True)
    seat.wake()
    await eventually(lambda: not seat.is_busy)
    assert (seat.acted, seat.is_busy) == (3, False)


async def test_what_an_engine_could_not_think_about_is_said_and_kept(tmp_path: Path) -> None:
    async with live_site(f"sqlite:///{tmp_path}/site.db") as live:
        live.site.matches.kind.engines = Questions(0, limit=0.01)  # nobody there to answer
        browser = await live.browser()
        match = await browser.match("backgammon.p1.dice-typed", side="white")
        room = await live.site.matches.get(match)
        assert room is not None
        for action in (ReadyAction(), DiceAction(2, 5)):
            await room.act(Side.WHITE, action)
        async with browser.socket(match) as socket:
            async with asyncio.timeout(PATIENCE):
                while True:
                    message = json.loads(await socket.recv())
                    played = [event for event in message.get("events", ()) if event["type"] == "play"]
                    if played:
                        break
            assert played[0]["actor"] == "black" and played[0]["guessed"] is True
            assert message["d"]["fallback"] == ["black"], "the page shows it while it lasts"
        live.site.matches.drop(room)
        again = await live.site.matches.get(match)  # as after a restart
        assert again is not None
        (line,) = map(json.loads, again.viewers.turns)
        assert line["guessed"] is True and line["side"] == "black"
        assert again.viewers.fallback == {"black"}
        assert '"guessed":true' in (await browser.http.get(f"/api/v1/matches/{match}/record")).text


def test_a_fallback_lasts_until_the_engine_has_decided_again() -> None:
    told = frozenset[str]()
    course = [
        (PlayAction("8/5 6/5"), "black", False, ""),
        (PlayAction("8/5 6/5"), "black", True, "black"),
        (PlayAction("8/5 6/5"), "white", False, "black"),
        (RollAction(), "black", False, "black"),  # thrown without asking
        (TakeAction(), "white", True, "black white"),
        (DoubleAction(), "black", False, "white"),
        (PlayAction("8/5 6/5"), "white", False, ""),
    ]
    for n, (action, actor, guessed, expected) in enumerate(course, 1):
        told = view.fallback_after(told, Event(n, 0, actor, action, {}, guessed=guessed))
        assert told == {*expected.split()}, n


@pytest.mark.parametrize(("card", "told"), [("backgammon.m", ["roll"]), ("backgammon.cube=false.p3", [])])
async def test_a_guess_that_is_no_turn_is_listed_where_there_was_something_to_decide(
    card: str, told: list[str]
) -> None:
    table = Table(card).begin().play()
    state = table.state
    assert state.phase is Phase.ROLL and state.on_roll is not None
    async with Questions(0, limit=0.01) as nobody:  # nobody there to answer
        made = await nobody.decide(state, state.on_roll, "club")
    event = Event(9, 0, state.on_roll.value, RollAction(), {}, guessed=made.guessed)
    lines = [line for line in (view.turn_of(state, event),) if line is not None]
    assert [(line["kind"], line["guessed"]) for line in lines] == [(kind, True) for kind in told]
