"""The socket of a match."""

from __future__ import annotations

import asyncio
import contextlib

from sqlalchemy import select
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from sheshbesh.i18n import Text, choose, translate
from sheshbesh.server.failure import Failure
from sheshbesh.server.limits import address
from sheshbesh.server.messages import PONG, Note
from sheshbesh.server.people.identity import find_person
from sheshbesh.server.rooms.room import Room
from sheshbesh.server.rooms.socket import FLOODED, GONE, Connection
from sheshbesh.server.rooms.viewer import Viewer
from sheshbesh.server.site import Site, site_of
from sheshbesh.server.storage.tables import matches

_STRANGER = 4401


async def match_socket(socket: WebSocket) -> None:
    """Play or watch a match; `v` in the address is the last event that the page has seen."""
    site = site_of(socket)
    await socket.accept()
    try:
        site.limits.sockets.check(address(socket))
        person = await find_person(socket)
    except Failure as failure:
        code = FLOODED if failure.status_code == 429 else _STRANGER
        return await _refuse(socket, code, failure.code, failure.detail)
    room = await _room(site, socket)
    if room is None:
        return None
    user = person.id if person is not None else None
    sides = room.table.sides_of(user)
    if room.table.private and not sides:
        return await _refuse(socket, GONE, "private", Text("this match is private"))
    lang = socket.query_params.get("lang") or choose(socket.headers.get("accept-language", ""))
    seen = socket.query_params.get("v", "")
    v = int(seen) if seen.isdecimal() and len(seen) < 10 else None
    viewer = Viewer(user, sides, lang)
    said = await site.talk.recent(room.id)
    with site.presence.here(user):
        return await Connection(socket, room, viewer, site.limits.messages(), site.talk).run(v, said)


async def _room(site: Site, socket: WebSocket) -> Room | None:
    """The match's room; one that waits for its second player is waited for."""
    match = socket.path_params["match"]
    room = await site.hall.room(match)
    if room is not None:
        return room
    waiting = await site.database.first(select(matches.c.state).where(matches.c.id == match))
    if waiting is None:
        await _refuse(socket, GONE, "not_found", Text("there is no such match"))
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


async def _refuse(socket: WebSocket, code: int, name: str, text: str) -> None:
    lang = socket.query_params.get("lang") or choose(socket.headers.get("accept-language", ""))
    text = translate(text, lang)
    await socket.send_text(Note("error", {"code": name, "text": text}).to_text())
    await socket.close(code)


ROUTES = [WebSocketRoute("/ws/match/{match}", match_socket)]
