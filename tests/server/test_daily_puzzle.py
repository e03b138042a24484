"""The puzzle of the day and ratings by puzzles: first answers are kept and rated, streaks are counted."""

from __future__ import annotations

from contextlib import AsyncExitStack
from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import insert

from sheshbesh.practice.puzzles import LEVELS, Puzzle, counts, puzzle_of, puzzles
from sheshbesh.server.http.api import puzzles as routes
from sheshbesh.server.ids import now_ms
from sheshbesh.server.practice import ratings
from sheshbesh.server.practice.daily import standing_of
from sheshbesh.server.storage.review_tables import solver_ratings
from tests.server.conftest import NewClient
from tests.server.visitors import Browser, Visitors

pytestmark = pytest.mark.anyio

DAY = date(2026, 11, 24)


def test_games_and_levels_take_turns_and_no_puzzle_comes_again_for_years() -> None:
    games = len(counts())
    days = [
        puzzle_of(DAY + timedelta(days=n))
        for n in range(sum(sum(each.values()) for each in counts().values()))
    ]
    assert len({each.id for each in days}) == len(days)
    for n in range(0, len(days) - games, games):
        assert len({each.card.variant for each in days[n : n + games]}) == games
    assert {each.level for each in days[:3]} == set(LEVELS)
    assert puzzle_of(DAY) == days[0]


def test_a_game_and_a_level_have_a_puzzle_for_each_day_and_ask_all_before_one_comes_again() -> None:
    of_level = counts()["tapa"]["hard"]
    days = [puzzle_of(DAY + timedelta(days=n), "tapa", "hard") for n in range(of_level)]
    assert {(each.card.variant, each.level) for each in days} == {("tapa", "hard")}
    assert len({each.id for each in days}) == of_level
    with pytest.raises(KeyError):
        puzzle_of(DAY, "nothing", "hard")


@pytest.mark.parametrize(
    ("results", "streak", "longest", "answered"),
    [
        ("", 0, 0, None),
        ("r", 1, 1, True),
        ("rrw", 2, 2, False),
        ("rr.", 2, 2, None),
        ("rrr..", 3, 3, None),
        ("rrr...", 0, 3, None),
        ("rrr.w", 0, 3, False),
        ("rr.r", 3, 3, True),
        ("rr..r", 1, 2, True),
        ("rwrrr", 4, 4, True),
        ("rwwr.", 1, 1, None),
    ],
)
def test_a_streak_forgives_one_day_without_a_right_answer(
    results: str, streak: int, longest: int, *, answered: bool | None
) -> None:
    first = DAY - timedelta(days=len(results) - 1)
    rows = [
        SimpleNamespace(day=(first + timedelta(days=n)).isoformat(), correct=each == "r", answer="8/5")
        for n, each in enumerate(results)
        if each != "."
    ]
    told = standing_of(rows, DAY)
    assert (told["streak"], told["longest"], told["answered"]) == (streak, longest, answered)
    assert (told["right"], told["total"]) == (results.count("r"), len(rows))
    assert (told["answer"] is None) == (answered is None)


@pytest.mark.parametrize(
    ("lang", "game"),
    [("en", "backgammon"), ("fa", "takhte"), ("tr", "tavla"), ("ru", "long_nardy"), ("ar", "tawla31")],
)
async def test_strangers_are_asked_an_easy_puzzle_of_the_first_game_of_their_language(
    client: httpx.AsyncClient, lang: str, game: str
) -> None:
    asked = (await client.get(f"/api/v1/puzzles/today?lang={lang}")).json()
    assert (asked["variant"], asked["level"]) == (game, "easy")
    assert asked["choices"] and "candidates" not in asked and asked["standing"]["total"] == 0
    assert (await client.get("/api/v1/puzzles/today?game=tapa")).json()["variant"] == "tapa"


async def test_the_first_answer_of_a_day_is_kept_and_the_next_days_follow(
    guest: httpx.AsyncClient, new_client: NewClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answered(day: date, answer: str, **more: Any) -> dict[str, Any]:
        body = {"day": day.isoformat(), "game": "tavla", "level": "easy", "answer": answer, **more}
        told = await guest.post("/api/v1/puzzles/today/answers", json=body)
        assert told.status_code == 200, told.text
        found: dict[str, Any] = told.json()
        return found

    monkeypatch.setattr(routes, "today", lambda: DAY)
    asked = (await guest.get("/api/v1/puzzles/today?lang=tr")).json()
    found = puzzle_of(DAY, "tavla", "easy")
    assert (asked["id"], asked["day"], asked["variant"]) == (found.id, "2026-11-24", "tavla")
    best, made = found.card.judged.best, found.card.judged.played
    first = await answered(DAY, made, again=True)
    assert first["standing"]["total"] == 0 and first["rating"]["after"] < first["rating"]["before"]
    told = await answered(DAY, best)
    assert told["right"] and told["standing"]["streak"] == 1
    assert told["rating"] is None, "the first answer was the wrong one"
    assert not (await answered(DAY, made))["right"]
    # What was answered stays the puzzle of the day, in whatever language and strength they come back.
    again = (await guest.get("/api/v1/puzzles/today?lang=ru&game=tapa")).json()
    assert (again["id"], again["standing"]["answered"]) == (found.id, True)

    tomorrow = DAY + timedelta(days=1)
    monkeypatch.setattr(routes, "today", lambda: tomorrow)
    late = await answered(DAY, made)
    assert late["standing"] == {
        "answered": None, "answer": None, "streak": 1, "longest": 1, "right": 1, "total": 1,
    }  # fmt: skip
    wrong = puzzle_of(tomorrow, "tavla", "easy").card.judged.played
    assert (await answered(tomorrow, wrong))["standing"]["right"] == 1

    path, tavla = "/api/v1/puzzles/today/answers", {"game": "tavla", "level": "easy"}
    standing = (await guest.get("/api/v1/puzzles/today/standing?lang=tr")).json()
    assert (standing["variant"], standing["day"], standing["standing"]["answered"]) == (
        "tavla", tomorrow.isoformat(), False,
    )  # fmt: skip
    # Without game and level it is the one that they are asked.
    unnamed = {"day": tomorrow.isoformat(), "answer": puzzle_of(tomorrow, "tavla", "easy").card.judged.best}
    assert (await guest.post(path, json=unnamed)).json()["right"]
    for day, answer, status in ((DAY - timedelta(days=9), best, 404), (tomorrow, "x", 422)):
        body = {"day": day.isoformat(), "answer": answer, **tavla}
        assert (await guest.post(path, json=body)).status_code == status
    nothing = {"day": "2026-11-25", "answer": "x", "game": "nothing", "level": "easy"}
    assert (await guest.post(path, json=nothing)).status_code == 404
    stranger = {"day": "2026-11-25", "answer": "x", **tavla}
    assert (await new_client().post(path, json=stranger)).status_code == 401


async def test_a_first_answer_is_rated_and_the_level_of_the_day_follows(
    guest: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def solve(puzzle: Puzzle, *, right: bool) -> dict[str, Any]:
        judged = puzzle.card.judged
        body = {"answer": judged.best if right else judged.played}
        answer = await guest.post(f"/api/v1/puzzles/tapa/{puzzle.id}/answers", json=body)
        rating: dict[str, Any] = answer.json()["rating"]
        return rating

    async def standing() -> dict[str, Any]:
        own: dict[str, Any] = (await guest.get("/api/v1/puzzles/tapa/ladder")).json()["own"]
        return own

    easy, *others = (each for each in puzzles("tapa") if each.level == "easy")
    hard = [each for each in puzzles("tapa") if each.level == "hard"]
    assert await standing() is None
    first = await solve(easy, right=False)
    assert first["before"] == 1500 and first["after"] < 1400 and 200 < first["deviation"] < 350
    assert await solve(easy, right=False) == first, "the same answer, sent twice"
    assert await solve(easy, right=True) is None, "only the first answer counts"
    with monkeypatch.context() as later:
        later.setattr(ratings, "TWICE", -1)
        assert await solve(easy, right=False) is None, "the puzzle comes again another day"
    # A right answer to what is hard says more than one to what is easy, and each makes the rating surer.
    gained = await solve(hard[0], right=True)
    assert (
        gained["after"] - gained["before"] > (await solve(others[0], right=True))["after"] - gained["after"]
    )
    for each in hard[1:6]:
        await solve(each, right=True)
    own = await standing()
    assert own["answers"] == 8 and own["rating"] > 1650 and own["provisional"] and own["place"] is None
    assert (await guest.get("/api/v1/puzzles/today?game=tapa")).json()["level"] == "hard"
    assert (await guest.get("/api/v1/puzzles/today?game=tavla")).json()["level"] == "easy"


async def test_the_ladder_lists_those_whose_rating_is_no_guess(visitors: Visitors) -> None:
    async def with_rating(browser: Browser, rating: float, deviation: float) -> None:
        row = {"owner": browser.user["id"], "game": "tapa", "rating": rating, "deviation": deviation}
        await visitors.site.database.write(
            insert(solver_ratings).values(**row, volatility=0.06, answers=30, at=now_ms())
        )

    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(visitors.user(name)) for name in ("Nava", "Omer", "Sara")]
        guest = await stack.enter_async_context(visitors.guest())
        for browser, rating, deviation in zip(
            (*people, guest), (1700, 1800, 2000, 1750), (90, 60, 200, 100), strict=True
        ):
            await with_rating(browser, rating, deviation)
        ladder = await people[0].get("puzzles/tapa/ladder")
        names = [each["user"]["name"] for each in ladder["people"]]
        assert names == ["Omer", guest.user["name"], "Nava"] and ladder["count"] == 3
        assert (ladder["own"]["place"], ladder["own"]["rating"], ladder["own"]["deviation"]) == (3, 1700, 90)
        assert (await people[2].get("puzzles/tapa/ladder"))["own"]["place"] is None
        # Who claims a name keeps what they have solved as a guest.
        await guest.post("account/claim", {"name": "Rosa", "password": "a long enough one"})
        kept = await guest.get("puzzles/tapa/ladder")
        assert kept["own"]["place"] == 2 and kept["people"][1]["user"]["name"] == "Rosa"
        assert (await guest.ask("GET", "puzzles/nothing/ladder")).status_code == 404


async def test_the_numbers_that_can_be_asked_for_follow_from_the_rules(
    client: httpx.AsyncClient, app: FastAPI
) -> None:
    assert app.state.site

    async def told(game: str) -> list[str]:
        found: list[str] = (await client.get(f"/api/v1/positions/counts/{game}")).json()
        return found

    assert await told("backgammon") == ["back", "their_back"]
    assert await told("tapa") == ["back", "their_back", "pins", "pinned"]
    assert await told("long_nardy") == ["back", "their_back", "head"]
