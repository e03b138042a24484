"""Positions and games as pictures, and boards to stand in other pages: without the API, as links have them.

    /pictures/board.svg, .png    a position, by the fields of its query
    /pictures/match/M/G/N.svg    a moment of a match that is over: game G, frame N
    /pictures/match/M/G.gif      one of its games, animated
    /pictures/match/M.png        its last decision, with the score at its end
    /pictures/shared/S.png       the costliest decision of a shared review, a play with the best one
    /embed/GAME                  a page without script that other pages may frame

All of them take `view` (white, black), `look` (wood, felt, paper); a PNG also `width`, in pixels, and
`play`, which is drawn as arrows, where a position has dice, and
`shape=link`: 1200 by 630, as other sites show the picture of a link.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sheshbesh.errors import SheshbeshError
from sheshbesh.i18n import Text, choose, language, translate
from sheshbesh.pictures import MATERIALS, Look, linked, svg
from sheshbesh.pictures.raster import WIDTHS
from sheshbesh.players.situation import FIELDS, Situation, problems_of
from sheshbesh.rules import Side, Step
from sheshbesh.server.boards.press import SOON
from sheshbesh.server.boards.view import address_of, caption, drawing
from sheshbesh.server.http.identity import find_person
from sheshbesh.server.http.request_limits import charge
from sheshbesh.server.people.access import PERSONAL, cache_control
from sheshbesh.server.refusals import Failure, refuse
from sheshbesh.server.reviews.store import report_of
from sheshbesh.server.reviews.view import worst_scene
from sheshbesh.server.site import site_of
from sheshbesh.server.tables.replay import game_of, moment_of

_SVG_COST, _PNG_COST, _GIF_COST, _PAGE_COST = 2, 10, 60, 3
"""In requests: what the limits of an address are counted in."""
_WIDTH, _GIF_WIDTH = 1200, 480
_GIF_WIDTHS: Final = (320, 480, 640)
_LASTING = "public, max-age=86400"
"""A position looks the same for ever, but drawings get better."""


class _Asked(NamedTuple):
    """The question of a request: fields of its query, each within its bounds."""

    fields: dict[str, str]
    view: Side
    material: str
    lang: str
    play: str

    @classmethod
    def of(cls, request: Request) -> _Asked:
        """Failure 422 names the field that says what cannot be."""
        query = request.query_params
        view, material = query.get("view", "white"), query.get("look", "wood")
        if view not in (side.value for side in Side):
            raise _unreadable("view")
        if material not in MATERIALS:
            raise _unreadable("look")
        lang = query.get("lang") or request.headers.get("accept-language", "")
        fields = {name: query[name][:400] for name in FIELDS if query.get(name)}
        return cls(fields, Side.of(view), material, choose(lang[:200]), query.get("play", "")[:200])

    def situation(self) -> Situation:
        """The situation that the fields say; Failure 422 with every reason."""
        try:
            return Situation.of_query(self.fields)
        except SheshbeshError as error:
            why = "; ".join(translate(each, self.lang) for each in problems_of(error))[:600]
            raise Failure(422, Text("this cannot be put on a board: {why}", why=why)) from None

    def look(self, title: str) -> Look:
        """Return how the board is drawn."""
        return Look(self.view, self.material, title)


def _unreadable(field: str) -> Failure:
    return Failure(422, refuse("field.other", field=field).text, where=field)


def _number(request: Request, name: str, fallback: int, allowed: Sequence[int]) -> int:
    text = request.query_params.get(name, "")
    if not text:
        return fallback
    number = int(text) if text.isdecimal() and len(text) <= 4 else 0
    if number not in allowed:
        raise _unreadable(name)
    return number


async def _board_svg(request: Request) -> Response:
    charge(request, _SVG_COST)
    asked = _Asked.of(request)
    return _vector(request, await asyncio.to_thread(_drawn, asked.situation(), asked))


async def _board_png(request: Request) -> Response:
    charge(request, _PNG_COST)
    asked = _Asked.of(request)
    return await _pixels(request, await asyncio.to_thread(_drawn, asked.situation(), asked))


async def _moment(request: Request) -> tuple[Situation, _Asked, str]:
    """The moment that a request asks for, and how long others may keep its picture."""
    asked, at = _Asked.of(request), request.path_params
    site, person = site_of(request), await find_person(request)
    table, found = await moment_of(
        site.rendered, site.matches.kind.store, at["match"], at["game"], at["n"], person
    )
    return found, asked, cache_control(table)


async def _moment_svg(request: Request) -> Response:
    charge(request, 20)
    here, asked, kept = await _moment(request)
    return _vector(request, await asyncio.to_thread(_drawn, here, asked), kept)


async def _moment_png(request: Request) -> Response:
    charge(request, 20 + _PNG_COST)
    here, asked, kept = await _moment(request)
    return await _pixels(request, await asyncio.to_thread(_drawn, here, asked), kept)


async def _game(request: Request) -> Response:
    charge(request, _GIF_COST)
    asked, site = _Asked.of(request), site_of(request)
    match, game = request.path_params["match"], request.path_params["game"]
    width = _number(request, "width", _GIF_WIDTH, _GIF_WIDTHS)
    person = await find_person(request)
    table, frames = await game_of(site.rendered, site.matches.kind.store, match, game, person)
    if not game or not any(each["query"] for each in frames):
        raise Failure(404, "there is no such game in this match")
    queries = [each["query"] for each in frames if each["query"]]
    key = f"{match} {game} {asked.view.value} {asked.material}"
    # RFC 7240: who asks so is told how far it is, instead of being kept waiting.
    patience = SOON if "respond-async" in request.headers.get("prefer", "") else None
    made = await site.press.animation(key, queries, asked.look(table.card.rules.title), width, patience)
    return Response(made, media_type="image/gif", headers={"Cache-Control": cache_control(table)})


def _drawn(here: Situation, asked: _Asked) -> str:
    steps: Sequence[Step] = ()
    if asked.play and here.dice is not None:
        try:
            steps = here.position.parse_play(asked.play, here.dice).steps
        except SheshbeshError:
            raise _unreadable("play") from None
    return drawing(here, asked.look(caption(here, asked.lang)), steps)


def _vector(request: Request, drawn: str, kept: str = _LASTING) -> Response:
    return _sent(request, drawn.encode(), "image/svg+xml", kept)


def _sent(request: Request, plain: bytes, kind: str, kept: str = _LASTING) -> Response:
    headers = {"Cache-Control": kept, "Vary": "Accept-Encoding, Accept-Language"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        plain = gzip.compress(plain, 6, mtime=0)
    return Response(plain, media_type=kind, headers=headers)


async def _match_png(request: Request) -> Response:
    charge(request, 20 + _PNG_COST)
    asked, site = _Asked.of(request), site_of(request)
    person, match = await find_person(request), request.path_params["match"]
    table, frames = await game_of(site.rendered, site.matches.kind.store, match, 0, person)
    decided = [each["query"] for each in frames if each["query"] is not None and each["kind"] != "end"]
    if not decided:
        raise Failure(404, "there is no such moment in this match")
    here, score = Situation.of_query(decided[-1]), frames[-1]["score"]
    figures = (score["white"], score["black"])
    drawn = await asyncio.to_thread(lambda: linked(_drawn(here, asked), asked.material, figures))
    return await _made(request, drawn, cache_control(table))


async def _shared_png(request: Request) -> Response:
    charge(request, 20 + _PNG_COST)
    asked, secret = _Asked.of(request), request.path_params["secret"]
    row = await site_of(request).reviews.store.shared(secret)
    if row is None:
        raise Failure(404, "there is no such review")
    scene = await asyncio.to_thread(lambda: worst_scene(report_of(row), row.about.get("you")))
    if scene is None:
        raise Failure(404, "there is no such decision")
    drawn = await asyncio.to_thread(lambda: linked(svg(scene, asked.look("")), asked.material))
    return await _made(request, drawn, PERSONAL)


async def _pixels(request: Request, drawn: str, kept: str = _LASTING) -> Response:
    shape = request.query_params.get("shape", "")
    if shape not in ("", "link"):
        raise _unreadable("shape")
    if shape:
        drawn = linked(drawn, request.query_params.get("look", "wood"))
    return await _made(request, drawn, kept)


async def _made(request: Request, drawn: str, kept: str) -> Response:
    width = _number(request, "width", _WIDTH, WIDTHS)
    made = await site_of(request).press.png(drawn, width)
    return Response(made, media_type="image/png", headers={"Cache-Control": kept})


async def _embedded(request: Request) -> Response:
    charge(request, _PAGE_COST)
    asked = _Asked.of(request)
    game = request.path_params["game"]
    fields = {"card": f"{game}.m", **asked.fields}
    if fields["card"].partition(".")[0] != game:
        raise _unreadable("card")
    here = asked._replace(fields=fields).situation()
    page = await asyncio.to_thread(_page, here, asked)
    return _sent(request, page.encode(), "text/html")


def _page(here: Situation, asked: _Asked) -> str:
    """The page: the board, one line about it, and the way to the analysis board."""
    spoken, title = language(asked.lang), caption(here, asked.lang)
    return (
        f'<!doctype html>\n<html lang="{spoken.code}" dir="{spoken.direction}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{escape(title)}</title><link rel="stylesheet" href="/styles/embed.css"></head><body>'
        f"{drawing(here, asked.look(title))}<p><span>{escape(title)}</span> "
        f'<a href="/analysis?{escape(address_of(here))}" target="_blank" rel="noopener">'
        f"{escape(translate('Analyse', asked.lang))}</a></p></body></html>\n"
    )


def picture_routes() -> list[BaseRoute]:
    """The routes of pictures and of boards to be framed."""
    return [
        Route("/pictures/board.svg", _board_svg),
        Route("/pictures/board.png", _board_png),
        Route("/pictures/match/{match}/{game:int}/{n:int}.svg", _moment_svg),
        Route("/pictures/match/{match}/{game:int}/{n:int}.png", _moment_png),
        Route("/pictures/match/{match}/{game:int}.gif", _game),
        Route("/pictures/match/{match}.png", _match_png),
        Route("/pictures/shared/{secret}.png", _shared_png),
        Route("/embed/{game}", _embedded),
    ]
