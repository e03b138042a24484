"""Matches over the worst of lines: no state differs, and nothing is lost or done twice."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import select

from sheshbesh.fairdice import verify_transcript
from sheshbesh.server.storage.tables import events
from sheshbesh.session import Record, parse_action
from tests.server.chaos import Chaos, ChaosPlayer
from tests.server.live import Browser, Live, live_site
from tests.server.player import Player

pytestmark = pytest.mark.anyio

# The game with the fewest turns: `tests.server.soak` plays all of them.
CARD = "hypergammon.touch_move=true.p1.clock-d12-120"
_PERSONAL = ("you", "allowed", "allowed_of", "choices", "dice", "resign_kinds", "history", "clock", "beat")


@pytest.fixture(scope="module")
async def live(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Live]:
    async with live_site(f"sqlite:///{tmp_path_factory.mktemp('chaos')}/site.db") as running:
        yield running


def chaotic(browser: Browser, match: str, name: str, seed: int, level: float) -> ChaosPlayer:
    """A player on a bad line."""
    chance = random.Random(f"{seed} {name}")
    return ChaosPlayer(
        lambda query: browser.socket(match, query),
        Player(chance, name=name, resigns=0.01),
        Chaos(random.Random(f"{seed} line {name}"), level=level),
    )


async def check(live: Live, browser: Browser, match: str, players: list[ChaosPlayer]) -> None:
    """What every player saw is what happened, and what they were promised is in it, once."""
    text = (await browser.http.get(f"/api/v1/matches/{match}/record")).text
    assert verify_transcript(text).ok
    record = Record.from_text(text)
    last = record.replay()
    happened = {event.n: event.to_data() for event in record.events}
    rows = await live.site.database.all(
        select(events.c.actor, events.c.ref, events.c.action).where(
            events.c.match_id == match, events.c.ref.is_not(None)
        )
    )
    done = {row.ref: row.action for row in rows}
    assert len(done) == len(rows)
    for player in players:
        assert player.v == last.events
        assert player.state["score"] == {s: last.score.score(s) for s in ("white", "black")}
        for n, event in player.events.items():
            assert happened[n] == event
        for ref, action in player.acked:
            assert done.get(ref) == parse_action(action).to_data(), f"{ref} was acknowledged and is lost"
    assert len({repr(_common(player.state)) for player in players}) == 1


def _common(state: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in state.items() if key not in _PERSONAL}


async def test_two_people_on_bad_lines(live: Live) -> None:
    match, white, black = await live.friends(CARD)
    players = [
        chaotic(browser, match, name, 1, 0.05) for name, browser in (("white", white), ("black", black))
    ]
    await asyncio.gather(*(player.run() for player in players))
    await check(live, white, match, players)


async def test_the_engine_and_somebody_on_a_bad_line(live: Live) -> None:
    browser = await live.browser()
    match = await browser.match("hypergammon.p1")
    player = chaotic(browser, match, "only", 2, 0.08)
    await player.run()
    await check(live, browser, match, [player])
