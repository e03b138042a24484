"""Challenges: one person offers another a match by name, and hears what becomes of it."""

from __future__ import annotations

import json
import random
from contextlib import AsyncExitStack
from typing import Any

import pytest
from sqlalchemy import update

from sheshbesh.server.ids import now_ms
from sheshbesh.server.lobby import challenges, lobby
from sheshbesh.server.storage.tables import seeks
from tests.server.player import Player
from tests.server.postgres import Postgres
from tests.server.test_bots import new_bot
from tests.server.visitors import Browser, Socket, Visitors, visited_site

pytestmark = pytest.mark.anyio

CARD = "tavla.p3.clock-d12-120"


async def settled(line: Socket, **waiting: int) -> dict[str, Any]:
    """The next list of challenges with the given numbers of those `to` and `by` somebody."""
    while True:
        found: dict[str, Any] = (await line.until("challenges"))["d"]
        if {name: len(found[name]) for name in waiting} == waiting:
            return found


async def kinds_until(line: Socket, kind: str) -> list[str]:
    """What messages come up to the first of this kind."""
    kinds = [json.loads(await line.receive())["t"]]
    while kinds[-1] != kind:
        kinds.append(json.loads(await line.receive())["t"])
    return kinds


async def challenge(by: Browser, to: Browser, **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = await by.post("challenges", {"to": to.user["name"], "card": CARD, **more})
    return made


async def test_a_challenge_is_seen_at_once_and_accepting_it_begins_the_match(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nava, omer, third = [
            await stack.enter_async_context(visitors.user(name)) for name in ("Nava", "Omer", "Third")
        ]
        at_nava = await stack.enter_async_context(nava.socket("/ws/lobby"))
        at_omer = await stack.enter_async_context(omer.socket("/ws/lobby"))
        made = await challenge(nava, omer, side="white", rated=True)
        assert made["online"] is True
        (seen,) = (await settled(at_omer, to=1))["to"]
        assert (seen["by"]["name"], seen["card"], seen["side"], seen["rated"]) == (
            "Nava",
            CARD,
            "white",
            True,
        )
        assert seen["expires"] - seen["created"] == challenges.LASTS
        assert (await settled(at_nava, by=1))["by"][0]["reason"] is None
        # It is for that player alone, and in no list of seeks.
        assert (await nava.get("lobby"))["seeks"] == []
        assert (await third.ask("POST", f"challenges/{made['id']}/accept", {})).status_code == 404
        assert (await third.ask("POST", f"seeks/{made['id']}/accept", {})).status_code == 404
        assert (await nava.ask("POST", f"challenges/{made['id']}/accept", {})).status_code == 404
        begun = await omer.post(f"challenges/{made['id']}/accept")
        assert (await at_nava.until("match"))["d"] == begun
        assert (await settled(at_nava, by=0))["to"] == []
        meta = await nava.get(f"matches/{begun['id']}")
        assert (meta["you"], meta["rated"], meta["players"]["black"]["name"]) == (["white"], True, "Omer")


async def test_who_was_away_when_the_match_began_is_sent_there_when_their_line_is_back(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with visitors.user("Nava") as nava, visitors.user("Omer") as omer:
        made = await challenge(nava, omer)
        begun = await omer.post(f"challenges/{made['id']}/accept")
        for where in ("/ws/lobby?look=1", "/ws/lobby"):
            async with nava.socket(where) as line:
                assert (await line.until("match"))["d"] == begun | {"late": True}
                assert (await line.until("challenges"))["d"]["by"] == []
        # Not at the board itself, nor once they have done something there, nor much later.
        async with nava.socket(f"/ws/match/{begun['id']}") as line:
            assert "match" not in await kinds_until(line, "challenges")
        async with omer.socket("/ws/lobby") as line:
            assert (await line.until("match"))["d"] == begun | {"late": True}
        async with omer.socket(f"/ws/match/{begun['id']}") as line:
            state = await line.until("state")
            (side,) = state["d"]["you"]
            action = Player(random.Random(1)).choose(state["d"], side)
            await line.send({"t": "do", "ref": "1", "key": state["key"], "d": action})
            await line.until("ack")
        async with omer.socket("/ws/lobby") as line:
            assert await kinds_until(line, "challenges") == ["challenges"]
        monkeypatch.setattr(lobby, "LASTS", 0)
        async with nava.socket("/ws/lobby") as line:
            assert await kinds_until(line, "challenges") == ["challenges"]


async def test_declining_says_why_and_who_is_away_finds_the_challenge_later(
    visitors: Visitors,
) -> None:
    async with visitors.user("Nava") as nava, visitors.user("Omer") as omer:
        made = await challenge(nava, omer)
        assert made["online"] is False
        async with omer.socket("/ws/lobby") as line:
            assert (await settled(line, to=1))["to"][0]["id"] == made["id"]
        bad = await omer.ask("POST", f"challenges/{made['id']}/decline", {"reason": "because"})
        assert bad.status_code == 422 and "later" in bad.json()["error"]["text"]
        await omer.post(f"challenges/{made['id']}/decline", {"reason": "clock"})
        assert (await nava.get("challenges"))["by"][0]["reason"] == "clock"
        assert (await omer.get("challenges"))["to"] == []
        assert (await omer.ask("POST", f"challenges/{made['id']}/accept", {})).status_code == 404
        await nava.ask("DELETE", f"challenges/{made['id']}")
        assert (await nava.get("challenges"))["by"] == []


async def test_one_challenge_at_a_time_waits_for_the_same_person_and_may_be_taken_back(
    visitors: Visitors,
) -> None:
    async with visitors.user("Nava") as nava, visitors.user("Omer") as omer:
        made = await challenge(nava, omer)
        again = await nava.ask("POST", "challenges", {"to": "omer", "card": CARD})
        assert again.status_code == 409 and again.json()["error"]["code"] == "challenged"
        assert (await omer.ask("DELETE", f"challenges/{made['id']}")).status_code == 404
        async with omer.socket("/ws/lobby") as line:
            await settled(line, to=1)
            assert (await nava.ask("DELETE", f"challenges/{made['id']}")).status_code == 200
            await settled(line, to=0)
        declined = await challenge(nava, omer)
        await omer.post(f"challenges/{declined['id']}/decline")
        await challenge(nava, omer)  # an answer was given: one may ask again


async def test_an_unanswered_challenge_lapses_and_both_are_told(visitors: Visitors) -> None:
    async with (
        visitors.user("Nava") as nava,
        visitors.user("Omer") as omer,
        nava.socket("/ws/lobby") as at_nava,
        omer.socket("/ws/lobby") as at_omer,
    ):
        made = await challenge(nava, omer)
        await settled(at_nava, by=1)
        await settled(at_omer, to=1)
        # A quarter of an hour later:
        await visitors.site.database.write(update(seeks).values(expires=now_ms()))
        visitors.site.lobby.changed()  # it looks every five seconds without that
        assert (await omer.ask("POST", f"challenges/{made['id']}/accept", {})).status_code == 404
        await settled(at_nava, by=0)
        await settled(at_omer, to=0)


async def test_who_cannot_be_challenged(visitors: Visitors) -> None:
    async with (
        visitors.user("Nava") as nava,
        visitors.user("Omer") as omer,
        visitors.guest() as guest,
        visitors.stranger() as stranger,
    ):
        await omer.post("users/nava/block")
        for body, status, code in (
            ({"to": "Omer", "card": CARD}, 403, "apart"),
            ({"to": "Nava", "card": CARD}, 409, "self"),
            ({"to": "Nobody", "card": CARD}, 404, "not_found"),
            ({"to": guest.user["name"], "card": CARD, "rated": True}, 409, None),
            ({"to": guest.user["name"], "card": "chess.p1"}, 422, "bad_request"),
            ({"to": guest.user["name"], "card": CARD, "side": "green"}, 422, "bad_request"),
        ):
            answer = await nava.ask("POST", "challenges", body)
            assert answer.status_code == status, (body, answer.text)
            assert code is None or answer.json()["error"]["code"] == code
        assert (await stranger.ask("POST", "challenges", {"to": "Nava", "card": CARD})).status_code == 401
        # A player who blocks after the challenge was made cannot be drawn into it.
        made = await challenge(nava, guest)
        await nava.post(f"users/{guest.user['name']}/block")
        answer = await guest.ask("POST", f"challenges/{made['id']}/accept", {})
        assert answer.status_code == 403


async def test_a_program_hears_of_challenges_and_answers_them(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nava = await stack.enter_async_context(visitors.user("Nava"))
        mila = await stack.enter_async_context(visitors.user("Mila"))
        bot = await new_bot(stack, nava, "Navabot")
        first = await mila.post("challenges", {"to": "Navabot", "card": "hypergammon.p1"})
        events = await stack.enter_async_context(bot.stream("stream/events"))
        waiting = await anext(events)  # it was made before the stream was opened
        assert (waiting["type"], waiting["challenge"]["id"]) == ("challenge", first["id"])
        assert (await bot.post(f"challenges/{first['id']}/decline", {"reason": "length"})).status_code == 200
        assert (await anext(events))["type"] == "challengeDeclined"
        second = await mila.post("challenges", {"to": "Navabot", "card": "hypergammon.p3", "side": "white"})
        told = await anext(events)
        assert (told["type"], told["challenge"]["card"]) == ("challenge", "hypergammon.p3")
        assert told["challenge"]["by"]["name"] == "Mila"
        begun = (await bot.post(f"challenges/{second['id']}/accept", {})).json()
        assert await anext(events) == {"type": "gameStart", "game": begun}
        assert (await anext(events)) == {"type": "challengeGone", "challenge": {"id": second["id"]}}
        # The bot's chain of dice is the server's: they are strict.
        assert (await mila.get(f"matches/{begun['id']}"))["card"]["dice"] == "strict"


async def test_challenges_reach_people_at_other_processes(postgres: Postgres) -> None:
    url = postgres.url()
    async with AsyncExitStack() as stack:
        here = await stack.enter_async_context(visited_site(url))
        there = await stack.enter_async_context(visited_site(url))
        nava = await stack.enter_async_context(here.user("Nava"))
        omer = await stack.enter_async_context(there.user("Omer"))
        at_nava = await stack.enter_async_context(nava.socket("/ws/lobby"))
        at_omer = await stack.enter_async_context(omer.socket("/ws/lobby"))
        made = await challenge(nava, omer)
        await settled(at_omer, to=1)
        begun = await omer.post(f"challenges/{made['id']}/accept")
        assert (await at_nava.until("match"))["d"] == begun
        again = await challenge(omer, nava)
        await settled(at_nava, to=1)
        await nava.post(f"challenges/{again['id']}/decline", {"reason": "later"})
        while (await settled(at_omer, by=1))["by"][0]["reason"] is None:
            pass


async def test_a_player_at_the_board_is_told_too(visitors: Visitors) -> None:
    async with visitors.user("Nava") as nava, visitors.user("Omer") as omer:
        match = (await omer.post("matches", {"card": "tavla.p1", "opponent": {"kind": "engine"}}))["id"]
        async with omer.socket(f"/ws/match/{match}") as board:
            await board.until("state")
            made = await challenge(nava, omer)
            assert (await settled(board, to=1))["to"][0]["id"] == made["id"]
