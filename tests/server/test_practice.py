"""Practice on the site: cards made of reviews, answered, suspended, removed; puzzles; positions found."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from contextlib import nullcontext
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import func, insert, select, update

import sheshbesh as sb
from sheshbesh.practice.puzzles import LEVELS, counts, puzzle
from sheshbesh.records import read_match
from sheshbesh.reviews import Report
from sheshbesh.server.engine.questions import Questions
from sheshbesh.server.engine.queue import NOT_STARTED, EngineBusyError, EngineError
from sheshbesh.server.ids import new_id
from sheshbesh.server.practice.indexing import Indexing
from sheshbesh.server.practice.store import PracticeStore
from sheshbesh.server.site import Site
from sheshbesh.server.storage.review_tables import positions, practice_cards, reviews
from tests.server.conftest import NewClient
from tests.server.test_reviews import uploaded

pytestmark = pytest.mark.anyio

FILE = (
    b" 1 point match\n\n Game 1\n Nava : 0                          Tobias : 0\n"
    b"  1) 31: 24/23 13/10                52: 24/22 13/8\n"
    b"  2) 64: 24/14                     66: 24/18 13/7(3)\n"
    b"  3) 21: 6/5 8/6                   Cannot Move\n      Wins 1 point and the match\n"
)


PLAYED = {(3, 1): "24/23 13/10", (6, 4): "24/14", (2, 1): "8/6 6/5"}
"""What White played with each roll."""


async def numbers(client: httpx.AsyncClient) -> dict[str, Any]:
    found: dict[str, Any] = (await client.get("/api/v1/practice")).json()
    return found


@cache
def report() -> Report:
    """The file reviewed two plies deep, as the worker does it."""
    return sb.review(read_match(FILE), plies=2, workers=1)


async def reviewed(
    client: httpx.AsyncClient, site: Site, side: str | None = "white", content: bytes = FILE
) -> str:
    """A finished review of an upload, gone through."""
    store, person = site.reviews.store, (await client.get("/api/v1/me")).json()["user"]["id"]
    upload = await store.keep_upload(person, "short.mat", "mat", content)
    about = {"players": ["Nava", "Tobias"], "you": side}
    review = new_id()
    row = {"id": review, "owner": person, "source": "upload", "source_id": upload, "variant": "backgammon"}
    done = {
        "created": 0,
        "state": "done",
        "plies": 2,
        "report": zlib.compress(json.dumps(report().kept()).encode()),
    }
    await site.database.write(insert(reviews).values(**row, **done, about=about))
    await site.practice.indexing.catch_up()
    return review


async def test_the_errors_of_the_side_one_played_become_cards(app: FastAPI, guest: httpx.AsyncClient) -> None:
    site = app.state.site
    review = await reviewed(guest, site, None)
    assert (await numbers(guest))["cards"] == 0, "nobody has said who they are"
    for side in ("black", "white"):
        await guest.put(f"/api/v1/reviews/{review}/side", json={"side": side})
        await site.practice.indexing.catch_up()
        cards = (await guest.get("/api/v1/practice/due")).json()
        assert cards and {card["decider"] for card in cards} == {side}
        assert all(card["review"] == review and card["choices"] for card in cards)
        # What is right for the cube depends on the score.
        score = {"white": 0, "black": 0, "length": 1, "crawford": False}
        assert all(card["score"] == score for card in cards)
        assert all("candidates" not in card and "reason" not in card for card in cards)
    await reviewed(guest, site)
    assert (await numbers(guest))["cards"] == len(cards), "the same questions are not asked twice"
    made = (await guest.post("/api/v1/uploads", json=uploaded(FILE))).json()
    again = (await guest.get(f"/api/v1/reviews/{made['id']}")).json()
    assert again["you"] == "white", "the name is known from the file before"


async def test_an_answer_grades_itself_and_says_when_the_card_comes_again(
    app: FastAPI, guest: httpx.AsyncClient
) -> None:
    await reviewed(guest, app.state.site)
    first = (await guest.get("/api/v1/practice/due")).json()[0]
    before = await numbers(guest)
    assert before["due"] == before["cards"] and before["today"]["done"] == 0
    path = f"/api/v1/practice/cards/{first['id']}/answers"
    refused = await guest.post(path, json={"answer": "24/off"})
    assert refused.status_code == 422
    made = PLAYED[first["dice"][0], first["dice"][1]]
    look = (await guest.post(path, json={"answer": made, "again": True})).json()
    assert not look["right"] and look["again"] and look["reason"] and look["steps"]
    assert (await numbers(guest))["due"] == before["due"], "trying again is no answer"
    wrong = (await guest.post(path, json={"answer": look["answer"]})).json()
    after = await numbers(guest)
    assert after["due"] == before["due"] - 1 and after["today"]["done"] == 1
    assert after["next"] == wrong["due"]
    best = wrong["candidates"][0]["name"]
    right = (await guest.post(path, json={"answer": best})).json()
    assert right["right"] and right["best"] and right["loss"] == 0 and right["due"] > wrong["due"]


async def test_a_card_is_suspended_asked_again_and_removed_for_good(
    app: FastAPI, guest: httpx.AsyncClient, new_client: NewClient
) -> None:
    site = app.state.site
    await reviewed(guest, site)
    card = (await guest.get("/api/v1/practice/cards")).json()[0]["id"]
    path = f"/api/v1/practice/cards/{card}"
    before = await numbers(guest)
    await guest.put(path, json={"state": "suspended"})
    assert (await numbers(guest))["due"] == before["due"] - 1
    await guest.put(path, json={"state": "active"})
    assert await numbers(guest) == before
    other = new_client()
    await other.post("/api/v1/guest")
    assert (await other.request("DELETE", path, json={})).status_code == 404
    assert (await guest.request("DELETE", path, json={})).status_code == 200
    await site.database.write(update(reviews).values(indexed=0))
    await site.practice.indexing.catch_up()
    assert (await numbers(guest))["cards"] == before["cards"] - 1
    assert (await guest.put(path, json={"state": "active"})).status_code == 404


async def test_cards_and_positions_of_a_review_are_deleted_with_it(
    app: FastAPI, guest: httpx.AsyncClient
) -> None:
    site = app.state.site
    review = await reviewed(guest, site)

    async def count(table: Any) -> int:
        row = await site.database.first(select(func.count()).select_from(table))
        return int(row[0])

    assert await count(practice_cards) and await count(positions) == 5
    await guest.request("DELETE", f"/api/v1/reviews/{review}", json={})
    assert await count(practice_cards) == 0 and await count(positions) == 0


async def test_cards_leave_as_an_anki_deck(app: FastAPI, guest: httpx.AsyncClient) -> None:
    await reviewed(guest, app.state.site)
    answer = await guest.get("/api/v1/practice/anki?lang=fa")
    assert "sheshbesh.apkg" in answer.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as package:
        assert "collection.anki2" in package.namelist()


async def test_a_review_that_is_damaged_is_gone_through_once(app: FastAPI, guest: httpx.AsyncClient) -> None:
    site = app.state.site
    review = await reviewed(guest, site)
    await site.database.write(
        update(reviews).where(reviews.c.id == review).values(report=b"nothing", indexed=0)
    )
    await site.practice.indexing.catch_up()
    assert await site.practice.store.unread() is None
    assert (await guest.get("/api/v1/practice/due")).json(), "what was made of it before stays"


@pytest.mark.parametrize(
    ("error", "given_up"),
    [
        (EngineError("it has ended"), ["one"]),
        (EngineError("no process runs", NOT_STARTED), []),
        (EngineBusyError("64 questions wait already"), []),
    ],
)
async def test_a_review_is_gone_through_later_where_no_process_could_be_asked(
    error: EngineError, given_up: list[str]
) -> None:
    done = list[str]()

    class Store:
        async def unread(self) -> Any:
            return None if done else SimpleNamespace(id="one", report=zlib.compress(b"{}"))

        async def give_up(self, review: str) -> None:
            done.append(review)

    class Engines:
        async def index(self, _: bytes) -> Any:
            raise error

    indexing = Indexing(cast("PracticeStore", Store()), cast("Questions", Engines()))
    with nullcontext() if given_up else pytest.raises(type(error)):
        await indexing.catch_up()
    assert done == given_up


async def test_a_puzzle_is_asked_without_its_answer_and_judged(client: httpx.AsyncClient) -> None:
    told = (await client.get("/api/v1/puzzles")).json()
    assert told["levels"] == list(LEVELS) and set(told["games"]) == set(counts())
    asked = (await client.get("/api/v1/puzzles/tapa?level=hard&lang=tr")).json()
    first = asked[0]
    assert first["level"] == "hard" and first["choices"] and "candidates" not in first
    path = f"/api/v1/puzzles/tapa/{first['id']}/answers"
    assert (await client.post(path, json={"answer": "x"})).status_code == 422
    best = puzzle("tapa", first["id"])
    assert best is not None
    told = (await client.post(path, json={"answer": best.card.judged.best})).json()
    assert told["right"] and told["candidates"][0]["name"] == best.card.judged.best and "due" not in told
    told = (await client.post(path, json={"answer": best.card.judged.played})).json()
    assert not told["right"] and told["loss"] > 0.02 and told["reason"]
    assert told["grade"] == ("blunder" if told["loss"] >= 0.08 else "error")
    assert (await client.get("/api/v1/puzzles/tapa?level=none")).status_code == 404
    assert (await client.post("/api/v1/puzzles/tapa/none/answers", json={"answer": "x"})).status_code == 404


async def test_positions_of_others_are_found_once_their_owner_makes_them_public(
    app: FastAPI, guest: httpx.AsyncClient, new_client: NewClient
) -> None:
    site = app.state.site
    review = await reviewed(guest, site)
    other = new_client()
    await other.post("/api/v1/guest")

    async def found(client: httpx.AsyncClient, **question: Any) -> list[dict[str, Any]]:
        answer = await client.get("/api/v1/positions", params=question)
        assert answer.status_code == 200, answer.text
        told: list[dict[str, Any]] = answer.json()
        return told

    mine = await found(guest)
    assert len(mine) == 5 and [each["loss"] for each in mine] == sorted(
        (each["loss"] for each in mine), reverse=True
    )
    assert await found(other) == []
    place = f"/api/v1/positions/{review}/{mine[0]['n']}"
    assert (await other.get(place)).status_code == 404
    await guest.put(f"/api/v1/reviews/{review}/public", json={"public": True})
    assert [each["n"] for each in await found(other)] == [each["n"] for each in mine]
    assert not any(each["own"] for each in await found(other, whose="public"))
    told = (await other.get(place)).json()
    assert told["candidates"] and "Nava" not in str(told)
    assert len(await found(guest)) == 5, "one's own are not told twice"
    await guest.put(f"/api/v1/reviews/{review}/public", json={"public": False})
    assert await found(other) == []

    starting = {"24": "made", "13": "made", "8": "made", "6": "made", "1": "their_made", "7": "empty"}
    pattern = ",".join(f"{point}={holding}" for point, holding in starting.items())
    assert 1 <= len(await found(guest, points=pattern)) < 5
    assert await found(guest, points="24=blot,23=blot,22=blot") == []
    assert await found(guest, themes="race") == [] and await found(guest, kind="double") == []
    assert len(await found(guest, loss=1)) < 5
    for wrong in ({"points": "25=made"}, {"points": "6=x"}, {"themes": "nothing"}, {"kind": "x"}):
        assert (await guest.get("/api/v1/positions", params=wrong)).status_code == 422
    assert (await guest.get("/api/v1/positions", params={"game": "chess"})).status_code == 404


async def test_what_a_game_can_have_follows_from_its_rules(client: httpx.AsyncClient) -> None:
    async def themes(game: str) -> set[str]:
        return set((await client.get(f"/api/v1/positions/themes/{game}")).json())

    assert {"holding", "backgame", "blitz"} <= await themes("backgammon") and "pin" not in await themes(
        "backgammon"
    )
    assert "pin" in await themes("tapa") and "blitz" not in await themes("tapa")
    assert await themes("long_nardy") == {"race", "bear_off", "prime_v_prime", "prime"}
