"""Chouettes over sockets: people and bots who come and go, a server that is killed, the end."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import insert, update

from sheshbesh.match import DiceSource
from sheshbesh.server.news.bus import Bus
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage.tables import moderation_log, users
from sheshbesh.server.tables import gathering
from sheshbesh.server.tables.chouette import ChouetteInPlay, ChouetteKind
from sheshbesh.server.tables.seats import Sitter as Sitting
from sheshbesh.server.tables.store import ChouetteStore
from sheshbesh.server.tables.tables import ChouetteTables, Tables
from sheshbesh.session import ChouetteRecord, StopAction
from tests.server.chouette_player import Sitter
from tests.server.crashes import Served
from tests.server.live import Browser, live_site
from tests.server.visitors import visited_site
from tests.waiting import eventually

pytestmark = pytest.mark.anyio


async def gathered(browsers: list[Browser], bots: int, **more: Any) -> str:
    """A chouette of these people and bots that has begun."""
    body = {"card": "backgammon.m", "bots": ["beginner"] * bots, **more}
    made = await browsers[0].post("/chouettes", body)
    for other in browsers[1:]:
        await other.post(f"/chouettes/{made['id']}/seat")
    found = await browsers[0].post(f"/chouettes/{made['id']}/begin")
    assert found["state"] == "live" and len(found["throws"]) == len(browsers) + bots
    return str(made["id"])


def games(number: int) -> Any:
    return lambda state: len(state["chouette"]["rows"]) >= number


async def record_of(browser: Browser, chouette: str) -> ChouetteRecord:
    text = (await browser.http.get(f"/api/v1/chouettes/{chouette}/record")).text
    return ChouetteRecord.from_text(text)


async def test_two_people_and_three_bots_play_and_the_server_is_started_anew_in_mid_game(
    tmp_path: Path,
) -> None:
    database = f"sqlite:///{tmp_path}/s.db"
    async with live_site(database) as live:
        ann, bob = await live.browser(), await live.browser()
        chouette = await gathered([ann, bob], 3)
        async with Sitter(ann, chouette, seed=1) as one, Sitter(bob, chouette, seed=2) as two:
            begun = lambda state: len(state["results"]) == 0 and state["pips"]["white"] not in (None, 167)  # noqa: E731
            await asyncio.gather(one.play_until(begun), two.play_until(begun))
            before = await record_of(ann, chouette)
    async with live_site(database) as live:
        again = [live.same(browser) for browser in (ann, bob)]
        # What the pages keep of their dice has survived too.
        async with (
            Sitter(again[0], chouette, seed=3, player=one.player) as one,
            Sitter(again[1], chouette, seed=4, player=two.player) as two,
        ):
            await asyncio.gather(one.play_until(games(1)), two.play_until(games(1)))
            for each in (one, two):
                name = next(iter(each.table["mine"]))
                assert await each.do(name, {"type": "stop"}, free=True) == "ack"
            over = lambda state: state["chouette"]["over"]  # noqa: E731
            await asyncio.gather(one.play_until(over), two.play_until(over))
            sheet, rows = one.table["sheet"], one.table["rows"]
        assert sum(sheet.values()) == 0 and all(sum(row.values()) == 0 for row in rows)
        record = await record_of(again[0], chouette)
        assert record.events[: len(before.events)] == before.events
        table = record.replay()
        assert table.is_over and dict(table.sheet) == sheet
        frames = await again[0].get(f"/chouettes/{chouette}/frames?game=1")
        assert frames["frames"][-1]["kind"] == "end" and frames["over"]
        audit = await again[0].get(f"/chouettes/{chouette}/dice")
        assert audit["verdict"]["ok"], audit["verdict"]["problems"]


async def test_nobody_begins_with_people_who_have_just_stood_up_or_sat_down(database_url: str) -> None:
    async with live_site(database_url) as live:
        ann, bob = await live.browser(), await live.browser()
        made = await ann.post("/chouettes", {"card": "backgammon.m", "bots": ["beginner"] * 2})
        chouette, tables = str(made["id"]), live.site.chouettes
        for method in ("POST", "DELETE"):
            before = await tables.agreement(chouette)
            assert before is not None
            if method == "POST":
                await bob.post(f"/chouettes/{chouette}/seat")
            else:
                name = next(each.name for each in before.people if each.user == bob.id)
                path = f"/api/v1/chouettes/{chouette}/people/{quote(name)}"
                answer = await bob.http.request("DELETE", path, json={})
                assert answer.status_code == 200, answer.text
            with pytest.raises(Failure, match="somebody has just sat down or stood up") as refused:
                await gathering.begin(live.site.database, before, *gathering.begun(before))
            assert refused.value.status_code == 409
            assert (await ann.get(f"/chouettes/{chouette}"))["state"] == "open"
        agreed = await tables.agreement(chouette)
        assert agreed is not None
        assert await gathering.begin(live.site.database, agreed, *gathering.begun(agreed))
        assert not await gathering.begin(live.site.database, agreed, *gathering.begun(agreed))
        assert not await gathering.unseat(live.site.database, chouette, agreed.people[0].name)
        # Of two who sat down at the same time before dice of a seed, nobody begins.
        seeded = replace(agreed, card=replace(agreed.card, dice=DiceSource.SEEDED))
        both = replace(seeded, people=(*seeded.people, Sitting("Cem", "cem")))
        gathering.begun(seeded)
        with pytest.raises(Failure, match="dice from a seed are for study"):
            gathering.begun(both)


async def test_those_who_sit_there_talk_and_everybody_hears_it(tmp_path: Path) -> None:
    async with live_site(f"sqlite:///{tmp_path}/s.db") as live:
        ann, bob, watcher = [await live.browser() for _ in range(3)]
        chouette = await gathered([ann, bob], 1)
        async with Sitter(ann, chouette) as one, Sitter(watcher, chouette) as other:
            assert await one.say(phrase="hello") == "ack"
            assert await one.say(text="well \u202eplayed") == "ack"
            assert await one.say(phrase="nothing known") == "chat.unknown"
            assert await other.say(phrase="hello") == "chat.players"
            assert [line["by"] for line in await other.heard(2)] == [next(iter(one.table["mine"]))] * 2
        async with Sitter(bob, chouette) as late:
            first, second = await late.heard(2)
            assert (first["phrase"], second["text"]) == ("hello", "well played")


def lying(state: dict[str, Any]) -> dict[str, Any]:
    """What lies on the table, as everybody sees it; advice may still come in."""
    board = {
        name: state[name] for name in ("board", "turn", "phase", "on_roll", "game", "results", "players")
    }
    members = [{**member, "advice": None} for member in state["chouette"]["members"]]
    around = {name: state["chouette"][name] for name in ("box", "captain", "rows", "sheet", "throws")}
    return board | around | {"members": members}


@pytest.mark.soak
async def test_nothing_is_lost_when_the_server_is_killed_in_mid_game(database_url: str) -> None:
    served = Served(database_url)
    await served.start()
    browsers = [await Browser(served.base).guest() for _ in range(2)]
    try:
        chouette = await gathered(browsers, 1)

        def thinks(state: dict[str, Any]) -> bool:
            """Whether a person has dice before them, some way into the game."""
            hand = state["players"].get(state["on_roll"], {"kind": "bot"})
            moved = state["pips"]["white"] not in (None, 167) and state["pips"]["black"] not in (None, 167)
            return state["phase"] == "move" and hand["kind"] == "user" and moved

        async with Sitter(browsers[0], chouette, seed=1) as one, Sitter(browsers[1], chouette, seed=2) as two:
            await asyncio.gather(one.play_until(thinks), two.play_until(thinks))
            before, record = lying(one.state), await record_of(browsers[0], chouette)
            served.kill()
        await served.start()
        async with (
            Sitter(browsers[0], chouette, seed=3, player=one.player) as one,
            # This page has seen events that the server does not know: it plays on from what is left.
            Sitter(browsers[1], chouette, seed=4, player=two.player, seen=99_999) as two,
        ):
            assert lying(one.state) == lying(two.state) == before
            gone_on = lambda state: state["board"] != before["board"]  # noqa: E731
            await asyncio.gather(one.play_until(gone_on), two.play_until(gone_on))
        after = await record_of(browsers[0], chouette)
        assert after.events[: len(record.events)] == record.events
    finally:
        served.kill()
        for browser in browsers:
            await browser.http.aclose()


async def test_a_new_name_reaches_every_process_when_the_chouette_is_over(tmp_path: Path) -> None:
    async with (
        visited_site(f"sqlite:///{tmp_path}/s.db") as visitors,
        visitors.user("Nava") as nava,
        visitors.user("Omer") as omer,
    ):
        made = await nava.post("chouettes", {"card": "backgammon.m", "bots": ["beginner"]})
        chouette, site = str(made["id"]), visitors.site
        await omer.post(f"chouettes/{chouette}/seat")
        await nava.post(f"chouettes/{chouette}/begin")
        mine, bus = site.chouettes, Bus()
        kind = ChouetteKind(ChouetteStore(site.database), site.engines, site.presence, bus)
        others: ChouetteTables = Tables(kind, bus)
        others.listen()
        user = nava.user["id"]
        entry = {"id": "m", "at": 2, "actor": "Omer", "action": "rename", "target": user, "name": "Nava"}
        await site.database.write(
            update(users).where(users.c.id == user).values(name="Sima"),
            insert(moderation_log).values(**entry, reason="x", detail={}),
        )
        here, there = await mine.get(chouette), await others.get(chouette)
        assert here is not None and there is not None
        for name in ("Nava", "Omer"):
            await here.act(name, StopAction())
        bus.publish(kind.news, id=chouette, v=here.version)
        for tables, table in ((mine, here), (others, there)):
            await eventually(partial(is_stopped, table))
            again = await tables.get(chouette)
            assert again is not None and again.state.is_over
            assert again.agreement.names_of(user) == ("Sima",)
            assert set(again.state.seats.people) == {each.name for each in again.agreement.people}
        await others.close()


def is_stopped(table: ChouetteInPlay) -> bool:
    return table.is_stopped
