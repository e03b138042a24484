"""Programs that play over HTTP and streams of JSON lines."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
import pytest

from tests.server.live import client
from tests.server.player import Player
from tests.server.player import play as play_at
from tests.server.visitors import Browser, Visitors

pytestmark = pytest.mark.anyio


class Bot:
    """A program with a token."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client

    async def post(self, path: str, body: object = None, **query: str) -> httpx.Response:
        """A request; without a body it needs no type."""
        return await self.client.post(f"/api/v1/{path}", json=body, params=query)

    @asynccontextmanager
    async def stream(self, path: str) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
        """The objects of a stream, without its empty lines."""
        async with self.client.stream("GET", f"/api/v1/{path}") as answer:
            assert answer.status_code == 200
            yield (json.loads(line) async for line in answer.aiter_lines() if line)

    async def play(self, match: str) -> dict[str, Any]:
        """Play a match at random; return its last state."""
        chance, done, resigned = random.Random(1), "", False
        async with self.stream(f"bot/game/{match}/stream") as lines:
            async for line in lines:
                if line["type"] not in ("gameFull", "state"):
                    continue
                state = line["d"]
                if state["phase"] == "over":
                    return dict(state)
                what = choose(state, chance)
                if what is None or line["key"] == done:
                    continue
                done = line["key"]
                if "resign" in state["allowed"] and not resigned:
                    resigned = True
                    # The first three digits are a place in the list, all four are none.
                    answer = await self.post(f"bot/game/{match}/resign/0019", key=line["key"])
                    assert answer.status_code == 409, answer.text
                answer = await self.post(f"bot/game/{match}/{what}", key=line["key"], ref=f"r{line['v']}")
                assert answer.status_code == 200, (what, answer.text)
        raise AssertionError("the stream has ended")


def choose(state: dict[str, Any], chance: random.Random) -> str | None:
    """What a program does that knows no rules."""
    for what in ("take", "accept", "roll"):
        if what in state["allowed"]:
            return what
    if "choices" not in state:
        return None
    stages, here, steps = state["choices"], 0, []
    while stages[here]["next"]:
        origin, target, _, _, here = chance.choice(stages[here]["next"])
        steps.append(f"{'bar' if origin == 26 else origin}-{target or 'off'}")
    return "move/" + (",".join(steps) or "pass")


async def new_bot(stack: AsyncExitStack, owner: Browser, name: str, scope: str = "challenge") -> Bot:
    """A program whose token may read, play, and one thing more."""
    await owner.post("bots", {"name": name})
    body = {"name": "here", "scopes": ["read", "play", scope], "bot": name}
    token = (await owner.post("tokens", body))["token"]
    program = client(owner.live.origin, Authorization=f"Bearer {token}")
    return Bot(await stack.enter_async_context(program))


async def test_a_program_takes_a_seek_plays_to_the_end_and_is_rated_apart(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nava = await stack.enter_async_context(visitors.user("Nava"))
        bot = await new_bot(stack, nava, "Navabot")
        mila = await stack.enter_async_context(visitors.user("Mila"))
        events = await stack.enter_async_context(bot.stream("stream/events"))
        seek = (await mila.post("seeks", {"card": "hypergammon.p1", "rated": True}))["id"]
        match = (await bot.post(f"seeks/{seek}/accept", {})).json()["id"]
        assert await anext(events) == {"type": "gameStart", "game": {"id": match, "url": f"/m/{match}"}}
        line = await stack.enter_async_context(mila.socket(f"/ws/match/{match}"))
        states = await asyncio.gather(bot.play(match), play_at(line, Player(random.Random(3))))
        assert states[0]["winner"] == states[1]["winner"] is not None
        assert states[0]["card"]["dice"] == "strict"
        assert (await anext(events))["type"] == "gameFinish"
        (rating,) = (await nava.get("users/mila"))["ratings"]
        assert (rating["pool"], rating["matches"]) == ("bots", 1)
        profile = await nava.get("users/navabot")
        assert profile["user"]["kind"] == "bot" and profile["owner"]["name"] == "Nava"
        assert (await nava.get(f"matches/{match}/dice"))["verdict"]["ok"] is True


async def test_what_a_program_may_not_do_is_said_with_the_rule(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nava = await stack.enter_async_context(visitors.user("Nava"))
        bot = await new_bot(stack, nava, "Navabot")
        mila = await stack.enter_async_context(visitors.guest())
        seek = (await mila.post("seeks", {"card": "tavla.p1"}))["id"]
        match = (await bot.post(f"seeks/{seek}/accept", {})).json()["id"]
        answer = await bot.post(f"bot/game/{match}/take")
        assert answer.status_code == 409 and answer.json()["error"]["rule"]
        assert (await bot.post(f"bot/game/{match}/roll", key="00000000")).json()["error"][
            "rule"
        ] == "wire.stale"
        assert (await bot.post(f"bot/game/{match}/resign/1")).json()["error"]["code"] == "refused"
        assert (await bot.post(f"bot/game/{match}/nonsense")).status_code == 404
        assert (await bot.post(f"bot/game/{match}/chat", {"phrase": "hello"})).status_code == 200
        # Neither people nor other bots act here.
        other = await new_bot(stack, nava, "Otherbot")
        assert (await other.post(f"bot/game/{match}/roll")).status_code == 404
        assert (await mila.ask("POST", f"bot/game/{match}/roll", {})).status_code == 403


async def test_the_interface_describes_itself(visitors: Visitors) -> None:
    async with visitors.stranger() as somebody:
        found = await somebody.get("openapi.json")
    paths = found["paths"]
    for path in (
        "/bot/game/{match}/{what}",
        "/stream/events",
        "/seeks",
        "/matches",
        "/users/{name}",
        "/tokens",
    ):
        assert f"/api/v1{path}" in paths
    assert all(entry.get("description") for methods in paths.values() for entry in methods.values())
