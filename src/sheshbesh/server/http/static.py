"""The page: files of the package `web`, compressed once, and index.html for every address of its router."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import logging
import mimetypes
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from pathlib import Path
from threading import Lock
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sheshbesh.i18n import Text, choose, language, languages, translate
from sheshbesh.i18n.catalogue import CATALOGUES
from sheshbesh.server.http.copied import address_of_copy, copy_of, names
from sheshbesh.server.http.identity import find_person
from sheshbesh.server.http.nets import nets, send_net
from sheshbesh.server.http.page_modules import (
    OFFLINE,
    PACKED,
    WITHOUT_SERVER,
    PackedPage,
    files_of,
    later_modules,
    modules_of,
    page_for,
)
from sheshbesh.server.http.previews import dressed, preview
from sheshbesh.server.http.request_limits import check_page
from sheshbesh.server.http.words import LATER, LOST, REASONS, address_of_words, words_of
from sheshbesh.server.people.access import PERSONAL, may_look
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import site_of
from sheshbesh.server.tables.seats import MatchAgreement

log = logging.getLogger(__name__)

FOLDER = Path(__file__).parents[2] / "web"
_VENDOR = FOLDER / "vendor"
_ENGINE = FOLDER / "engine"
_PACKED_ENGINE = FOLDER / PACKED / "engine"

PAGES = {
    "/": "home",
    "/play/{rest:path}": "home",
    "/m/{rest:path}": "match",
    "/local": "local",
    "/j/{rest:path}": "invite",
    "/chouette": "chouettes",
    "/chouette/{rest}/replay": "chouette-replay",
    "/chouette/{rest:path}": "chouette",
    "/lobby": "lobby",
    "/tournaments": "tournaments",
    "/tournaments/calendar": "tournaments",
    "/t/{rest}/desk": "tournament-desk",
    "/t/{rest:path}": "tournament",
    "/watch": "watch",
    "/table": "scoreboard",
    "/u/{rest:path}": "profile",
    "/friends": "friends",
    "/settings": "settings",
    "/rules": "rules",
    "/rules/{rest:path}": "rules",
    "/customs/differences": "differences",
    "/customs/conduct": "conduct",
    "/customs/referee": "referee",
    "/learn": "learn",
    "/learn/{rest:path}": "learn",
    "/dice/{rest:path}": "dice",
    "/replay/{rest:path}": "replay",
    "/reviews": "reviews",
    "/practice": "practice",
    "/puzzles/today": "daily-puzzle",
    "/puzzles": "puzzles",
    "/puzzles/{rest:path}": "puzzles",
    "/search": "search",
    "/week": "week",
    "/review/{rest:path}": "review",
    "/shared/{rest:path}": "review",
    "/analysis": "analysis",
    "/login": "login",
    "/account": "account",
    "/mail": "mail",
    "/moderation": "moderation",
}
"""The addresses at which the page is, with the view that its router shows there."""

_PERSONAL_VIEWS = frozenset({"match", "invite", "review"})
"""Views whose page depends on its visitor, or is known by its secret link alone: no proxy keeps it."""

_FRONT = "/"

_VIEWS = frozenset((*PAGES.values(), LOST))

_MODULES = b"<!-- the view's modules -->"
"""The place of the links to a view's modules in index.html."""

_OUTLINE = re.compile(rb"<!-- outline of a board -->.*?<!-- end of the outline -->\n", re.DOTALL)
"""What index.html paints before anything else has come, where the view has a board."""
_WITH_BOARD = frozenset(
    {"home", "match", "replay", "analysis", "review", "puzzles", "daily-puzzle", "practice"}
)

_LANGUAGE = b'<html lang="en" dir="ltr">'
_INDEX_TEXTS = (
    Text("Sheshbesh"),
    Text("The whole backgammon family: play every game in the browser, with dice that anyone can check."),
    Text("Sheshbesh needs JavaScript: the board is drawn and played in the browser."),
)
"""The texts in index.html, which are translated as it is served."""

_BUILD = b"(the build served)"
"""The place of the build's id in the service worker."""

_FILES = b"(the files kept)"
"""The place of the list of precached files in the service worker."""

_OFFLINE_VIEWS = b"(the views kept)"
"""The place of the list of offline views in the service worker."""

FONTS: dict[str, tuple[str, ...]] = {
    "en": ("inter-letters",),
    "tr": ("inter-letters", "inter-turkish-1", "inter-turkish-2"),
    "ru": ("inter-russian",),
    "fa": ("vazirmatn",),
    "ar": ("vazirmatn",),
}
"""The fonts that every page in a language needs, besides that of signs and digits."""

_TYPES = {
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_COMPRESSED = ("text/", "application/json", "application/manifest+json", "application/wasm", "image/svg+xml")


@dataclass(frozen=True, slots=True)
class _File:
    kind: str
    tag: str
    plain: bytes
    gzipped: bytes | None
    brotli: bytes | None = None

    @classmethod
    def of(cls, kind: str, plain: bytes, brotli: bytes | None = None) -> _File:
        """Return what is sent of these bytes, compressed where it helps; `brotli` is how they were packed."""
        tag = f'"{hashlib.sha256(plain).hexdigest()[:20]}"'
        gzipped = gzip.compress(plain, 9, mtime=0) if kind.startswith(_COMPRESSED) else None
        return cls(kind, tag, plain, gzipped, brotli)


@cache
def build() -> str:
    """A digest of the sources of the page, texts included, as they were when it was first asked for."""
    parts = hashlib.sha256()
    for folder in (FOLDER, CATALOGUES):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and PACKED not in path.relative_to(folder).parts[:1]:
                parts.update(
                    f"{path.relative_to(folder)} {path.stat().st_size} ".encode() + path.read_bytes()
                )
    return parts.hexdigest()[:20]


@cache
def _packed() -> PackedPage | None:
    return PackedPage.of(FOLDER, build())


@lru_cache(maxsize=512)
def load(path: Path, _changed: int) -> _File:
    """Read a file of the page, as it is sent; kept until it is changed."""
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    plain = path.read_bytes()
    if path.suffix == ".js" and _VENDOR not in path.parents:
        plain = plain.replace(_BUILD, build().encode())
        if _FILES in plain:
            index = (FOLDER / "index.html").read_text(encoding="utf-8")
            plain = plain.replace(_OFFLINE_VIEWS, " ".join(OFFLINE).encode())
            plain = plain.replace(_FILES, " ".join(files_of(index, FOLDER, _packed())).encode())
    # Modules of the page are packed under names of their own, those of its engine under the same ones.
    packed = (_PACKED_ENGINE if path.parent == _ENGINE and _packed() else path.parent) / f"{path.name}.br"
    is_packed = packed.parent in (FOLDER / PACKED, _PACKED_ENGINE) and packed.is_file()
    return _File.of(kind, plain, packed.read_bytes() if is_packed else None)


def _answer(path: Path, headers: Headers) -> Response:
    """A file; the browser asks each time whether it has changed, and mostly it has not."""
    if not path.is_file():
        raise HTTPException(404, "there is no such page")
    return _sent(load(path, path.stat().st_mtime_ns), headers)


def _sent(file: _File, headers: Headers) -> Response:
    common = {
        "ETag": file.tag,
        "Cache-Control": "no-cache",
        "Vary": "Accept-Encoding",
        "Sheshbesh-Build": build(),
    }
    if headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=common)
    accepted = headers.get("accept-encoding", "")
    for coding, body in (("br", file.brotli), ("gzip", file.gzipped)):
        if body is not None and coding in accepted:
            return Response(body, headers=common | {"Content-Encoding": coding}, media_type=file.kind)
    return Response(file.plain, headers=common, media_type=file.kind)


@lru_cache(maxsize=256)
def index_page(path: str, lang: str, changed: int) -> _File:
    """The page in the language `lang`, for one of the addresses of PAGES."""
    view = PAGES[path]
    file = load(FOLDER / "index.html", changed)
    index, modules = page_for(file.plain.decode(), FOLDER, view, _packed())
    plain = index.encode() if view in _WITH_BOARD else _OUTLINE.sub(b"", index.encode())
    spoken = language(lang)
    for text in _INDEX_TEXTS:
        for start, end in (">", "<"), ('content="', '"'):
            translated = f"{start}{escape(translate(text, lang))}{end}"
            plain = plain.replace(f"{start}{text}{end}".encode(), translated.encode())
    plain = plain.replace(_LANGUAGE, f'<html lang="{spoken.code}" dir="{spoken.direction}">'.encode())
    links = [f'<link rel="modulepreload" href="{module}">' for module in modules]
    # What the view asks for first, in the language of most: the start of the page need not be awaited for it.
    data = [address_of_words(spoken.code, view)]
    if view == "home":
        # A match is set up at its address, which needs more of the games than the front page.
        brief = "&brief=true" if path == _FRONT else ""
        data += [f"/api/v1/variants?lang={spoken.code}{brief}"]
        # At the address of a game it is that game's.
        data += [f"/api/v1/puzzles/today?lang={spoken.code}"] if path == _FRONT else []
    links += [f'<link rel="preload" as="fetch" href="{path}" crossorigin>' for path in data]
    # Text can be read in another font meanwhile; without scripts there is none.
    links += [
        f'<link rel="preload" as="font" type="font/woff2" fetchpriority="low" href="/fonts/{font}.woff2" '
        "crossorigin>"
        for font in ("inter-signs", *FONTS[spoken.code])
    ]
    return _File.of(file.kind, plain.replace(_MODULES, "\n".join(links).encode()))


@lru_cache(maxsize=512)
def _compressed(kind: str, plain: bytes) -> _File:
    """A page as it is sent; most addresses are asked for again and again."""
    return _File.of(kind, plain)


def _page(path: str) -> Callable[[Request], Awaitable[Response]]:
    async def page(request: Request) -> Response:
        check_page(request)
        lang = language(choose(request.headers.get("accept-language", ""))).code
        file = index_page(path, lang, (FOLDER / "index.html").stat().st_mtime_ns)
        found, varies = await preview(request, PAGES[path], lang), "Accept-Encoding, Accept-Language"
        plain = dressed(file.plain, found, request, lang)
        if PAGES[path] == "match":
            head, varies = await head_of_match(request, lang), f"{varies}, Cookie"
            plain = plain.replace(b"</head>", head.encode() + b"\n</head>")
        file = _compressed(file.kind, plain)
        page = _sent(file, request.headers)
        page.headers["Vary"] = varies
        if PAGES[path] in _PERSONAL_VIEWS:
            page.headers["Cache-Control"] = PERSONAL
        return page

    return page


@lru_cache(maxsize=256)
def _catalogue(lang: str, view: str | None) -> _File:
    return _File.of("application/json", words_of(lang, FOLDER, view))


async def _words(request: Request) -> Response:
    """The texts of a language, by the English ones: those of a view, or all."""
    check_page(request)
    lang, view = request.path_params["lang"], request.path_params.get("view")
    if all(lang != known.code for known in languages()):
        raise HTTPException(404, "there is no such language")
    if view is not None and view.removesuffix(LATER) not in (*_VIEWS, REASONS):
        raise HTTPException(404, "there is no such page")
    return _sent(_catalogue(lang, view), request.headers)


_INSTALLED = "installed"
"""The name of the list of what an installed page keeps, among the files for views without a server."""
_ENGINE_FILES = ("core-relaxed.wasm", "core-simd.wasm", "rules.json", "games.json", "equities.json")


COPIES: dict[tuple[str, str], _File] = {}
"""The files for the views that need no server that have been made, by name and language."""
_COPYING = Lock()
"""One of them is made at a time: whoever installs a page asks for all, and many may at once."""


def _copied(name: str, lang: str) -> _File:
    with _COPYING:
        found = COPIES.get((name, lang))
        if found is None:
            content = json.dumps(_kept(lang)).encode() if name == _INSTALLED else copy_of(name, lang)
            found = COPIES[name, lang] = _File.of("application/json", content)
    return found


def _kept(lang: str) -> dict[str, list[str]]:
    """All that an installed page keeps for use without a network, by addresses."""
    index, packed = (FOLDER / "index.html").read_text(encoding="utf-8"), _packed()
    page = files_of(index, FOLDER, packed, WITHOUT_SERVER)
    if packed is None:
        views = (f"/app/views/{view}.js" for view in WITHOUT_SERVER)
        later = {name for view in WITHOUT_SERVER for name in later_modules(FOLDER, view)}
        page += (*modules_of(FOLDER, *views, *sorted(later)),)
    else:
        page += tuple(f"/{PACKED}/{each.name}" for each in sorted((FOLDER / PACKED).glob("*.js")))
    page += (*modules_of(FOLDER, "/engine/worker.js"), *(f"/engine/{name}" for name in _ENGINE_FILES))
    page += tuple(f"/fonts/{font}.woff2" for font in ("inter-signs", *FONTS[lang]))
    words = [*WITHOUT_SERVER, *(f"{view}{LATER}" for view in WITHOUT_SERVER), REASONS]
    page += tuple(address_of_words(lang, view) for view in words)
    page += tuple(address_of_copy(name, lang) for name in names())
    return {"files": list(dict.fromkeys(page)), "nets": [f"/engine/{digest}.net" for digest in nets()]}


async def _copy(request: Request) -> Response:
    """A file for the views that need no server, or the list of all that they need."""
    check_page(request)
    lang, name = request.path_params["lang"], request.path_params["name"]
    if all(lang != known.code for known in languages()) or name not in (_INSTALLED, *names()):
        raise HTTPException(404, "there is no such page")
    file = COPIES.get((name, lang))
    if file is None:
        file = await asyncio.to_thread(_copied, name, lang)
    return _sent(file, request.headers)


async def _net(request: Request) -> Response:
    return await send_net(request, _PACKED_ENGINE)


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
        *(Route(path, _page(path)) for path in PAGES),
        Route("/i18n/{lang}.json", _words),
        Route("/i18n/{lang}/{view}.json", _words),
        Route("/engine/{digest}.net", _net),
        Route("/copy/{lang}/{name:path}.json", _copy),
        Route("/{path:path}", _file),
    ]


_PATIENCE = 0.5
"""Seconds. A database that takes longer does not keep the page from being sent."""

_KNOWN = '<meta name="visitor" content="known">'


async def head_of_match(request: Request, lang: str) -> str:
    """Lines for the head of a match's page; "" where nothing is known, or the database does not answer.

    A match that is private is unknown to all but its players.
    """
    try:
        return await asyncio.wait_for(_lines(request, lang), _PATIENCE)
    except Failure:
        return ""
    except Exception:
        # The page says itself what is wrong, when it asks for the match.
        log.warning("the page of a match is sent without its card", exc_info=True)
        return ""


async def _lines(request: Request, lang: str) -> str:
    person = await find_person(request)
    lines = [_KNOWN] if person is not None else []
    table = await _table(request)
    if table is not None and may_look(table, person.id if person is not None else None):
        lines.append(f'<link rel="preload" as="fetch" href="{_card_address(table, lang)}" crossorigin>')
    return "\n".join(lines)


async def _table(request: Request) -> MatchAgreement | None:
    tables, match = site_of(request).matches, request.path_params["rest"]
    return await tables.agreement(match)


def _card_address(table: MatchAgreement, lang: str) -> str:
    """Return where the page asks for a card, written as it writes it."""
    game, code = (quote(text, safe="!'()*") for text in (table.card.game, table.card.code))
    return f"/api/v1/variants/{game}?card={code}&amp;lang={lang}"
