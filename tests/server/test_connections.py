"""Connections that are held, slow, or too many, on a running server without a proxy."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from pathlib import Path
from typing import ClassVar

import pytest
from fastapi import FastAPI

from sheshbesh.server.http.connections import Caps
from sheshbesh.server.http.serving import _proxies
from tests.server.live import Live, live_site

pytestmark = pytest.mark.anyio

BOTH_LOOPS = pytest.mark.parametrize(
    "anyio_backend", [("asyncio", {"use_uvloop": True}), ("asyncio", {"use_uvloop": False})]
)
PATIENCE = 20
SOON = 0.4
"""Seconds, in place of those that requests have on a real site."""
NEVER = 600.0


@asynccontextmanager
async def site(tmp_path: Path, **caps: float) -> AsyncIterator[Live]:
    async with live_site(f"sqlite:///{tmp_path}/s.db", caps=Caps(**caps)) as live:  # type: ignore[arg-type]
        try:
            yield live
        finally:
            for line in Line.opened:
                line.writer.close()
                with suppress(ConnectionError):
                    await line.writer.wait_closed()
            Line.opened.clear()


class Line:
    """A bare connection."""

    opened: ClassVar[list[Line]] = []

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, live: Live, data: bytes = b"") -> Line:
        line = cls(*await asyncio.open_connection("127.0.0.1", live.site.settings.port))
        cls.opened.append(line)
        await line.send(data)
        return line

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        with suppress(ConnectionError):
            await self.writer.drain()

    async def rest(self) -> bytes:
        """What comes until the server closes it, or breaks it off over bytes that it has not read."""
        found = bytearray()
        with closing(self.writer), suppress(ConnectionError):
            async with asyncio.timeout(PATIENCE):
                while block := await self.reader.read(1 << 16):
                    found += block
        # A line that was broken off gives nothing more, not even what had come before.
        return bytes(found + self.reader._buffer)  # type: ignore[attr-defined]

    async def answer(self) -> bytes:
        """The head of an answer that leaves the connection open."""
        async with asyncio.timeout(PATIENCE):
            head = await self.reader.readuntil(b"\r\n\r\n")
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
            await self.reader.readexactly(int(length.split(b":")[1]))
            return head


HEALTH = b"GET /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n"
HALF_A_BODY = (
    b"POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"
)


@BOTH_LOOPS
@pytest.mark.parametrize("begun", [b"", HEALTH[:20]])
async def test_a_head_that_does_not_come_is_not_waited_for(tmp_path: Path, begun: bytes) -> None:
    async with site(tmp_path, head=SOON, body=NEVER) as live:
        assert (await (await Line.open(live, begun)).rest()).startswith(b"HTTP/1.1 408")
        after = await Line.open(live, HEALTH)
        assert b" 200 " in await after.answer()
        await after.send(HEALTH[:20])
        assert (await after.rest()).startswith(b"HTTP/1.1 408")


@BOTH_LOOPS
async def test_a_head_that_trickles_wins_no_time_by_that(tmp_path: Path) -> None:
    async with site(tmp_path, head=SOON, body=NEVER) as live:
        line = await Line.open(live)

        async def trickle() -> None:
            for byte in HEALTH[:-1]:
                await line.send(bytes([byte]))
                await asyncio.sleep(SOON / 4)

        trickling = asyncio.create_task(trickle())
        try:
            assert (await line.rest()).startswith(b"HTTP/1.1 408")
        finally:
            trickling.cancel()


@BOTH_LOOPS
async def test_a_body_that_does_not_come_is_not_waited_for(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with site(tmp_path, head=NEVER, body=SOON) as live:
        assert (await (await Line.open(live, HALF_A_BODY)).rest()).startswith(b"HTTP/1.1 408")
        assert b" 200 " in await (await Line.open(live, HEALTH)).answer()
    assert "Traceback" not in caplog.text


@BOTH_LOOPS
async def test_an_answer_that_nobody_fetches_is_not_kept(tmp_path: Path) -> None:
    caps, ask = Caps(answer=SOON), b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
    async with live_site(f"sqlite:///{tmp_path}/s.db", caps=caps) as live:
        with socket.create_connection(("127.0.0.1", live.site.settings.port)) as line:
            line.settimeout(0)
            async with asyncio.timeout(2 * PATIENCE):
                await asyncio.get_running_loop().sock_sendall(line, ask * 300)
                while caps.count:
                    await asyncio.sleep(0.05)


@BOTH_LOOPS
async def test_one_address_has_so_many_connections_and_gets_them_back(tmp_path: Path) -> None:
    async with site(tmp_path, of_one=3) as live:
        held = [await Line.open(live, HEALTH[:20]) for _ in range(3)]
        assert b" 503 " in (refused := await (await Line.open(live, HEALTH)).rest())
        assert b'"code":"unavailable"' in refused
        for line in held:
            line.writer.close()
        await asyncio.sleep(0.1)
        assert b" 200 " in await (await Line.open(live, HEALTH)).answer()


async def test_all_together_have_so_many_connections(tmp_path: Path) -> None:
    async with site(tmp_path, of_one=0, of_all=2) as live:
        held = [await Line.open(live, HEALTH[:20]) for _ in range(2)]
        assert b" 503 " in await (await Line.open(live, HEALTH)).rest()
        for line in held:
            line.writer.close()


@BOTH_LOOPS
async def test_sockets_count_as_connections_and_are_not_ended_by_the_time_of_a_head(tmp_path: Path) -> None:
    async with site(tmp_path, of_one=4, head=SOON) as live:
        browser = await live.browser()
        match = await browser.match("tavla.p1.dice-typed", {"kind": "hotseat"})
        await browser.http.aclose()
        async with AsyncExitStack() as stack:
            sockets = [await stack.enter_async_context(browser.socket(match)) for _ in range(4)]
            assert b" 503 " in await (await Line.open(live, HEALTH)).rest()
            await asyncio.sleep(SOON * 2)
            for each in sockets:
                await each.ping()
        await asyncio.sleep(0.1)
        assert b" 200 " in await (await Line.open(live, HEALTH)).answer()


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
