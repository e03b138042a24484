"""Whole matches over real sockets, by players who know no rules."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.fairdice import verify_transcript
from sheshbesh.session import Record
from tests.server.live import Browser, Live, SocketLine, live_site
from tests.server.player import Player, play
from tests.sizes import sampled

pytestmark = pytest.mark.anyio

GAME = "acey_deucey"
"""One with a hand, whose doubles are chosen. Of every game `test_golden_games` plays one to its end and
`test_session_machine` a match, without a server."""


@pytest.fixture(scope="module")
async def live(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Live]:
    async with live_site(f"sqlite:///{tmp_path_factory.mktemp('live')}/site.db") as running:
        yield running


async def sit(browser: Browser, match: str, seed: int, *, resigns: float = 0.0) -> dict[str, Any]:
    async with browser.socket(match) as socket:
        return await play(SocketLine(socket), Player(random.Random(seed), resigns=resigns))


async def check_record(browser: Browser, match: str, last: dict[str, Any]) -> None:
    """The record gives the same end, and its dice hold."""
    text = (await browser.http.get(f"/api/v1/matches/{match}/record")).text
    record = Record.from_text(text)
    state = record.replay()
    assert {side: state.score.score(side) for side in ("white", "black")} == last["score"]
    assert (state.winner, state.ending) == (last["winner"], last["ending"])
    assert verify_transcript(text).ok


@pytest.mark.parametrize("game", sampled(sb.variants(), GAME.__eq__))
async def test_a_guest_plays_the_engine(live: Live, game: str) -> None:
    browser = await live.browser()
    match = await browser.match(f"{game}.p1")
    last = await sit(browser, match, 1, resigns=0.02)
    assert last["players"]["white"]["kind"] in ("guest", "engine")
    assert last["phase"] == "over"
    assert last["dice"]["source"] == "strict"
    await check_record(browser, match, last)


async def test_two_at_one_screen(live: Live) -> None:
    browser = await live.browser()
    match = await browser.match("hypergammon.p1", {"kind": "hotseat", "names": ["Ann", "Bea"]})
    last = await sit(browser, match, 3, resigns=0.1)
    assert last["you"] == ["white", "black"]
    assert [last["players"][side]["name"] for side in last["you"]] == ["Ann", "Bea"]
    await check_record(browser, match, last)


async def test_dice_of_a_real_board_are_typed_for_the_engine_too(live: Live) -> None:
    browser = await live.browser()
    match = await browser.match("hypergammon.p1.dice-typed")
    last = await sit(browser, match, 4, resigns=0.1)
    await check_record(browser, match, last)
