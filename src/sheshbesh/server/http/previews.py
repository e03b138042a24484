"""The preview of a page's address where it is pasted or listed: title, description and a picture.

Names stand only where the page shows them to everybody: nothing is said of private matches, of reviews
without their link, and of names that a shared review hides.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from html import escape
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlencode

from sqlalchemy import select
from starlette.requests import Request

from sheshbesh.errors import SheshbeshError
from sheshbesh.i18n import PluralText, Text, language, translate
from sheshbesh.learn import CourseError, course
from sheshbesh.match import Card, Contest
from sheshbesh.players.situation import FIELDS, Situation
from sheshbesh.practice import puzzles
from sheshbesh.rules import Side, variant, variants
from sheshbesh.server.boards.view import caption
from sheshbesh.server.http.api.variants import first_game
from sheshbesh.server.people.access import Course, is_told
from sheshbesh.server.people.names import NOBODY
from sheshbesh.server.people.ratings import ratings_of
from sheshbesh.server.practice.daily import today
from sheshbesh.server.practice.view import puzzle_situation
from sheshbesh.server.refusals import Failure
from sheshbesh.server.reviews.view import shared_data
from sheshbesh.server.site import Site, site_of
from sheshbesh.server.storage.tables import matches
from sheshbesh.server.tables import begin
from sheshbesh.server.tables.seats import ENGINE, OVER, USER, MatchAgreement, Seat
from sheshbesh.server.tournaments.podium import podium, podium_matches
from sheshbesh.server.tournaments.series import title_of
from sheshbesh.server.tournaments.view import name_of

log = logging.getLogger(__name__)

_SIZE: Final = (1200, 630)
"""Pixels of a picture in the shape that links have: what the places that show it cut all others to."""
_LOOKS: Final = ("view", "look")
_PATIENCE: Final = 0.5
"""Seconds. A database that takes longer does not keep the page from being sent."""
_GUEST: Final = re.compile(r"Guest (\d+)")
_RATED: Final = 3
"""Ratings that the preview of a profile names."""


class Preview(NamedTuple):
    """Words in the language of the request, and the path of the picture; "" for those of the site."""

    title: str = ""
    description: str = ""
    picture: str = ""


async def preview(request: Request, view: str, lang: str) -> Preview:
    """Return what the page at this address says of itself; what the site does where nothing is known in
    time."""
    make = _OF.get(view)
    if make is not None:
        try:
            if (found := await asyncio.wait_for(make(request, lang), _PATIENCE)) is not None:
                return found
        except (Failure, SheshbeshError, CourseError):
            pass  # what the address names is not there
        except Exception:
            log.warning("a page is sent without words of its own", exc_info=True)
    heading = _HEADINGS.get(view)
    return Preview("" if heading is None else translate(heading, lang))


def dressed(page: bytes, found: Preview, request: Request, lang: str) -> bytes:
    """The page with title, description and the lines that Open Graph and Twitter read."""
    settings, spoken = site_of(request).settings, language(lang)
    origin = settings.origin or f"http://{request.headers.get('host', '')}"
    name = translate("Sheshbesh", lang)
    title = f"{found.title} · {name}" if found.title else name
    description = found.description or translate(_SITE, lang)
    picture = found.picture or _opening(variants()[0])
    query = f"?{request.url.query}" if request.url.query else ""
    properties = {
        "og:site_name": name,
        "og:type": "website",
        "og:locale": spoken.code,
        "og:title": found.title or name,
        "og:description": description,
        "og:image": f"{origin}{picture}",
        "og:image:type": "image/png",
        "og:image:width": str(_SIZE[0]),
        "og:image:height": str(_SIZE[1]),
        "og:image:alt": found.title or name,
        "og:url": f"{origin}{request.url.path}{query}",
    }
    twitter = {
        "twitter:card": "summary_large_image",
        "twitter:title": found.title or name,
        "twitter:description": description,
        "twitter:image": f"{origin}{picture}",
    }
    lines = [f'<meta property="{key}" content="{escape(value)}">' for key, value in properties.items()]
    lines += [f'<meta name="{key}" content="{escape(value)}">' for key, value in twitter.items()]
    html = page.decode()
    html = re.sub(r"<title>[^<]*</title>", lambda _: f"<title>{escape(title)}</title>", html, count=1)
    html = re.sub(
        r'(<meta name="description" content=")[^"]*', lambda m: m[1] + escape(description), html, count=1
    )
    return html.replace("</head>", "\n".join(lines) + "\n</head>", 1).encode()


_SITE = Text("The whole backgammon family: play every game in the browser, with dice that anyone can check.")

_HEADINGS: Mapping[str, Text] = {
    "lobby": Text("Lobby"),
    "tournaments": Text("Tournaments"),
    "watch": Text("Watch"),
    "friends": Text("Friends"),
    "week": Text("My week"),
    "scoreboard": Text("Beside a real board"),
    "chouettes": Text("Chouette"),
    "chouette": Text("Chouette"),
    "chouette-replay": Text("Replay"),
    "rules": Text("Rules"),
    "learn": Text("Learn"),
    "differences": Text("Traditional and modern"),
    "conduct": Text("Conduct at a real board"),
    "practice": Text("Practice"),
    "puzzles": Text("Puzzles"),
    "daily-puzzle": Text("Puzzle of the day"),
    "reviews": Text("Review"),
    "review": Text("Review"),
    "search": Text("Positions"),
    "analysis": Text("Analysis"),
    "settings": Text("Settings"),
    "login": Text("Account"),
    "account": Text("Account"),
    "invite": Text("Invitation"),
    "match": Text("Match"),
    "replay": Text("Replay"),
    "dice": Text("The dice"),
    "tournament": Text("Tournaments"),
}
"""The titles of pages of which there is nothing more to say."""


# Pictures


def _board(here: Situation, look: Mapping[str, str] | None = None) -> str:
    return f"/pictures/board.png?{urlencode({**here.query, **(look or {}), 'shape': 'link'})}"


@cache
def _opening(game: str) -> str:
    return _board(Situation.start(Card(game=game, contest=Contest.MONEY)))


def _looks(request: Request) -> dict[str, str]:
    query = request.query_params
    return {name: query[name][:20] for name in _LOOKS if query.get(name)}


# What stands at an address


def _game(name: str, lang: str) -> tuple[str, str, str]:
    """A game's title, its description and the picture of its opening; Failure where there is none."""
    if name not in variants():
        raise Failure(404, "there is no such game")
    rules = variant(name)
    return translate(Text(rules.title), lang), translate(Text(rules.description), lang), _opening(name)


async def _play(request: Request, lang: str) -> Preview | None:
    game = request.path_params.get("rest", "")
    if not game:
        return Preview()
    title, about, picture = _game(game, lang)
    return Preview(translate(Text("Play {game}", game=title), lang), about, picture)


async def _rules(request: Request, lang: str) -> Preview | None:
    title, about, picture = _game(request.path_params.get("rest", ""), lang)
    return Preview(f"{title} · {translate(Text('Rules'), lang)}", about, picture)


async def _learn(request: Request, lang: str) -> Preview | None:
    found = course(request.path_params.get("rest", ""))
    title, about, picture = _game(found.game.name, lang)
    name = translate(Text(found.title), lang)
    words = name if title in name else f"{title} · {name}"
    return Preview(f"{words} · {translate(Text('Learn'), lang)}", about, picture)


async def _match(request: Request, lang: str) -> Preview | None:
    identity = request.path_params["rest"]
    site = site_of(request)
    table = await site.matches.agreement(identity)
    if table is None or not is_told(table):
        return None
    title = _against(table, lang)
    agreed = contest(table.card, lang, rated=table.rated)
    if table.state != OVER:
        words = translate(Text("{match}: being played now", match=agreed), lang)
        return Preview(title, words, _opening(table.card.game))
    return Preview(title, f"{agreed} · {await _outcome(site, table, lang)}", _last(table))


def _last(table: MatchAgreement) -> str:
    return _picture_of(table.id)


def _picture_of(match: str) -> str:
    return f"/pictures/match/{quote(match, safe='')}.png?shape=link"


async def _outcome(site: Site, table: MatchAgreement, lang: str) -> str:
    columns = matches.c.winner, matches.c.white_score, matches.c.black_score
    row = await site.database.first(select(*columns).where(matches.c.id == table.id))
    if row is None or row.winner is None:
        is_money = table.card.contest is Contest.MONEY
        return translate(Text("The session is over") if is_money else Text("The match is drawn"), lang)
    side = Side.of(row.winner)
    score = {Side.WHITE: row.white_score or 0, Side.BLACK: row.black_score or 0}
    name = seat_name(table.seats[side], lang)
    return translate(
        Text("{name} wins, {own} to {other}", name=name, own=score[side], other=score[side.other]), lang
    )


async def _replay(request: Request, lang: str) -> Preview | None:
    query, path = request.query_params, request.url.path
    match = query.get("match", "") or path.rpartition("/")[2]
    game, n = query.get("game", ""), query.get("n", "")
    table = await site_of(request).matches.agreement(match[:100])
    if table is None or not is_told(table):
        return None
    if table.state != OVER:
        return Preview(_against(table, lang), contest(table.card, lang), _opening(table.card.game))
    if not (game.isdecimal() and n.isdecimal()):
        outcome = await _outcome(site_of(request), table, lang)
        return Preview(_against(table, lang), f"{contest(table.card, lang)} · {outcome}", _last(table))
    looks = urlencode({**_looks(request), "shape": "link"})
    picture = f"/pictures/match/{quote(table.id, safe='')}/{game[:6]}/{n[:6]}.png?{looks}"
    return Preview(_against(table, lang), translate(Text("A moment of a match"), lang), picture)


async def _analysis(request: Request, lang: str) -> Preview | None:
    query = request.query_params
    if "match" in query:
        return await _replay(request, lang)
    if "id" not in query and "card" not in query:
        return None
    here = Situation.of_query({name: query[name][:400] for name in FIELDS if query.get(name)})
    words = translate(Text("A position on the analysis board: plays, chances, rollouts."), lang)
    return Preview(caption(here, lang), words, _board(here, _looks(request)))


async def _shared(request: Request, lang: str) -> Preview | None:
    if not request.url.path.startswith("/shared/"):
        return None
    site, secret = site_of(request), request.path_params["rest"]
    row = await site.reviews.store.shared(secret)
    if row is None:
        return None
    players = await site.reviews.source.players(row.source_id) if row.source == "match" else None
    data = shared_data(row, players)
    white, black = (_reviewed(data, side, lang) for side in Side)
    title = translate(Text("Review: {white} – {black}", white=white, black=black), lang)
    rates = [data["rates"][side.value] for side in Side]
    game = translate(Text(variant(row.variant).title), lang)
    about = game
    if all(rates):
        first, second = (each["rate"] for each in rates)
        words = Text("error rates {first:.1f} and {second:.1f}", first=first, second=second)
        about = f"{game} · {translate(words, lang)}"
    return Preview(title, about, f"/pictures/shared/{quote(secret, safe='')}.png")


def _reviewed(data: Mapping[str, Any], side: Side, lang: str) -> str:
    """Return who played a side of a review: a computer by its level, a colour where nobody is named."""
    name, level = data["players"][side.value], data["levels"][side.value]
    shown = seat_name(Seat(ENGINE if level else USER, name, level=level), lang)
    return shown or translate(Text("White") if side is Side.WHITE else Text("Black"), lang)


async def _puzzle(request: Request, lang: str) -> Preview | None:
    game, wanted = request.path_params["rest"], request.query_params.get("id", "")
    title, about, picture = _game(game, lang)
    found = puzzles.puzzle(game, wanted)
    if found is not None:
        here = puzzle_situation(found)
        about, picture = caption(here, lang), _board(here)
    return Preview(f"{translate(Text('Puzzles'), lang)} · {title}", about, picture)


async def _daily(_request: Request, lang: str) -> Preview | None:
    here = puzzle_situation(puzzles.puzzle_of(today(), first_game(lang), "easy"))  # as for a newcomer
    return Preview(translate(Text("Puzzle of the day"), lang), caption(here, lang), _board(here))


async def _invite(request: Request, lang: str) -> Preview | None:
    found = await begin.find(site_of(request).database, request.path_params["rest"][:100])
    if found is None:
        return None
    table = found[1]
    title, about, picture = _game(table.card.game, lang)
    host = next((seat for seat in table.seats.values() if seat.user is not None), None)
    if host is None:
        words = Text("You are invited to a game of {game}", game=title)
    else:
        words = Text("{name} invites you to a game of {game}", name=seat_name(host, lang), game=title)
    agreed = contest(table.card, lang, rated=table.rated)
    return Preview(translate(words, lang), f"{agreed} · {about}", picture)


async def _profile(request: Request, lang: str) -> Preview | None:
    site = site_of(request)
    row = await site.people.directory.by_name(request.path_params["rest"][:100])
    if row is None:
        return None
    rated = [each for each in await ratings_of(site.database, row.id) if each["game"] in variants()]
    lines = [f"{_game(each['game'], lang)[0]} {round(each['rating'])}" for each in rated[:_RATED]]
    about = translate(Text("Ratings: {ratings}", ratings=", ".join(lines)), lang) if lines else ""
    picture = _opening(rated[0]["game"]) if rated else ""
    return Preview(_person(row.name, lang), about, picture)


async def _tournament(request: Request, lang: str) -> Preview | None:
    site = site_of(request)
    state = await site.tournaments.shown(request.path_params["rest"][:100])
    if state is None or not is_told(Course(state)):
        return None
    card = Card.from_code(state.settings.card)
    title, _, picture = _game(card.game, lang)
    count = len(state.entrants)
    parts = [title, contest(card, lang), translate(PluralText("{n} entered", "{n} entered", count), lang)]
    if state.starts is not None and state.began is None:
        at = datetime.fromtimestamp(state.starts / 1000, tz=UTC)
        parts.append(translate(Text("starts on {time} UTC", time=f"{at:%Y-%m-%d %H:%M}"), lang))
    gone = await site.tournaments.gone(state.id)
    parts += [f"{row.place}. {name_of(state.entrant(row.entrant), gone)}" for row in podium(state)]
    played = podium_matches(state)
    held = await site.tournaments.held(state.id)
    name = translate(title_of(state.settings.title, None if held is None else held.series), lang)
    return Preview(name, " · ".join(parts), _picture_of(played[0].match) if played else picture)


_OF: Mapping[str, Callable[[Request, str], Awaitable[Preview | None]]] = {
    "home": _play,
    "rules": _rules,
    "learn": _learn,
    "match": _match,
    "replay": _replay,
    "analysis": _analysis,
    "review": _shared,
    "puzzles": _puzzle,
    "daily-puzzle": _daily,
    "invite": _invite,
    "profile": _profile,
    "tournament": _tournament,
}


# Words


def contest(card: Card, lang: str, *, rated: bool = False) -> str:
    """Return what is played to, and whether it is rated, in one line."""
    length = card.length
    if length is None or card.contest is Contest.MONEY:
        words: Text = Text("No end")
    elif card.contest is Contest.GAMES:
        words = PluralText("Best of {n} game", "Best of {n} games", length)
    else:
        words = PluralText("Match to {n} point", "Match to {n} points", length)
    title = translate(Text(card.rules.title), lang)
    more = [translate(Text("rated"), lang)] if rated else []
    return " · ".join([title, translate(words, lang), *more])


def seat_name(seat: Seat, lang: str) -> str:
    """Return who sits there, as the page names them."""
    if seat.kind == ENGINE:
        level = ", ".join(translate(Text(part), lang) for part in (seat.level or seat.name).split("-"))
        return translate(Text("Computer, {level}", level=level), lang)
    return _person(seat.name, lang)


def _person(name: str, lang: str) -> str:
    """Return a person's name; the site's own are in the language, where people's might be words of it."""
    guest = _GUEST.fullmatch(name)
    if guest is not None:
        return translate(Text("Guest {number}", number=int(guest[1])), lang)
    return translate(Text(NOBODY), lang) if name == NOBODY else name


def _against(table: MatchAgreement, lang: str) -> str:
    white, black = (seat_name(table.seats[side], lang) for side in Side)
    return f"{white} – {black}"
