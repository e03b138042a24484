"""The puzzle of the day: one for everybody, the first answer kept, the days in a row counted."""

from __future__ import annotations

from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from sheshbesh.practice.puzzles import LEVELS, counts, puzzle_of
from sheshbesh.server.http.api import puzzles as routes
from sheshbesh.server.practice.daily import standing_of
from tests.server.conftest import NewClient

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


@pytest.mark.parametrize(
    ("results", "streak", "longest", "answered"),
    [
        ("", 0, 0, None),
        ("r", 1, 1, True),
        ("rrw", 0, 2, False),
        ("rr.", 2, 2, None),
        ("rrr..", 0, 3, None),
        ("rr.r", 1, 2, True),
        ("rwrrr", 3, 3, True),
    ],
)
def test_days_in_a_row_end_with_a_wrong_answer_or_a_day_left_out(
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


async def test_the_first_answer_of_a_day_is_kept_and_the_next_days_follow(
    guest: httpx.AsyncClient, new_client: NewClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answered(day: date, answer: str, **more: Any) -> dict[str, Any]:
        body = {"day": day.isoformat(), "answer": answer, **more}
        told = await guest.post("/api/v1/puzzles/today/answers", json=body)
        assert told.status_code == 200, told.text
        found: dict[str, Any] = told.json()
        return found

    monkeypatch.setattr(routes, "today", lambda: DAY)
    asked = (await guest.get("/api/v1/puzzles/today?lang=fa")).json()
    found = puzzle_of(DAY)
    assert (asked["id"], asked["day"], asked["variant"]) == (found.id, "2026-11-24", found.card.variant)
    assert asked["choices"] and "candidates" not in asked and asked["standing"]["answered"] is None
    best, made = found.card.judged.best, found.card.judged.played
    assert (await answered(DAY, best, again=True))["standing"]["total"] == 0
    told = await answered(DAY, best)
    assert told["right"] and told["standing"]["streak"] == 1
    assert not (await answered(DAY, made))["right"]
    assert (await guest.get("/api/v1/puzzles/today/standing")).json()["standing"]["answered"] is True

    tomorrow = DAY + timedelta(days=1)
    monkeypatch.setattr(routes, "today", lambda: tomorrow)
    late = await answered(DAY, made)
    assert late["standing"] == {
        "answered": None, "answer": None, "streak": 1, "longest": 1, "right": 1, "total": 1,
    }  # fmt: skip
    assert (await answered(tomorrow, puzzle_of(tomorrow).card.judged.played))["standing"]["streak"] == 0

    path = "/api/v1/puzzles/today/answers"
    for day, answer, status in ((DAY - timedelta(days=9), best, 404), (tomorrow, "x", 422)):
        assert (await guest.post(path, json={"day": day.isoformat(), "answer": answer})).status_code == status
    stranger = new_client()
    assert (await stranger.get("/api/v1/puzzles/today")).json()["standing"]["total"] == 0
    assert (await stranger.post(path, json={"day": "2026-11-25", "answer": "x"})).status_code == 401


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
