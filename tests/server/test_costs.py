"""What a request costs, for a person and for an address, and what is rendered once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from sheshbesh.rules import Side
from sheshbesh.server.limits import Bucket, Limiter, Limits, Open
from sheshbesh.server.refusals import Failure
from sheshbesh.server.tables import replay
from sheshbesh.server.tables.replay import RenderCache, games_data
from sheshbesh.server.tables.replay import frames_data as frames_of_chouette
from sheshbesh.server.tables.seats import MatchAgreement, Seat
from sheshbesh.session import (
    AcceptAction,
    DiceAction,
    ResignAction,
    RetryAction,
    StopAction,
)
from tests.server.clock import ManualClock
from tests.server.live import Browser, Live, live_site
from tests.server.postgres import Postgres
from tests.session_help import Table
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

FRAMES_COST = 20


async def finished(live: Live, browser: Browser) -> str:
    """A match at one screen that is over after one turn."""
    match = await browser.match("backgammon.p1.dice-typed", {"kind": "hotseat"})
    await live.over(match)
    return match


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The matches that are rendered from now on."""
    made: list[str] = []
    real = replay.games_data

    def games_data(table: Any, events: Any) -> Any:
        made.append(table.id)
        return real(table, events)

    monkeypatch.setattr(replay, "games_data", games_data)
    return made


def test_a_play_that_is_taken_back_is_shown_though_what_was_left_of_it_was_the_opponents() -> None:
    table = Table("gioul.p1").begin().throw(6, 6).play("24/6 24/18").throw(4, 4).play("24/8").play("8/3")
    assert (table.on_roll, table.state.turn is not None) == ("white", True), "Black's fives are White's"
    table.do("server", RetryAction("black"))
    seats = {side: Seat("guest", side.value) for side in Side}
    frames = games_data(MatchAgreement("m1", table.header.card, seats), table.events)[1].data["frames"]
    told = [(frame["kind"], frame["side"], frame["play"], len(frame["steps"])) for frame in frames[-2:]]
    assert told == [("play", "black", "8/3", 1), ("retry", "black", "8/3", 0)]


async def test_a_finished_game_is_rendered_once_however_many_ask_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live_site(f"sqlite:///{tmp_path}/s.db") as live:
        browser = await live.browser()
        match = await finished(live, browser)
        made = counted(monkeypatch)
        answers = await asyncio.gather(*(browser.get(f"/matches/{match}/frames") for _ in range(10)))
        assert made == [match]
        assert all(answer == answers[0] for answer in answers)
        assert answers[0]["match"] == match and answers[0]["frames"][-1]["kind"] == "end"
        dice = await browser.get(f"/matches/{match}/dice")
        assert (match, "dice") in live.site.rendered
        assert dice == await browser.get(f"/matches/{match}/dice") and dice["verdict"]["ok"]
        assert set(dice["players"]) == {"white", "black"}


async def test_a_game_that_goes_on_is_not_kept_and_a_private_one_is_shown_to_its_players_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live_site(f"sqlite:///{tmp_path}/s.db") as live:
        browser, other = await live.browser(), await live.browser()
        match = await browser.match("tavla.p1.dice-typed", {"kind": "hotseat"}, private=True)
        made = counted(monkeypatch)
        for _ in range(2):
            await browser.get(f"/matches/{match}/frames")
        assert made == [match, match] and live.site.rendered.size == 0
        assert (await other.http.get(f"/api/v1/matches/{match}/frames")).status_code == 404


async def test_moments_and_pictures_of_a_match_are_read_from_its_kept_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live_site(f"sqlite:///{tmp_path}/s.db") as live:
        browser = await live.browser()
        match = await finished(live, browser)
        made = counted(monkeypatch)
        last = await browser.get(f"/analysis?match={match}")
        assert last == await browser.get(f"/analysis?match={match}&game=1&n=0")
        for path in (f"{match}/1/0.svg", f"{match}/1/0.svg?view=black", f"{match}/1.gif?width=320"):
            assert (await browser.http.get(f"/pictures/match/{path}")).status_code == 200, path
        await browser.get(f"/matches/{match}/frames")
    assert made == [match]


async def test_a_chouette_that_is_over_is_rendered_once_for_each_of_its_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    real = frames_of_chouette

    def frames_data(record: Any, game: int) -> Any:
        made.append(game)
        return real(record, game)

    monkeypatch.setattr(replay, "frames_data", frames_data)
    async with live_site(f"sqlite:///{tmp_path}/s.db") as live:
        browser = await live.browser()
        room = await live.chouette(browser)
        path = f"/chouettes/{room.id}"
        for _ in range(2):
            await browser.get(f"{path}/frames?game=1")
        assert made == [1, 1], "it goes on"
        await room.act(room.state.seats.box, DiceAction(3, 1))
        mover = room.session.to_act[0]
        await room.act(mover, ResignAction())
        await room.act(mover.other, AcceptAction())
        for name in ("Ann", "Bob"):
            await room.act(name, StopAction())
        assert room.state.is_over
        for _ in range(3):
            await browser.get(f"{path}/frames?game=1")
            await browser.get(f"{path}/dice")
        assert made == [1, 1, 1]
        assert (room.id, "dice") in live.site.rendered


async def test_what_is_kept_is_bounded_and_what_was_used_last_stays() -> None:
    rendered = RenderCache(most=30)

    async def ask(key: str) -> None:
        async def render() -> Any:
            return b"", {(key,): b"x" * 10}

        await rendered.get((key,), render)

    for key in ("a", "b", "c", "a", "d"):
        await ask(key)
    assert rendered.size == 30
    assert [(key,) in rendered for key in "abcd"] == [True, False, True, True]


@pytest.mark.parametrize("path", ["/matches/{}/frames", "/analysis?match={}"])
async def test_a_request_costs_by_what_it_does(tmp_path: Path, path: str) -> None:
    async with live_site(f"sqlite:///{tmp_path}/s.db", limits=True) as live:
        browser = await live.browser()
        match = await finished(live, browser)
        live.site.limits.people = Limiter(0.001, 1000, what="requests")
        live.site.limits.requests = Limiter(0.001, 2.5 * FRAMES_COST, what="requests")
        address = "/api/v1" + path.format(match)
        answers = [(await browser.http.get(address)).status_code for _ in range(3)]
        assert answers == [200, 200, 429]
        assert (await browser.http.get("/api/v1/health")).status_code == 200, "there is enough for that"


@pytest.mark.parametrize("path", ["", "/matches"])
async def test_a_history_costs_more_than_what_is_looked_up(tmp_path: Path, path: str) -> None:
    async with live_site(f"sqlite:///{tmp_path}/s.db", limits=True) as live:
        browser = await live.browser()
        name = (await browser.get("/me"))["user"]["name"]
        live.site.limits.people = Limiter(0.001, 1000, what="requests")
        live.site.limits.requests = Limiter(0.001, 12, what="requests")
        answers = [(await browser.http.get(f"/api/v1/users/{name}{path}")).status_code for _ in range(3)]
        assert answers == [200, 200, 429]
        assert (await browser.http.get("/api/v1/health")).status_code == 200


async def test_a_person_has_one_allowance_at_all_addresses(tmp_path: Path) -> None:
    async with live_site(f"sqlite:///{tmp_path}/s.db", limits=True) as live:
        browser, other = await live.browser(), await live.browser()
        match = await finished(live, browser)
        live.site.limits.requests = Limiter(0.001, 10_000, what="requests")
        live.site.limits.people = Limiter(0.001, 1.5 * FRAMES_COST, what="requests")
        path = f"/api/v1/matches/{match}/frames"
        assert [(await browser.http.get(path)).status_code for _ in range(2)] == [200, 429]
        assert (await other.http.get(path)).status_code == 200


async def test_files_of_the_page_count_too(tmp_path: Path) -> None:
    async with live_site(f"sqlite:///{tmp_path}/s.db", limits=True) as live:
        browser = await live.browser()
        live.site.limits.requests = Limiter(0.001, 1, what="requests")
        answers = [(await browser.http.get(path)).status_code for path in ("/", "/lobby", "/x", "/a.js", "/")]
        assert answers == [200, 200, 404, 404, 429]


async def test_what_is_taken_at_one_process_is_missing_at_the_others(postgres: Postgres) -> None:
    database = postgres.url()
    clock = ManualClock()
    async with (
        live_site(database, limits=True, clock=clock) as one,
        live_site(database, limits=True, clock=clock) as two,
    ):
        spent = 0
        while one.site.limits.people.take("nava") == 0:
            spent += 1
        one.site.limits.share(one.site.bus)
        await eventually(lambda: two.site.limits.people.take("nava") > 0)
        assert two.site.limits.people.take("somebody else") == 0
        assert spent >= 200


def test_many_keys_are_told_in_parts_that_a_notification_takes() -> None:
    class Line:
        reaches_others = True

        def __init__(self) -> None:
            self.told: list[dict[str, Any]] = []

        def subscribe(self, _topic: str, _handler: object) -> None:
            pass

        def tell_others(self, _topic: str, **news: Any) -> None:
            assert len(str(news)) < 7_900
            self.told.append(news)

    limits, line = Limits(), Line()
    limits.listen(line)  # type: ignore[arg-type]
    keys = [f"2001:db8:{n:x}:ffff::" for n in range(1_000)]
    for key in keys:
        limits.requests.take(key)
    limits.share(line)  # type: ignore[arg-type]
    assert [key for news in line.told for key in news["by"]] == keys
    limits.share(line)  # type: ignore[arg-type]
    assert sum(len(news["by"]) for news in line.told) == len(keys), "nothing is told twice"


def test_what_costs_more_than_a_bucket_holds_may_be_had_when_it_is_full() -> None:
    clock = ManualClock()
    bucket = Bucket(1.0, 5.0, clock)
    assert bucket.take(20.0) == 0.0
    clock.advance(1)
    assert bucket.take() == 15.0
    bucket.drain(1000.0)
    assert bucket.take() == 6.0


def test_what_is_open_at_once_is_bounded_by_key() -> None:
    places = Open(2, Failure(429, "too many").detail)  # type: ignore[arg-type]
    with places.one("a"), places.one("a"):
        with pytest.raises(Failure), places.one("a"):
            pass
        with places.one("b"):
            pass
    with places.one("a"):
        pass
