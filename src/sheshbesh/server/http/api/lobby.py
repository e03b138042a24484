"""The lobby over HTTP and its socket."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from fastapi import APIRouter, Request
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from sheshbesh.server.http.api.bodies import Body, GivenCard, Words
from sheshbesh.server.http.api.sockets import greet, pings
from sheshbesh.server.http.identity import Challenger, MaybePerson
from sheshbesh.server.lobby.lobby import Lobby, LobbyViewer, shown_to
from sheshbesh.server.lobby.seeks import SeekTerms
from sheshbesh.server.people.person import Person
from sheshbesh.server.site import notify_players, site_of
from sheshbesh.server.tables.begin import read_card
from sheshbesh.server.tables.tables import MatchTables
from sheshbesh.server.tables.wire import PONG

router = APIRouter(tags=["lobby"])


class NewSeek(Body):
    """A match that one would play: a card's code or its fields, the side, and whether it counts."""

    card: GivenCard
    side: Words = "random"
    rated: bool = False

    @property
    def wish(self) -> SeekTerms:
        """The same, with the card read. Failure, MatchError or VariantError for one that is none."""
        return SeekTerms(read_card(self.card), self.side, self.rated)


@router.get("/lobby")
async def lobby(request: Request, person: MaybePerson) -> dict[str, Any]:
    """Seeks, live matches and counts, as the socket /ws/lobby sends them."""
    site = site_of(request)
    unseen = await site.people.social.unseen(person.id) if person is not None else frozenset()
    return shown_to(await site.lobby.snapshot(), unseen)


@router.post("/seeks")
async def seek(request: Request, person: Challenger, body: NewSeek) -> dict[str, Any]:
    """Offer to play anybody. The seek lasts while its maker is connected."""
    site = site_of(request)
    site.limits.seeks.check(person.id)
    made = await site.lobby.seeks.make(person, body.wish)
    site.lobby.changed()
    return {"id": made}


@router.delete("/seeks/{seek_id}")
async def withdraw(request: Request, person: Challenger, seek_id: str) -> dict[str, Any]:
    """Take a seek of one's own back."""
    site = site_of(request)
    await site.lobby.seeks.withdraw(person, seek_id)
    site.lobby.changed()
    return {}


@router.post("/seeks/{seek_id}/accept")
async def accept(request: Request, person: Challenger, seek_id: str) -> dict[str, Any]:
    """Play against who made a seek; the first one does."""
    site = site_of(request)
    site.limits.seeks.check(person.id)
    return await take(site.lobby, site.matches, person, seek_id, down=site.uptime.down)


async def take(lobby: Lobby, tables: MatchTables, person: Person, seek: str, *, down: int) -> dict[str, Any]:
    """Begin the match of a seek, or of a challenge; `down` is that of the site's uptime, in milliseconds."""
    table = await lobby.seeks.accept(person, seek, down=down)
    await tables.get(table.id)
    lobby.changed()
    notify_players(lobby, table, "match")
    return {"id": table.id, "url": f"/m/{table.id}"}


async def lobby_socket(socket: WebSocket) -> None:
    """Receive what concerns one: challenges, matches that begin. With `look=1` see the lobby too."""
    site = site_of(socket)
    visitor = await greet(socket)
    if visitor is None:
        return
    user = visitor.user
    viewer = LobbyViewer(user, await site.people.social.unseen(user) if user is not None else frozenset())
    with site.notifications.sent(visitor.person, viewer.send, viewer.cut):
        writer = asyncio.create_task(_write(socket, viewer))
        try:
            if socket.query_params.get("look") == "1":
                await site.lobby.enter(viewer)
            async for _ in pings(socket, site.limits.messages()):
                viewer.send(PONG)
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            site.lobby.leave(viewer)
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await writer


async def _write(socket: WebSocket, viewer: LobbyViewer) -> None:
    while (frames := await viewer.frames()) is not None:
        for frame in frames:
            await socket.send_text(frame)
    await socket.close()


ROUTES = [WebSocketRoute("/ws/lobby", lobby_socket)]
