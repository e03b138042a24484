"""Matches over HTTP: made, refused with what is wrong, joined, replayed, kept private."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

import sheshbesh as sb
from sheshbesh.match import Card
from tests.server.conftest import NewClient

pytestmark = pytest.mark.anyio


async def guest_of(new_client: NewClient) -> httpx.AsyncClient:
    client = new_client()
    assert (await client.post("/api/v1/guest", json={})).status_code == 200
    return client


async def test_a_stranger_must_be_somebody_first(client: httpx.AsyncClient) -> None:
    answer = await client.post("/api/v1/matches", json={"card": "tavla.p1"})
    assert answer.status_code == 401


BAD: list[tuple[dict[str, Any], str]] = [
    ({}, "a card is a code"),
    ({"card": "tavla"}, "expected p7"),
    ({"card": "nothing.p1"}, "nothing"),
    ({"card": {"game": "tavla", "length": 200}}, "1 to 99"),
    ({"card": {"game": "tavla", "colour": "red"}}, "'colour'"),
    ({"card": {"game": "tavla", "clock": "quick"}}, "no clock"),
    ({"card": {"game": "tavla", "options": {"wings": True}}}, "wings"),
    ({"card": {"game": "tavla", "crawford": "yes"}}, "true or false"),
    ({"card": "tavla.p1", "opponent": {"kind": "ghost"}}, "kind"),
    ({"card": "tavla.p1", "opponent": {"kind": "engine", "level": "god"}}, "levels are"),
    ({"card": "tavla.p1", "side": "left"}, "white, black or random"),
    ({"card": "tavla.p1", "opponent": {"kind": "hotseat", "names": ["a"]}}, "two names"),
    ({"card": "tavla.p1", "opponent": {"kind": "hotseat", "names": ["a\u202eb", "c"]}}, "cannot contain"),
    ({"card": "tavla.p1.dice-typed", "opponent": {"kind": "friend"}, "rated": True}, "fair dice"),
]


@pytest.mark.parametrize(("body", "says"), BAD)
async def test_what_cannot_be_is_refused_with_what_is_wrong(
    guest: httpx.AsyncClient, body: dict[str, Any], says: str
) -> None:
    answer = await guest.post("/api/v1/matches", json=body)
    assert answer.status_code == 422
    assert says in answer.json()["error"]["text"]


async def test_a_card_by_its_fields(guest: httpx.AsyncClient) -> None:
    card = {"game": "takhte", "contest": "games", "length": 5, "clock": "d12-120", "dice": "typed"}
    made = (await guest.post("/api/v1/matches", json={"card": card, "side": "black"})).json()
    found = (await guest.get(f"/api/v1/matches/{made['id']}")).json()
    assert Card.from_code(found["card"]["code"]) == Card.from_code("takhte.g5.clock-d12-120.dice-typed")
    assert found["you"] == ["black"]
    assert found["state"] == "live"


async def test_an_invitation_is_taken_once_and_not_by_its_maker(new_client: NewClient) -> None:
    one, two, three = [await guest_of(new_client) for _ in range(3)]
    made = (
        await one.post("/api/v1/matches", json={"card": "tavla.p1", "opponent": {"kind": "friend"}})
    ).json()
    invite = "/api/v1" + made["invite"].replace("/j/", "/invites/")
    assert (await one.get(f"/api/v1/matches/{made['id']}")).json()["invite"] == made["invite"]
    assert (await two.get(f"/api/v1/matches/{made['id']}")).json()["invite"] is None
    assert (await one.get(invite)).json()["own"] is True
    assert (await one.post(invite, json={})).json()["error"]["code"] == "own_invite"
    picture = await one.get(invite + "/qr.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert "<svg" in picture.text
    assert (await two.post(invite, json={})).json()["id"] == made["id"]
    assert (await three.post(invite, json={})).status_code == 404
    assert (await three.get(invite)).status_code == 404
    assert (await three.get("/api/v1/invites/" + "A" * 32)).status_code == 404


async def test_a_private_match_is_seen_by_its_players_alone(new_client: NewClient) -> None:
    one, two = [await guest_of(new_client) for _ in range(2)]
    made = (await one.post("/api/v1/matches", json={"card": "tavla.p1", "private": True})).json()
    for path in ("", "/record", "/frames", "/dice"):
        assert (await one.get(f"/api/v1/matches/{made['id']}{path}")).status_code == 200
        assert (await two.get(f"/api/v1/matches/{made['id']}{path}")).status_code == 404
    assert (await two.post(f"/api/v1/matches/{made['id']}/rematch", json={})).status_code in (403, 404)


async def test_no_secret_of_the_dice_is_told(guest: httpx.AsyncClient) -> None:
    made = (await guest.post("/api/v1/matches", json={"card": "tavla.p1"})).json()
    dice = (await guest.get(f"/api/v1/matches/{made['id']}/dice")).json()
    assert dice["verdict"]["throws"] == []
    assert "tip" not in dice["transcript"]


async def test_a_rematch_needs_an_end_first(guest: httpx.AsyncClient) -> None:
    made = (await guest.post("/api/v1/matches", json={"card": "tavla.p1"})).json()
    assert (await guest.post(f"/api/v1/matches/{made['id']}/rematch", json={})).status_code == 409


async def test_every_game_is_told_of_in_every_language(client: httpx.AsyncClient) -> None:
    games = (await client.get("/api/v1/variants")).json()
    assert [game["name"] for game in games] == list(sb.variants())
    for game in games:
        said = set()
        for lang in ("en", "fa", "ar", "ru", "tr"):
            answer = await client.get(f"/api/v1/variants/{game['name']}", params={"lang": lang})
            found = answer.json()
            assert found["layout"]["checkers"] >= 3
            assert all(line["text"] for line in found["rules"])
            assert found["rules"][0]["source"]
            said.add(found["rules"][0]["text"])
        assert len(said) == 5, said
    assert (await client.get("/api/v1/variants/nothing")).status_code in (404, 422)


async def test_the_rule_sheet_follows_the_card(client: httpx.AsyncClient) -> None:
    plain = (await client.get("/api/v1/variants/plakoto")).json()
    card = "plakoto.mother=false.p1"
    other = (await client.get("/api/v1/variants/plakoto", params={"card": card})).json()
    assert plain["layout"]["mother"]["white"] == 24
    assert other["layout"]["mother"]["white"] is None
    assert plain["rules"] != other["rules"]
    assert other["card"] == card
    options = [line["option"]["name"] for line in other["rules"] if line["option"]]
    assert options == ["mother", *options[1:]] and "mother_points" not in options, "it would change nothing"
    offered = {option["name"]: option for option in other["options"]}
    assert offered["mother_points"]["needs"] == {"mother": ["true"]}
    assert offered["allow_dead_double"]["needs"] == {"cube": ["true"]}
    assert offered["mother"]["needs"] == offered["touch_move"]["needs"] == {}
    mother = next(line["option"] for line in other["rules"] if line["option"] and "mother" in line["text"])
    assert mother["name"] == "mother" and mother["value"] == "false" and "true" in mother["values"]
