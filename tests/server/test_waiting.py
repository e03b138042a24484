"""Waiting for the second player: how many may, and what ends it."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack

import pytest

from sheshbesh.server.tables import tables
from tests.server.visitors import Browser, Visitors
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

FRIEND = {"card": "tapa.p1", "opponent": {"kind": "friend"}}


async def until_nobody_waits(visitors: Visitors) -> None:
    found = visitors.site.matches.waiting
    await eventually(lambda: not len(found))


@pytest.mark.parametrize("bound", ["MOST_OF_ONE", "MOST"])
async def test_so_many_may_wait_and_no_more_and_nothing_of_them_stays(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    monkeypatch.setattr(tables, bound, 2)
    async with visitors.guest() as nava:
        path = f"/ws/match/{(await nava.post('matches', FRIEND))['id']}"
        async with AsyncExitStack() as stack:
            for _ in range(2):
                await (await stack.enter_async_context(nava.socket(path))).until("waiting")
            async with nava.socket(path) as third:
                assert (await third.until("error"))["d"]["code"] == "too_many"
                await third.until_closed(4429)
        await until_nobody_waits(visitors)
        async with nava.socket(path) as line:
            await line.until("waiting")
    await until_nobody_waits(visitors)


async def test_one_persons_waiting_keeps_nobody_else_from_it(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MOST_OF_ONE", 1)

    async def path(browser: Browser) -> str:
        return f"/ws/match/{(await browser.post('matches', FRIEND))['id']}"

    async with (
        visitors.guest() as nava,
        visitors.guest() as omer,
        nava.socket(await path(nava)) as one,
        omer.socket(await path(omer)) as other,
    ):
        await one.until("waiting")
        await other.until("waiting")


async def test_who_waits_for_what_was_withdrawn_is_told(visitors: Visitors) -> None:
    async with visitors.guest() as nava:
        made = await nava.post("matches", FRIEND)
        async with nava.socket(f"/ws/match/{made['id']}") as line:
            await line.until("waiting")
            assert (await nava.ask("DELETE", made["invite"].replace("/j/", "invites/"))).status_code == 200
            assert (await line.until("error"))["d"]["code"] == "not_found"


async def test_who_waits_goes_on_waiting_after_a_gap_in_the_news(visitors: Visitors) -> None:
    async with visitors.guest() as nava, visitors.guest() as omer:
        made = await nava.post("matches", FRIEND)
        async with nava.socket(f"/ws/match/{made['id']}") as line:
            await line.until("waiting")
            visitors.site.matches.waiting.wake()
            await line.until("waiting")
            await omer.post(made["invite"].replace("/j/", "invites/"))
            await line.until("state")


async def test_a_flood_ends_the_waiting(visitors: Visitors) -> None:
    async with visitors.guest() as nava:
        path = f"/ws/match/{(await nava.post('matches', FRIEND))['id']}"
        async with nava.socket(path) as line:
            await line.until("waiting")
            await line.send(json.dumps("x" * 9000))
            await line.until_closed(1009)  # too big for a frame
    await until_nobody_waits(visitors)
