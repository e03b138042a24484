"""The page: files of the package `web`, compressed once, and index.html for every address of its router."""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sheshbesh.i18n import catalogue, languages, translate
from sheshbesh.rules import variant, variants

FOLDER = Path(__file__).parents[1] / "web"

PAGES = (
    "/",
    "/play/{rest:path}",
    "/m/{rest:path}",
    "/j/{rest:path}",
    "/lobby",
    "/watch",
    "/u/{rest:path}",
    "/settings",
    "/rules/{rest:path}",
    "/dice/{rest:path}",
    "/replay/{rest:path}",
    "/login",
    "/account",
)
"""The addresses at which the page is; its router does the rest."""

_TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2"}
_COMPRESSED = ("text/", "application/json", "application/manifest+json", "image/svg+xml")


@dataclass(frozen=True, slots=True)
class _File:
    kind: str
    tag: str
    plain: bytes
    packed: bytes | None


@lru_cache(maxsize=512)
def _load(path: Path, _changed: int) -> _File:
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    plain = path.read_bytes()
    packed = gzip.compress(plain, 9, mtime=0) if kind.startswith(_COMPRESSED) else None
    return _File(kind, f'"{hashlib.sha256(plain).hexdigest()[:20]}"', plain, packed)


def _answer(path: Path, headers: Headers) -> Response:
    """A file; the browser asks each time whether it has changed, and mostly it has not."""
    if not path.is_file():
        raise HTTPException(404, "there is no such page")
    return _sent(_load(path, path.stat().st_mtime_ns), headers)


def _sent(file: _File, headers: Headers) -> Response:
    common = {"ETag": file.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=common)
    if file.packed is not None and "gzip" in headers.get("accept-encoding", ""):
        return Response(file.packed, headers=common | {"Content-Encoding": "gzip"}, media_type=file.kind)
    return Response(file.plain, headers=common, media_type=file.kind)


async def _page(request: Request) -> Response:
    return _answer(FOLDER / "index.html", request.headers)


@lru_cache
def _catalogue(lang: str) -> _File:
    words = catalogue(lang)
    # A match says which game it is by its English title, wherever it is listed.
    titles = {title: translate(title, lang) for title in (variant(name).title for name in variants())}
    words["messages"] = {title: said for title, said in titles.items() if said != title} | words["messages"]
    plain = json.dumps(words, ensure_ascii=False, separators=(",", ":")).encode()
    tag = f'"{hashlib.sha256(plain).hexdigest()[:20]}"'
    return _File("application/json", tag, plain, gzip.compress(plain, 9, mtime=0))


async def _words(request: Request) -> Response:
    """The texts of a language, by the English ones."""
    lang = request.path_params["lang"]
    if all(lang != known.code for known in languages()):
        raise HTTPException(404, "there is no such language")
    return _sent(_catalogue(lang), request.headers)


async def _file(request: Request) -> Response:
    path = (FOLDER / request.path_params["path"]).resolve()
    if not path.is_relative_to(FOLDER.resolve()):
        raise HTTPException(404, "there is no such page")
    if not path.is_file() and "text/html" in request.headers.get("accept", ""):
        # Somebody mistyped an address: the page says so, in his language.
        page = _answer(FOLDER / "index.html", request.headers)
        page.status_code = 404 if page.status_code == 200 else page.status_code
        return page
    return _answer(path, request.headers)


def page_routes() -> list[BaseRoute]:
    """The routes of the page; they come last."""
    return [
        *(Route(path, _page) for path in PAGES),
        Route("/i18n/{lang}.json", _words),
        Route("/{path:path}", _file),
    ]
