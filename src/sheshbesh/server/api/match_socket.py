"""The socket of a match."""

from __future__ import annotations

import asyncio
import contextlib

from sqlalchemy import select
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from sheshbesh.i18n import Text
from sheshbesh.server.api.sockets import at_hand, greet, send_away
from sheshbesh.server.messages import PONG, Note
from sheshbesh.server.rooms.room import Room
from sheshbesh.server.rooms.socket import GONE, Connection
from sheshbesh.server.rooms.viewer import Viewer
from sheshbesh.server.site import Site, site_of
from sheshbesh.server.storage.tables import matches
from sheshbesh.session import Phase


async def match_socket(socket: WebSocket) -> None:
    """Play or watch a match; `v` in the address is the last event that the page has seen."""
    site = site_of(socket)
    visitor = await greet(socket)
    room = await _room(site, socket) if visitor is not None else None
    if visitor is None or room is None:
        return None
    sides = room.table.sides_of(visitor.user)
    if room.table.private and not sides:
        return await send_away(socket, GONE, "private", Text("this match is private"))
    seen = socket.query_params.get("v", "")
    v = int(seen) if seen.isdecimal() and len(seen) < 10 else None
    viewer = Viewer(visitor.user, sides, visitor.lang)

    async def told() -> list[str]:
        """What is to be known beside the state: the talk so far, and who would play once more."""
        said = await site.talk.recent(room.id)
        return said + (await site.rematches.frames(room.id) if room.session.phase is Phase.OVER else [])

    with at_hand(site, visitor.user, viewer.send):
        return await Connection(socket, room, viewer, site.limits.messages(), site.talk).run(v, told)


async def _room(site: Site, socket: WebSocket) -> Room | None:
    """The match's room; one that waits for its second player is waited for."""
    match = socket.path_params["match"]
    room = await site.hall.room(match)
    if room is not None:
        return room
    waiting = await site.database.first(select(matches.c.state).where(matches.c.id == match))
    if waiting is None:
        await send_away(socket, GONE, "not_found", Text("there is no such match"))
        return None
    await socket.send_text(Note("waiting").to_text())
    begun = asyncio.create_task(site.hall.until_begun(match))
    alive = asyncio.create_task(_stay_alive(socket))
    try:
        if (room := await site.hall.room(match)) is not None:
            return room  # it began in the moment before the waiting
        await asyncio.wait((begun, alive), return_when=asyncio.FIRST_COMPLETED)
        return None if alive.done() else await site.hall.room(match)
    finally:
        for task in (begun, alive):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


async def _stay_alive(socket: WebSocket) -> None:
    """Answer whatever comes, until the socket is closed."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while True:
            await socket.receive_text()
            await socket.send_text(PONG)


ROUTES = [WebSocketRoute("/ws/match/{match}", match_socket)]
