"""Profiles, history, notes, blocking, and ratings as matches end."""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack

import pytest
from sqlalchemy import update

from sheshbesh.server.ids import now_ms
from sheshbesh.server.storage.tables import users
from tests.server.player import Player
from tests.server.player import play as play_at
from tests.server.visitors import Browser, Visitors

pytestmark = pytest.mark.anyio


async def play(white: Browser, black: Browser, *, rated: bool) -> tuple[str, str]:
    """A match in which the side first on roll gives up; its id and the winner's side."""
    body = {"card": "tavla.p1", "opponent": {"kind": "friend"}, "side": "white", "rated": rated}
    made = await white.post("matches", body)
    match = str((await black.post(f"invites/{made['invite'].removeprefix('/j/')}"))["id"])
    async with white.socket(f"/ws/match/{match}") as one, black.socket(f"/ws/match/{match}") as two:
        players = [Player(random.Random(n), name=f"p{n}", resigns=1.0) for n in range(2)]
        states = await asyncio.gather(play_at(one, players[0]), play_at(two, players[1]))
    return match, str(states[0]["winner"])


async def test_a_rated_match_changes_both_ratings_and_is_in_both_histories(visitors: Visitors) -> None:
    async with visitors.user("Nava") as nava, visitors.user("Omer") as omer:
        match, winner = await play(nava, omer, rated=True)
        won = winner == "black"
        profile = await nava.get("users/OMER")
        assert profile["record"] == {
            "people": {"matches": 1, "won": int(won), "left": 0},
            "programs": {"matches": 0, "won": 0, "left": 0},
        }
        assert profile["games"] == [{"game": "tavla", "matches": 1}]
        assert profile["head_to_head"] == {"matches": 1, "won": int(not won), "lost": int(won)}
        (rating,) = profile["ratings"]
        assert (rating["game"], rating["pool"], rating["matches"]) == ("tavla", "people", 1)
        assert rating["rating"] == (1662 if won else 1338) and rating["provisional"]
        (entry,) = await omer.get("users/nava/matches")
        assert (entry["id"], entry["winner"], entry["side"]) == (match, winner, "white")
        assert await omer.get("users/nava/matches?game=tavla") == [entry]
        assert await omer.get("users/nava/matches?game=tapa") == []
        again = (await nava.post(f"matches/{match}/rematch"), await omer.post(f"matches/{match}/rematch"))[1]
        players = (await nava.get(f"matches/{again['id']}"))["players"]
        assert {player["rating"] for player in players.values()} == {1662, 1338}
        (change,) = (await omer.get("users/nava/ratings"))["history"]
        assert (change["match"], change["before"], change["after"]) == (match, 1500, 1338 if won else 1662)
        assert change["pool"] == "people"


async def test_an_unrated_match_changes_no_rating(visitors: Visitors) -> None:
    async with visitors.user("Nava") as nava, visitors.user("Omer") as omer:
        await play(nava, omer, rated=False)
        assert (await nava.get("users/omer"))["ratings"] == []


async def test_a_guest_cannot_play_rated(visitors: Visitors) -> None:
    body = {"card": "tavla.p1", "opponent": {"kind": "friend"}, "rated": True}
    async with visitors.user("Nava") as nava, visitors.guest() as guest:
        assert (await guest.ask("POST", "matches", body)).status_code == 409
        invite = (await nava.post("matches", body))["invite"].removeprefix("/j/")
        answer = await guest.ask("POST", f"invites/{invite}")
        assert answer.status_code == 409 and answer.json()["error"]["code"] == "guest"


async def test_somebody_blocked_cannot_take_an_invitation(visitors: Visitors) -> None:
    async with visitors.user("Nava") as nava, visitors.user("Omer") as omer:
        await nava.post("users/omer/block")
        made = await nava.post("matches", {"card": "tavla.p1", "opponent": {"kind": "friend"}})
        answer = await omer.ask("POST", f"invites/{made['invite'].removeprefix('/j/')}")
        assert answer.status_code == 403
        assert [entry["name"] for entry in await nava.get("me/blocks")] == ["Omer"]
        assert (await nava.ask("DELETE", "users/omer/block")).status_code == 200
        assert await nava.get("me/blocks") == []


async def test_notes_are_for_their_writer_alone(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nava, omer, sima = [
            await stack.enter_async_context(visitors.user(n)) for n in ("Nava", "Omer", "Sima")
        ]
        assert (await nava.ask("PUT", "users/omer/notes", {"text": "plays slowly"})).status_code == 200
        assert (await nava.get("users/omer/notes"))["text"] == "plays slowly"
        assert [(each["name"], each["text"]) for each in await nava.get("me/notes")] == [
            ("Omer", "plays slowly")
        ]
        assert await omer.get("me/notes") == []
        for other in (omer, sima):
            assert (await other.get("users/omer/notes"))["text"] == ""
        await nava.ask("PUT", "users/omer/notes", {"text": ""})
        assert (await nava.get("users/omer/notes"))["text"] == ""


async def test_links_that_were_guessed_lead_nowhere(visitors: Visitors) -> None:
    async with visitors.guest() as nava:
        made = await nava.post("matches", {"card": "tavla.p1", "opponent": {"kind": "friend"}})
        secret = made["invite"].removeprefix("/j/")
        assert len(secret) * 6 >= 128
        for guess in (secret[:-1], secret + "A", secret.swapcase(), "%", "A" * 32):
            assert (await nava.ask("GET", f"invites/{guess}")).status_code == 404


async def test_guests_who_played_nothing_are_forgotten_after_a_month(visitors: Visitors) -> None:
    async with visitors.guest() as idle, visitors.guest() as played, visitors.user("Nava") as nava:
        await played.post("matches", {"card": "tavla.p1", "opponent": {"kind": "hotseat"}})
        assert await visitors.site.people.directory.forget() == 0
        long_ago = update(users).values(seen=now_ms() - 31 * 24 * 3600 * 1000)
        await visitors.site.database.write(long_ago)
        assert await visitors.site.people.directory.forget() == 1
        assert (await idle.ask("GET", "me")).status_code == 401
        for other in (played, nava):
            assert (await other.ask("GET", "me")).status_code == 200


async def test_a_player_finds_back_to_what_they_left(visitors: Visitors) -> None:
    async with visitors.guest() as nava, visitors.guest() as omer:
        alone = await nava.post(
            "matches", {"card": "tavla.p3", "opponent": {"kind": "hotseat", "names": ["a", "b"]}}
        )
        made = await nava.post(
            "matches", {"card": "tavla.p1", "opponent": {"kind": "friend"}, "private": True}
        )
        assert [entry["id"] for entry in await nava.get("me/matches")] == [alone["id"]]
        match = (await omer.post(f"invites/{made['invite'].removeprefix('/j/')}"))["id"]
        assert {entry["id"] for entry in await nava.get("me/matches")} == {alone["id"], match}
        (entry,) = await omer.get("me/matches")
        assert (entry["id"], entry["game"], entry["winner"]) == (match, "tavla", None)
        assert entry["you"] == [entry["side"]] and entry["score"] == {"white": 0, "black": 0}
        assert entry["phase"] == "ready" and entry["clock"] is None
        own = next(each for each in await nava.get("me/matches") if each["id"] == alone["id"])
        assert own["you"] == ["white", "black"]


async def test_a_match_under_way_tells_who_is_to_act_and_the_clocks(visitors: Visitors) -> None:
    card = "tavla.p3.clock-d12-120.dice-typed"
    async with visitors.guest() as nava, visitors.guest() as omer:
        made = await nava.post("matches", {"card": card, "opponent": {"kind": "friend"}, "side": "white"})
        match = (await omer.post(f"invites/{made['invite'].removeprefix('/j/')}"))["id"]
        for browser, left in ((nava, ["black"]), (omer, ["white", "black"])):
            async with browser.socket(f"/ws/match/{match}") as line:
                await line.send({"t": "do", "ref": "r", "d": {"type": "ready"}})
                await line.until("ack")
            (entry,) = await browser.get("me/matches")
            assert sorted(entry["to_act"]) == sorted(left)
        assert entry["phase"] == "opening" and entry["you"] == ["black"]
        assert entry["clock"]["white"] == entry["clock"]["black"] == 360_000


async def test_an_invitation_is_found_again_and_can_be_withdrawn(visitors: Visitors) -> None:
    async with visitors.guest() as nava, visitors.guest() as omer:
        made = await nava.post("matches", {"card": "tavla.p3", "opponent": {"kind": "friend"}})
        (waiting,) = await nava.get("me/invites")
        assert (waiting["url"], waiting["game"]) == (made["invite"], "tavla")
        assert await omer.get("me/invites") == []
        path = f"invites/{made['invite'].removeprefix('/j/')}"
        assert (await omer.ask("DELETE", path)).status_code == 404
        assert (await nava.ask("DELETE", path)).status_code == 200
        assert await nava.get("me/invites") == []
        gone = await omer.ask("POST", path)
        assert gone.status_code == 404 and gone.json()["error"]["code"] == "invite_gone"


async def test_a_browser_that_is_signed_out_plays_no_longer(visitors: Visitors) -> None:
    wish = {"name": "Nava", "password": "correct horse battery"}
    async with visitors.guest() as here, visitors.stranger() as there:
        await here.post("account/claim", wish)
        await there.post("login", wish)
        made = await here.post("matches", {"card": "tavla.p1", "opponent": {"kind": "hotseat"}})
        path = f"/ws/match/{made['id']}"
        async with there.socket(path) as line:
            assert (await line.until("state"))["d"]["you"] == ["white", "black"]
            assert (await here.ask("DELETE", "me/sign-ins")).status_code == 200
            await line.until_closed()
        async with there.socket(path) as line:
            assert (await line.until("state"))["d"]["you"] == []
        async with here.socket(path) as line:
            assert (await line.until("state"))["d"]["you"] == ["white", "black"]
