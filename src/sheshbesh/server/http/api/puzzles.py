"""The public puzzles, and the puzzle of the day."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import Field

from sheshbesh.errors import IllegalPlayError, NotationError
from sheshbesh.i18n import Text, translate
from sheshbesh.practice import Answer, PracticeCard
from sheshbesh.practice import puzzles as shipped
from sheshbesh.server.http.api.bodies import Body, Words
from sheshbesh.server.http.identity import MaybePerson, Player
from sheshbesh.server.http.request_limits import costs
from sheshbesh.server.people.person import Person
from sheshbesh.server.practice import view
from sheshbesh.server.practice.daily import today
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import site_of

router = APIRouter(tags=["practice"])

Lang = Annotated[str, Query(max_length=20)]


class Answered(Body):
    """An answer: a play in notation, or double, roll, take, drop. `again`: it is judged and not kept."""

    answer: Words
    again: bool = False


class DailyAnswered(Answered):
    """An answer to the puzzle of a day, as 2026-11-24."""

    day: Annotated[str, Field(max_length=10)]


@router.get("/puzzles")
async def games() -> dict[str, Any]:
    """Return the number of puzzles of each level for every game."""
    return {"levels": list(shipped.LEVELS), "games": await asyncio.to_thread(shipped.counts)}


@router.get("/puzzles/today", dependencies=[costs(2)])
async def puzzle_today(request: Request, person: MaybePerson, lang: Lang = "en") -> dict[str, Any]:
    """The puzzle of the day (UTC), the same for everybody, and how I stand: `day`, `standing`."""
    day = today()
    data = await asyncio.to_thread(lambda: view.puzzle_data(shipped.puzzle_of(day), lang))
    return {**data, "day": day.isoformat(), "standing": await _standing(request, person, day)}


@router.get("/puzzles/today/standing")
async def puzzle_standing(request: Request, person: MaybePerson, lang: Lang = "en") -> dict[str, Any]:
    """Return which puzzle it is, and how I stand, without the question."""
    day = today()
    found = await asyncio.to_thread(shipped.puzzle_of, day)
    title = translate(Text(found.card.rules.title), lang)
    data = {"day": day.isoformat(), "variant": found.card.variant, "source": title, "level": found.level}
    return {**data, "standing": await _standing(request, person, day)}


@router.post("/puzzles/today/answers", dependencies=[costs(2)])
async def solve_today(
    request: Request, body: DailyAnswered, person: Player, lang: Lang = "en"
) -> dict[str, Any]:
    """Answer the puzzle of `day`, today's or yesterday's; the first answer to today's is kept (`standing`).

    Failure 404 for any other day.
    """
    now = today()
    day = next((each for each in (now, now - timedelta(days=1)) if each.isoformat() == body.day), None)
    if day is None:
        raise Failure(404, "there are no such puzzles")
    found = await asyncio.to_thread(shipped.puzzle_of, day)
    given = judged(found.card, body.answer)
    if day == now and not body.again:
        await site_of(request).practice.daily.answered(person.id, now, found, given)
    data = await asyncio.to_thread(view.answer_data, found.card, given, lang)
    return {**data, "standing": await _standing(request, person, now)}


async def _standing(request: Request, person: Person | None, day: date) -> dict[str, Any]:
    return await site_of(request).practice.daily.standing(person.id if person is not None else "", day)


@router.get("/puzzles/{game}", dependencies=[costs(3)])
async def puzzles(game: str, level: str = "", lang: Lang = "en") -> list[dict[str, Any]]:
    """The puzzles of a game, those of one level where it is named."""

    def render() -> list[dict[str, Any]]:
        found = [each for each in shipped.puzzles(game) if level in ("", each.level)]
        return [view.puzzle_data(each, lang) for each in found]

    found = await asyncio.to_thread(render)
    if not found:
        raise Failure(404, "there are no such puzzles")
    return found


@router.post("/puzzles/{game}/{puzzle}/answers", dependencies=[costs(2)])
async def solve(game: str, puzzle: str, body: Answered, lang: Lang = "en") -> dict[str, Any]:
    """Answer a puzzle; nothing is kept of it."""
    found = await asyncio.to_thread(shipped.puzzle, game, puzzle)
    if found is None:
        raise Failure(404, "there are no such puzzles")
    return view.answer_data(found.card, judged(found.card, body.answer), lang)


def judged(card: PracticeCard, text: str) -> Answer:
    """Return what an answer to a card is worth; Failure 422 for what is no answer or no play."""
    try:
        return card.answer(text)
    except (NotationError, IllegalPlayError) as error:
        raise Failure(422, error.message, where="answer") from None
