"""The lobby: seeks, presence, live matches, over sockets and between processes."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert
from websockets.exceptions import ConnectionClosed

from sheshbesh.match import Card
from sheshbesh.server.people.ratings import Pool
from sheshbesh.server.storage.tables import ratings
from sheshbesh.server.tables import presence as processes
from tests.server.postgres import Postgres
from tests.server.visitors import Visitors, visited_site

pytestmark = pytest.mark.anyio

LOBBY = "/ws/lobby?look=1"
SEEK = {"card": "tavla.p1.dice-strict"}


def rating_row(person: str, pool: Pool, rating: float, of: str) -> Any:
    """An INSERT of somebody's rating, with people or with bots."""
    row = {"user_id": person, "rules": pool.rules, "time_class": pool.time_class, "pool": of}
    return insert(ratings).values(
        **row, game=pool.game, rating=rating, deviation=50.0, volatility=0.06, matches=30, at=0
    )


async def test_a_seek_is_shown_taken_once_and_both_are_sent_to_the_match(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nava, omer, late = [await stack.enter_async_context(visitors.guest()) for _ in range(3)]
        lobby = await stack.enter_async_context(nava.socket(LOBBY))
        await lobby.until("lobby")
        watching = await stack.enter_async_context(omer.socket(LOBBY))
        await nava.post("seeks", SEEK)
        shown = await watching.until("lobby")
        while not shown["d"]["seeks"]:
            shown = await watching.until("lobby")
        (seek,) = shown["d"]["seeks"]
        assert seek["by"]["name"] == nava.user["name"] and seek["game"] == "tavla"
        assert shown["d"]["counts"]["people"] == 2
        assert {person["name"] for person in shown["d"]["people"]} == {
            nava.user["name"],
            omer.user["name"],
        }
        answers = await asyncio.gather(
            *(who.ask("POST", f"seeks/{seek['id']}/accept") for who in (omer, late))
        )
        assert sorted(answer.status_code for answer in answers) == [200, 404]
        (match,) = (answer.json()["id"] for answer in answers if answer.status_code == 200)
        assert (await lobby.until("match"))["d"] == {"id": match, "url": f"/m/{match}"}
        assert (await nava.get("lobby"))["seeks"] == []
        assert [entry["id"] for entry in (await nava.get("lobby"))["live"]] == [match]
        assert (await nava.get(f"matches/{match}"))["you"] != []


async def test_the_match_of_the_best_rated_comes_first_among_those_to_watch(tmp_path: Path) -> None:
    async with visited_site(f"sqlite:///{tmp_path}/site.db") as visitors, AsyncExitStack() as stack:
        people = [await stack.enter_async_context(visitors.guest()) for _ in range(6)]
        pool = Pool.of(Card.from_code(SEEK["card"]), with_bot=False)
        for person in people:
            await stack.enter_async_context(person.socket("/ws/lobby"))
        for person, rating in zip(people, (1500, 1500, 1600, 1700, 2400), strict=False):
            await visitors.site.database.write(rating_row(person.user["id"], pool, rating, pool.pool))
        # What is won against bots is another pool.
        await visitors.site.database.write(rating_row(people[0].user["id"], pool, 2900, "bots"))
        made = []
        for one, two in ((people[2], people[3]), (people[4], people[5]), (people[0], people[1])):
            seek = (await one.post("seeks", SEEK))["id"]
            made.append((await two.post(f"seeks/{seek}/accept"))["id"])
        assert [game["id"] for game in (await people[0].get("lobby"))["live"]] == [made[0], made[2], made[1]]


async def test_who_looks_at_a_match_of_their_own_is_no_more_than_a_spectator(visitors: Visitors) -> None:
    async with visitors.guest() as nava, visitors.guest() as omer:
        seek = (await nava.post("seeks", {**SEEK, "side": "white"}))["id"]
        match = (await omer.post(f"seeks/{seek}/accept"))["id"]
        async with omer.socket(f"/ws/match/{match}") as player:
            await player.until("state")
            async with nava.socket(f"/ws/match/{match}?look=1") as board:
                state = (await board.until("state"))["d"]
                assert state["you"] == [] and not state["allowed"]
                await board.send({"t": "do", "ref": "a", "as": "white", "d": {"type": "ready"}})
                assert (await board.until("refused"))["ref"] == "a"
                table = visitors.site.matches.loaded[match]
                seen = json.loads(table.kind.presence_frame(table))["d"]
                assert seen["watchers"] == 1 and not seen["white"]["here"]


async def test_nobody_takes_their_own_seek_or_withdraws_that_of_another(visitors: Visitors) -> None:
    async with visitors.guest() as nava, visitors.guest() as omer:
        seek = (await nava.post("seeks", SEEK))["id"]
        assert (await nava.ask("POST", f"seeks/{seek}/accept")).status_code == 409
        assert (await omer.ask("DELETE", f"seeks/{seek}")).status_code == 404
        assert (await nava.ask("DELETE", f"seeks/{seek}")).status_code == 200
        assert (await nava.get("lobby"))["seeks"] == []


async def test_the_same_offer_made_twice_is_one_seek(visitors: Visitors) -> None:
    async with visitors.guest() as nava:
        first, again = [(await nava.post("seeks", SEEK))["id"] for _ in range(2)]
        other = (await nava.post("seeks", {**SEEK, "side": "white"}))["id"]
        assert again == first != other
        assert [seek["id"] for seek in (await nava.get("lobby"))["seeks"]] == [first, other]


async def test_somebody_blocked_does_not_see_my_seek_and_cannot_take_it(visitors: Visitors) -> None:
    async with visitors.user("Nava") as nava, visitors.user("Omer") as omer:
        await nava.post("users/omer/block")
        seek = (await nava.post("seeks", SEEK))["id"]
        async with omer.socket(LOBBY) as lobby:
            shown = await lobby.until("lobby")
            assert (shown["d"]["seeks"], [who["name"] for who in shown["d"]["people"]]) == (
                [],
                ["Omer"],
            )
        answer = await omer.ask("POST", f"seeks/{seek}/accept")
        assert answer.status_code == 403 and answer.json()["error"]["code"] == "apart"


async def test_a_seek_goes_with_its_maker(visitors: Visitors) -> None:
    async with visitors.guest() as nava:
        async with nava.socket(LOBBY) as lobby:
            await lobby.until("lobby")
            await nava.post("seeks", SEEK)
            assert not await visitors.site.lobby.seeks.sweep()
        await visitors.site.presence.stop()  # what a process does that ends
        assert (await nava.get("lobby"))["seeks"] == []
        await visitors.site.presence.start()


async def test_guests_cannot_seek_rated_matches_and_typed_dice_are_never_rated(visitors: Visitors) -> None:
    async with visitors.guest() as guest, visitors.user("Nava") as nava:
        assert (await guest.ask("POST", "seeks", {**SEEK, "rated": True})).status_code == 409
        typed = {"card": "tavla.p1.dice-typed", "rated": True}
        assert (await nava.ask("POST", "seeks", typed)).status_code == 422
        assert (await nava.ask("POST", "seeks", {"card": "nonsense"})).status_code == 422


async def test_processes_share_seeks_presence_and_news(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_BEAT", 0.1)
    url = postgres.url()
    async with AsyncExitStack() as stack:
        here = await stack.enter_async_context(visited_site(url))
        there = await stack.enter_async_context(visited_site(url))
        nava = await stack.enter_async_context(here.guest())
        omer = await stack.enter_async_context(there.guest())
        lobby = await stack.enter_async_context(nava.socket(LOBBY))
        other = await stack.enter_async_context(omer.socket(LOBBY))
        await nava.post("seeks", SEEK)
        shown = await other.until("lobby")
        while not shown["d"]["seeks"] or shown["d"]["counts"]["people"] < 2:
            shown = await other.until("lobby")
        made = await omer.post(f"seeks/{shown['d']['seeks'][0]['id']}/accept")
        assert (await lobby.until("match"))["d"]["id"] == made["id"]
        async with (
            nava.socket(f"/ws/match/{made['id']}") as one,
            omer.socket(f"/ws/match/{made['id']}") as two,
        ):
            assert (await one.until("state"))["d"]["you"] != (await two.until("state"))["d"]["you"]
            await two.send({"t": "say", "ref": "a", "d": {"phrase": "good_luck"}})
            assert (await one.until("chat"))["d"]["phrase"] == "good_luck"


async def test_a_socket_that_floods_or_sends_too_much_is_closed(visitors: Visitors) -> None:
    async with visitors.guest() as nava, nava.socket(LOBBY) as lobby:
        await lobby.send("x" * 9000)
        with pytest.raises(ConnectionClosed):
            await lobby.until("never")
    async with visitors.guest() as nava, nava.socket(LOBBY) as lobby:
        await lobby.send("x" * 1000)
        with pytest.raises(ConnectionClosed):
            await lobby.until("never")
