"""The page: files of the package `web`, compressed once, and index.html for every address of its router."""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
from collections.abc import Awaitable, Callable
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
from sheshbesh.server import preload
from sheshbesh.server.lean import without_comments

FOLDER = Path(__file__).parents[1] / "web"
_VENDOR = FOLDER / "vendor"

PAGES = {
    "/": "home",
    "/play/{rest:path}": "home",
    "/m/{rest:path}": "match",
    "/j/{rest:path}": "invite",
    "/lobby": "lobby",
    "/watch": "watch",
    "/u/{rest:path}": "profile",
    "/settings": "settings",
    "/rules/{rest:path}": "rules",
    "/dice/{rest:path}": "dice",
    "/replay/{rest:path}": "replay",
    "/login": "login",
    "/account": "account",
}
"""The addresses at which the page is, with the view that its router shows there."""

_MODULES = b"<!-- the view's modules -->"
"""Where in index.html they are named."""

_TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2"}
_COMPRESSED = ("text/", "application/json", "application/manifest+json", "image/svg+xml")


@dataclass(frozen=True, slots=True)
class _File:
    kind: str
    tag: str
    plain: bytes
    packed: bytes | None

    @classmethod
    def of(cls, kind: str, plain: bytes) -> _File:
        """What is sent of these bytes, compressed where it helps."""
        tag = f'"{hashlib.sha256(plain).hexdigest()[:20]}"'
        return cls(
            kind, tag, plain, gzip.compress(plain, 9, mtime=0) if kind.startswith(_COMPRESSED) else None
        )


@lru_cache(maxsize=512)
def _load(path: Path, _changed: int) -> _File:
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    plain = path.read_bytes()
    if path.suffix == ".js" and _VENDOR not in path.parents:
        plain = without_comments(plain.decode()).encode()
    return _File.of(kind, plain)


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


@lru_cache
def _index(view: str, changed: int) -> _File:
    """The page as it is sent to somebody who will be shown this view."""
    file = _load(FOLDER / "index.html", changed)
    plain = file.plain.replace(_MODULES, preload.links(FOLDER, view).encode())
    return _File.of(file.kind, plain)


def _page(view: str) -> Callable[[Request], Awaitable[Response]]:
    async def page(request: Request) -> Response:
        return _sent(_index(view, (FOLDER / "index.html").stat().st_mtime_ns), request.headers)

    return page


@lru_cache
def _catalogue(lang: str) -> _File:
    words = catalogue(lang)
    # A match says which game it is by its English title, wherever it is listed.
    titles = {title: translate(title, lang) for title in (variant(name).title for name in variants())}
    words["messages"] = {title: said for title, said in titles.items() if said != title} | words["messages"]
    plain = json.dumps(words, ensure_ascii=False, separators=(",", ":")).encode()
    return _File.of("application/json", plain)


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
        *(Route(path, _page(view)) for path, view in PAGES.items()),
        Route("/i18n/{lang}.json", _words),
        Route("/{path:path}", _file),
    ]
