"""The checks that every request goes through: its origin, its size, and the rights of the answer."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from contextlib import suppress

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sheshbesh.i18n import Text, choose, translate
from sheshbesh.server.refusals import Failure, failure_data
from sheshbesh.server.settings import Settings

LARGEST_BODY = 64 * 1024
"""Bytes of a request."""
LARGEST_UPLOAD = 3 * 1024 * 1024
"""Bytes of one that brings a match file."""
_UPLOADS = frozenset({"/api/v1/uploads"})
LARGEST_LIST = 1024 * 1024
"""Bytes of one that brings a list of names, of 256 KiB at most before it became JSON."""
_LISTS = re.compile("/api/v1/tournaments/[^/]+/director/names")

LONGEST_ADDRESS = 4 * 1024
"""Characters of a path and its query."""

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

_CONTENT_POLICY = {
    "default-src": "'self'",
    # The engine in the visitor's browser is WebAssembly; no text is evaluated.
    "script-src": "'self' 'wasm-unsafe-eval'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "object-src": "'none'",
}

_HEADERS = {
    "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in _CONTENT_POLICY.items()),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # An invitation's secret is in its address.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_SHOWN_ELSEWHERE = "/pictures/"
"""Pictures may stand in pages of other sites."""
_FRAMED_ELSEWHERE = "/embed/"
"""These pages may: they have no script, no form, and nothing about their reader."""
_PICTURE = {"Cross-Origin-Resource-Policy": "cross-origin"}
_FRAMED = _PICTURE | {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors *",
}
_HTTPS_HEADERS = {"Strict-Transport-Security": "max-age=31536000"}


class Guard:
    """Middleware in front of everything.

    Refuses what a foreign page sends with the visitor's cookie (an unsafe method, or a socket, with an
    origin that is not ours), bodies that are too large or of another type than JSON, and adds the
    headers that bind the browser. Programs without a cookie send no origin and need none.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings
        self._headers = _HEADERS | (_HTTPS_HEADERS if settings.is_secure else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what may pass."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket" and not is_ours(Headers(scope=scope), self._settings):
            await receive()
            await send({"type": "websocket.close", "code": 4403, "reason": "foreign origin"})
        elif scope["type"] == "websocket":
            with suppress(asyncio.CancelledError):  # the server ends, and has waited long enough
                await self._app(scope, _texts(receive), send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        most = _most(scope["path"])
        started = False

        async def send_bound(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                found = MutableHeaders(scope=message)
                found.update(self._headers)
                # What does not say how long it may be kept is kept by nobody: a 404 may be there tomorrow.
                found.setdefault("Cache-Control", "no-store")
                _open_up(found, scope["path"])
            await send(message)

        refused = _unreadable(scope, headers)
        if refused is None and scope["method"] not in SAFE_METHODS:
            refused = _refusal(headers, self._settings, most)
        if refused is not None:
            status, code, text = refused
            reason = translate(text, choose(headers.get("accept-language", "")))
            close = {"Connection": "close"} if status == 400 else None
            await JSONResponse(failure_data(code, reason), status, close)(scope, receive, send_bound)
            return
        size = 0

        async def receive_bounded() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > most:
                raise Failure(413, _too_large(most))
            return message

        try:
            await self._app(scope, receive_bounded, send_bound)
        except asyncio.CancelledError:  # the server ends, and has waited long enough
            if not started:
                reason = translate(_ENDING, choose(headers.get("accept-language", "")))
                await JSONResponse(failure_data("unavailable", reason), 503)(scope, receive, send_bound)


def _most(path: str) -> int:
    """Return how many bytes a request to a path may have."""
    if path in _UPLOADS:
        return LARGEST_UPLOAD
    return LARGEST_LIST if _LISTS.fullmatch(path) else LARGEST_BODY


def _open_up(headers: MutableHeaders, path: str) -> None:
    """Let other sites embed a picture, or frame a page that is meant for it."""
    if path.startswith(_SHOWN_ELSEWHERE):
        headers.update(_PICTURE)
    elif path.startswith(_FRAMED_ELSEWHERE):
        headers.update(_FRAMED)
        del headers["X-Frame-Options"]


def _texts(receive: Receive) -> Receive:
    """Turn binary WebSocket frames into empty texts, which are invalid messages: the protocol is text."""

    async def receive_text() -> Message:
        message = await receive()
        if message["type"] == "websocket.receive" and message.get("text") is None:
            return {"type": "websocket.receive", "text": ""}
        return message

    return receive_text


_ENDING = Text("the server is going down: try again in a moment")


def _too_large(most: int) -> Text:
    return Text("a request has at most {n} bytes", n=most)


def _unreadable(scope: Scope, headers: Headers) -> tuple[int, str, str] | None:
    """Why a request is refused before it is routed: status, code, sentence; None if it is not."""
    if "transfer-encoding" in headers and "content-length" in headers:
        # A proxy in front might find another end of it (request smuggling).
        return 400, "bad_request", Text("a request has Content-Length or Transfer-Encoding, not both")
    if len(scope["path"]) + len(scope["query_string"]) > LONGEST_ADDRESS:
        return 414, "too_long", Text("an address has at most {n} characters", n=LONGEST_ADDRESS)
    if "\0" in scope["path"]:
        return 400, "bad_request", Text("this request cannot be read")
    return None


def _refusal(headers: Mapping[str, str], settings: Settings, most: int) -> tuple[int, str, str] | None:
    """Why an unsafe request is refused: status, code, sentence."""
    if not is_ours(headers, settings):
        return 403, "foreign_origin", Text("this request came from a page of another site")
    length = headers.get("content-length", "0")
    if not length.isdigit() or int(length) > most:
        return 413, "too_large", _too_large(most)
    has_body = length != "0" or "transfer-encoding" in headers
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    # A form of another page cannot send JSON without being asked for its origin first.
    if (has_body or "cookie" in headers) and kind != "application/json":
        return 415, "media_type", Text("requests must have {header}", header="Content-Type: application/json")
    return None


def is_ours(headers: Mapping[str, str], settings: Settings) -> bool:
    """Return True if a request comes from our own page, or from a program that is no browser.

    Browsers send Origin with every socket and every unsafe request, and Sec-Fetch-Site besides.
    """
    origin = headers.get("origin")
    if origin is not None and settings.is_anywhere:
        # Reached by whatever name or number this machine has: then the page's own is where it asks.
        return origin == f"http://{headers.get('host', '')}"
    if origin is not None:
        return origin in settings.origins
    return headers.get("sec-fetch-site", "none") in ("none", "same-origin")
