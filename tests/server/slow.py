"""A slow line: everything that goes through it arrives later, both ways."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay: float) -> None:
    loop = asyncio.get_running_loop()
    late: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

    async def write() -> None:
        while True:
            due, data = await late.get()
            await asyncio.sleep(due - loop.time())
            if not data:
                break
            writer.write(data)
        writer.close()

    writing = asyncio.create_task(write())
    with suppress(ConnectionError):
        while data := await reader.read(65536):
            late.put_nowait((loop.time() + delay, data))
    late.put_nowait((loop.time() + delay, b""))
    await writing


@asynccontextmanager
async def slow_line(port: int, delay: float) -> AsyncIterator[int]:
    """A port behind which that other port is, `delay` seconds away each way."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            there, back = await asyncio.open_connection("127.0.0.1", port)
            await asyncio.gather(_pass_on(reader, back, delay), _pass_on(there, writer, delay))

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
