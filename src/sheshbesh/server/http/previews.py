"""The preview of a link to a position where it is pasted: a title and a picture, by Open Graph."""

from __future__ import annotations

from html import escape
from urllib.parse import quote, urlencode

from starlette.requests import Request

from sheshbesh.errors import SheshbeshError
from sheshbesh.i18n import choose, translate
from sheshbesh.pictures.geometry import Frame
from sheshbesh.players.situation import FIELDS, Situation
from sheshbesh.server.boards.view import caption
from sheshbesh.server.site import site_of
from sheshbesh.session.board_data import layout_data

_WIDTH = 1200
_SHOWN = ("view", "look")


def preview(request: Request, view: str) -> str:
    """Lines for the head of a page that shows one position, "" for every other page."""
    query = request.query_params
    lang = choose(request.headers.get("accept-language", ""))
    look = {name: query[name][:20] for name in _SHOWN if query.get(name)}
    if view == "analysis" and "match" not in query and "id" in query:
        try:
            here = Situation.of_query({name: query[name][:400] for name in FIELDS if query.get(name)})
        except SheshbeshError:
            return ""
        picture = f"/pictures/board.png?{urlencode(here.query | look)}"
        frame = Frame(layout_data(here.position.variant), here.position.turn)
        size = (_WIDTH, round(_WIDTH * frame.height / frame.width))
        return _lines(request, caption(here, lang), picture, lang, size)
    game, n, path = query.get("game", ""), query.get("n", ""), request.url.path
    if view in ("replay", "analysis") and game.isdecimal() and n.isdecimal():
        match = query.get("match", "") if view == "analysis" else path.rpartition("/")[2]
        picture = f"/pictures/match/{quote(match[:100], safe='')}/{game[:6]}/{n[:6]}.png"
        if look:
            picture += f"?{urlencode(look)}"
        return _lines(request, translate("A moment of a match", lang), picture, lang, None)
    return ""


def _lines(request: Request, title: str, picture: str, lang: str, size: tuple[int, int] | None) -> str:
    settings = site_of(request).settings
    origin = settings.origin or f"http://{request.headers.get('host', '')}"
    properties = {
        "og:site_name": translate("Sheshbesh", lang),
        "og:type": "website",
        "og:title": title,
        "og:image": f"{origin}{picture}",
        "og:image:type": "image/png",
        "og:url": f"{origin}{request.url.path}" + (f"?{request.url.query}" if request.url.query else ""),
    }
    if size is not None:
        properties |= {"og:image:width": str(size[0]), "og:image:height": str(size[1])}
    lines = [f'<meta property="{name}" content="{escape(value)}">' for name, value in properties.items()]
    return "\n".join([*lines, '<meta name="twitter:card" content="summary_large_image">'])
