"""Matches over HTTP: made, refused with what is wrong, joined, replayed, kept private."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

import sheshbesh as sb
from sheshbesh.match import Card
from sheshbesh.server.tables import begin
from sheshbesh.server.tables.seats import MatchAgreement, Seat
from sheshbesh.server.tables.store import Writing
from sheshbesh.session import Record, Session
from tests.server.conftest import NewClient
from tests.server.stored import given_up, played, store_match

pytestmark = pytest.mark.anyio


async def guest_of(new_client: NewClient) -> httpx.AsyncClient:
    client = new_client()
    assert (await client.post("/api/v1/guest", json={})).status_code == 200
    return client


async def test_a_stranger_must_be_somebody_first(client: httpx.AsyncClient) -> None:
    answer = await client.post("/api/v1/matches", json={"card": "tavla.p1"})
    assert answer.status_code == 401


async def test_a_level_may_have_a_style(guest: httpx.AsyncClient) -> None:
    told = (await guest.get("/api/v1/variants/tapa?lang=fa")).json()
    assert [style["name"] for style in told["styles"]] == ["bold", "safe", "racer", "builder"]
    for brief in ("variants?brief=true", "variants/tapa?card=tapa.p1"):
        assert '"styles"' not in (await guest.get(f"/api/v1/{brief}")).text
    for level, status in (("club-bold", 200), ("club-brave", 422), ("analyst-bold", 422)):
        body = {"card": "tapa.p1", "opponent": {"kind": "engine", "level": level}, "side": "white"}
        made = await guest.post("/api/v1/matches", json=body)
        assert made.status_code == status, level
        if status == 200:
            players = (await guest.get(f"/api/v1/matches/{made.json()['id']}")).json()["players"]
            assert (players["black"]["kind"], players["black"]["level"]) == ("engine", "club-bold")


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
    begun = {"id": made["id"], "url": made["url"]}
    assert (await two.post(invite, json={})).json() == begun
    # Its players come back by the link; others do not learn which match it was.
    assert [(await each.get(invite)).json() for each in (one, two)] == [begun, begun]
    assert (await two.post(invite, json={})).json() == begun
    assert (await one.get(f"/api/v1/matches/{made['id']}")).json().get("invite") is None
    assert (await three.post(invite, json={})).status_code == 404
    assert (await three.get(invite)).status_code == 404
    assert (await three.get("/api/v1/invites/" + "A" * 32)).status_code == 404


async def test_who_accepts_twice_at_once_comes_to_the_match_by_both(
    new_client: NewClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = [await guest_of(new_client) for _ in range(2)]
    body = {"card": "tavla.p1", "opponent": {"kind": "friend"}}
    made = (await one.post("/api/v1/matches", json=body)).json()
    take = begin.take

    async def second(*asked: Any) -> MatchAgreement:
        await take(*asked)
        return await take(*asked)

    monkeypatch.setattr(begin, "take", second)
    answer = await two.post("/api/v1" + made["invite"].replace("/j/", "/invites/"), json={})
    assert answer.json() == {"id": made["id"], "url": made["url"]}


async def test_a_private_match_that_waits_is_seen_by_its_maker_alone(new_client: NewClient) -> None:
    one, two = [await guest_of(new_client) for _ in range(2)]
    body = {"card": "tavla.p1", "opponent": {"kind": "friend"}, "private": True}
    made = (await one.post("/api/v1/matches", json=body)).json()
    assert (await one.get(f"/api/v1/matches/{made['id']}")).json()["state"] == "open"
    assert (await two.get(f"/api/v1/matches/{made['id']}")).status_code == 404
    invite = "/api/v1" + made["invite"].replace("/j/", "/invites/")
    assert (await two.post(invite, json={})).status_code == 200
    assert (await two.get(f"/api/v1/matches/{made['id']}")).status_code == 200


async def test_seeded_dice_are_for_oneself(new_client: NewClient) -> None:
    one, two = [await guest_of(new_client) for _ in range(2)]
    seek = {"card": "tavla.p1.dice-seeded"}
    assert (await one.post("/api/v1/seeks", json=seek)).status_code == 422
    made = (await one.post("/api/v1/chouettes", json={"card": "backgammon.m.dice-seeded"})).json()
    seat = f"/api/v1/chouettes/{made['id']}/seat"
    assert (await two.post(seat, json={})).json()["error"]["code"] == "seeded"
    assert (await one.post(seat, json={})).status_code == 200


async def test_the_seed_of_dice_is_withheld_until_the_match_is_over(
    app: FastAPI, client: httpx.AsyncClient
) -> None:
    secret = ("pictures", b"pictures".hex())
    live = await store_match(app.state.site, played(turns=3))
    for path in ("", "/record", "/frames", "/dice"):
        answer = await client.get(f"/api/v1/matches/m1{path}")
        assert answer.status_code == 200 and not any(word in answer.text for word in secret), path
    assert answer.json()["withheld"] and answer.json()["verdict"]["ok"]
    room = await app.state.site.matches.get("m1")
    sent = await room.viewers.missed(0)
    assert sent and not any(word in line for line in sent for word in secret), "to those who look"
    await app.state.site.matches.kind.store.append(_rest(live))
    text = (await client.get("/api/v1/matches/m1/record")).text
    assert Record.from_text(text).header.seed == "pictures"
    dice = (await client.get("/api/v1/matches/m1/dice")).json()
    assert secret[1] in dice["transcript"] and not dice["withheld"]


def _rest(table: MatchAgreement) -> Writing[Session, MatchAgreement]:
    """The match of `played(turns=3)` to its end."""
    begun, whole = len(played(turns=3).record().events), given_up()
    return Writing(table, tuple(whole.record().events[begun:]), whole.state)


async def test_a_record_says_which_level_the_computer_plays(app: FastAPI, guest: httpx.AsyncClient) -> None:
    async def header(match: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((await record(match)).split(b"\n", 1)[0])
        return found

    async def record(match: str) -> bytes:
        return (await guest.get(f"/api/v1/matches/{match}/record")).content

    wish = {"card": "tavla.p1", "opponent": {"kind": "engine", "level": "club-bold"}, "side": "white"}
    made = (await guest.post("/api/v1/matches", json=wish)).json()["id"]
    assert (await header(made))["tags"] == {"BlackLevel": "club-bold"}
    content = {"name": "mine.jsonl", "content": b64encode(await record(made)).decode(), "plies": 0}
    review = (await guest.post("/api/v1/uploads", json=content)).json()["id"]
    levels = (await guest.get(f"/api/v1/reviews/{review}")).json()["levels"]
    assert levels == {"white": None, "black": "club-bold"}
    # A match whose row says nothing of it keeps the record that it had.
    await store_match(app.state.site, given_up(), black=Seat("engine", "club-bold", level="club-bold"))
    assert "tags" not in await header("m1")


async def test_nobody_keeps_what_is_answered_about_people(
    guest: httpx.AsyncClient, client: httpx.AsyncClient
) -> None:
    for paths, kept_by in (
        ("me me/matches users/nobody lobby account", "no-store"),
        ("variants learn", "no-cache"),
    ):
        for path in paths.split():
            for browser in (guest, client):
                assert (await browser.get(f"/api/v1/{path}")).headers["cache-control"] == kept_by, path


async def test_a_private_chouette_is_unlisted_and_anyone_with_its_link_may_look(
    new_client: NewClient,
) -> None:
    one, two = [await guest_of(new_client) for _ in range(2)]
    for private, listed in ((True, False), (False, True)):
        body = {"card": "backgammon.m", "bots": ["beginner"] * 2, "private": private}
        made = (await one.post("/api/v1/chouettes", json=body)).json()["id"]
        assert (await one.post(f"/api/v1/chouettes/{made}/begin", json={})).json()["private"] is private
        tables = [table["id"] for table in (await two.get("/api/v1/chouettes")).json()]
        assert (made in tables) is listed
        assert (await two.get(f"/api/v1/chouettes/{made}")).status_code == 200


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
