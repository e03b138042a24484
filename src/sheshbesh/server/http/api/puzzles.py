"""The public puzzles, the puzzle of the day, and the ratings that come of their answers."""

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
from sheshbesh.practice.puzzles import Level, Puzzle
from sheshbesh.server.http.api.bodies import Body, Words
from sheshbesh.server.http.api.variants import first_game
from sheshbesh.server.http.identity import MaybePerson, Player
from sheshbesh.server.http.request_limits import costs
from sheshbesh.server.people.history import History
from sheshbesh.server.people.person import Person
from sheshbesh.server.practice import view
from sheshbesh.server.practice.daily import today
from sheshbesh.server.practice.ratings import Change
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import site_of

router = APIRouter(tags=["practice"])

Lang = Annotated[str, Query(max_length=20)]


class Answered(Body):
    """An answer: a play in notation, or double, roll, take, drop. `again`: it is judged and not kept."""

    answer: Words
    again: bool = False


class DailyAnswered(Answered):
    """An answer to the puzzle of a day, as 2026-11-24.

    `game` and `level` are those of the question; without both it is the one that I am asked that day.
    """

    day: Annotated[str, Field(max_length=10)]
    game: Words = ""
    level: Level | None = None


@router.get("/puzzles")
async def games() -> dict[str, Any]:
    """Return the number of puzzles of each level for every game."""
    return {"levels": list(shipped.LEVELS), "games": await asyncio.to_thread(shipped.counts)}


@router.get("/puzzles/today", dependencies=[costs(2)])
async def puzzle_today(
    request: Request, person: MaybePerson, game: str = "", lang: Lang = "en"
) -> dict[str, Any]:
    """The puzzle of the day (UTC), the same for everybody of one game and level: `day`, and how I stand.

    The game is `game` if it has puzzles, else the one that I have played most, else the first one of the
    language; the level follows from my rating there. Once I have answered it is the one that I was asked.
    """
    day = today()
    found = await _of_the_day(request, person, day, game, lang)
    data = await asyncio.to_thread(view.puzzle_data, found, lang)
    return {**data, "day": day.isoformat(), "standing": await _standing(request, person, day)}


@router.get("/puzzles/today/standing")
async def puzzle_standing(request: Request, person: MaybePerson, lang: Lang = "en") -> dict[str, Any]:
    """Return which puzzle it is, and how I stand, without the question."""
    day = today()
    found = await _of_the_day(request, person, day, "", lang)
    title = translate(Text(found.card.rules.title), lang)
    data = {"day": day.isoformat(), "variant": found.card.variant, "source": title, "level": found.level}
    return {**data, "standing": await _standing(request, person, day)}


@router.post("/puzzles/today/answers", dependencies=[costs(2)])
async def solve_today(
    request: Request, body: DailyAnswered, person: Player, lang: Lang = "en"
) -> dict[str, Any]:
    """Answer the puzzle of `day`, today's or yesterday's; the first answer to today's is kept (`standing`).

    My first answer to a puzzle is rated, too: `rating` as in `solve`. Failure 404 for any other day.
    """
    now = today()
    day = next((each for each in (now, now - timedelta(days=1)) if each.isoformat() == body.day), None)
    if day is None or (body.game and body.game not in await asyncio.to_thread(shipped.counts)):
        raise _no_puzzle()
    practice = site_of(request).practice
    if body.game and body.level is not None:
        found = await asyncio.to_thread(shipped.puzzle_of, day, body.game, body.level)
    else:
        found = await _of_the_day(request, person, day, body.game, lang)
    given = judged(found.card, body.answer)
    steps = [practice.daily.first(person.id, now, found, given)] if day == now and not body.again else []
    change = await practice.ratings.answered(person, found, *steps, right=given.right)
    data = await asyncio.to_thread(view.answer_data, found.card, given, lang)
    return {**data, **_rating_data(change), "standing": await _standing(request, person, now)}


async def _of_the_day(request: Request, person: Person | None, day: date, game: str, lang: str) -> Puzzle:
    """Return what somebody is asked on a day."""
    site, games = site_of(request), await asyncio.to_thread(shipped.counts)
    game = game if game in games else ""
    level: Level = "easy"
    if person is not None:
        answered = await site.practice.daily.puzzle(person.id, day)
        known = await site.practice.ratings.solved(person.id, answered) if answered is not None else None
        if answered is not None and known is not None:
            found = await asyncio.to_thread(shipped.puzzle, known, answered)
            if found is not None:
                return found
        if not game:
            played = [each["game"] for each in await History(site.database).games(person.id)]
            game = next((each for each in played if each in games), "")
        game = game or first_game(lang)
        level = await site.practice.ratings.level(person.id, game)
    return await asyncio.to_thread(shipped.puzzle_of, day, game or first_game(lang), level)


async def _standing(request: Request, person: Person | None, day: date) -> dict[str, Any]:
    return await site_of(request).practice.daily.standing(person.id if person is not None else "", day)


@router.get("/puzzles/{game}/ladder", dependencies=[costs(2)])
async def ladder(request: Request, game: str, person: MaybePerson) -> dict[str, Any]:
    """The people rated highest by the puzzles of a game, and how I stand (`own`)."""
    if game not in await asyncio.to_thread(shipped.counts):
        raise _no_puzzle()
    return await site_of(request).practice.ratings.ladder(game, person.id if person is not None else "")


@router.get("/puzzles/{game}", dependencies=[costs(3)])
async def puzzles(game: str, level: str = "", lang: Lang = "en") -> list[dict[str, Any]]:
    """The puzzles of a game, those of one level where it is named."""

    def render() -> list[dict[str, Any]]:
        found = [each for each in shipped.puzzles(game) if level in ("", each.level)]
        return [view.puzzle_data(each, lang) for each in found]

    found = await asyncio.to_thread(render)
    if not found:
        raise _no_puzzle()
    return found


@router.post("/puzzles/{game}/{puzzle}/answers", dependencies=[costs(2)])
async def solve(
    request: Request, game: str, puzzle: str, body: Answered, person: MaybePerson, lang: Lang = "en"
) -> dict[str, Any]:
    """Answer a puzzle.

    My first answer to it is rated, whatever `again` says, since it shows the best play: `rating` is my rating
    `before` and `after` that answer, and its `deviation` now. It is null for strangers and programs, and for
    later answers; the first one sent twice within a minute is told the same twice.
    """
    found = await asyncio.to_thread(shipped.puzzle, game, puzzle)
    if found is None:
        raise _no_puzzle()
    given, change = judged(found.card, body.answer), None
    if person is not None and "play" in person.scopes:
        change = await site_of(request).practice.ratings.answered(person, found, right=given.right)
    return {**await asyncio.to_thread(view.answer_data, found.card, given, lang), **_rating_data(change)}


def _rating_data(change: Change | None) -> dict[str, Any]:
    return {"rating": None if change is None else {k: round(v) for k, v in change._asdict().items()}}


def _no_puzzle() -> Failure:
    return Failure(404, "there are no such puzzles")


def judged(card: PracticeCard, text: str) -> Answer:
    """Return what an answer to a card is worth; Failure 422 for what is no answer or no play."""
    try:
        return card.answer(text)
    except (NotationError, IllegalPlayError) as error:
        raise Failure(422, error.message, where="answer") from None
