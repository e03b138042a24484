"""What addresses say of themselves where they are pasted: words, a picture, and names where they stand."""

from __future__ import annotations

import re
from html import unescape
from io import BytesIO

import httpx
import pytest
from fastapi import FastAPI
from PIL import Image
from sqlalchemy import update

from sheshbesh.practice.puzzles import puzzles
from sheshbesh.server.http.previews import seat_name
from sheshbesh.server.people.names import NOBODY
from sheshbesh.server.storage.review_tables import reviews
from sheshbesh.server.storage.tables import matches
from sheshbesh.server.tables.seats import Seat
from tests.server.conftest import NewClient
from tests.server.test_reviews import SHORT, finished_match, me, until_done, uploaded
from tests.session_help import Table
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

_SITE = "The whole backgammon family: play every game in the browser, with dice that anyone can check."


async def told(client: httpx.AsyncClient, path: str, lang: str = "en") -> dict[str, str]:
    """The title, the description and all lines of Open Graph and Twitter of a page."""
    page = (await client.get(path, headers={"Accept-Language": lang})).text
    found = dict(re.findall(r'<meta (?:property|name)="([a-z:_]+)" content="([^"]*)">', page))
    found["title"] = re.findall(r"<title>([^<]*)</title>", page)[0]
    assert page.count("og:title") == page.count("twitter:card") == 1, path
    return {name: unescape(text) for name, text in found.items()}


async def picture(client: httpx.AsyncClient, found: dict[str, str]) -> tuple[int, int]:
    """The size of the picture that a page names; it is made, and of the shape of links."""
    address = found["og:image"].removeprefix("http://127.0.0.1:8000")
    assert address.startswith("/pictures/"), address
    assert found["twitter:image"] == found["og:image"]

    async def made() -> httpx.Response | None:
        answer = await client.get(address)
        return None if answer.status_code == 429 else answer  # asked for more than a visitor would

    answer = await eventually(made)
    assert answer.status_code == 200, f"{address}: {answer.text}"
    assert answer.headers["content-type"] == "image/png"
    size: tuple[int, int] = Image.open(BytesIO(answer.content)).size
    return size


_PAGES = [
    ("/", "Sheshbesh", _SITE),
    ("/play/tavla", "Play Tavla", "Turkish backgammon"),
    ("/rules/tapa", "Tapa · Rules", ""),
    ("/learn/takhte", "Takhte (Iranian traditional) · Learn", ""),
    ("/lobby", "Lobby", _SITE),
    ("/puzzles/tapa", "Puzzles · Tapa", ""),
    ("/puzzles/today", "Puzzle of the day", " to play "),
    ("/analysis?card=backgammon.p5&dice=31&score=3.1", "Light to play 3-1 · 3–1 to 5", "analysis board"),
    ("/analysis", "Analysis", _SITE),
    ("/play/nothing", "Sheshbesh", _SITE),
    ("/u/nobody", "Sheshbesh", _SITE),
    ("/m/nothing", "Match", _SITE),
    ('/analysis?id="><script>', "Analysis", _SITE),
]


async def test_every_page_has_a_title_a_description_and_a_picture(client: httpx.AsyncClient) -> None:
    pictures = set()
    for path, title, description in _PAGES:
        found = await told(client, path)
        assert title in found["og:title"] and found["title"].endswith("Sheshbesh"), path
        assert description in found["description"], path
        assert found["description"] == found["og:description"] == found["twitter:description"], path
        if found["og:image"] not in pictures:  # most have that of the site
            assert await picture(client, found) == (1200, 630), path
        pictures.add(found["og:image"])
    assert len(pictures) > 3


async def test_a_link_speaks_the_language_that_is_asked_for(client: httpx.AsyncClient) -> None:
    found = await told(client, "/play/tavla", "tr")
    assert found["og:locale"] == "tr" and "Tavla" in found["og:title"] and "Play" not in found["og:title"]


async def test_an_invitation_says_who_invites_to_what(
    guest: httpx.AsyncClient, client: httpx.AsyncClient
) -> None:
    name = (await guest.get("/api/v1/me")).json()["user"]["name"]
    body = {"card": "tavla.p5", "opponent": {"kind": "friend"}}
    made = (await guest.post("/api/v1/matches", json=body)).json()
    found = await told(client, made["invite"])
    assert found["og:title"] == f"{name} invites you to a game of Tavla"
    assert found["description"].startswith("Tavla · Match to 5 points")


async def test_a_match_that_is_over_says_who_has_won_and_shows_its_end(
    app: FastAPI, guest: httpx.AsyncClient, client: httpx.AsyncClient
) -> None:
    match = await finished_match(app.state.site, await me(guest))
    for path in (f"/m/{match}", f"/replay/{match}", f"/replay/{match}?game=1&n=2"):
        found = await told(client, path)
        assert found["og:title"].endswith(" – Computer, club"), path
        assert await picture(client, found) == (1200, 630)
    found = await told(client, f"/m/{match}")
    assert re.search(r"Nava wins, [12] to 0$", found["description"]), found


@pytest.mark.parametrize(
    ("code", "end"),
    [("hypergammon.p3", "The match is drawn"), ("hypergammon.m", "No end · The session is over")],
)
async def test_a_match_without_a_winner_is_drawn_and_a_session_is_over(
    app: FastAPI, guest: httpx.AsyncClient, client: httpx.AsyncClient, code: str, end: str
) -> None:
    match = await finished_match(app.state.site, await me(guest))
    agreed = Table(code).header.to_data()
    await app.state.site.database.write(update(matches).values(winner=None, header=agreed))
    assert (await told(client, f"/m/{match}"))["description"].endswith(end)


@pytest.mark.parametrize(
    ("name", "shown"),
    [("Nackgammon", "Nackgammon"), ("Ann 2", "Ann 2"), ("Guest 2", "مهمان ۲"), (NOBODY, "بازیکن حذف‌شده")],
)
def test_only_the_names_that_the_site_gives_are_words_of_a_language(name: str, shown: str) -> None:
    assert seat_name(Seat("user", name), "fa") == shown


async def test_nothing_is_said_of_a_private_match(
    app: FastAPI, guest: httpx.AsyncClient, client: httpx.AsyncClient
) -> None:
    body = {"card": "tavla.p5", "opponent": {"kind": "engine", "level": "beginner"}, "private": True}
    made = (await guest.post("/api/v1/matches", json=body)).json()
    for path in (f"/m/{made['id']}", f"/replay/{made['id']}", f"/analysis?match={made['id']}"):
        for visitor in (guest, client):
            assert "beginner" not in str(await told(visitor, path)), path


async def test_a_shared_review_names_those_whom_it_shows_and_pictures_the_costliest_play(
    app: FastAPI, guest: httpx.AsyncClient, new_client: NewClient
) -> None:
    review = (await guest.post("/api/v1/uploads", json=uploaded(SHORT))).json()["id"]
    await until_done(guest, review)

    async def share(*, names: bool) -> str:
        """The link; asked for again where the review was asked for too often before."""
        answer = await guest.put(f"/api/v1/reviews/{review}/share", json={"names": names})
        return str(answer.json().get("share", ""))

    link = await eventually(lambda: share(names=False))
    found = await told(new_client(), link)
    assert found["og:title"] == "Review: White – Black"
    assert re.search(r"error rates \d+\.\d and \d+\.\d", found["description"])
    assert await picture(new_client(), found) == (1200, 630)
    assert await eventually(lambda: share(names=True)) == link
    assert (await told(new_client(), link))["og:title"] == "Review: Nava – Tobias"
    assert "Nava" not in str(await told(guest, f"/review/{review}"))
    site = app.state.site
    kept = (await site.reviews.store.one(await me(guest), review)).about
    await site.database.write(update(reviews).values(about=kept | {"levels": [None, "club-bold"]}))
    assert (await told(new_client(), link))["og:title"] == "Review: Nava – Computer, club, bold"


async def test_a_puzzle_has_its_own_picture_without_its_answer(client: httpx.AsyncClient) -> None:
    chosen = puzzles("tapa")[0]
    found = await told(client, f"/puzzles/tapa?id={chosen.id}")
    high, low = sorted(chosen.card.judged.dice or (), reverse=True)
    assert f"to play {high}-{low}" in found["description"]
    assert f"dice={high}{low}" in found["og:image"]
