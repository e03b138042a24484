"""Errors as the site says them: {"error": {"code", "text", "where"?}}."""

from __future__ import annotations

import logging
import sqlite3
from typing import Any

import asyncpg
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DBAPIError, StatementError
from starlette.exceptions import HTTPException

from sheshbesh.errors import SheshbeshError
from sheshbesh.i18n import Text, choose, translate
from sheshbesh.server.http.invalid import refusal_of
from sheshbesh.server.matches.store import UnavailableError
from sheshbesh.server.storage.database import is_unavailable

log = logging.getLogger(__name__)

_CODES = {
    400: "bad_request",
    401: "unknown",
    403: "forbidden",
    404: "not_found",
    405: "method",
    409: "conflict",
    413: "too_large",
    415: "media_type",
    422: "bad_request",
    429: "too_many",
    503: "unavailable",
}

_TEXTS = {
    400: Text("this request cannot be read"),
    404: Text("there is nothing here"),
    405: Text("this cannot be done here"),
}
"""What is said where FastAPI says no by itself."""


class Failure(HTTPException):
    """An answer that says no.

    `code` is for programs and does not change. `text` is an English sentence for people, a `Text` where
    values stand in it; it is said in the language of whoever asks. `where` is the field at fault, `wait`
    the seconds after which to try again.
    """

    def __init__(
        self, status: int, text: str, *, code: str | None = None, where: str | None = None, wait: float = 0
    ) -> None:
        headers = {"Retry-After": str(max(1, round(wait)))} if status == 429 else None
        super().__init__(status, text, headers)
        self.code, self.where = code or _CODES.get(status, "error"), where

    def to_data(self, lang: str = "en") -> dict[str, Any]:
        """The body of the answer."""
        return failure_data(self.code, translate(self.detail, lang), self.where)


def failure_data(code: str, text: str, where: str | None = None) -> dict[str, Any]:
    """The body of an answer that says no."""
    error = {"code": code, "text": text}
    if where is not None:
        error["where"] = where
    return {"error": error}


def install(app: FastAPI) -> None:
    """Make every error of the app an error as above."""
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(SheshbeshError, _bad_input)
    app.add_exception_handler(UnicodeEncodeError, _bad_text)
    app.add_exception_handler(StatementError, _database)
    # What writes without SQLAlchemy raises its driver's own errors.
    for error in (sqlite3.OperationalError, UnavailableError, ConnectionError, asyncpg.InterfaceError):
        app.add_exception_handler(error, _unavailable)


async def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    lang = _language(request)
    if isinstance(error, Failure):
        return JSONResponse(error.to_data(lang), error.status_code, error.headers)
    code = _CODES.get(error.status_code, "error")
    text = _TEXTS.get(error.status_code, error.detail)
    return JSONResponse(failure_data(code, translate(text, lang)), error.status_code, error.headers)


def _language(request: Request) -> str:
    return choose(request.headers.get("accept-language", ""))


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    refusal, where = refusal_of(error.errors()[0])
    data = failure_data("bad_request", translate(refusal.text, _language(request)), where)
    data["error"]["rule"] = refusal.rule
    return JSONResponse(data, 422)


async def _bad_input(_request: Request, error: Exception) -> JSONResponse:
    # The package raises its errors for bad input alone, and its sentences name it.
    return JSONResponse(failure_data("bad_request", str(error)), 422)


async def _bad_text(request: Request, _error: Exception) -> JSONResponse:
    # Half a character (a lone surrogate) can come in as JSON, and goes nowhere from here.
    return JSONResponse(failure_data("bad_text", translate(_BAD_TEXT, _language(request))), 422)


async def _database(request: Request, error: Exception) -> JSONResponse:
    # A column that refuses a value does so in the middle of a statement.
    if isinstance(error, StatementError) and isinstance(error.orig, Failure):
        return await _http(request, error.orig)
    # PostgreSQL keeps no text with a NUL in it, wherever in a request it stood.
    if isinstance(error, DBAPIError) and isinstance(error.orig and error.orig.__cause__, asyncpg.DataError):
        return await _bad_text(request, error)
    if is_unavailable(error):
        return await _unavailable(request, error)
    raise error


async def _unavailable(request: Request, error: Exception) -> JSONResponse:
    # A full disk, or a database that is away: said in one line, for it comes with every request.
    log.error("%s %s cannot be done now: %s", request.method, request.url.path, str(error).partition("\n")[0])
    data = failure_data("unavailable", translate(_UNAVAILABLE, _language(request)))
    return JSONResponse(data, 503, {"Retry-After": "10"})


_UNAVAILABLE = Text("the server can store nothing just now: try again in a moment")
_BAD_TEXT = Text("there is a character in this that no text has")
