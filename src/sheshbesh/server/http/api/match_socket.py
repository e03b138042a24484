"""The socket of a match."""

from __future__ import annotations

import asyncio
import contextlib

from sqlalchemy import select
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from sheshbesh.i18n import Text
from sheshbesh.server.http.api.sockets import Visitor, greet, notified, send_away
from sheshbesh.server.http.request_limits import address
from sheshbesh.server.matches.line import FLOODED, GONE
from sheshbesh.server.matches.messages import LONGEST, PONG, Note
from sheshbesh.server.matches.room import Room
from sheshbesh.server.matches.socket import Connection
from sheshbesh.server.matches.store import OPEN
from sheshbesh.server.matches.viewer import Viewer
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import Site, site_of
from sheshbesh.server.storage.tables import matches
from sheshbesh.session import Phase


async def match_socket(socket: WebSocket) -> None:
    """Play or watch a match; `v` in the address is the last event that the page has seen."""
    site = site_of(socket)
    visitor = await greet(socket)
    if visitor is None:
        return
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(site.limits.boards(visitor.user, address(socket)))
        except Failure as failure:
            await send_away(socket, FLOODED, failure.code, failure.detail)
        else:
            await _attend(site, socket, visitor)


async def _attend(site: Site, socket: WebSocket, visitor: Visitor) -> None:
    room = await _room(site, socket, visitor)
    if room is None:
        return None
    sides = room.table.sides_of(visitor.user)
    if room.table.private and not sides:
        return await send_away(socket, GONE, "private", Text("this match is private"))
    seen = socket.query_params.get("v", "")
    v = int(seen) if seen.isdecimal() and len(seen) < 10 else None
    viewer = Viewer(visitor.user, sides, visitor.lang)

    async def told() -> list[str]:
        """What is to be known beside the state: the talk so far, and who would play once more."""
        said = await site.play.chat.recent(room.id)
        return said + (await site.play.rematches.frames(room.id) if room.session.phase is Phase.OVER else [])

    with notified(site, visitor.person, viewer.send, viewer.cut, match=room.id):
        connection = Connection(
            socket, room, viewer, site.limits.messages(), site.play.chat, site.limits.is_restless
        )
        return await connection.run(v, told)


async def _room(site: Site, socket: WebSocket, visitor: Visitor) -> Room | None:
    """The match's room; one that waits for its second player is waited for. None for who is gone."""
    match, who = socket.path_params["match"], visitor.user or address(socket)
    try:
        room = await site.play.registry.room(match)
        while room is None and await _is_open(site, match):
            with site.play.registry.waiting.at(match, who) as begun:
                room = await site.play.registry.room(match)  # it may just have begun
                if room is None and not await _wait(site, socket, visitor, begun):
                    return None
            room = room or await site.play.registry.room(match)
    except Failure as failure:
        code = FLOODED if failure.status_code == 429 else GONE
        await send_away(socket, code, failure.code, failure.detail)
        return None
    if room is None:
        await send_away(socket, GONE, "not_found", Text("there is no such match"))
    return room


async def _is_open(site: Site, match: str) -> bool:
    waiting = select(matches.c.id).where(matches.c.id == match, matches.c.state == OPEN)
    return await site.database.first(waiting) is not None


async def _wait(site: Site, socket: WebSocket, visitor: Visitor, begun: asyncio.Event) -> bool:
    """Wait for the second player; whether the first one is still connected by then."""
    ended = asyncio.Event()
    tasks = [asyncio.create_task(work) for work in (begun.wait(), ended.wait(), _talk(site, socket))]
    try:
        with site.people.connections.open(visitor.person, ended.set):
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if begun.is_set() and not ended.is_set():
        return True
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.close()
    return False


async def _talk(site: Site, socket: WebSocket) -> None:
    """Say that one waits, and answer whatever comes, until the socket says more than there is to say."""
    bucket = site.limits.messages()
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(Note("waiting").to_text())
        while len(await socket.receive_text()) <= LONGEST and not bucket.take():
            await socket.send_text(PONG)


ROUTES = [WebSocketRoute("/ws/match/{match}", match_socket)]
