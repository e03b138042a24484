"""Practice: one's own cards, and the search for positions."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal, cast

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy import Row

from sheshbesh.engines.explain.themes import THEMES, Theme, possible
from sheshbesh.errors import RecordError, SheshbeshError, VariantError
from sheshbesh.i18n import Text
from sheshbesh.practice import PracticeCard, write_anki
from sheshbesh.reviews.questions import rules_of
from sheshbesh.reviews.search import KINDS, Wanted, countable, read_points
from sheshbesh.rules import Variant, variant
from sheshbesh.server.http.api.bodies import Body, Words
from sheshbesh.server.http.api.puzzles import Answered, judged
from sheshbesh.server.http.identity import MaybePerson, Player, Reader
from sheshbesh.server.http.request_limits import costs
from sheshbesh.server.practice import view
from sheshbesh.server.practice.store import Whose, card_of
from sheshbesh.server.refusals import Failure
from sheshbesh.server.reviews.store import report_of
from sheshbesh.server.reviews.view import answers_data, scene_data
from sheshbesh.server.site import site_of
from sheshbesh.session.board_data import layout_data

router = APIRouter(tags=["practice"])

Lang = Annotated[str, Query(max_length=20)]
Limit = Annotated[int, Query(ge=1, le=50)]


class Kept(Body):
    """A switch: true if a card is asked."""

    state: Literal["active", "suspended"]


class Played(Body):
    """The side that one played in an uploaded match."""

    side: Literal["white", "black"]


class Public(Body):
    """A switch: true if others may find the positions of a review; nobody is named there."""

    public: bool


# Cards


@router.get("/practice")
async def numbers(request: Request, person: Reader) -> dict[str, Any]:
    """Return the number of my cards, how many are due, when the next one is, and how far the day's five
    are."""
    return await site_of(request).practice.store.numbers(person.id)


@router.get("/practice/due", dependencies=[costs(3)])
async def due(request: Request, person: Reader, limit: Limit = 20, lang: Lang = "en") -> list[dict[str, Any]]:
    """The cards to be asked now."""
    rows = await site_of(request).practice.store.due(person.id, limit)
    return await asyncio.to_thread(_asked, rows, lang)


@router.get("/practice/cards", dependencies=[costs(3)])
async def listed(request: Request, person: Reader, lang: Lang = "en") -> list[dict[str, Any]]:
    """All my cards."""
    rows = await site_of(request).practice.store.all(person.id)
    return await asyncio.to_thread(lambda: [view.entry_data(row, lang) for row in rows])


@router.post("/practice/cards/{card}/answers", dependencies=[costs(2)])
async def answer(
    request: Request, card: str, body: Answered, person: Player, lang: Lang = "en"
) -> dict[str, Any]:
    """Answer a card: whether it is right, why, and when it comes again (`due`).

    Failure 422 for what is no answer or no play.
    """
    store = site_of(request).practice.store
    row = await store.one(person.id, card)
    if row is None:
        raise _no_card()
    found = _read(row)
    given = judged(found, body.answer)
    again = row.due if body.again else await store.answered(row, given)
    return {**view.answer_data(found, given, lang), "due": again}


@router.put("/practice/cards/{card}")
async def keep(request: Request, card: str, body: Kept, person: Player) -> dict[str, Any]:
    """Suspend a card, or have it asked again."""
    if not await site_of(request).practice.store.set_state(person.id, card, body.state):
        raise _no_card()
    return {"id": card, "state": body.state}


@router.delete("/practice/cards/{card}")
async def remove(request: Request, card: str, person: Player) -> dict[str, Any]:
    """Remove a card for good."""
    if not await site_of(request).practice.store.set_state(person.id, card, "removed"):
        raise _no_card()
    return {"deleted": card}


@router.get("/practice/anki", dependencies=[costs(20)])
async def anki(request: Request, person: Reader, lang: Lang = "en") -> Response:
    """All my cards as a deck for Anki."""
    rows = await site_of(request).practice.store.all(person.id)
    content = await asyncio.to_thread(_package, rows, lang)
    headers = {"Content-Disposition": 'attachment; filename="sheshbesh.apkg"'}
    return Response(content, media_type="application/octet-stream", headers=headers)


# What belongs to a review


@router.put("/reviews/{review}/side")
async def played(request: Request, review: str, body: Played, person: Player) -> dict[str, Any]:
    """Say which side of an uploaded match was mine: cards are made of that side's errors."""
    if not await site_of(request).reviews.store.belongs(person.id, review, body.side):
        raise Failure(404, "there is no such review")
    return {"you": body.side}


@router.put("/reviews/{review}/public")
async def publish(request: Request, review: str, body: Public, person: Player) -> dict[str, Any]:
    """Let others find the positions of a review of mine, without names; or no longer."""
    if not await site_of(request).reviews.store.publish(person.id, review, public=body.public):
        raise Failure(404, "there is no such review")
    return {"public": body.public}


# Positions


@router.get("/positions/themes/{game}")
async def themes(game: str) -> list[str]:
    """The themes that positions of a game can have."""
    return list(possible(_game(game).start()))


@router.get("/positions/counts/{game}")
async def counts(game: str) -> list[str]:
    """The numbers of checkers that positions of a game can be asked for."""
    return list(countable(_game(game)))


@router.get("/positions", dependencies=[costs(5)])
async def positions(
    request: Request,
    person: MaybePerson,
    game: str = "backgammon",
    whose: Whose = "all",
    kind: str = "",
    themes: Words = "",
    points: Words = "",
    loss: Annotated[int, Query(ge=0, le=100_000)] = 0,
    back: Annotated[int | None, Query(ge=0, le=30)] = None,
    their_back: Annotated[int | None, Query(ge=0, le=30)] = None,
    pins: Annotated[int | None, Query(ge=0, le=30)] = None,
    pinned: Annotated[int | None, Query(ge=0, le=30)] = None,
    head: Annotated[int | None, Query(ge=0, le=30)] = None,
) -> list[dict[str, Any]]:
    """Positions of reviews of mine and of public ones, the largest loss first.

    `themes` are names with commas between, `points` as 6=made,20=their_blot; `loss` is the least in
    thousandths of a point, the others are the least number of checkers.
    """
    _game(game)
    try:
        names = [name for name in themes.split(",") if name]
        if unknown := [name for name in names if name not in THEMES]:
            raise Failure(422, Text("there is no theme {name}", name=unknown[0][:20]), where="themes")
        if kind and kind not in KINDS:
            raise Failure(422, "unknown kind of decision", where="kind")
        least = {"loss": loss or None, "back": back, "their_back": their_back}
        least |= {"pins": pins, "pinned": pinned, "head": head}
        wanted = Wanted(
            kind=kind or None,
            themes=frozenset(cast("list[Theme]", names)),
            points=read_points(points),
            spans={name: (low, None) for name, low in least.items()},
        )
    except SheshbeshError as error:
        raise Failure(422, error.message, where="points") from None
    who = person.id if person is not None else ""
    rows = await site_of(request).practice.search.find(who, game, wanted, whose)
    return await asyncio.to_thread(lambda: [view.found_data(row, who) for row in rows])


@router.get("/positions/{review}/{n}", dependencies=[costs(3)])
async def position(
    request: Request, review: str, n: int, person: MaybePerson, lang: Lang = "en"
) -> dict[str, Any]:
    """One position that was found: the board, the candidates, the reason; nobody is named."""
    who = person.id if person is not None else ""
    row = await site_of(request).practice.search.readable(who, review)
    if row is None:
        raise Failure(404, "there is no such position")

    def render() -> dict[str, Any] | None:
        report = report_of(row)
        if not 0 <= n < len(report.decisions):
            return None
        each, rules = report.decisions[n], rules_of(report)
        return {**scene_data(each, rules), **answers_data(each, rules, lang), "layout": layout_data(rules)}

    try:
        found = await asyncio.to_thread(render)
    except RecordError:
        raise Failure(410, "this review is damaged and cannot be opened", code="damaged") from None
    if found is None:
        raise Failure(404, "there is no such position")
    return found


def _game(name: str) -> Variant:
    try:
        return variant(name)
    except VariantError as error:
        raise Failure(404, error.message, where="game") from None


def _asked(rows: Sequence[Row[Any]], lang: str) -> list[dict[str, Any]]:
    """The cards that can be read."""
    found = []
    for row in rows:
        try:
            found.append(view.card_data(row, lang))
        except RecordError:
            continue
    return found


def _package(rows: Sequence[Row[Any]], lang: str) -> bytes:
    cards = []
    for row in rows:
        try:
            cards.append(card_of(row))
        except RecordError:
            continue
    with TemporaryDirectory(prefix="sheshbesh-anki-") as folder:
        file = Path(folder) / "sheshbesh.apkg"
        write_anki(cards, file, lang)
        return file.read_bytes()


def _read(row: Row[Any]) -> PracticeCard:
    try:
        return card_of(row)
    except RecordError:
        raise Failure(410, "this card is damaged", code="damaged") from None


def _no_card() -> Failure:
    return Failure(404, "there is no such card")
