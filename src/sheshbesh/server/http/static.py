"""The page: files of the package `web`, compressed once, and index.html for every address of its router."""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
import posixpath
import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sheshbesh.i18n import Text, catalogue, choose, language, languages, translate
from sheshbesh.i18n.catalogue import CATALOGUES
from sheshbesh.rules import variant, variants
from sheshbesh.server.http.request_limits import check_page

FOLDER = Path(__file__).parents[2] / "web"
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
    "/reviews": "reviews",
    "/review/{rest:path}": "review",
    "/shared/{rest:path}": "review",
    "/login": "login",
    "/account": "account",
}
"""The addresses at which the page is, with the view that its router shows there."""

_MODULES = b"<!-- the view's modules -->"
"""Where in index.html they are named."""

_LANGUAGE = b'<html lang="en" dir="ltr">'
_SAID = (
    Text("Sheshbesh"),
    Text("The whole backgammon family: play every game in the browser, with dice that anyone can check."),
    Text("Sheshbesh needs JavaScript: the board is drawn and played in the browser."),
)
"""What index.html says itself."""

_BUILD = b"(the build served)"
"""Where the service worker says what it belongs to."""

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


@cache
def build() -> str:
    """A digest of all that the page is made of, texts included, as it was when it was first asked for."""
    parts = hashlib.sha256()
    for folder in (FOLDER, CATALOGUES):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                parts.update(
                    f"{path.relative_to(folder)} {path.stat().st_size} ".encode() + path.read_bytes()
                )
    return parts.hexdigest()[:20]


@lru_cache(maxsize=512)
def _load(path: Path, _changed: int) -> _File:
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    plain = path.read_bytes()
    if path.suffix == ".js" and _VENDOR not in path.parents:
        plain = plain.replace(_BUILD, build().encode())
    return _File.of(kind, plain)


def _answer(path: Path, headers: Headers) -> Response:
    """A file; the browser asks each time whether it has changed, and mostly it has not."""
    if not path.is_file():
        raise HTTPException(404, "there is no such page")
    return _sent(_load(path, path.stat().st_mtime_ns), headers)


def _sent(file: _File, headers: Headers) -> Response:
    common = {
        "ETag": file.tag,
        "Cache-Control": "no-cache",
        "Vary": "Accept-Encoding",
        "Sheshbesh-Build": build(),
    }
    if headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=common)
    if file.packed is not None and "gzip" in headers.get("accept-encoding", ""):
        return Response(file.packed, headers=common | {"Content-Encoding": "gzip"}, media_type=file.kind)
    return Response(file.plain, headers=common, media_type=file.kind)


@lru_cache(maxsize=256)
def _index(view: str, lang: str, changed: int) -> _File:
    """The page as it is sent to somebody who speaks `lang` and will be shown this view."""
    file = _load(FOLDER / "index.html", changed)
    plain = file.plain
    spoken = language(lang)
    for text in _SAID:
        for start, end in (">", "<"), ('content="', '"'):
            said = f"{start}{escape(translate(text, lang))}{end}"
            plain = plain.replace(f"{start}{text}{end}".encode(), said.encode())
    plain = plain.replace(_LANGUAGE, f'<html lang="{spoken.code}" dir="{spoken.direction}">'.encode())
    return _File.of(file.kind, plain.replace(_MODULES, preload_links(FOLDER, view).encode()))


def _page(view: str) -> Callable[[Request], Awaitable[Response]]:
    async def page(request: Request) -> Response:
        check_page(request)
        lang = language(choose(request.headers.get("accept-language", ""))).code
        page = _sent(_index(view, lang, (FOLDER / "index.html").stat().st_mtime_ns), request.headers)
        page.headers["Vary"] = "Accept-Encoding, Accept-Language"
        return page

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
    check_page(request)
    lang = request.path_params["lang"]
    if all(lang != known.code for known in languages()):
        raise HTTPException(404, "there is no such language")
    return _sent(_catalogue(lang), request.headers)


async def _file(request: Request) -> Response:
    check_page(request)
    path = _path(request.path_params["path"])
    if not path.is_file() and "text/html" in request.headers.get("accept", ""):
        # A mistyped address: the page says so, in the language of its reader.
        page = _answer(FOLDER / "index.html", request.headers)
        page.status_code = 404 if page.status_code == 200 else page.status_code
        return page
    return _answer(path, request.headers)


def _path(name: str) -> Path:
    """A file of the page; 404 for what no file can be called, or lies elsewhere."""
    try:
        path = (FOLDER / name).resolve()
        path.is_file()
    except (OSError, ValueError):
        raise HTTPException(404, "there is no such page") from None
    if not path.is_relative_to(FOLDER.resolve()):
        raise HTTPException(404, "there is no such page")
    return path


def page_routes() -> list[BaseRoute]:
    """The routes of the page; they come last."""
    return [
        *(Route(path, _page(view)) for path, view in PAGES.items()),
        Route("/i18n/{lang}.json", _words),
        Route("/{path:path}", _file),
    ]


# A browser learns of a module only when it has read the one that imports it. The head of a page therefore
# names every module of its view, and they come together: one round trip instead of one for every level.

_IMPORT = re.compile(r'^\s*(?:import|export)\b[^"\';]*?["\'](\.{0,2}/[^"\']+\.js)["\']', re.MULTILINE)

MAIN = "/app/main.js"
"""The module that every view needs."""


def _imports(folder: Path, module: str) -> Iterator[str]:
    """The modules that one imports when it is loaded, by their addresses."""
    text = (folder / module.lstrip("/")).read_text(encoding="utf-8")
    for found in _IMPORT.finditer(text):
        yield posixpath.normpath(posixpath.join(posixpath.dirname(module), found[1]))


@lru_cache(maxsize=64)
def modules_of(folder: Path, *entries: str) -> tuple[str, ...]:
    """These modules and all that they import, those needed first before the others."""
    known: dict[str, None] = dict.fromkeys(entries)
    waiting = list(entries)
    while waiting:
        for module in _imports(folder, waiting.pop(0)):
            if module not in known:
                known[module] = None
                waiting.append(module)
    return tuple(known)


def preload_links(folder: Path, view: str) -> str:
    """The lines for the head of a page that shows `view`."""
    return "\n".join(
        f'<link rel="modulepreload" href="{module}">'
        for module in modules_of(folder, MAIN, f"/app/views/{view}.js")
    )
