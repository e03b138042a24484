"""What stays open ends with what it was opened by: sign-ins, tokens, accounts; in every process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import NamedTuple

import httpx
import pytest

from sheshbesh.server.http.api import streams
from sheshbesh.server.http.cookies import cookie_name, sign
from sheshbesh.server.news.bus import GAP
from sheshbesh.server.people.person import Person
from tests.server.live import client
from tests.server.postgres import Postgres
from tests.server.visitors import Browser, Visitors, visited_site
from tests.waiting import PATIENCE

pytestmark = pytest.mark.anyio

LOBBY = "/ws/lobby?look=1"


class Two(NamedTuple):
    """Two processes, and somebody's browser at the first of them."""

    here: Visitors
    there: Visitors
    nava: Browser

    @asynccontextmanager
    async def other_browser(self) -> AsyncIterator[Browser]:
        """Another browser of the same person, at the second process."""
        site = self.there.site
        secret = await site.people.directory.sign_in(self.nava.user["id"], "another")
        async with self.there.stranger() as browser:
            signed = sign(site.settings.secret, "cookie", secret)
            browser.client.cookies.set(cookie_name(site.settings), signed)
            yield browser


@pytest.fixture
async def two(postgres: Postgres) -> AsyncIterator[Two]:
    url = postgres.url()
    async with visited_site(url) as here, visited_site(url) as there, here.user("Nava") as nava:
        yield Two(here, there, nava)


async def test_a_browser_that_is_signed_out_looks_at_nothing_any_more_and_the_others_do(two: Two) -> None:
    async with AsyncExitStack() as stack:
        match = (await two.nava.post("matches", {"card": "tapa.p1", "opponent": {"kind": "friend"}}))["id"]
        other = await stack.enter_async_context(two.other_browser())
        mine = await stack.enter_async_context(two.nava.socket(LOBBY))
        theirs = await stack.enter_async_context(other.socket(LOBBY))
        waiting = await stack.enter_async_context(other.socket(f"/ws/match/{match}"))
        for line in (mine, theirs):
            await line.until("lobby")
        await waiting.until("waiting")
        assert (await two.nava.ask("DELETE", "me/sign-ins")).json() == {"ended": 1}
        await theirs.until_closed()
        await waiting.until_closed()
        await mine.send({"t": "ping"})
        await mine.until("pong")


async def test_the_sockets_of_a_deleted_account_end_everywhere(two: Two) -> None:
    async with two.other_browser() as other, two.nava.socket(LOBBY) as mine, other.socket(LOBBY) as theirs:
        for line in (mine, theirs):
            await line.until("lobby")
        await two.nava.post("account/delete")
        await mine.until_closed()
        await theirs.until_closed()


async def test_a_programs_streams_end_with_its_token(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "KEEP_ALIVE", 10 * PATIENCE)
    await two.nava.post("bots", {"name": "Navabot"})

    async def program_of(name: str) -> httpx.AsyncClient:
        body = {"name": name, "scopes": ["read", "play", "challenge"], "bot": "Navabot"}
        token = (await two.nava.post("tokens", body))["token"]
        return client(two.there.origin, Authorization=f"Bearer {token}")

    async with AsyncExitStack() as stack:
        ended, kept = [await stack.enter_async_context(await program_of(name)) for name in ("ended", "kept")]
        omer = await stack.enter_async_context(two.here.guest())
        seek = (await omer.post("seeks", {"card": "tavla.p1"}))["id"]
        match = (await ended.post(f"/api/v1/seeks/{seek}/accept", json={})).json()["id"]

        async def heard(program: httpx.AsyncClient, path: str) -> AsyncIterator[str]:
            answer = await stack.enter_async_context(program.stream("GET", f"/api/v1/{path}"))
            lines = answer.aiter_lines()
            assert await anext(lines)  # it is open
            return lines

        events, others = [await heard(program, "stream/events") for program in (ended, kept)]
        game = await heard(ended, f"bot/game/{match}/stream")
        (token,) = [row["id"] for row in await two.nava.get("tokens") if row["name"] == "ended"]
        assert (await two.nava.ask("DELETE", f"tokens/{token}")).status_code == 200
        async with asyncio.timeout(PATIENCE):  # long before the next empty line
            assert [line async for line in events if line] == []
            assert "gameFull" not in "".join([line async for line in game])
        await two.nava.post("challenges", {"card": "tavla.p1", "to": "Navabot"})
        assert "challenge" in await anext(others)


async def test_what_was_ended_while_a_line_was_opened_ends_it(two: Two) -> None:
    lines, ended = two.here.site.people.connections, asyncio.Event()
    revoked = Person("u", "Nava", "user", {}, None, frozenset(), "no such token")
    with lines.open(revoked, ended.set):
        async with asyncio.timeout(PATIENCE):
            await ended.wait()


async def test_after_a_gap_in_the_news_every_line_is_looked_at(two: Two) -> None:
    async with two.other_browser() as other, other.socket(LOBBY) as theirs, two.nava.socket(LOBBY) as mine:
        for line in (mine, theirs):
            await line.until("lobby")
        me = await two.nava.get("me/sign-ins")
        (gone,) = [entry["id"] for entry in me if not entry["this"]]
        await two.here.site.people.directory.sign_out(gone)  # of which the news was lost
        for site in (two.here.site, two.there.site):
            site.bus.publish(GAP)
        await theirs.until_closed()
        await mine.send({"t": "ping"})
        await mine.until("pong")
