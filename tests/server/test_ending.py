"""`sheshbesh serve` on uvloop, told to end: whatever state it is in, it does, and says nothing of faults."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.server.live import Browser, client
from tests.server.test_connections import HALF_A_BODY, HEALTH
from tests.waiting import PATIENCE, eventually

pytestmark = pytest.mark.anyio

COMMAND = [str(Path(sys.executable).with_name("sheshbesh")), "serve", "--port", "0", "--engine-workers", "1"]


class Process:
    """A server as its user runs it."""

    def __init__(self, popen: subprocess.Popen[str], base: str) -> None:
        self.popen, self.base = popen, base
        self.port = int(base.rpartition(":")[2])

    async def end(self) -> str:
        """Tell it to end; what it said."""
        self.popen.send_signal(signal.SIGTERM)
        _, said = await asyncio.to_thread(self.popen.communicate, timeout=PATIENCE)
        return said

    def workers(self) -> list[int]:
        """Its processes that think."""
        found = subprocess.run(
            ["pgrep", "-P", str(self.popen.pid), "-f", "sheshbesh engine"],
            capture_output=True,
            text=True,
            check=False,
        )
        return [int(pid) for pid in found.stdout.split()]

    async def until_workers(self, *, without: int = 0) -> int:
        """Wait for one that is not `without`, and is ready; its id."""
        async with client(self.base) as stranger:

            async def ready() -> list[int]:
                pids = [pid for pid in self.workers() if pid != without]
                return pids if (await stranger.get("/api/v1/ready")).status_code == 200 else []

            return int((await eventually(ready))[0])


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[Process]:
    command = [*COMMAND, "--database", f"sqlite:///{folder}/site.db"]
    environment = {**os.environ, "SHESHBESH_ENGINE_PACE": "0"}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as popen:
        try:
            assert popen.stdout is not None
            first = await asyncio.to_thread(popen.stdout.readline)
            yield Process(popen, first.split()[3])
        finally:
            popen.kill()


async def test_open_lines_and_dead_workers_do_not_keep_it(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        first = await server.until_workers()
        os.kill(first, signal.SIGKILL)
        second = await server.until_workers(without=first)
        browser = await Browser(server.base).guest()
        match = await browser.match("tavla.p1.dice-typed", {"kind": "engine", "level": "beginner"})
        held = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(3)]
        for (_, writer), begun in zip(held, (b"", HEALTH[:20], HALF_A_BODY), strict=True):
            writer.write(begun)
        async with browser.socket(match) as socket:
            await socket.recv()
            os.kill(second, signal.SIGKILL)
            said = await server.end()
        for _, writer in held:
            writer.close()
        await browser.http.aclose()
    assert "an engine's process is replaced" in said
    assert "Traceback" not in said and "shutdown failed" not in said, said


STUCK = """
import asyncio, contextlib, sys
from fastapi import FastAPI
from sheshbesh.server.http import serving
from sheshbesh.server.settings import Settings

@contextlib.asynccontextmanager
async def for_ever(app):
    yield
    await asyncio.Event().wait()

serving._END = 1.0
config = serving.make_config(FastAPI(lifespan=for_ever), Settings())
config.port = 0

class Server(serving.Server):
    async def startup(self, sockets=None):
        await super().startup(sockets)
        print("up", flush=True)

Server(config).run()
"""


async def test_what_never_ends_by_itself_is_ended() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STUCK], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as popen:
        try:
            assert popen.stdout is not None
            assert await asyncio.to_thread(popen.stdout.readline) == "up\n"
            popen.send_signal(signal.SIGTERM)
            _, said = await asyncio.to_thread(popen.communicate, timeout=PATIENCE)
        finally:
            popen.kill()
    assert popen.returncode == 128 + signal.SIGTERM
    assert "is ended" in said
