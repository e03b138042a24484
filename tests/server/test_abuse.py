"""Requests that nobody well-meaning makes, and what is repeated more often than hands can."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path
from secrets import token_hex

import pytest

from sheshbesh.i18n import Text
from sheshbesh.server.limits import Limiter, Open
from sheshbesh.session import DiceAction
from tests.server.chouette_player import Sitter
from tests.server.live import client, live_site
from tests.server.test_connections import HEALTH, world
from tests.server.test_costs import finished
from tests.server.test_rooms import sit
from tests.server.visitors import visited_site
from tests.waiting import PATIENCE

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/%00", 400),
        ("/api/v1/users/%00", 400),
        ("/" + "a" * 300, 404),
        ("/" + "a/" * 1_900, 404),
        ("/" + "a" * 5_000, 414),
        ("/?" + "a" * 5_000, 414),
        ("/..%2f..%2f..%2fetc/passwd", 404),
        ("/" + "%c3%a4" * 200, 404),
        ("/%ff%fe", 404),
    ],
)
async def test_addresses_that_nothing_has_are_refused_without_a_traceback(
    tmp_path: Path, path: str, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    async with world(tmp_path) as at:
        line = await at.open(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        head = await line.answer()
    assert head.startswith(f"HTTP/1.1 {status} ".encode()), head
    assert "Traceback" not in caplog.text


async def test_two_lengths_of_one_body_are_refused_and_the_line_is_closed(tmp_path: Path) -> None:
    both = (
        b"POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
    )
    async with world(tmp_path) as at:
        answer = await (await at.open(both + HEALTH)).rest()
    assert answer.startswith(b"HTTP/1.1 400 ") and b'"code":"bad_request"' in answer
    assert answer.count(b"HTTP/1.1 ") == 1, "what came behind it is not taken for a request"


async def test_a_changed_password_ends_tokens_those_of_bots_too(tmp_path: Path) -> None:
    async with visited_site(f"sqlite:///{tmp_path}/s.db") as visitors, visitors.user("Nava") as nava:
        await nava.post("bots", {"name": "NavaBot"})
        own = (await nava.post("tokens", {"bot": None, "name": "t", "scopes": ["read"]}))["token"]
        bots = (await nava.post("tokens", {"bot": "NavaBot", "name": "b", "scopes": ["play"]}))["token"]

        async def statuses() -> list[int]:
            async with client(visitors.origin) as program:
                return [
                    (await program.get("/api/v1/matches/none", headers=h)).status_code
                    for h in ({"Authorization": f"Bearer {token}"} for token in (own, bots))
                ]

        assert await statuses() == [404, 404]
        await nava.post("account/password", {"old": "", "new": "a new and long password"})
        assert await statuses() == [401, 401]
        assert await nava.get("tokens") == []
        assert (await nava.get("me"))["user"]["name"] == "Nava", "this browser stays"


async def test_a_rematch_counts_as_the_match_that_it_is(tmp_path: Path) -> None:
    async with live_site(f"sqlite:///{tmp_path}/s.db", limits=True) as live:
        browser = await live.browser()
        match = await finished(live, browser)
        live.site.limits.matches = Limiter(0.001, 1, what="new matches")
        again = [await browser.http.post(f"/api/v1/matches/{match}/rematch", json={}) for _ in range(2)]
        assert [answer.status_code for answer in again] == [200, 429]


async def test_swaps_and_steps_of_one_player_are_stored_no_more_often_than_hands_make_them(
    tmp_path: Path,
) -> None:
    async with live_site(f"sqlite:///{tmp_path}/s.db", limits=True) as live:
        browser = await live.browser()
        match = await browser.match("backgammon.p1.dice-typed", {"kind": "hotseat"})
        room = await live.begun(match)
        before = room.version
        live.site.limits.swaps = Limiter(0.001, 12, what="messages")
        async with AsyncExitStack() as stack:
            boards = [await sit(browser, match, f"w{n}") for n in range(2)]
            for board in boards:
                stack.push_async_callback(board.socket.close)
                for n in range(20):
                    frame = {"t": "do", "ref": f"{board.side}{n}", "key": board.key, "d": {"type": "swap"}}
                    await board.socket.send(json.dumps(frame | {"as": "white"}))
            for board in boards:
                answers = [await board.answer(f"{board.side}{n}") for n in range(20)]
                assert answers[-1]["d"]["rule"] == "wire.often"
        assert room.version - before <= 12


async def test_offers_made_and_withdrawn_again_and_again_are_stored_no_more_often_than_people_make_them(
    tmp_path: Path,
) -> None:
    async with live_site(f"sqlite:///{tmp_path}/s.db", limits=True) as live:
        live.site.limits.words = Limiter(0.001, 3, what="messages")
        browser = await live.browser()
        match = await browser.match("backgammon.m.dice-typed", {"kind": "hotseat"})
        await live.begun(match)
        board = await sit(browser, match, "white")
        rules = []
        for _ in range(5):
            for what in ({"type": "propose", "what": "draw"}, {"type": "refuse"}):
                ref = await board.say("do", what, key=board.key, **{"as": "white"})
                answer = await board.answer(ref)
                rules.append(answer["d"]["rule"] if answer["t"] == "refused" else answer["t"])
        await board.socket.close()
    assert rules == ["ack"] * 6 + ["wire.often", "offer.none"] * 2


async def test_what_is_said_and_done_at_a_chouette_is_stored_no_more_often_than_people_do_it(
    tmp_path: Path,
) -> None:
    async with live_site(f"sqlite:///{tmp_path}/s.db", limits=True) as live:
        limits = live.site.limits
        limits.swaps, limits.words = Limiter(0.001, 4, what="swaps"), Limiter(0.001, 4, what="words")
        browser = await live.browser()
        room = await live.chouette(browser)
        box = room.state.seats.box
        await room.act(box, DiceAction(6, 5))
        mover = room.state.player_for(room.session.to_act[0])
        async with Sitter(browser, room.id) as page:
            swaps = [await page.do(mover, {"type": "swap"}) for _ in range(8)]
            votes = [await page.do(box, {"type": "stop", "on": n % 2 == 0}, free=True) for n in range(8)]
    assert swaps == votes == ["ack"] * 4 + ["wire.often"] * 4


async def test_a_chain_that_is_lost_again_and_again_at_a_chouette_makes_no_more_new_ones(
    tmp_path: Path,
) -> None:
    async with live_site(f"sqlite:///{tmp_path}/s.db") as live:
        browser = await live.browser()
        made = await browser.post("/chouettes", {"card": "backgammon.m", "bots": ["beginner", "beginner"]})
        await browser.post(f"/chouettes/{made['id']}/begin")
        async with Sitter(browser, made["id"]) as page:
            (name,) = page.table["mine"]
            anchors = ({"type": "anchor", "anchor": token_hex(32), "lost": True} for _ in range(12))
            rules = [await page.do(name, anchor, free=True) for anchor in anchors]
    assert "dice.renewals" not in rules[:5] and set(rules[5:]) == {"dice.renewals"}


async def test_one_person_has_so_many_matches_open_at_once_and_nobody_else_is_hindered(
    tmp_path: Path,
) -> None:
    async with live_site(f"sqlite:///{tmp_path}/s.db", limits=True) as live:
        browser, other = await live.browser(), await live.browser()
        match = await browser.match("tavla.p1.dice-typed", {"kind": "hotseat"})
        live.site.limits.own_boards = Open(3, Text("too many"))
        async with AsyncExitStack() as stack:
            for _ in range(3):
                line = await stack.enter_async_context(browser.socket(match))
                assert json.loads(await line.recv())["t"] == "state"
            refused = await stack.enter_async_context(browser.socket(match))
            async with asyncio.timeout(PATIENCE):
                while (message := json.loads(await refused.recv()))["t"] != "error":
                    pass
            assert message["d"]["code"] == "too_many"
            await refused.wait_closed()
            assert refused.close_code == 4429
            watching = await stack.enter_async_context(other.socket(match))
            assert json.loads(await watching.recv())["t"] == "state"
        line = await stack.enter_async_context(browser.socket(match))
        assert json.loads(await line.recv())["t"] == "state"
        await line.close()
