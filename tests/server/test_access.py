"""Every address of what has an id, asked by everybody: who is let in, and who may keep the answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import NamedTuple

import httpx
import pytest

from sheshbesh.server.app import make_app
from sheshbesh.server.reviews.store import MATCH
from sheshbesh.server.settings import Settings
from tests.server.conftest import site_lots
from tests.server.stored import given_up, played, seat_of, store_match
from tests.server.test_tournaments import SETTINGS, announced
from tests.server.visitors import Browser, Visitors, visited_site
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

PLAYERS, OWNER = frozenset({"owner", "opponent"}), frozenset({"owner"})
EVERYBODY = PLAYERS | {"other", "blocked", "nobody"}
ANSWERED = "no-store"
DAY, PERSONAL = "public, max-age=86400", "private, no-cache"


class Door(NamedTuple):
    """An address, whom it lets in, and the Cache-Control of what they are sent."""

    path: str
    to: frozenset[str]
    kept: str = ANSWERED


def of_match(key: str, to: frozenset[str], picture: str) -> list[Door]:
    """All that is made of a match that is over."""
    api, pictures = f"/api/v1/matches/{{{key}}}", f"/pictures/match/{{{key}}}"
    return [
        *(Door(f"{api}{part}", to) for part in ("", "/record", "/frames", "/dice")),
        Door(f"{api}/offers", PLAYERS),
        Door(f"/api/v1/analysis?match={{{key}}}&game=1&n=1", to),
        Door(f"{pictures}/1/1.svg", to, picture),
        Door(f"{pictures}/1/1.png", to, picture),
        Door(f"{pictures}/1.gif?width=320", to, picture),
        Door(f"{pictures}.png", to, picture),
    ]


def of_match_under_way(key: str, to: frozenset[str]) -> list[Door]:
    """All that is made of a match that is played."""
    return [Door(f"/api/v1/matches/{{{key}}}{part}", to) for part in ("", "/record", "/frames", "/dice")]


def of_tournament(key: str, to: frozenset[str], standings: str) -> list[Door]:
    """All that is made of a tournament; a calendar is fetched by programs, which are nobody."""
    api, parts = f"/api/v1/tournaments/{{{key}}}", "/pairings /events /qr.svg /export.csv /export.json"
    return [
        *(Door(f"{api}{part}", to) for part in ("", *parts.split())),
        Door(f"{api}/bracket", to),
        Door(f"{api}/standings", to, standings),
        Door(f"/t/{{{key}}}.ics", to if to == EVERYBODY else frozenset()),
    ]


DOORS = [
    *of_match("open", EVERYBODY, DAY),
    *of_match("secret", PLAYERS, PERSONAL),
    *of_match_under_way("live", PLAYERS),
    Door("/api/v1/matches/{waiting}", OWNER),
    *(
        Door(f"/api/v1/chouettes/{{chouette}}{part}", EVERYBODY)
        for part in ("", "/record", "/frames", "/dice")
    ),
    Door("/api/v1/chouettes/{chouette}/qr.svg", EVERYBODY),
    *of_tournament("listed", EVERYBODY, "no-cache"),
    *of_tournament("unlisted", EVERYBODY, PERSONAL),
    *of_tournament("draft", OWNER, PERSONAL),
    Door("/api/v1/tournaments/{draft}/rounds/1", frozenset()),
    Door("/api/v1/invites/{invitation}", EVERYBODY),
    Door("/api/v1/invites/{invitation}/qr.svg", EVERYBODY),
    Door("/api/v1/reviews/{review}", OWNER),
    Door("/api/v1/reviews/{review}/decisions/0", OWNER),
    Door("/api/v1/positions/{review}/0", OWNER),
    Door("/api/v1/shared/{review}", frozenset()),
    Door("/api/v1/shared/{review}/decisions/0", frozenset()),
    Door("/pictures/shared/{review}.png", frozenset()),
    Door("/api/v1/shared/{shared}", EVERYBODY),
    Door("/api/v1/shared/{shared}/decisions/0", EVERYBODY),
    Door("/pictures/shared/{shared}.png", EVERYBODY, PERSONAL),
    Door("/api/v1/bot/game/{secret}/stream", frozenset()),
    Door("/api/v1/puzzles/tapa/ladder", EVERYBODY),
]

_KEYS = frozenset({"match", "chouette", "identity", "review", "secret", "token"})
"""The names that the routes give to what has an id."""


class World(NamedTuple):
    """People, and the ids of what is there."""

    people: Mapping[str, Browser]
    ids: Mapping[str, str]

    async def ask(self, who: str, path: str) -> httpx.Response:
        """Return what somebody is answered."""
        return await self.people[who].client.get(path.format_map(self.ids))


@pytest.fixture(scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """One for all tests: who looks changes nothing."""
    database = f"sqlite:///{tmp_path_factory.mktemp('doors')}/site.db"
    async with AsyncExitStack() as stack:
        stack.enter_context(site_lots("doors"))
        visitors = await stack.enter_async_context(visited_site(database))
        people = {
            name: await stack.enter_async_context(visitors.user(name.capitalize()))
            for name in ("owner", "opponent", "other", "blocked")
        }
        people["nobody"] = await stack.enter_async_context(visitors.stranger())
        owner, ids = people["owner"], {}
        await owner.post("users/Blocked/block")
        for match, private in (("open", False), ("secret", True)):
            ids[match] = await _over(visitors, match, people, private=private)
        seats = (seat_of(people[name].user) for name in ("owner", "opponent"))
        ids["live"] = (
            await store_match(visitors.site, played(match="live", turns=1), *seats, private=True)
        ).id
        ids["damaged"] = await _over(visitors, "damaged", people, private=True, events_of="another")
        friend = {"card": "tavla.p1", "opponent": {"kind": "friend"}, "private": True}
        made = await owner.post("matches", friend)
        ids["waiting"], ids["invitation"] = made["id"], made["invite"].removeprefix("/j/")
        table = {"card": "backgammon.m", "bots": ["beginner"] * 2, "private": True}
        ids["chouette"] = (await owner.post("chouettes", table))["id"]
        await owner.post(f"chouettes/{ids['chouette']}/begin")
        ids["listed"] = await announced(owner)
        ids["unlisted"] = await announced(owner, public=False)
        ids["draft"] = (await owner.post("tournaments", SETTINGS))["id"]
        ids["review"] = await visitors.site.reviews.store.ask(
            *(owner.user["id"], MATCH, "secret", "hypergammon"), plies=0, about={}
        )
        await eventually(lambda: _judged(owner, ids["review"]))
        link = (await owner.ask("PUT", f"reviews/{ids['review']}/share", {})).json()["share"]
        ids["shared"] = link.removeprefix("/shared/")
        yield World(people, ids)


async def _judged(owner: Browser, review: str) -> bool:
    return bool((await owner.get(f"reviews/{review}"))["state"] == "done")


async def _over(
    visitors: Visitors, match: str, people: Mapping[str, Browser], *, private: bool, events_of: str = ""
) -> str:
    """A match between two people that has been played to its end; its id.

    With the events of another match, whose dice were others, it cannot be replayed.
    """
    table = given_up(events_of or match)
    table.header = replace(table.header, match_id=match)
    seats = (seat_of(people[name].user) for name in ("owner", "opponent"))
    return (await store_match(visitors.site, table, *seats, private=private)).id


async def test_every_door_lets_in_those_whose_it_is(world: World) -> None:
    found, meant = {}, {}
    for path, to, kept in DOORS:
        for who in world.people:
            answer = await world.ask(who, path)
            is_in, kept_by = answer.status_code == 200, answer.headers["cache-control"]
            assert is_in or answer.status_code in (401, 403, 404), f"{path}, {who}: {answer.text}"
            found[path, who] = is_in, kept_by
            meant[path, who] = who in to, kept if who in to else ANSWERED
    assert found == meant


async def test_what_is_not_theirs_is_told_like_what_is_not_there(world: World) -> None:
    for path, to, _ in DOORS:
        gone = World(world.people, dict.fromkeys(world.ids, "nothing"))
        for who in ("other", "nobody"):
            if who not in to:
                assert (await world.ask(who, path)).text == (await gone.ask(who, path)).text, f"{path}, {who}"


async def test_pages_and_sockets_tell_nothing_of_what_is_private(world: World) -> None:
    for path in ("/m/{secret}", "/m/{live}", "/replay/{secret}", "/analysis?match={secret}", "/t/{draft}"):
        for who in world.people:
            page = (await world.ask(who, path)).text
            assert not any(word in page for word in ("Opponent", "Friday", "/pictures/match/")), (path, who)
    for path in ("/m/{open}", "/m/{secret}", "/j/{invitation}", "/shared/{shared}"):
        assert (await world.ask("nobody", path)).headers["cache-control"] == PERSONAL, path
    for path in ("/ws/match/{secret}", "/ws/match/{live}", "/ws/match/{damaged}", "/ws/tournament/{draft}"):
        for who in ("nobody", "other", "blocked"):
            async with world.people[who].socket(path.format_map(world.ids)) as line:
                assert (await line.until("error"))["d"]["code"] == "not_found", (path, who)


async def test_only_its_players_are_told_that_a_private_match_is_damaged(world: World) -> None:
    for who, status in (("owner", 410), ("opponent", 410), ("other", 404), ("nobody", 404)):
        assert (await world.ask(who, "/api/v1/matches/{damaged}")).status_code == status, who
    for who, status in (("owner", 410), ("other", 404)):
        rematch = await world.people[who].ask("POST", "matches/damaged/rematch", {})
        assert rematch.status_code == status, who


async def test_a_report_tells_nothing_of_a_private_match(world: World) -> None:
    for match, status in (("nothing", 404), ("secret", 404), ("open", 200)):
        body = {"kind": "talk", "text": "rude", "match": match}
        answer = await world.people["other"].ask("POST", "users/Opponent/report", body)
        assert answer.status_code == status, match


async def test_nobody_acts_in_what_is_of_others(world: World) -> None:
    secret, nothing = [
        await world.people["other"].ask("POST", f"matches/{match}/rematch", {})
        for match in ("secret", "nothing")
    ]
    assert secret.status_code == 404 and secret.text == nothing.text
    for who, status in (("other", 404), ("owner", 409)):
        path = f"tournaments/{world.ids['draft']}/check-in"
        assert (await world.people[who].ask("POST", path, {})).status_code == status, who


def test_every_route_of_a_thing_with_an_id_has_a_row() -> None:
    rows = "\n".join(door.path for door in DOORS)
    for route in make_app(Settings()).routes:
        path, methods = getattr(route, "path", ""), getattr(route, "methods", None) or ()
        keys = _KEYS & set(getattr(route, "param_convertors", ()))
        if not keys or "GET" not in methods:
            continue
        tail = path.rpartition("}")[2] or path.rpartition("/{")[0]
        assert tail in rows, f"{path} has no row in DOORS"
