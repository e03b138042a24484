"""The line to one page: frames that wait are written, messages are read, and what is no message ends it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from sheshbesh.errors import ProtocolError
from sheshbesh.i18n import translate
from sheshbesh.rules import Refusal, Refused
from sheshbesh.rules.citing import cited
from sheshbesh.server.limits import Bucket
from sheshbesh.server.tables import wire
from sheshbesh.server.tables.line import Viewer
from sheshbesh.server.tables.wire import Ack, Note

log = logging.getLogger(__name__)

UNREADABLE, FLOODED, GONE = 4400, 4429, 4404
"""Codes with which a socket is closed: bad messages, too many of them, no such table."""


Restlessness = Callable[[str, str], bool]
"""Whether somebody takes this type of action more often than people do; see `Limits.is_restless`."""


def as_often_as_wanted(_who: str, _kind: str) -> bool:
    """Nobody takes an action too often."""
    return False


class SocketConnection(ABC):
    """One viewer's socket, from connecting to leaving; `parse` reads what comes."""

    parse: Callable[[str], wire.FromClient] = staticmethod(wire.parse)

    def __init__(self, socket: WebSocket, viewer: Viewer, bucket: Bucket) -> None:
        self._socket = socket
        self._viewer = viewer
        self._bucket = bucket
        self._goodbye = False

    @abstractmethod
    async def _take(self, message: wire.FromClient) -> None:
        """Do what a message asks for."""

    @abstractmethod
    def _leave(self) -> None:
        """The socket is closed."""

    async def _serve(self) -> None:
        """Write and read until either side leaves."""
        writer = asyncio.create_task(self._write())
        try:
            await self._read()
        except (WebSocketDisconnect, RuntimeError):  # RuntimeError: closed while it was waited for
            pass
        finally:
            self._leave()
            self._viewer.cut()
            with contextlib.suppress(asyncio.CancelledError):
                await writer

    async def _write(self) -> None:
        while (frame := await self._viewer.outbox.get()) is not None:
            try:
                await self._socket.send_text(frame)
            except (WebSocketDisconnect, RuntimeError):
                return
        await self._close(1000)

    async def _close(self, code: int) -> None:
        if self._socket.application_state is WebSocketState.CONNECTED:
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await self._socket.close(code)

    async def _read(self) -> None:
        while True:
            text = await self._socket.receive_text()
            if self._viewer.is_cut:
                return None
            self._viewer.mark_alive()
            if self._bucket.take():
                return await self._fail(FLOODED, "flood", "too many messages")
            if len(text.encode()) > wire.LONGEST:
                return await self._fail(UNREADABLE, "size", f"a message has at most {wire.LONGEST} bytes")
            try:
                message = self.parse(text)
            except ProtocolError as error:
                return await self._fail(UNREADABLE, "message", str(error))
            if isinstance(message, wire.Bye):
                self._goodbye = True
                return None
            await self._refusing(getattr(message, "ref", ""), self._take(message))

    async def _fail(self, code: int, name: str, text: str) -> None:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await self._socket.send_text(Note("error", {"code": name, "text": text}).to_text())
        await self._close(code)

    async def _pong(self, *, measures: bool) -> None:
        """Answer a ping, and have a player's line measured by what comes back."""
        # Overtakes what waits in the outbox, and spares the writer: of all messages these are most.
        echo = self._viewer.latency.next_ping() if measures else None
        await self._socket.send_text(wire.pong(echo))

    async def _refusing(self, ref: str, work: Awaitable[None]) -> None:
        """Do what a message asks for; where that is refused, its sender is told so."""
        try:
            await work
        except Refused as refused:
            self._answer(ref, refused.refusal)

    async def _stored(self, acting: Awaitable[None], table: str) -> None:
        """Wait until an action is stored."""
        try:
            await acting
        except Refused:
            raise
        except Exception:
            log.exception("table %s: an action could not be stored", table)
            raise Refused.of("wire.busy") from None

    def _answer(self, ref: str, outcome: Refusal | None) -> None:
        spoken = self._spoken(outcome)
        self._viewer.send((Ack(ref) if spoken is None else wire.Refused(ref, spoken)).to_text())

    def _spoken(self, refusal: Refusal | None) -> Refusal | None:
        """A refusal in the viewer's language."""
        if refusal is None:
            return None
        lang = self._viewer.lang
        source = translate(cited(refusal.source), lang) if refusal.source else None
        return Refusal(refusal.rule, source, translate(refusal.text, lang))
