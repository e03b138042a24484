"""The sockets of tables, and what all sockets of the page share: recognising the visitor, and refusal."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from sheshbesh.i18n import Text, translate
from sheshbesh.server.http.errors import STRANGER, end, language
from sheshbesh.server.http.identity import find_person
from sheshbesh.server.http.request_limits import address
from sheshbesh.server.limits import Bucket
from sheshbesh.server.people.access import may_look
from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import Site, site_of
from sheshbesh.server.tables.begin import find_open
from sheshbesh.server.tables.chat import Chat
from sheshbesh.server.tables.line import Line
from sheshbesh.server.tables.match import Match
from sheshbesh.server.tables.socket import FLOODED, GONE, TableSocket
from sheshbesh.server.tables.table import Table
from sheshbesh.server.tables.wire import LONGEST, PONG, Note

_PING = 200
"""Characters of a message of a page that only listens."""
_NO_MATCH = Text("there is no such match")
_NO_CHOUETTE = Text("there is no such chouette, or it has not begun")


class Visitor(NamedTuple):
    """The visitor who has connected (None for a stranger), and the language of their messages."""

    person: Person | None
    lang: str

    @property
    def user(self) -> str | None:
        """Their id."""
        return self.person.id if self.person is not None else None


async def greet(socket: WebSocket) -> Visitor | None:
    """Accept a socket and see who comes; None for one that was sent the reason for a refusal, and closed."""
    site = site_of(socket)
    await socket.accept()
    try:
        site.limits.sockets.check(address(socket))
        person = await find_person(socket)
    except Failure as failure:
        code = FLOODED if failure.status_code == 429 else STRANGER
        await send_away(socket, code, failure.code, failure.detail)
        return None
    return Visitor(person, language(socket))


async def send_away(socket: WebSocket, code: int, name: str, text: str) -> None:
    """Send the reason for a refusal, and close. `code` is that of the socket, `name` is for programs."""
    await end(socket, code, {"code": name, "text": translate(text, language(socket))})


async def pings(socket: WebSocket, bucket: Bucket) -> AsyncIterator[None]:
    """Yield for each message of a page that only listens; one that says too much is closed."""
    while len(await socket.receive_text()) <= _PING and not bucket.take():
        yield
    await socket.close(FLOODED)


async def match_socket(socket: WebSocket) -> None:
    """Play or watch a match, or wait for its second player.

    `v` in the address is the last event seen; with `look` players watch their own match, and are no more
    present than a spectator.
    """
    site, key = site_of(socket), socket.path_params["match"]

    async def frames(table: Match) -> list[str]:
        """Return the chat so far, and who offers a rematch."""
        found = await site.chat.recent(key)
        return found + (await site.rematches.frames(key) if table.state.is_over else [])

    await _serve(
        socket,
        site,
        site.chat,
        lambda visitor: _match(site, _Waiting(socket, visitor, site)),
        frames,
        _NO_MATCH,
    )


async def chouette_socket(socket: WebSocket) -> None:
    """Play or watch a chouette; `v` in the address is the last event that the page has seen."""
    site, key = site_of(socket), socket.path_params["chouette"]
    chat = site.chouette_chat
    await _serve(
        socket,
        site,
        chat,
        lambda _visitor: site.chouettes.get(key),
        lambda _table: chat.recent(key),
        _NO_CHOUETTE,
    )


async def _serve(
    socket: WebSocket,
    site: Site,
    chat: Chat,
    find: Callable[[Visitor], Awaitable[Table[Any, Any, Any] | None]],
    frames: Callable[[Any], Awaitable[list[str]]],
    missing: str,
) -> None:
    """Serve a socket at the table that is found, until either side leaves; `frames` are sent after the state.

    Notifications of other matches are sent, too.
    """
    visitor = await greet(socket)
    if visitor is None:
        return None
    try:
        with site.limits.boards(visitor.user, address(socket)):
            table = await find(visitor)
            if table is None or not may_look(table.agreement, visitor.user):
                return await send_away(socket, GONE, "not_found", missing)
            seen = socket.query_params.get("v", "")
            v = int(seen) if seen.isdecimal() and len(seen) < 10 else None
            seated = None if "look" in socket.query_params else visitor.user
            has_core, retries = (socket.query_params.get(name) == "1" for name in ("core", "retry"))
            line = Line(seated, lang=visitor.lang, has_core=has_core, retries=retries, clock=table.kind.clock)
            with site.notifications.sent(visitor.person, line.send, line.cut, match=table.id):
                served = TableSocket(
                    socket, table, line, site.limits.messages(), chat, site.limits.exceeds_rate
                )
                return await served.run(v, lambda: frames(table))
    except _GoneError:
        return None
    except Failure as failure:
        code = FLOODED if failure.status_code == 429 else GONE
        return await send_away(socket, code, failure.code, failure.detail)


class _GoneError(Exception):
    """The page has gone while it waited for a second player."""


async def _match(site: Site, page: _Waiting) -> Match | None:
    """Return a match, once its second player has come; None where there is none."""
    match, who = page.socket.path_params["match"], page.visitor.user or address(page.socket)
    agreed = await site.matches.agreement(match)
    if agreed is not None and not may_look(agreed, page.visitor.user):
        return None  # before it is loaded: it may be damaged, which is its players' business
    table = await site.matches.get(match, agreed)
    while table is None and await _waits(site, match, page.visitor):
        with site.matches.waiting.at(match, who) as begun:
            table = await site.matches.get(match)  # it may just have begun
            if table is None:
                await page.wait(begun)
        table = table or await site.matches.get(match)
    return table


async def _waits(site: Site, match: str, visitor: Visitor) -> bool:
    """Tell whether a match that the visitor may look at waits for its second player."""
    table = await find_open(site.database, match)
    return table is not None and may_look(table, visitor.user)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """The socket of a page that may have to wait for the second player."""

    socket: WebSocket
    visitor: Visitor
    site: Site

    async def wait(self, begun: asyncio.Event) -> None:
        """Wait for the second player; _GoneError where the first one is not connected any more by then."""
        ended = asyncio.Event()
        tasks = [asyncio.create_task(work) for work in (begun.wait(), ended.wait(), self._answer())]
        try:
            with self.site.people.connections.open(self.visitor.person, ended.set):
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if begun.is_set() and not ended.is_set():
            return
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await self.socket.close()
        raise _GoneError

    async def _answer(self) -> None:
        """Say that the match waits, and answer each message by a pong, until the page closes or floods."""
        bucket = self.site.limits.messages()
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await self.socket.send_text(Note("waiting").to_text())
            while len(await self.socket.receive_text()) <= LONGEST and not bucket.take():
                await self.socket.send_text(PONG)


ROUTES = [
    WebSocketRoute("/ws/match/{match}", match_socket),
    WebSocketRoute("/ws/chouette/{chouette}", chouette_socket),
]
