"""Connections that are held, slow, or too many, on a running server without a proxy."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from fastapi import FastAPI

from sheshbesh.server.http.connections import Caps
from sheshbesh.server.http.serving import _proxies
from tests.server.clock import ManualClock
from tests.server.live import Live, live_site
from tests.waiting import PATIENCE, eventually

pytestmark = pytest.mark.anyio

BOTH_LOOPS = pytest.mark.parametrize(
    "anyio_backend", [("asyncio", {"use_uvloop": True}), ("asyncio", {"use_uvloop": False})]
)


class World:
    """A site whose connections have these bounds, and the time by which they are kept."""

    def __init__(self, live: Live, caps: Caps, clock: ManualClock) -> None:
        self.live, self.caps, self.clock = live, caps, clock
        self._opened: list[Line] = []

    async def open(self, data: bytes = b"") -> Line:
        """A bare connection over which this is sent."""
        loop = asyncio.get_running_loop()
        _, line = await loop.create_connection(Line, "127.0.0.1", self.live.site.settings.port)
        self._opened.append(line)
        line.send(data)
        return line

    async def late(self, seconds: float) -> None:
        """Let the time pass that a connection has, once it runs."""
        await self.clock.until_waiting(seconds)
        self.clock.advance(seconds)

    async def is_served(self) -> bool:
        """Ask for something by another connection; the server has read before what was sent before."""
        line = await self.open(HEALTH)
        is_served = b" 200 " in await line.answer()
        await line.close()
        return is_served

    async def close(self) -> None:
        """Close what is open yet."""
        for line in self._opened:
            await line.close()


@asynccontextmanager
async def world(tmp_path: Path, **bounds: Any) -> AsyncIterator[World]:
    clock = ManualClock()
    caps = Caps(clock=clock, **bounds)
    async with live_site(f"sqlite:///{tmp_path}/s.db", caps=caps) as live:
        found = World(live, caps, clock)
        try:
            yield found
        finally:
            await found.close()


class Line(asyncio.Protocol):
    """A bare connection."""

    def __init__(self) -> None:
        self.received = bytearray()
        self._stirred, self._lost = asyncio.Event(), asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self.received += data
        self._stirred.set()

    def connection_lost(self, _: Exception | None) -> None:
        self._lost.set()

    def send(self, data: bytes) -> None:
        self._transport.write(data)

    async def close(self) -> None:
        self._transport.close()
        await self._lost.wait()

    async def rest(self) -> bytes:
        """What comes until the server closes it, or breaks it off over bytes that it has not read."""
        async with asyncio.timeout(PATIENCE):
            await self._lost.wait()
        return bytes(self.received)

    async def answer(self) -> bytes:
        """The head of an answer that leaves the connection open."""
        async with asyncio.timeout(PATIENCE):
            while True:
                head, _, body = bytes(self.received).partition(b"\r\n\r\n")
                length = re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)
                if length is not None and len(body) == int(length[1]):
                    self.received.clear()
                    return head
                self._stirred.clear()
                await self._stirred.wait()


HEALTH = b"GET /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n"
HALF_A_BODY = (
    b"POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"
)
HEAD, BODY, ANSWER = 20.0, 61.0, 62.0
"""Seconds, each of another length, so that a test can tell for what a connection waits."""
_KEEPALIVE = 20.0
"""Seconds after which uvicorn asks a socket whether it is there."""


@BOTH_LOOPS
@pytest.mark.parametrize("begun", [b"", HEALTH[:20]])
async def test_a_head_that_does_not_come_is_not_waited_for(tmp_path: Path, begun: bytes) -> None:
    async with world(tmp_path, head=HEAD) as at:
        line = await at.open(begun)
        await at.late(HEAD)
        assert (await line.rest()).startswith(b"HTTP/1.1 408")
        after = await at.open(HEALTH)
        assert b" 200 " in await after.answer()
        after.send(HEALTH[:20])
        await at.late(HEAD)
        assert (await after.rest()).startswith(b"HTTP/1.1 408")


@BOTH_LOOPS
async def test_a_head_that_trickles_wins_no_time_by_that(tmp_path: Path) -> None:
    async with world(tmp_path, head=HEAD) as at:
        line = await at.open()
        for byte in HEALTH[:4]:
            line.send(bytes([byte]))
            assert await at.is_served() and not line.received
            at.clock.advance(HEAD / 4)
        assert (await line.rest()).startswith(b"HTTP/1.1 408")


@BOTH_LOOPS
async def test_a_body_that_does_not_come_is_not_waited_for(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with world(tmp_path, head=HEAD, body=BODY) as at:
        line = await at.open(HALF_A_BODY)
        await at.late(BODY)
        assert (await line.rest()).startswith(b"HTTP/1.1 408")
        assert await at.is_served()
    assert "Traceback" not in caplog.text


@BOTH_LOOPS
async def test_an_answer_that_nobody_fetches_is_not_kept(tmp_path: Path) -> None:
    ask = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
    async with world(tmp_path, answer=ANSWER) as at:
        with socket.create_connection(("127.0.0.1", at.live.site.settings.port)) as line:
            line.settimeout(0)
            async with asyncio.timeout(PATIENCE):
                await asyncio.get_running_loop().sock_sendall(line, ask * 300)
                await at.late(ANSWER)
            await eventually(lambda: not at.caps.count)


@BOTH_LOOPS
async def test_one_address_has_so_many_connections_and_gets_them_back(tmp_path: Path) -> None:
    async with world(tmp_path, of_one=3) as at:
        held = [await at.open(HEALTH[:20]) for _ in range(3)]
        assert b" 503 " in (refused := await (await at.open(HEALTH)).rest())
        assert b'"code":"unavailable"' in refused
        for line in held:
            await line.close()
        await eventually(lambda: not at.caps.count)
        assert await at.is_served()


async def test_all_together_have_so_many_connections(tmp_path: Path) -> None:
    async with world(tmp_path, of_one=0, of_all=2) as at:
        for _ in range(2):
            await at.open(HEALTH[:20])
        assert b" 503 " in await (await at.open(HEALTH)).rest()


@BOTH_LOOPS
async def test_sockets_count_as_connections_and_are_not_ended_by_the_time_of_a_head(tmp_path: Path) -> None:
    async with world(tmp_path, of_one=4, head=HEAD) as at:
        browser = await at.live.browser()
        match = await browser.match("tavla.p1.dice-typed", {"kind": "hotseat"})
        await browser.http.aclose()
        await eventually(lambda: not at.caps.count)
        async with AsyncExitStack() as stack:
            sockets = [await stack.enter_async_context(browser.socket(match)) for _ in range(4)]
            assert b" 503 " in await (await at.open(HEALTH)).rest()
            at.clock.advance(2 * HEAD)
            for each in sockets:
                await (await each.ping())
        await eventually(lambda: not at.caps.count)
        assert await at.is_served()


def test_a_proxy_is_many_people() -> None:
    app = FastAPI()
    is_proxy = _proxies(app, "10.0.0.1, 192.168.0.0/24,fd00::/8, unix")
    assert all(map(is_proxy, ("10.0.0.1", "192.168.0.7", "fd00::1", "unix")))
    assert not any(map(is_proxy, ("10.0.0.2", "192.168.1.7", "", "2001:db8::1")))
    assert _proxies(app, "*")("203.0.113.9") and not _proxies(app, "")("203.0.113.9")
    caps = Caps(of_one=1, is_proxy=is_proxy)
    assert [caps.enter("10.0.0.1") for _ in range(3)] == ["10.0.0.1"] * 3
    assert [caps.enter(host) for host in ("2001:db8::1", "2001:db8::2")] == ["2001:db8::", None]
    caps.leave("2001:db8::")
    assert caps.enter("2001:db8::2") is not None


def test_the_bounds_of_a_site_are_those_that_are_told() -> None:
    assert (Caps().head, Caps().body) == (20.0, 60.0)


@BOTH_LOOPS
async def test_only_a_socket_that_is_silent_is_asked_whether_it_is_there(tmp_path: Path) -> None:
    async with world(tmp_path) as at:
        match = await (await at.live.browser()).match("tavla.p1.dice-typed", {"kind": "hotseat"})
        line = await at.open(
            f"GET /ws/match/{match} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        await eventually(lambda: b'"t":"presence"' in line.received)
        at.clock.advance(_KEEPALIVE - 1)
        line.send(b'\x81\x8c\0\0\0\0{"t":"ping"}')
        await eventually(lambda: b'"t":"pong"' in line.received)
        line.received.clear()
        at.clock.advance(_KEEPALIVE - 1)
        assert await at.is_served() and not line.received
        at.clock.advance(1)
        await eventually(lambda: line.received.startswith(b"\x89"))
