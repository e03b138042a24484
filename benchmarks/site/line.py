"""A web socket and a few HTTP requests that cost next to nothing, so that the server is what is measured.

Speaks what RFC 6455 asks of a client that sends short text frames and reads whole ones, with
permessage-deflate (RFC 7692) if wished. The mask is zero: it protects proxies, and there is none.
"""

from __future__ import annotations

import asyncio
import json
import struct
import zlib
from collections.abc import Callable
from typing import Any, NamedTuple, cast

_TEXT, _CLOSE, _PING = 0x1, 0x8, 0x9
_TAIL = b"\x00\x00\xff\xff"


class Address(NamedTuple):
    """Where the server is, and which of this machine's addresses a player comes from."""

    host: str
    port: int
    source: str

    @property
    def origin(self) -> str:
        """What a browser would name as the page's origin."""
        return f"http://{self.host}:{self.port}"


class Answer(NamedTuple):
    """What an HTTP request was answered with."""

    status: int
    cookie: str | None
    data: Any


async def post(address: Address, path: str, body: object, cookie: str | None) -> Answer:
    """Send JSON and read the JSON that comes back."""
    payload = json.dumps(body).encode()
    lines = [
        f"POST {path} HTTP/1.1",
        f"Host: {address.host}:{address.port}",
        f"Origin: {address.origin}",
        "Content-Type: application/json",
        f"Content-Length: {len(payload)}",
        "Connection: close",
        *([f"Cookie: {cookie}"] if cookie else []),
    ]
    reader, writer = await asyncio.open_connection(address.host, address.port, local_addr=(address.source, 0))
    writer.write("\r\n".join((*lines, "", "")).encode() + payload)
    head, _, rest = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    set_cookie = None
    for line in head.decode("latin-1").split("\r\n"):
        name, _, value = line.partition(":")
        if name.lower() == "set-cookie":
            set_cookie = value.strip().partition(";")[0]
    try:
        data = json.loads(rest)
    except ValueError:
        data = rest[:200].decode("latin-1")
    return Answer(int(head.split(b" ", 2)[1]), set_cookie, data)


class Line(asyncio.Protocol):
    """One socket. `received` gets it and each text frame, `lost` the reason when the connection is closed."""

    def __init__(
        self, request: bytes, received: Callable[[Line, bytes], None], lost: Callable[[str], None]
    ) -> None:
        self._request = request
        self._received = received
        self._lost = lost
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None
        self._inflate: Any = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.received = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        why = str(exc) if exc else "closed"
        if not self.opened.done():
            self.opened.set_exception(ConnectionError(why))
        self._transport = None
        self._lost(why)

    def send(self, text: str) -> None:
        """Send one text frame."""
        if self._transport is None:
            return
        payload = text.encode()
        size = len(payload)
        head = struct.pack("!BB", 0x81, 0x80 | size) if size < 126 else struct.pack("!BBH", 0x81, 0xFE, size)
        self._transport.write(head + b"\x00\x00\x00\x00" + payload)

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        self._buffer += data
        if not self.opened.done() and not self._shake_hands():
            return
        while (frame := self._next_frame()) is not None:
            kind, payload = frame
            if kind == _TEXT:
                self._received(self, payload)
            elif kind == _PING and self._transport is not None:
                self._transport.write(bytes((0x8A, 0x80 | len(payload))) + b"\x00\x00\x00\x00" + payload)
            elif kind == _CLOSE:
                self.close()

    def _shake_hands(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        head = bytes(self._buffer[:end]).decode("latin-1")
        del self._buffer[: end + 4]
        if " 101 " not in head.split("\r\n", 1)[0]:
            self.opened.set_exception(ConnectionError(head.split("\r\n", 1)[0]))
            self.close()
            return False
        if "permessage-deflate" in head:
            self._inflate = zlib.decompressobj(-15)
        self.opened.set_result(None)
        return True

    def _next_frame(self) -> tuple[int, bytes] | None:
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        size, start = buffer[1] & 0x7F, 2
        if size == 126:
            start = 4
        elif size == 127:
            start = 10
        if len(buffer) < start:
            return None
        if start > 2:
            size = int.from_bytes(buffer[2:start], "big")
        if len(buffer) < start + size:
            return None
        payload = bytes(buffer[start : start + size])
        kind, compressed = buffer[0] & 0x0F, buffer[0] & 0x40
        del buffer[: start + size]
        if compressed:
            payload = self._inflate.decompress(payload + _TAIL)
        return kind, payload


async def open_line(
    address: Address,
    path: str,
    cookie: str,
    received: Callable[[Line, bytes], None],
    lost: Callable[[str], None],
    *,
    deflate: bool,
) -> Line:
    """Open a socket; ConnectionError if the server does not want it."""
    extension = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n" if deflate else ""
    request = (
        f"GET {path} HTTP/1.1\r\nHost: {address.host}:{address.port}\r\nOrigin: {address.origin}\r\n"
        f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{extension}Cookie: {cookie}\r\n\r\n"
    )
    loop, here = asyncio.get_running_loop(), (address.source, 0)
    _, line = await loop.create_connection(
        lambda: Line(request.encode(), received, lost), address.host, address.port, local_addr=here
    )
    await line.opened
    return line
