"""Limits on the number and the duration of connections, with or without a proxy in front.

uvicorn limits the size of a request's head and the idle time between two requests. It has no limit on the
time in which a head or a body arrives or an answer is read, and none for each address: those are here.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from weakref import proxy

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import Frame
from websockets.http11 import Request

from sheshbesh.server.http.request_limits import network
from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.tables.socket import CONNECTION

log = logging.getLogger(__name__)

_LONGEST_BEAT = 40
"""Bytes of a heartbeat or an echo at most."""


@dataclass(slots=True)
class Caps:
    """The limits; times in seconds, 0 for no limit on a number.

    `of_one` counts an IPv4 address or the network of an IPv6 one; `is_proxy` says of an address that its
    connections are many people's.
    """

    of_one: int = 512
    of_all: int = 20_000
    head: float = 20.0
    body: float = 60.0
    answer: float = 60.0
    is_proxy: Callable[[str], bool] = lambda _host: False
    clock: Clock = CLOCK
    _open: Counter[str] = field(default_factory=Counter)

    def enter(self, host: str) -> str | None:
        """Count a connection from there; what to give to `leave`, None where there are too many."""
        key = network(host)
        mine = 0 if self.is_proxy(host) else self.of_one
        if (mine and self._open[key] >= mine) or (self.of_all and self.count >= self.of_all):
            return None
        self._open[key] += 1
        return key

    @property
    def count(self) -> int:
        """Connections that are open."""
        return self._open.total()

    def leave(self, key: str) -> None:
        """A connection that was counted is closed."""
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]


_SHUTDOWN_GRACE = 2.0
"""Seconds in which an answer is sent to its end when the server ends."""


def _refusal(status: str, text: str, code: str) -> bytes:
    """An answer to a request that has not reached the application."""
    body = f'{{"error":{{"code":"{code}","text":"{text}"}}}}'
    head = (
        f"HTTP/1.1 {status}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Retry-After: 10",
        "Connection: close",
    )
    return "\r\n".join((*head, "", body)).encode()


_TOO_MANY = _refusal("503 Service Unavailable", "too many connections: try again later", "unavailable")
_TOO_SLOW = _refusal("408 Request Timeout", "this request took too long to come", "timeout")


def bounded(caps: Caps) -> tuple[type[H11Protocol], type[WebSocketsSansIOProtocol]]:
    """The protocols of connections within these bounds, for `uvicorn.Config(http=, ws=)`."""

    class Http(_Http):
        bounds = caps

    class Socket(_Socket):
        bounds = caps

    return Http, Socket


class _Counted(asyncio.Protocol):
    """A connection that is counted for its address, and whose answers have to be read in time.

    The first base of a protocol of uvicorn's, which has `transport`.
    """

    bounds: Caps
    transport: asyncio.Transport
    _counted: str | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Transport closed."""
        self.resume_writing()
        if self._counted is not None:
            self.bounds.leave(self._counted)
            self._counted = None
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The write buffer is full: the client reads more slowly than the answer comes."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.bounds.clock.call_later(self.bounds.answer, self.transport.abort)

    def resume_writing(self) -> None:
        """The write buffer has drained."""
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
        super().resume_writing()


class _Http(_Counted, H11Protocol):
    """HTTP on a counted connection, each of whose requests has to arrive in time."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._stage = ""
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Transport opened: serve it, unless there are too many connections."""
        super().connection_made(transport)
        self._counted = self.bounds.enter(self.client[0] if self.client else "")
        if self._counted is None:
            transport.write(_TOO_MANY)
            transport.close()
        else:
            self._enter("head", self.bounds.head)

    def connection_lost(self, exc: Exception | None) -> None:
        """Transport closed."""
        self._enter("", 0)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Bytes received; the time limit of the rest runs from the beginning of its stage."""
        if self._counted is None or self.transport.is_closing():
            return
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Response sent; the next request may have begun already."""
        super().on_response_complete()
        self._watch()

    def resume_writing(self) -> None:
        """The write buffer has drained; a connection that was never made has none."""
        if self.flow is not None:
            super().resume_writing()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection to the WebSocket protocol, which counts it anew."""
        self._enter("", 0)
        if self._counted is not None:
            self.bounds.leave(self._counted)
            self._counted = None
        super().handle_websocket_upgrade(event)

    def shutdown(self) -> None:
        """The server shuts down: unfinished requests dropped, endless answers end after `_SHUTDOWN_GRACE`.

        An error of one connection aborts it and does not stop the shutdown of the others.
        """
        try:
            super().shutdown()
            if self._stage == "body":
                self._late()
            elif self.cycle is not None and not self.cycle.response_complete:
                self.bounds.clock.call_later(_SHUTDOWN_GRACE, self.transport.close)
        except Exception as error:
            log.debug("a connection was aborted at shutdown: %s", error)
            self.transport.abort()

    def _watch(self) -> None:
        if self._counted is None or self.transport.is_closing():
            self._enter("", 0)
        elif self.conn.their_state is h11.SEND_BODY:
            self._enter("body", self.bounds.body)
        elif self.conn.their_state is h11.IDLE and self.timeout_keep_alive_task is None:
            self._enter("head", self.bounds.head)
        else:
            self._enter("", 0)

    def _enter(self, stage: str, seconds: float) -> None:
        if stage == self._stage:
            return
        self._stage = stage
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.bounds.clock.call_later(seconds, self._late) if stage else None

    def _late(self) -> None:
        self._deadline = None
        if self.transport.is_closing():
            return
        if self._stage == "head" or self.cycle is None or not self.cycle.response_started:
            self.transport.write(_TOO_SLOW)
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()


class _Socket(_Counted, WebSocketsSansIOProtocol):
    """A WebSocket on a counted connection, which a table uses without the application around it."""

    heartbeat: Callable[[bytes], bool] | None = None
    """Takes a heartbeat or an echo; False where it is to be read as other messages are."""
    _heard = 0.0
    """The time at which something last came, by the monotonic clock."""
    _is_flushing = False

    def connection_made(self, transport: Any) -> None:
        """Connection upgraded: serve it, unless there are too many connections."""
        super().connection_made(transport)
        self._counted = self.bounds.enter(self.client[0] if self.client else "")
        if self._counted is None:
            transport.write(_TOO_MANY)
            transport.close()

    def data_received(self, data: bytes) -> None:
        """Frames received."""
        if self._counted is not None:
            self._heard = self.bounds.clock.monotonic()
            super().data_received(data)

    def schedule_ping(self) -> None:
        """Ask whether the other side is there once nothing has come from it for `ping_interval`."""
        assert self.ping_interval is not None
        rest = self._heard + self.ping_interval - self.bounds.clock.monotonic()
        self.ping_timer = self.bounds.clock.call_later(rest, self.send_keepalive_ping)

    def send_keepalive_ping(self) -> None:
        """Ask it, unless something has come meanwhile."""
        assert self.ping_interval is not None
        if self.bounds.clock.monotonic() < self._heard + self.ping_interval:
            self.schedule_ping()
        else:
            super().send_keepalive_ping()

    def handle_connect(self, event: Request) -> None:
        """Request received: the application finds this connection in its scope."""
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][CONNECTION] = proxy(self)

    def handle_text(self, event: Frame) -> None:
        """Text received. To wake the application for a heartbeat or an echo would cost more than these.

        One that comes behind other messages waits for them: it says that they have been read.
        """
        is_beat = event.fin and len(event.data) <= _LONGEST_BEAT and self.queue.empty()
        if self.heartbeat is None or not is_beat or not self.heartbeat(bytes(event.data)):
            super().handle_text(event)

    def write(self, text: str) -> bool:
        """Send a text at once; False where the line is slow or closed, and has to be waited for.

        What is written in one go, as the state after an action and its `ack`, goes to the system together.
        """
        if self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        try:
            self.conn.send_text(text.encode())
        except InvalidState:
            return False
        if not self._is_flushing:
            self._is_flushing = True
            self.loop.call_soon(self._flush)
        return True

    def _flush(self) -> None:
        self._is_flushing = False
        if not self.transport.is_closing():
            self.transport.write(b"".join(self.conn.data_to_send()))

    def shutdown(self) -> None:
        """The server shuts down; an error of one connection aborts it alone."""
        try:
            super().shutdown()
        except Exception as error:
            log.debug("a connection was aborted at shutdown: %s", error)
            self.transport.abort()
