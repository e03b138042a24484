"""People whom one follows: who is here, what they have done, and what is not told of them."""

from __future__ import annotations

from contextlib import AsyncExitStack
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, update

from sheshbesh.server.http.api import users as routes
from sheshbesh.server.ids import now_ms
from sheshbesh.server.people import social
from sheshbesh.server.storage.review_tables import daily_answers
from sheshbesh.server.storage.tables import matches
from sheshbesh.server.storage.tournament_tables import tournament_entrants, tournaments
from tests.server.stored import played, seat_of, store_match
from tests.server.test_tournaments import announced
from tests.server.visitors import Browser, Visitors

pytestmark = pytest.mark.anyio

DAY = date(2026, 11, 24)


@pytest.fixture
async def people(visitors: Visitors) -> Any:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(visitors.user(name)) for name in ("Nava", "Omer", "Sara")]


async def _listed(browser: Browser) -> list[tuple[str, bool | None]]:
    found = await browser.get("me/friends")
    return [(each["name"], each["here"]) for each in found["people"]]


async def test_who_is_followed_is_listed_with_who_is_here_first(people: list[Browser]) -> None:
    nava, _, sara = people
    for name in ("Sara", "Omer", "Omer"):
        await nava.post(f"users/{name}/follow")
    assert await _listed(nava) == [("Omer", False), ("Sara", False)]
    async with sara.socket("/ws/lobby") as line:
        await line.until("challenges")
        assert await _listed(nava) == [("Sara", True), ("Omer", False)]
        assert (await nava.get("users/Sara"))["followed"] is True
        # Sara no longer shows it: nowhere, to nobody but herself.
        await sara.ask("PUT", "me/presence", {"shown": False})
        assert await _listed(nava) == [("Omer", False), ("Sara", None)]
        about = await nava.get("users/Sara")
        assert (about["online"], about["user"]["seen"], about["playing"]) == (None, None, [])
        assert (await sara.get("users/Sara"))["online"] is True
        assert "Sara" not in {each["name"] for each in (await nava.get("lobby"))["people"]}
        made = await nava.post("challenges", {"to": "Sara", "card": "tavla.p1", "side": "white"})
        assert made["online"] is None
        await sara.ask("PUT", "me/presence", {"shown": True})
        assert await _listed(nava) == [("Sara", True), ("Omer", False)]
    await nava.ask("DELETE", "users/Sara/follow")
    assert await _listed(nava) == [("Omer", False)]


async def test_a_block_holds_for_following_and_presence(people: list[Browser]) -> None:
    nava, omer, _ = people
    await nava.post("users/Omer/follow")
    await omer.post("users/Nava/follow")
    await omer.post("users/Nava/block")
    assert await _listed(nava) == await _listed(omer) == []
    for one, other in ((nava, "Omer"), (omer, "Nava")):
        refused = await one.ask("POST", f"users/{other}/follow", {})
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "apart")
    async with omer.socket("/ws/lobby") as line:
        await line.until("challenges")
        about = await nava.get("users/Omer")
        assert (about["online"], about["user"]["seen"]) == (None, None)
        assert "Omer" not in {each["name"] for each in (await nava.get("lobby"))["people"]}


async def test_nobody_follows_themselves_strangers_or_too_many(
    people: list[Browser], visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    nava, _, _ = people
    monkeypatch.setattr(social, "MOST_FOLLOWED", 1)
    await nava.post("users/Omer/follow")
    # To follow Omer again changes nothing.
    for name, status in (("Nava", 409), ("Nobody", 404), ("Sara", 409), ("Omer", 200)):
        assert (await nava.ask("POST", f"users/{name}/follow", {})).status_code == status, name
    async with visitors.stranger() as stranger:
        assert (await stranger.ask("POST", "users/Omer/follow", {})).status_code == 401
        assert (await stranger.ask("GET", "me/friends")).status_code == 401


async def test_what_they_have_done_is_told_as_far_as_it_is_public(
    people: list[Browser], visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    nava, omer, sara = people
    monkeypatch.setattr(routes, "today", lambda: DAY)
    database, now = visitors.site.database, now_ms()
    for match, private in (("open", False), ("secret", True)):
        table = played(match=match, turns=0)
        await store_match(visitors.site, table, seat_of(omer.user), seat_of(sara.user), private=private)
    over = {"state": "over", "winner": "white", "white_score": 1, "black_score": 0, "ended": now - 1000}
    cup = await announced(sara)
    entrant = {"tournament_id": cup, "number": 1, "name": "Omer", "status": "in", "place": 1}
    await database.write(
        update(matches).values(**over),
        update(tournaments).values(status="over", ended=now - 2000),
        insert(tournament_entrants).values(**entrant, user_id=omer.user["id"]),
        *(
            insert(daily_answers).values(
                owner=omer.user["id"],
                day=(DAY - timedelta(days=n)).isoformat(),
                puzzle="x",
                answer="8/5",
                correct=True,
                answered=now - 3000,
            )
            for n in range(3)
        ),
    )
    assert await nava.get("me/friends/activities") == []
    for name in ("Omer", "Sara"):
        await nava.post(f"users/{name}/follow")
    told = await nava.get("me/friends/activities")
    assert [each["kind"] for each in told] == ["match", "tournament", "streak"]
    match, won, streak = told
    friday = {"id": cup, "title": "Friday", "series": None, "zone": "UTC"}
    assert (match["match"]["id"], match["match"]["winner"]) == ("open", "white")
    assert (won["user"]["name"], won["tournament"]) == ("Omer", friday)
    assert (streak["user"]["name"], streak["days"]) == ("Omer", 3)
    # When somebody solved a puzzle says that they were here.
    await omer.ask("PUT", "me/presence", {"shown": False})
    assert [each["kind"] for each in await nava.get("me/friends/activities")] == ["match", "tournament"]
