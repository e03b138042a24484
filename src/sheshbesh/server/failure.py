"""Errors as the site says them: {"error": {"code", "text", "where"?}}."""

from __future__ import annotations

from typing import Any

import asyncpg
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException

from sheshbesh.errors import SheshbeshError
from sheshbesh.i18n import choose, translate

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
    app.add_exception_handler(DBAPIError, _database)


async def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if isinstance(error, Failure):
        lang = choose(request.headers.get("accept-language", ""))
        return JSONResponse(error.to_data(lang), error.status_code, error.headers)
    code = _CODES.get(error.status_code, "error")
    return JSONResponse(failure_data(code, error.detail), error.status_code, error.headers)


async def _invalid(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body")
    return JSONResponse(failure_data("bad_request", str(first["msg"]), where or None), 422)


async def _bad_input(_request: Request, error: Exception) -> JSONResponse:
    # The package raises its errors for bad input alone, and its sentences name it.
    return JSONResponse(failure_data("bad_request", str(error)), 422)


async def _bad_text(_request: Request, _error: Exception) -> JSONResponse:
    # Half a character (a lone surrogate) can come in as JSON, and goes nowhere from here.
    return JSONResponse(failure_data("bad_text", _BAD_TEXT), 422)


async def _database(request: Request, error: Exception) -> JSONResponse:
    # PostgreSQL keeps no text with a NUL in it, wherever in a request it stood.
    if isinstance(error, DBAPIError) and isinstance(error.orig and error.orig.__cause__, asyncpg.DataError):
        return await _bad_text(request, error)
    raise error


_BAD_TEXT = "there is a character in this that no text has"
