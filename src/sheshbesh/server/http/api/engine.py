"""Workers on other hosts: which processes the site has, and the line of a worker to this one."""

from __future__ import annotations

import asyncio
import hmac
import logging
from typing import Any

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from sheshbesh import __version__
from sheshbesh.errors import ProtocolError
from sheshbesh.server.engine import remote
from sheshbesh.server.http.request_limits import address
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import Site, site_of
from sheshbesh.server.tables.socket import FLOODED

router = APIRouter(tags=["site"], include_in_schema=False)

log = logging.getLogger(__name__)


def _knows(site: Site, key: str) -> bool:
    wanted = site.settings.worker_key
    return bool(wanted) and hmac.compare_digest(key.encode(), wanted.encode())


@router.get("/engine/processes")
async def processes(request: Request) -> dict[str, Any]:
    """The addresses of the site's processes, null for those that have none; 404 without the key."""
    site, (kind, _, key) = site_of(request), request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not _knows(site, key.strip()):
        raise HTTPException(404, "there is no such page")
    return {"version": __version__, "processes": await site.presence.addresses()}


async def line(socket: WebSocket) -> None:
    """Serve the line of a worker until either side leaves, or it is silent."""
    site = site_of(socket)
    await socket.accept()
    try:
        site.limits.sockets.check(address(socket))
        hello = remote.read_hello(await _received(site, socket))
        if not _knows(site, hello.key):
            await socket.close(remote.WRONG_KEY, "this site does not know the key of this worker")
        elif hello.version != __version__:
            await socket.close(remote.WRONG_VERSION, f"this site has version {__version__}")
        else:
            await _serve(site, socket, hello)
    except Failure as failure:
        await socket.close(FLOODED, failure.code)
    except ProtocolError as error:
        log.warning("the line of a worker is closed: %s", error)
        await socket.close(remote.UNREADABLE, str(error)[:100])
    except TimeoutError:
        await socket.close(remote.SILENCE, "nothing was heard")
    except WebSocketDisconnect:
        pass


async def _received(site: Site, socket: WebSocket) -> str:
    async with site.engines.clock.timeout(remote.SILENT):
        return await socket.receive_text()


async def _serve(site: Site, socket: WebSocket, hello: remote.Hello) -> None:
    frames: asyncio.Queue[str] = asyncio.Queue()

    async def write() -> None:
        while True:
            await socket.send_text(await frames.get())

    writing = asyncio.create_task(write())
    worker = remote.Line(site.engines.queue, hello, frames.put_nowait)
    site.engines.queue.add(worker)
    log.info("worker %s serves, with %d processes", worker.name, worker.slots)
    try:
        while True:
            worker.received(await _received(site, socket))
    finally:
        log.info("worker %s is gone", worker.name)
        worker.lost()
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)


ROUTES = [WebSocketRoute(remote.PATH, line)]
