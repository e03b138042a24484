"""The analysis board over HTTP, pictures of positions and games, and boards that other pages may frame."""

from __future__ import annotations

import asyncio
import io
import json
from base64 import b64encode
from itertools import pairwise
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from PIL import Image, ImageSequence

import sheshbesh as sb
from sheshbesh.pictures import Look
from sheshbesh.rules import Side
from sheshbesh.server.boards.press import MOST_FRAMES, Press
from sheshbesh.server.engine.questions import Questions
from sheshbesh.server.engine.queue import FairQueue, Urgency
from sheshbesh.server.limits import Limiter
from sheshbesh.server.refusals import Failure
from sheshbesh.session.board_data import board_data
from tests.server.clock import ManualClock
from tests.server.stored import given_up, played, store_match
from tests.server.test_engine_queue import ManualTaker
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

API = "/api/v1/analysis"
START = "B4e1c3Ee3C1E4b:w"


def edited(**change: Any) -> dict[str, Any]:
    return {"card": "backgammon.m", "board": board_data(sb.variant("backgammon").start()), **change}


async def test_a_board_put_up_by_hand_is_answered_by_all_that_can_be_done_with_it(
    client: httpx.AsyncClient,
) -> None:
    found = (await client.post(f"{API}/board", json=edited(dice="31"))).json()
    assert found["problems"] == []
    assert found["query"] == {"card": "backgammon.m", "id": START, "dice": "31"}
    assert found["can"] == {"play": True, "cube": False, "over": None}
    assert found["ids"]["xgid"].startswith("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:")
    again = (await client.get(f"{API}?{found['address']}")).json()
    assert again == found


async def test_an_impossible_board_has_every_reason_in_the_readers_language(
    client: httpx.AsyncClient,
) -> None:
    body = edited(lang="de-DE")
    body["board"]["points"][0] = {"w": 1, "b": 2}
    told = (await client.post(f"{API}/board", json=body)).json()
    assert told == {"problems": ["white has 16 checkers, not 15", "both colours on White's point 1"]}
    body["lang"] = "ru"
    told = (await client.post(f"{API}/board", json=body)).json()
    assert told["problems"][0] == "белые: шашек 16, а не 15"
    body["board"]["points"].pop()
    assert (await client.post(f"{API}/board", json=body)).status_code == 422


async def test_what_is_pasted_is_put_up_or_refused_with_one_sentence(client: httpx.AsyncClient) -> None:
    text = "XGID=-b----E-C---eE---c-e----B-:1:1:1:31:2:1:0:5:10"
    found = (await client.post(f"{API}/text", json={"text": text})).json()
    assert found["query"] == {
        "card": "backgammon.p5",
        "id": START,
        "dice": "31",
        "cube": "2w",
        "score": "2.1",
    }
    for text in ("", "hello", "XGID=", "\0" * 50, "9" * 19_000, START.replace("E", "O")):
        refused = await client.post(f"{API}/text", json={"text": text})
        assert refused.status_code == 422, text
        assert refused.json()["error"]["code"] == "no_position"


@pytest.mark.parametrize("engine_processes", [1])
async def test_the_engine_judges_and_a_rollout_repeats_line_by_line(guest: httpx.AsyncClient) -> None:
    asked = {"card": "backgammon.m", "id": START, "dice": "31"}
    found = (await guest.post(f"{API}/ask", json={**asked, "plies": 0})).json()
    assert found["plays"][0]["play"] == "8/5 6/5"
    quick = {"card": "hypergammon.m", "id": sb.variant("hypergammon").start().id, "dice": "31"}
    body = {**quick, "trials": 72, "seed": 5, "plays": ["24/20", "23/22 22/19"]}
    answers = [await guest.post(f"{API}/rollout", json=body) for _ in range(2)]
    assert answers[0].text == answers[1].text
    lines = [json.loads(line) for line in answers[0].text.splitlines()]
    assert [line["trials"] for line in lines] == [36, 72]
    assert [line["done"] for line in lines] == [False, True]
    assert "kept" not in lines[0]
    refused = await guest.post(f"{API}/rollout", json={**body, "trials": 1_000_000})
    assert refused.status_code == 422


async def test_a_second_rollout_of_the_same_person_is_refused_and_strangers_get_none(
    app: FastAPI, guest: httpx.AsyncClient, client: httpx.AsyncClient
) -> None:
    me = (await guest.get("/api/v1/me")).json()
    person = me.get("user", me)["id"]
    body = {"card": "backgammon.m", "trials": 36}
    with app.state.site.limits.rollouts.one(person):
        refused = await guest.post(f"{API}/rollout", json=body)
    assert refused.status_code == 429
    assert (await client.post(f"{API}/rollout", json=body)).status_code == 401
    over = await guest.post(f"{API}/rollout", json={**body, "id": "23o:w"})
    assert over.json()["error"]["code"] == "over"


async def test_nobody_is_helped_in_a_match_that_goes_on(app: FastAPI, client: httpx.AsyncClient) -> None:
    await store_match(app.state.site, played(turns=3))
    for address in (f"{API}?match=m1", "/pictures/match/m1/1/0.svg", "/pictures/match/m1/1.gif"):
        assert (await client.get(address)).status_code == 409, address


async def test_any_moment_of_a_match_that_is_over_has_its_board_and_pictures(
    app: FastAPI, client: httpx.AsyncClient
) -> None:
    await store_match(app.state.site, given_up())
    frames = (await client.get("/api/v1/matches/m1/frames?game=1")).json()["frames"]
    assert frames[1]["query"]["card"] == "hypergammon.p1"
    found = (await client.get(f"{API}?match=m1&game=1&n=1")).json()
    assert found["query"] == frames[1]["query"]
    last = (await client.get(f"{API}?match=m1")).json()
    assert last["query"] == frames[-2]["query"], "the last decision, not the end"
    assert (await client.get("/pictures/match/m1/1/1.svg")).text.startswith("<svg")
    made = await client.get("/pictures/match/m1/1.gif?width=320")
    with Image.open(io.BytesIO(made.content)) as picture:
        assert sum(1 for _ in ImageSequence.Iterator(picture)) >= len(frames) - 2
    for address in ("1/999.svg", "7/0.svg", "7.gif"):
        assert (await client.get(f"/pictures/match/m1/{address}")).status_code == 404, address


async def test_an_animation_has_a_width_that_is_offered(app: FastAPI, client: httpx.AsyncClient) -> None:
    await store_match(app.state.site, given_up())
    for width in ("9999", "0003200", "32000000"):
        assert (await client.get(f"/pictures/match/m1/1.gif?width={width}")).status_code == 422, width


PICTURE = b64encode(b"a picture").decode()


async def test_no_picture_waits_for_an_animation_which_is_made_in_the_background() -> None:
    clock, look = ManualClock(), Look(Side.WHITE, "wood", "")
    engines = Questions(0, queue=FairQueue(clock=clock), clock=clock)
    engines.queue.add(taker := ManualTaker(1, frozenset({Urgency.PICTURE})))
    pictures = Press(engines, patience=20.0, clock=clock)

    def answer(with_: Any) -> None:
        taker.jobs.pop().settle(with_)
        engines.queue.serve()

    def ask(game: int) -> asyncio.Task[bytes]:
        queries = [{"game": str(game), "n": str(n)} for n in range(3)]
        return asyncio.create_task(pictures.animation(str(game), queries, look, 320))

    animations = [ask(game) for game in range(4)]
    await eventually(lambda: taker.jobs)
    with pytest.raises(Failure) as refused:
        await ask(4)
    assert (refused.value.code, refused.value.status_code) == ("unavailable", 503), "four may wait"
    assert [job.kind for job in taker.jobs] == ["frames"]
    picture = asyncio.create_task(pictures.png("<svg>", 240))
    await eventually(lambda: len(engines.queue))
    answer({"frames": [PICTURE], "palette": [1, 2, 3]})
    await eventually(lambda: taker.jobs)
    assert [job.kind for job in taker.jobs] == ["png"], "between two portions of the animation"
    answer(PICTURE)
    assert await picture == b"a picture"
    (portion,) = taker.jobs
    assert (portion.ask["queries"][0]["n"], portion.ask["palette"]) == ("1", [1, 2, 3])
    clock.advance(20.0)
    for game, each in enumerate(animations):
        with pytest.raises(Failure) as refused:
            await each
        assert ("1 of 3" in refused.value.detail) is (game == 0), "what was begun says how far it is"
        assert refused.value.code == "making" and refused.value.headers == {"Retry-After": "5"}
    answer({"frames": [PICTURE] * 2, "palette": [1, 2, 3]})
    await eventually(lambda: taker.jobs)
    assert taker.jobs[0].ask == {"ask": "gif", "frames": [PICTURE] * 3, "seconds": [1.4, 1.4, 4.0]}
    answer(PICTURE)
    await eventually(lambda: taker.jobs)
    assert await ask(0) == b"a picture", "it went on when nobody waited, and is kept"
    taker.jobs.pop().fail("it was lost")
    with pytest.raises(Failure) as refused:
        await ask(1)
    assert refused.value.code == "unavailable"
    await pictures.close()


async def test_an_animation_of_a_long_game_leaves_turns_out() -> None:
    engines = Questions(0)
    engines.queue.add(taker := ManualTaker(1, frozenset({Urgency.PICTURE})))
    pictures, queries = Press(engines), [{"n": str(n)} for n in range(1001)]
    asked = asyncio.create_task(pictures.animation("long", queries, Look(Side.WHITE, "wood", ""), 480))
    await eventually(lambda: taker.jobs)
    drawn = [int(query["n"]) for query in taker.jobs[0].ask["queries"]]
    assert len(drawn) <= MOST_FRAMES + 1 and drawn[-1] == 1000, "the end stays"
    assert {later - earlier for earlier, later in pairwise(drawn[:-1])} == {11}
    asked.cancel()
    await pictures.close()


async def test_pictures_may_stand_elsewhere_and_only_boards_to_be_framed_may_be_framed(
    client: httpx.AsyncClient,
) -> None:
    query = f"card=backgammon.m&id={START}&dice=31&view=black&look=felt"
    drawn = await client.get(f"/pictures/board.svg?{query}")
    assert drawn.headers["cross-origin-resource-policy"] == "cross-origin"
    assert drawn.headers["x-frame-options"] == "DENY"
    image = await client.get(f"/pictures/board.png?{query}&width=240")
    assert image.content.startswith(b"\x89PNG")
    frame = await client.get(f"/embed/backgammon?{query}", headers={"Accept-Language": "fa"})
    assert "x-frame-options" not in frame.headers
    policy = frame.headers["content-security-policy"]
    assert "frame-ancestors *" in policy
    assert "default-src 'none'" in policy
    assert "<script" not in frame.text
    assert '<html lang="fa" dir="rtl">' in frame.text
    page = await client.get(f"/analysis?{query}")
    assert page.headers["x-frame-options"] == "DENY"
    for address in (
        "/embed/backgammon?card=tavla.m",
        "/embed/nothing",
        "/pictures/board.svg?look=gold",
        "/pictures/board.svg?view=top",
        "/pictures/board.png?width=5",
        "/pictures/board.png?width=0012000",
        "/pictures/board.svg?id=nonsense",
    ):
        assert (await client.get(address)).status_code == 422, address


async def test_pictures_cost_what_they_are_worth(app: FastAPI, client: httpx.AsyncClient) -> None:
    # Nothing comes back to it while a busy machine answers.
    app.state.site.limits.requests = bucket = Limiter(0.001, 300, what="requests")
    bucket.take("127.0.0.1", cost=295)
    answers = [(await client.get("/pictures/match/m1/1.gif")).status_code for _ in range(2)]
    assert 429 in answers
