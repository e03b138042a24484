"""Matches with days a move: nobody has them open, and yet their time runs out, also across a restart."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select, update

from sheshbesh.match.timing import DAY
from sheshbesh.rules import Side
from sheshbesh.server.people.vacations import MOST_A_YEAR, MOST_AT_ONCE
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import matches, vacations
from sheshbesh.session import Phase
from tests.server.clock import ManualClock
from tests.server.live import Browser, Live, live_site
from tests.server.test_rooms import SeatedPlayer, sit
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

CARD = "backgammon.p3.dice-typed.clock-t86400"


async def began(live: Live, card: str = CARD) -> tuple[str, Browser, Browser]:
    """A match of two people in which White is on the move, and where nobody sits."""
    match, white, black = await live.friends(card)
    await live.begun(match)
    return match, white, black


async def ending_of(database: Database, match: str) -> tuple[str, str | None, str | None]:
    row = await database.first(
        select(matches.c.state, matches.c.winner, matches.c.ending).where(matches.c.id == match)
    )
    assert row is not None
    return row.state, row.winner, row.ending


async def test_a_turn_of_days_is_claimed_after_a_restart_though_nobody_opens_the_match(
    tmp_path: Path,
) -> None:
    url, clock = f"sqlite:///{tmp_path}/site.db", ManualClock()
    async with live_site(url, clock=clock) as live:
        match, _, _ = await began(live)
        clock.advance(120)
        early, _, _ = await began(live)
        clock.advance(DAY / 1000 - 120.5)
        await clock.until_waiting(1.0)  # the server has said that it is up
    clock.advance(3.5)  # with the grace of 2 s for a move on its way
    async with live_site(url, clock=clock) as live:
        rooms = live.site.matches.loaded
        await eventually(lambda: match in rooms)
        assert (await ending_of(live.site.database, match))[0] == "live"
        clock.advance(1)
        await eventually(lambda: rooms[match].session.phase is Phase.OVER)
        found = live.site.database
        assert await ending_of(found, match) == ("over", "black", "time")
        assert (await ending_of(found, early))[0] == "live"
        assert early not in rooms


async def test_the_list_of_games_loads_no_room_and_says_whose_turn_it_is_and_until_when(
    tmp_path: Path,
) -> None:
    url = f"sqlite:///{tmp_path}/site.db"
    async with live_site(url) as live:
        match, white, black = await began(live)
        cookies = [dict(browser.http.cookies) for browser in (white, black)]
    async with live_site(url) as live:
        listed = []
        for kept in cookies:
            browser = await live.browser()
            browser.http.cookies.clear()
            browser.http.cookies.update(kept)
            (entry,) = await browser.get("/me/matches")
            listed.append(entry)
        assert match not in live.site.matches.loaded
    mine, theirs = listed
    found = mine["id"], mine["to_act"], mine["you"], theirs["you"]
    assert found == (match, ["white"], ["white"], ["black"])
    assert mine["phase"] == "move" and mine["score"] == {"white": 0, "black": 0}
    assert mine["clock"]["running"] == "white" and mine["clock"]["kind"] == "per_turn"
    assert DAY - 120_000 < mine["clock"]["white"] <= DAY == mine["clock"]["black"]


async def test_a_match_of_an_earlier_version_is_looked_at_once_and_then_says_when_it_is_due(
    tmp_path: Path,
) -> None:
    async with live_site(f"sqlite:///{tmp_path}/site.db") as live:
        match, _, _ = await began(live)
        site = live.site
        query = select(matches.c.due, matches.c.standing).where(matches.c.id == match)
        known = await site.database.first(query)
        await site.database.write(update(matches).values(due=None, standing=None))
        site.matches.drop(site.matches.loaded[match])
        assert await site.matches.poll() == 1
        again = await site.database.first(query)
        assert known is not None and again is not None and tuple(again) == tuple(known)
        assert await site.matches.poll() == 0


async def test_a_room_in_which_nobody_sits_sleeps_while_a_turn_may_take_days(tmp_path: Path) -> None:
    async with live_site(f"sqlite:///{tmp_path}/site.db") as live:
        slow, _, _ = await began(live)
        quick, _, _ = await began(live, "backgammon.p1.dice-typed.clock-d12-60")
        rooms = live.site.matches.loaded
        for match in (slow, quick):
            rooms[match].viewers.look()
            rooms[match].viewers.connected.clear()
        assert rooms[slow].is_idle
        assert not rooms[quick].is_idle


async def test_no_time_runs_for_who_is_away_and_the_opponent_sees_until_when(tmp_path: Path) -> None:
    async with live_site(f"sqlite:///{tmp_path}/site.db") as live:
        match, white, black = await began(live)
        found = live.site.database
        taken = await white.post("/me/vacation", {"days": 3})
        assert taken["left"] == MOST_A_YEAR - 3
        clock = (await black.get("/me/matches"))[0]["clock"]
        assert 3 * DAY - 60_000 < clock["away"] <= 3 * DAY and DAY - 60_000 < clock["white"] <= DAY
        room = await live.site.matches.get(match)
        assert room is not None
        before = room.session.clock
        await live.site.absences.hold(match)
        assert room.session.clock == before, "what is held is held once"
        now = room.now()
        assert before.fallen(now + 4 * DAY - 60_000) is None
        assert before.fallen(now + 4 * DAY) is Side.WHITE
        due = select(matches.c.due).where(matches.c.id == match)
        row = await found.first(due)
        assert row is not None and row.due >= now + 4 * DAY - 60_000


async def test_a_turn_that_begins_while_its_player_is_away_waits_for_them(tmp_path: Path) -> None:
    async with live_site(f"sqlite:///{tmp_path}/site.db") as live:
        match, white, black = await began(live)
        await black.post("/me/vacation", {"days": 2})
        mover = await sit(white, match, "white")
        assert (await mover.do("play", play="24/18 13/8"))["t"] == "ack"
        # The next state says it: the clock of Black is held by an event of its own.
        while not (heard := await mover.hear("state"))["d"]["clock"]["away"]:
            pass
        assert heard["d"]["clock"]["running"] == "black" and heard["d"]["clock"]["away"] > 2 * DAY - 60_000
        await mover.socket.close()


async def test_a_vacation_has_its_limits(tmp_path: Path) -> None:
    async with live_site(f"sqlite:///{tmp_path}/site.db") as live:
        guest = await live.browser()
        first = await guest.post("/me/vacation", {"days": MOST_AT_ONCE})
        again = await guest.http.post("/api/v1/me/vacation", json={"days": 1})
        assert again.status_code == 409 and str(MOST_AT_ONCE) in again.json()["error"]["text"]
        assert await guest.get("/me/vacation") == first
        await live.site.database.write(
            update(vacations).values(since=vacations.c.since - 20 * DAY, until=vacations.c.until - 20 * DAY)
        )
        assert (await guest.get("/me/vacation"))["until"] is None
        await guest.post("/me/vacation", {"days": MOST_AT_ONCE})
        used_up = await guest.http.post("/api/v1/me/vacation", json={"days": 3})
        assert used_up.status_code == 409 and "2" in used_up.json()["error"]["text"]


async def test_who_is_elsewhere_hears_that_it_is_their_turn(tmp_path: Path) -> None:
    async with live_site(f"sqlite:///{tmp_path}/site.db") as live:
        match, white, black = await began(live)
        other = await black.match("tapa.p1", {"kind": "hotseat", "names": ["Ann", "Bea"]})
        page = SeatedPlayer(await black.socket(other), "white")
        await page.hear("state")
        mover = await sit(white, match, "white")
        assert (await mover.do("play", play="24/18 13/8"))["t"] == "ack"
        heard = await page.hear("turn")
        assert heard["d"] == {"id": match, "url": f"/m/{match}", "title": "Backgammon"}
        for player in (page, mover):
            await player.socket.close()
