"""The socket of a match."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from sheshbesh.i18n import Text
from sheshbesh.server.http.api.sockets import Visitor, greet, send_away
from sheshbesh.server.http.request_limits import address
from sheshbesh.server.limits import Bucket, Limits
from sheshbesh.server.lobby.notifications import Notifications
from sheshbesh.server.people.access import may_look
from sheshbesh.server.people.open_connections import OpenConnections
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import Play, site_of
from sheshbesh.server.storage import Database
from sheshbesh.server.tables.begin import find_open
from sheshbesh.server.tables.connection import FLOODED, GONE
from sheshbesh.server.tables.line import Viewer
from sheshbesh.server.tables.match import Match
from sheshbesh.server.tables.registry import MatchTables
from sheshbesh.server.tables.socket import MatchConnection
from sheshbesh.server.tables.wire import LONGEST, PONG, Note
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
            waiting = _Waiting(socket, visitor, site.people.connections, site.limits.messages())
            room = await _room(site.database, site.play.registry, waiting)
            if room is not None:
                await _serve(socket, visitor, room, site.play, site.limits, site.notifications)


async def _serve(
    socket: WebSocket,
    visitor: Visitor,
    room: Match,
    play: Play,
    limits: Limits,
    notifications: Notifications,
) -> None:
    """Serve a socket at a match until either side leaves; notifications of other matches are sent, too."""
    sides = room.agreement.names_of(visitor.user)
    seen = socket.query_params.get("v", "")
    v = int(seen) if seen.isdecimal() and len(seen) < 10 else None
    viewer = Viewer(visitor.user, sides, visitor.lang, clock=room.kind.clock)

    async def first_frames() -> list[str]:
        """What is sent besides the state: the chat so far, and who offers a rematch."""
        frames = await play.chat.recent(room.id)
        return frames + (await play.rematches.frames(room.id) if room.session.phase is Phase.OVER else [])

    with notifications.sent(visitor.person, viewer.send, viewer.cut, match=room.id):
        connection = MatchConnection(socket, room, viewer, limits.messages(), play.chat, limits.is_restless)
        return await connection.run(v, first_frames)


async def _room(database: Database, registry: MatchTables, page: _Waiting) -> Match | None:
    """The match's room, once its second player has come. None where there is none, which the page was sent,
    or where the page has gone."""
    socket = page.socket
    match, who = socket.path_params["match"], page.visitor.user or address(socket)
    try:
        room = await registry.room(match)
        while room is None and await _waits(database, match, page.visitor):
            with registry.waiting.at(match, who) as begun:
                room = await registry.room(match)  # it may just have begun
                if room is None and not await page.wait(begun):
                    return None
            room = room or await registry.room(match)
    except Failure as failure:
        code = FLOODED if failure.status_code == 429 else GONE
        await send_away(socket, code, failure.code, failure.detail)
        return None
    if room is None or not may_look(room.agreement, page.visitor.user):
        await send_away(socket, GONE, "not_found", Text("there is no such match"))
        return None
    return room


async def _waits(database: Database, match: str, visitor: Visitor) -> bool:
    """Whether a match that the visitor may look at waits for its second player."""
    table = await find_open(database, match)
    return table is not None and may_look(table, visitor.user)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """The socket of a page that may have to wait for the second player; `bucket` bounds its messages."""

    socket: WebSocket
    visitor: Visitor
    connections: OpenConnections
    bucket: Bucket

    async def wait(self, begun: asyncio.Event) -> bool:
        """Wait for the second player; whether the first one is still connected by then."""
        ended = asyncio.Event()
        tasks = [asyncio.create_task(work) for work in (begun.wait(), ended.wait(), self._answer())]
        try:
            with self.connections.open(self.visitor.person, ended.set):
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if begun.is_set() and not ended.is_set():
            return True
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await self.socket.close()
        return False

    async def _answer(self) -> None:
        """Say that the match waits, and answer each message by a pong, until the page closes or floods."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await self.socket.send_text(Note("waiting").to_text())
            while len(await self.socket.receive_text()) <= LONGEST and not self.bucket.take():
                await self.socket.send_text(PONG)


ROUTES = [WebSocketRoute("/ws/match/{match}", match_socket)]
