"""The lobby over HTTP and its socket."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from sheshbesh.server.failure import Failure
from sheshbesh.server.limits import address
from sheshbesh.server.lobby.lobby import Looker
from sheshbesh.server.lobby.seeks import Wish
from sheshbesh.server.messages import PONG, Note, dump
from sheshbesh.server.people.identity import Challenger, find_person
from sheshbesh.server.rooms.arranging import read_card
from sheshbesh.server.site import site_of, tell_players

router = APIRouter(tags=["lobby"])

_FLOODED, _STRANGER = 4429, 4401
_LONGEST = 200
"""Characters of a message; there is little to say here."""


class NewSeek(BaseModel):
    """What one would play: a card's code or its fields, the side, and whether it counts."""

    model_config = ConfigDict(extra="forbid")

    card: str | dict[str, Any]
    side: str = "random"
    rated: bool = False


@router.get("/lobby")
async def lobby(request: Request) -> dict[str, Any]:
    """Seeks, live matches and counts, as the socket /ws/lobby sends them."""
    return await site_of(request).lobby.picture()


@router.post("/seeks")
async def seek(request: Request, person: Challenger, body: NewSeek) -> dict[str, Any]:
    """Offer to play whoever comes. The seek lasts while one is connected."""
    site = site_of(request)
    site.limits.seeks.check(person.id)
    wish = Wish(read_card(body.card), body.side, body.rated)
    made = await site.lobby.seeks.make(person, wish)
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
    table = await site.lobby.seeks.accept(person, seek_id, down=site.uptime.down)
    await site.hall.room(table.id)
    site.lobby.changed()
    tell_players(site.lobby, table, "match")
    return {"id": table.id, "url": f"/m/{table.id}"}


async def lobby_socket(socket: WebSocket) -> None:
    """Look at the lobby; be told when somebody has taken one's seek."""
    site = site_of(socket)
    await socket.accept()
    try:
        site.limits.sockets.check(address(socket))
        person = await find_person(socket)
    except Failure as failure:
        code = _FLOODED if failure.status_code == 429 else _STRANGER
        await socket.send_text(Note("error", {"code": failure.code, "text": failure.detail}).to_text())
        return await socket.close(code)
    user = person.id if person is not None else None
    looker = Looker(user, await site.social.unseen(user) if user is not None else frozenset())

    def concerned(news: Mapping[str, Any]) -> None:
        if news["what"] == "match":
            looker.tell(dump({"t": "match", "d": {"id": news["id"], "url": f"/m/{news['id']}"}}))

    leave = site.lobby.attend(user, concerned) if user is not None else None
    with site.presence.here(user):
        writer = asyncio.create_task(_write(socket, looker))
        try:
            await site.lobby.enter(looker)
            await _read(socket, site.limits.messages(), looker)
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            site.lobby.leave(looker)
            if leave is not None:
                leave()
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await writer
    return None


async def _read(socket: WebSocket, bucket: Any, looker: Looker) -> None:
    while True:
        text = await socket.receive_text()
        if bucket.take() or len(text) > _LONGEST:
            return await socket.close(_FLOODED)
        looker.tell(PONG)


async def _write(socket: WebSocket, looker: Looker) -> None:
    while True:
        for frame in await looker.frames():
            await socket.send_text(frame)


ROUTES = [WebSocketRoute("/ws/lobby", lobby_socket)]
