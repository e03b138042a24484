"""Guests and users at a real site: what they ask over HTTP, and their sockets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx
from websockets import ConnectionClosed
from websockets.asyncio.client import ClientConnection, connect

from sheshbesh.server.site import Site
from tests.server.live import client, live_site
from tests.waiting import PATIENCE


class Visitors:
    """Makes browsers for a running site; `site` is what it is made of."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.address = f"127.0.0.1:{site.settings.port}"
        self.origin = f"http://{self.address}"

    @asynccontextmanager
    async def stranger(self) -> AsyncIterator[Browser]:
        """A browser that is nobody yet."""
        headers = {"Origin": self.origin, "Content-Type": "application/json"}
        async with client(self.origin, **headers) as opened:
            yield Browser(self, opened)

    @asynccontextmanager
    async def guest(self) -> AsyncIterator[Browser]:
        """A guest's browser."""
        async with self.stranger() as browser:
            browser.user = (await browser.post("guest"))["user"]
            yield browser

    @asynccontextmanager
    async def user(self, name: str) -> AsyncIterator[Browser]:
        """The browser of an account; made by hand, for argon2 is slow on purpose."""
        async with self.guest() as browser:
            person = await self.site.people.directory.by_id(browser.user["id"])
            assert person is not None
            await self.site.people.accounts.become(person, name, {})
            browser.user = (await browser.get("me"))["user"]
            yield browser


class Browser:
    """One client, with its cookies."""

    def __init__(self, live: Visitors, client: httpx.AsyncClient) -> None:
        self.live, self.client = live, client
        self.user: dict[str, Any] = {}

    async def ask(self, method: str, path: str, body: object = None) -> httpx.Response:
        """Any request under /api/v1."""
        content = None if body is None else json.dumps(body)
        return await self.client.request(method, f"/api/v1/{path}", content=content)

    async def get(self, path: str) -> Any:
        """What a GET answers, which must be well."""
        answer = await self.ask("GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def post(self, path: str, body: object = None) -> Any:
        """What a POST answers, which must be well."""
        answer = await self.ask("POST", path, {} if body is None else body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    @asynccontextmanager
    async def socket(self, path: str, **headers: str) -> AsyncIterator[Socket]:
        """A WebSocket with this browser's cookies."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        given = {"Cookie": cookies, "Origin": self.live.origin, **headers}
        async with connect(
            f"ws://{self.live.address}{path}", additional_headers=given, max_queue=None
        ) as line:
            yield Socket(line)


class Socket:
    """A WebSocket with JSON frames."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line

    async def send(self, message: object) -> None:
        """Send a message."""
        await self.line.send(message if isinstance(message, str) else json.dumps(message))

    async def receive(self) -> str:
        """The next frame."""
        async with asyncio.timeout(PATIENCE):
            return str(await self.line.recv())

    async def until_closed(self, code: int = 1000) -> None:
        """Wait until the server has closed it, with this code."""
        async with asyncio.timeout(PATIENCE):
            with suppress(ConnectionClosed):
                while True:
                    await self.line.recv()
        assert self.line.close_code == code

    async def until(self, kind: str, **body: Any) -> dict[str, Any]:
        """The next message of this type whose body has these entries."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message: dict[str, Any] = json.loads(await self.line.recv())
                found = message.get("d") or {}
                if message["t"] == kind and all(found.get(name) == value for name, value in body.items()):
                    return message


@asynccontextmanager
async def visited_site(database: str, **settings: Any) -> AsyncIterator[Visitors]:
    """A site on a real socket, and those who come to it."""
    async with live_site(database, **settings) as live:
        yield Visitors(live.site)
