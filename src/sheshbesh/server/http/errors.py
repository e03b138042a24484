"""Error responses: {"error": {"code", "text", "where"?}}, and which exception becomes which.

A socket is sent the same error as a message, and is closed with a code.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, TypeAlias

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DataError, StatementError
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from sheshbesh.errors import SheshbeshError
from sheshbesh.i18n import Text, choose, translate
from sheshbesh.rules import Refusal, Refused
from sheshbesh.server.monitoring import security
from sheshbesh.server.refusals import CODES, Failure, failure_data, refuse
from sheshbesh.server.site import site_of
from sheshbesh.server.storage.failures import UNAVAILABLE, is_unavailable
from sheshbesh.server.tables.socket import FLOODED, GONE
from sheshbesh.server.tables.store import UnavailableError
from sheshbesh.server.tables.wire import Note

log = logging.getLogger(__name__)

Answer: TypeAlias = Callable[[HTTPConnection, Exception], Awaitable[JSONResponse]]

STRANGER, UNAVAILABLE_NOW, _BROKEN = 4401, 4503, 1011
"""Codes with which a socket is closed: a token that is not known, a server that can store nothing just now,
any other failure. Those of `matches.connection` come besides."""

_CODES = {401: STRANGER, 403: GONE, 404: GONE, 410: GONE, 429: FLOODED, 503: UNAVAILABLE_NOW}
"""The code with which a socket is closed, by the status that a request would be answered with."""

_TEXTS = {
    400: Text("this request cannot be read"),
    404: Text("there is nothing here"),
    405: Text("this cannot be done here"),
}
"""The texts of refusals that FastAPI makes itself."""


_FAILED_PROOFS = frozenset(
    {"wrong_password", "wrong_code", "bad_key", "unknown_key", "other_account", "bad_token", "banned"}
)
"""Codes of answers to somebody who could not show who they are, or may not come in."""


def install(app: FastAPI) -> None:
    """Make every error of the app an error as above."""
    handlers: dict[type[Exception], Answer] = {
        HTTPException: _http,
        RequestValidationError: _invalid,
        Refused: _refused,
        SheshbeshError: _bad_input,
        UnicodeEncodeError: _bad_text,
        # What reads and writes without SQLAlchemy raises its driver's own errors.
        **{
            error: _unavailable
            for error in (*UNAVAILABLE, UnavailableError)
            if not issubclass(error, StatementError)
        },
        StatementError: _database,
    }
    for error, answer in handlers.items():
        app.add_exception_handler(error, _for_sockets_too(answer))


def _for_sockets_too(answer: Answer) -> Callable[[Any, Exception], Awaitable[Any]]:
    """The same for sockets, which are sent the error as a message and closed."""

    async def handle(connection: HTTPConnection, error: Exception) -> JSONResponse | None:
        response = await answer(connection, error)
        if not isinstance(connection, WebSocket):
            return response
        error_data = json.loads(bytes(response.body))["error"]
        await end(connection, _CODES.get(response.status_code, _BROKEN), error_data)
        return None

    return handle


async def end(socket: WebSocket, code: int, error: Mapping[str, Any]) -> None:
    """Send the page why its socket is closed, and close it."""
    with suppress(RuntimeError, WebSocketDisconnect):  # the page has gone
        if socket.application_state is WebSocketState.CONNECTING:
            await socket.accept()
        await socket.send_text(Note("error", dict(error)).to_text())
        await socket.close(code)


async def _http(request: HTTPConnection, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    lang = language(request)
    code = error.code if isinstance(error, Failure) else CODES.get(error.status_code, "error")
    site_of(request).metrics.failures.labels(code).inc()
    if error.status_code == 429:
        security.limit_reached(request, code, site_of(request).limits.logged)
    elif code in _FAILED_PROOFS:
        security.sign_in_failed(request, code)
    if isinstance(error, Failure):
        return JSONResponse(error.to_data(lang), error.status_code, error.headers)
    text = _TEXTS.get(error.status_code, error.detail)
    return JSONResponse(failure_data(code, translate(text, lang)), error.status_code, error.headers)


def language(connection: HTTPConnection) -> str:
    """The language of this program's that the address names by `lang`, or that a browser asks for first."""
    named = connection.query_params.get("lang", "")[:200]
    return choose(named or connection.headers.get("accept-language", ""))


async def _invalid(request: HTTPConnection, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    refusal, where = refusal_of(error.errors()[0])
    data = failure_data("bad_request", translate(refusal.text, language(request)), where)
    data["error"]["rule"] = refusal.rule
    return JSONResponse(data, 422)


async def _refused(request: HTTPConnection, error: Exception) -> JSONResponse:
    assert isinstance(error, Refused)
    refusal = error.refusal
    site_of(request).metrics.failures.labels("refused").inc()
    values = getattr(refusal.text, "values", {})
    where = _FIELDS.get(refusal.rule) or values.get("setting")
    data = failure_data("refused", translate(refusal.text, language(request)), where)
    data["error"] |= {"rule": refusal.rule, "source": refusal.source}
    return JSONResponse(data, 422 if refusal.rule in _UNREADABLE else 409)


_FIELDS: Mapping[str, str] = MappingProxyType(
    {
        "zone": "zone",
        "starts": "starts",
        "opens": "opens",
        "settings.card": "card",
        "settings.rated": "rated",
        "settings.club": "club",
        "settings.tie_break": "tie_breaks",
        "card.event": "card",
        "director.last": "directors",
        "rounds.too_many": "rounds",
        "reason.missing": "reason",
        "result.score": "score",
    }
)
"""The settings of a tournament, or the fields of an action, that these rules are about."""
_UNREADABLE = frozenset({"zone", "starts", "opens"})
"""Rules that a value breaks by itself, whatever stands beside it."""


async def _bad_input(request: HTTPConnection, error: Exception) -> JSONResponse:
    # The package raises its errors for bad input alone, and its sentences name it.
    assert isinstance(error, SheshbeshError)
    return JSONResponse(failure_data("bad_request", translate(error.message, language(request))), 422)


async def _bad_text(request: HTTPConnection, _error: Exception) -> JSONResponse:
    # Half a character (a lone surrogate) can come in as JSON, and goes nowhere from here.
    return JSONResponse(failure_data("bad_text", translate(_BAD_TEXT, language(request))), 422)


async def _database(request: HTTPConnection, error: Exception) -> JSONResponse:
    # A column that refuses a value does so in the middle of a statement.
    if isinstance(error, StatementError) and isinstance(error.orig, Failure):
        return await _http(request, error.orig)
    # PostgreSQL keeps no text with a NUL in it, wherever in a request it stood, and SQLite no half character.
    orig = error.orig if isinstance(error, StatementError) else None
    if isinstance(error, DataError) or isinstance(orig, UnicodeEncodeError):
        return await _bad_text(request, error)
    if is_unavailable(error):
        return await _unavailable(request, error)
    raise error


async def _unavailable(request: HTTPConnection, error: Exception) -> JSONResponse:
    # A full disk, or a database that is away.
    what = request.scope.get("method", "the socket")
    log.error("%s %s cannot be done now", what, request.url.path, exc_info=error)
    data = failure_data("unavailable", translate(_UNAVAILABLE, language(request)))
    return JSONResponse(data, 503, {"Retry-After": "10"})


_UNAVAILABLE = Text("the server can store nothing just now: try again in a moment")
_BAD_TEXT = Text("the text contains an invalid character")


_RULES: Mapping[str, str] = MappingProxyType(
    {
        "missing": "field.missing",
        "extra_forbidden": "field.unknown",
        "string_type": "field.text",
        "string_too_long": "field.long",
        "string_too_short": "field.short",
        "bool_type": "field.flag",
        "int_type": "field.number",
        "int_parsing": "field.number",
        "int_parsing_size": "field.number",
        "less_than_equal": "field.most",
        "greater_than_equal": "field.least",
        "list_type": "field.list",
        "dict_type": "field.object",
        "model_attributes_type": "field.object",
        "too_deep": "field.deep",
    }
)
"""The kinds of errors that pydantic finds in what the site takes; others are `field.other`."""

_BOUNDS = {"max_length": "most", "le": "most", "min_length": "least", "ge": "least"}


def refusal_of(error: Mapping[str, Any]) -> tuple[Refusal, str | None]:
    """An error of a `RequestValidationError` as a refusal, and the field at fault: `opponent.level`."""
    kind, (_, *place) = error["type"], error["loc"]
    if kind == "json_invalid":
        return refuse("body.json", place=place[0] + 1), None
    if kind == "too_deep" and not place:
        return refuse("body.deep", most=error["ctx"]["le"]), None
    if not place:
        return refuse("body.missing" if kind == "missing" else "body.object"), None
    field = ".".join(str(part) for part in place)
    given = error.get("ctx", {})
    bounds = {name: given[bound] for bound, name in _BOUNDS.items() if bound in given}
    return refuse(_RULES.get(kind, "field.other"), field=field, **bounds), field
