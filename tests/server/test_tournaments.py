"""Tournaments on the site: bots and people who play them over the API, and what is refused."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime
from types import SimpleNamespace
from typing import Any, cast
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import func, insert, select, update

import sheshbesh as sb
from sheshbesh.rules import Refused, Side
from sheshbesh.server.assembly import rating_steps
from sheshbesh.server.http.api import tournaments as api_module
from sheshbesh.server.ids import Clock
from sheshbesh.server.news.bus import Bus
from sheshbesh.server.storage.tables import matches, users
from sheshbesh.server.tables.seats import USER, MatchAgreement, Seat
from sheshbesh.server.tournaments import chores as chores_module
from sheshbesh.server.tournaments import tournaments as tournaments_module
from sheshbesh.server.tournaments import view
from sheshbesh.server.tournaments.chores import Chores
from sheshbesh.server.tournaments.entries import entry_of
from sheshbesh.server.tournaments.feed import feed
from sheshbesh.server.tournaments.series import SeriesKeeper
from sheshbesh.server.tournaments.store import Match, TournamentStore
from sheshbesh.server.tournaments.tournaments import CHANGED, Tournaments
from sheshbesh.session import Phase, Session
from sheshbesh.tournaments import Action, Outcome, Pairing, TournamentRecord, new, read_settings, verify
from sheshbesh.tournaments.actions import EnterAction, MessageAction, RulingAction
from sheshbesh.tournaments.settings import card_of
from tests.server.player import Player
from tests.server.player import play as play_at
from tests.server.test_bots import Bot, new_bot
from tests.server.test_reviews import SHORT, uploaded
from tests.server.visitors import Browser, Visitors
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

CARD = "hypergammon.p1.clock-d12-60"


async def test_who_has_not_heard_of_pairings_reads_them_before_their_matches(
    visitors: Visitors, caplog: pytest.LogCaptureFixture
) -> None:
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        identity, site = await announced(nora, system="swiss", rounds=1), visitors.site
        await entered(visitors, stack, identity, ["Ann", "Bea", "Cem", "Dara"])
        unaware = Tournaments(TournamentStore(site.database), Bus(), down=lambda: site.uptime.down)
        assert await unaware.find(identity) is not None
        await nora.post(f"tournaments/{identity}/director/start")
        await site.chores.poll()
        await Chores(unaware, site.matches, site.presence, site.metrics).poll()
        state = await unaware.find(identity)
        assert state is not None and len(state.pairings) == 2
        assert "could not be done" not in caplog.text


SETTINGS: dict[str, Any] = {"title": "Friday", "card": CARD, "system": "swiss"}


async def play_all(bot: Bot, ready: asyncio.Event) -> int:
    """Play every match that begins, until the tournament is over; return how many that were."""
    played: list[asyncio.Task[Any]] = []
    async with bot.stream("stream/events") as lines:
        ready.set()
        async for line in lines:
            if line["type"] == "gameStart":
                played.append(asyncio.create_task(bot.play(line["game"]["id"])))
            if line["type"] == "tournamentEnd":
                break
    await asyncio.gather(*played)
    return len(played)


@asynccontextmanager
async def bots_at(visitors: Visitors, count: int) -> AsyncIterator[tuple[Browser, list[Bot]]]:
    """A director, and programs of several owners."""
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        owners = [await stack.enter_async_context(visitors.user(f"Owner {n}")) for n in range(-(-count // 5))]
        bots = [
            await new_bot(stack, owners[n // 5], f"Bot {n + 1}", "tournament:enter") for n in range(count)
        ]
        yield nora, bots


async def announced(nora: Browser, **settings: Any) -> str:
    """A tournament that takes entries; its id."""
    made = await nora.post("tournaments", {**SETTINGS, **settings})
    assert made["status"] == "draft"
    there = (await nora.post(f"tournaments/{made['id']}/director/announce"))["status"]
    assert there == "open"
    return str(made["id"])


async def verified(nora: Browser, identity: str) -> TournamentRecord:
    """The record as it is exported, which must say the truth."""
    text = (await nora.ask("GET", f"tournaments/{identity}/events")).text
    verdict = verify(text)
    assert verdict.ok, verdict.problems
    return TournamentRecord.from_text(text)


async def test_five_bots_play_a_swiss_to_its_podium(visitors: Visitors) -> None:
    async with bots_at(visitors, 5) as (nora, bots):
        identity = await announced(nora, bots="only", rounds=2)
        for number, bot in enumerate(bots):
            answer = await bot.post(f"tournaments/{identity}/entry", {"share": f"{number:064x}"})
            assert answer.status_code == 200, answer.text
        listening = [asyncio.Event() for _ in bots]
        playing = [asyncio.create_task(play_all(*each)) for each in zip(bots, listening, strict=True)]
        await asyncio.gather(*(each.wait() for each in listening))
        async with nora.socket(f"/ws/tournament/{identity}") as line:
            await nora.post(f"tournaments/{identity}/director/start")
            for number in (1, 2):
                await line.until("tournament", round=number)
            await line.until("tournament", status="confirming")
        await nora.post(f"tournaments/{identity}/director/confirm")
        played = await asyncio.gather(*playing)
        assert sum(played) == 2 * 2 * 2  # one of five rests in each round
        standings = await nora.get(f"tournaments/{identity}/standings")
        assert next(row["place"] for row in standings["rows"]) == 1
        assert len(standings["rows"]) == 5 and standings["confirmed"]
        assert sum(row["score"] for row in standings["rows"]) == 2 * 3  # wins, and a bye in each round
        record = await verified(nora, identity)
        assert record.replay().status == "over"
        data = json.loads((await nora.ask("GET", f"tournaments/{identity}/export.json")).text)
        places = [[row["place"], row["entrant"]["number"], row["score"]] for row in standings["rows"]]
        assert data["standings"] == places
        assert not await visitors.site.tournaments.store.unsettled(identity)
        mine = (await nora.get("tournaments"))["done"]
        assert [(each["id"], each["status"], each["entrants"]) for each in mine] == [(identity, "over", 5)]
        for row in standings["rows"]:
            trophies = (await nora.get(f"users/{row['entrant']['name']}"))["trophies"]
            won = [(each["place"], each["tournament"]["id"], each["entrants"]) for each in trophies]
            assert won == ([(row["place"], identity, 5)] if row["place"] <= 2 else [])


class Hours(Clock):
    """The time of the world for tournaments, which a test lets pass."""

    def __init__(self, visitors: Visitors, *, steady: float | None = None) -> None:
        tournaments = visitors.site.tournaments
        self._ahead, self._steady = 0, steady
        tournaments.clock = self

    def pass_(self, seconds: float) -> None:
        """Let time pass."""
        self._ahead += round(seconds * 1000)

    def now_ms(self) -> int:
        """Return the time that it is now."""
        return super().now_ms() + self._ahead

    def monotonic(self) -> float:
        """Return the seconds that have passed; with `steady` only those that a test let pass."""
        begun = super().monotonic() if self._steady is None else self._steady
        return begun + self._ahead / 1000


async def entered(
    visitors: Visitors, stack: AsyncExitStack, identity: str, names: list[str]
) -> list[Browser]:
    """Accounts that have entered."""
    people = [await stack.enter_async_context(visitors.user(name)) for name in names]
    for person in people:
        await person.post(f"tournaments/{identity}/entry")
    return people


async def test_who_does_not_come_loses_and_their_match_is_over_with_the_pairing(visitors: Visitors) -> None:
    hours = Hours(visitors)
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        identity = await announced(nora, system="knockout", card="tavla.p3.clock-d12-60", draw="manual")
        people = await entered(visitors, stack, identity, ["Ann", "Bea", "Cem", "Dara"])
        await nora.post(f"tournaments/{identity}/director/start")
        chores = visitors.site.chores
        await chores.poll()
        open_ = await nora.get(f"tournaments/{identity}/pairings?live=1")
        assert [(each["white"], each["black"]) for each in open_["pairings"]] == [(1, 4), (2, 3)]
        mine = (await people[0].get(f"tournaments/{identity}"))["me"]["pairing"]
        line = await stack.enter_async_context(people[0].socket(f"/ws/match/{mine['match']}"))
        shown = await line.until("state")
        assert shown["d"]["event"]["id"] == identity
        assert shown["d"]["event"]["forbids"][0] == "agreements"
        assert shown["d"]["card"]["dice"] == "strict"
        told: dict[int, list[str]] = {number: [] for number in range(1, 5)}

        def hearing(heard: list[str]) -> Callable[[Mapping[str, Any]], None]:
            return lambda news: heard.append(news.get("event", ""))

        for number, person in enumerate(people, start=1):
            visitors.site.lobby.attend(person.user["id"], hearing(told[number]))
        hours.pass_(150)
        await chores.poll()
        await chores.poll()
        assert told == {1: [], **{number: ["tournamentAwaited"] for number in (2, 3, 4)}}
        hours.pass_(151)
        await chores.poll()
        assert told[1][0] == "tournamentWalkover"
        assert all(told[number][1] == "tournamentMissed" for number in (2, 3, 4))
        assert not any("tournamentRuling" in heard for heard in told.values())
        over = await line.until("state", phase="over")
        assert (over["d"]["winner"], over["d"]["ending"]) == ("white", "forfeit")
        state = await visitors.site.tournaments.find(identity)
        assert state is not None
        assert [each.result and each.result.winner for each in state.pairings[:2]] == [1, 0]
        await chores.poll()
        assert not await visitors.site.tournaments.store.unsettled(identity)
        # The other two are out, so that the one who came has won.
        assert state.status == "confirming"
        assert [row["place"] for row in (await nora.get(f"tournaments/{identity}/standings"))["rows"]][
            :1
        ] == [1]
        assert (await people[0].get("users/ann"))["ratings"] == []
        await verified(nora, identity)


async def test_those_whose_next_match_a_correction_annuls_are_told_too(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        identity = await announced(nora, system="knockout", card="tavla.p3.clock-d12-60", draw="manual")
        people = await entered(visitors, stack, identity, ["Ann", "Bea", "Cem", "Dara"])
        director = f"tournaments/{identity}/director"
        await nora.post(f"{director}/start")
        await visitors.site.chores.poll()
        for pairing, winner in ((1, 1), (2, 2)):
            fields = {"pairing": pairing, "winner": winner, "reason": "seen at the board"}
            await nora.post(f"{director}/ruling", {"fields": fields})
        await visitors.site.chores.poll()
        told: list[str] = []
        bea = people[1].user["id"]
        visitors.site.lobby.attend(bea, lambda news: told.append(news.get("event", "")))
        fields = {"pairing": 1, "annul": True, "reason": "misread"}
        late = await nora.ask("POST", f"{director}/correct", {"fields": fields})
        assert (late.json()["error"]["rule"], told) == ("director.too_late", [])
        await nora.post(f"{director}/correct", {"fields": {**fields, "anew": True}})
        assert told == ["tournamentRuling"]


async def test_a_deleted_account_is_paired_no_more_and_keeps_its_line(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        identity = await announced(nora, system="round_robin")
        people = await entered(visitors, stack, identity, ["Ann", "Bea", "Cem"])
        person = await visitors.site.people.directory.by_id(people[2].user["id"])
        assert person is not None
        await visitors.site.people.deletion.delete(person)
        asked = [visitors.site.tournaments.gone(identity) for _ in range(2)]
        assert await asyncio.gather(*asked) == [{3}, {3}]
        await nora.post(f"tournaments/{identity}/director/start")

        async def paired() -> bool:
            # The first pass may find the tournament at work by itself, and leaves it alone.
            await visitors.site.chores.poll()
            held = await visitors.site.tournaments.find(identity)
            return held is not None and bool(held.open_pairings)

        await eventually(paired)
        found = await nora.get(f"tournaments/{identity}")
        assert [each["name"] for each in found["entrants"] if each["status"] == "in"] == ["Ann", "Bea"]
        state = await visitors.site.tournaments.find(identity)
        assert state is not None and state.entrant(3).status == "out"
        assert [each.both for each in state.open_pairings] == [(1, 2)]
        table = (await nora.ask("GET", f"tournaments/{identity}/export.csv")).text
        assert "Deleted player" in table and "Cem" not in table
        assert '"name":"Cem"' not in (await verified(nora, identity)).to_text()


async def test_a_match_left_by_a_process_that_died_is_ended_by_the_next_one(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        identity = await announced(nora, system="round_robin")
        await entered(visitors, stack, identity, ["Ann", "Bea"])
        tournaments, chores = visitors.site.tournaments, visitors.site.chores
        await nora.post(f"tournaments/{identity}/director/start")
        await chores.poll()
        state = await tournaments.find(identity)
        assert state is not None
        (pairing,) = state.open_pairings
        # A ruling is stored, and nothing more is done before another process looks at it.
        action = RulingAction(pairing=pairing.number, winner=pairing.first, reason="cocked dice")
        await tournaments.act(identity, nora.user["id"], action)
        fresh = Chores(tournaments, visitors.site.matches, visitors.site.presence, visitors.site.metrics)
        await fresh.poll()
        room = await visitors.site.matches.get(pairing.match)
        assert room is not None
        # By hand it is decided for the pairing; the match itself has no winner, and no rating.
        assert (room.session.ending, room.session.winner) == ("forfeit", None)


def test_a_match_of_an_event_that_nobody_played_is_not_rated() -> None:
    seats = {side: Seat(USER, side.value, side.value) for side in Side}
    agreed = MatchAgreement("m", card_of(CARD), seats, rated=True)
    for is_unbegun, winner, ending, count in (
        (False, Side.WHITE, "points", 1),
        (False, Side.WHITE, "forfeit", 1),
        (False, None, "forfeit", 0),
        (True, Side.WHITE, "time", 0),
    ):
        session = SimpleNamespace(event=object(), is_unbegun=is_unbegun, winner=winner, ending=ending)
        assert len(rating_steps(agreed, cast("Session", session))) == count


async def test_a_round_of_which_a_match_has_begun_is_not_paired_anew(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        identity, site = await announced(nora, system="swiss", rounds=1), visitors.site
        await entered(visitors, stack, identity, ["Ann", "Bea", "Cem", "Dara"])
        await nora.post(f"tournaments/{identity}/director/start")
        await site.chores.poll()
        state = await site.tournaments.find(identity)
        assert state is not None
        pairing = state.open_pairings[0]
        # The match has gone on, of which no poll has told the tournament.
        row = update(matches).where(matches.c.id == pairing.match).values(standing={"phase": "move"})
        await site.database.write(row)
        body = {"fields": {"reason": "wrong pairing"}}
        answer = await nora.ask("POST", f"tournaments/{identity}/director/repair", body)
        assert answer.json()["error"]["rule"] == "pairing.begun", answer.text
        state = await site.tournaments.find(identity)
        assert state is not None and state.pairing(pairing.number).status == "live"


def test_a_match_has_begun_when_its_first_game_is_called() -> None:
    phases = {
        phase: Match("m", 1, None, {"phase": phase}).has_begun for phase in ("ready", "opening", "move")
    }
    assert phases == {"ready": False, "opening": True, "move": True}


async def test_what_could_not_be_looked_for_is_done_by_the_next_poll(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with visitors.user("Nora") as nora:
        identity, site = await announced(nora), visitors.site
        chores = Chores(site.tournaments, site.matches, site.presence, site.metrics)
        await chores.poll()
        chores.nudge(identity)
        with monkeypatch.context() as patch:
            patch.setattr(site.tournaments.store, "due", _fails)
            with pytest.raises(OSError, match="no disk"):
                await chores.poll()
        with monkeypatch.context() as patch:
            patch.setattr(site.tournaments, "held", _fails)
            assert await chores.poll() == 1
        assert await chores.poll() == 1
        assert await chores.poll() == 0


async def test_a_process_that_pairs_is_started_again_where_its_start_failed(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_what: object) -> None:
        raise OSError("no memory")

    class Pool(ThreadPoolExecutor):
        """A thread instead of a process, which starts no otherwise; it keeps its priority."""

        def __init__(self, *_: object, **_more: object) -> None:
            super().__init__(1)

    monkeypatch.setattr(chores_module, "ProcessPoolExecutor", Pool)
    monkeypatch.setattr(chores_module, "_lower", lambda: None)
    site = visitors.site
    async with visitors.user("Nora") as nora:
        identity = await announced(nora, boards="real", card="tavla.p5", rounds=1)
        names = "".join(f"Player {number}\n" for number in range(48))
        with monkeypatch.context() as patch:
            patch.setattr(Pool, "submit", fails)
            await nora.post(f"tournaments/{identity}/director/names", {"text": names})
            await nora.post(f"tournaments/{identity}/director/start")
            await site.chores.poll()
            assert (await nora.get(f"tournaments/{identity}"))["round"] == 0
        await site.chores.poll()
        assert (await nora.get(f"tournaments/{identity}"))["round"] == 1


async def _fails(*_what: object) -> None:
    raise OSError("no disk")


async def test_what_others_stored_is_read_by_the_next_one_if_reading_fails(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with visitors.user("Nora") as nora:
        identity, tournaments = await announced(nora), visitors.site.tournaments
        held = await tournaments.held(identity)
        assert held is not None
        held.is_stale = True
        with monkeypatch.context() as patch:
            patch.setattr(tournaments.store, "caught_up", _fails)
            with pytest.raises(OSError, match="no disk"):
                await tournaments.find(identity)
        assert (held.is_stale, held.reading) == (True, False)
        assert await tournaments.find(identity) is held.state and not held.is_stale


async def test_standings_of_a_large_field_are_worked_out_once_a_second(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (chores_module, tournaments_module, api_module):
        monkeypatch.setattr(module, "LARGE", 8)
    hours = Hours(visitors, steady=100.0)
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        card = {"boards": "real", "card": "tavla.p5"}
        identity = await announced(nora, system="swiss", rounds=1, **card)
        names = "".join(f"Player {number}\n" for number in range(8))
        await nora.post(f"tournaments/{identity}/director/names", {"text": names})
        await nora.post(f"tournaments/{identity}/director/start")
        await visitors.site.chores.poll()

        async def enter(pairing: int) -> None:
            state = await visitors.site.tournaments.find(identity)
            assert state is not None
            fields = {"pairing": pairing, "winner": state.pairing(pairing).first, "score": [5, 0]}
            await nora.post(f"tournaments/{identity}/director/enter_result", {"fields": fields})

        async def leaders() -> int:
            rows = (await nora.get(f"tournaments/{identity}/standings"))["rows"]
            return sum(1 for row in rows if row["score"])

        async def leaders_are(number: int) -> bool:
            return await leaders() == number

        await enter(1)
        assert await leaders() == 1
        assert len((await nora.get(f"tournaments/{identity}/standings?page=0"))["rows"]) == 8
        await enter(2)
        assert await leaders() == 1  # as they were worked out within this second
        async with nora.socket(f"/ws/tournament/{identity}") as line:
            told = [(await line.until("tournament"))["d"]]
            hours.pass_(1)
            while sum(1 for row in told[-1]["top"] if row["score"]) < 2:
                told.append((await line.until("tournament"))["d"])
        assert len(told) > 1 and {each["n"] for each in told} == {told[0]["n"]}
        assert await leaders() == 2
        await enter(3)
        hours.pass_(1)
        assert await leaders() == 2  # nobody waits for what is being worked out
        assert await eventually(lambda: leaders_are(3))
        await enter(4)
        hours.pass_(3)
        assert await leaders() == 4  # but where it is old
        monkeypatch.setattr(view, "PAGE", 3)
        parts = [await nora.get(f"tournaments/{identity}/standings?page={page}") for page in (0, 3)]
        assert [len(each["rows"]) for each in parts] == [8, 2]


async def test_who_has_entered_is_called_once_before_the_start(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours, site = Hours(visitors), visitors.site
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        start = hours.now_ms() + 3600_000
        arena = await announced(nora, system="arena", starts=start)
        swiss = await announced(nora, starts=start, title="Saturday")
        ann, bea = await entered(visitors, stack, arena, ["Ann", "Bea"])
        for person in (ann, bea):
            await person.post(f"tournaments/{swiss}/entry")
        line = await stack.enter_async_context(ann.socket("/ws/lobby"))
        await site.chores.poll()
        hours.pass_(45 * 60)
        told: list[tuple[str, str]] = []
        site.lobby.attend(bea.user["id"], lambda news: told.append((news["event"], news["id"])))
        # Another process, which knows nothing of what this one has done, tells nobody again.
        other = Chores(site.tournaments, site.matches, site.presence, site.metrics)
        with monkeypatch.context() as patch:
            patch.setattr(site.tournaments, "find", _fails)
            await other.poll()
        assert told == [("tournamentCheckIn", swiss)]
        for chores in (site.chores, site.chores, other):
            await chores.poll()
        assert sorted(told) == sorted([("tournamentSoon", arena), ("tournamentCheckIn", swiss)])
        assert (await line.until("tournament", event="tournamentSoon"))["d"]["url"] == f"/t/{arena}"


async def test_lists_show_settings_as_they_were_amended(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        made = await nora.post("tournaments", SETTINGS | {"limit": 32})
        path = f"tournaments/{made['id']}"
        card = "tavla.p3.clock-d12-60"
        answer = await nora.ask("PATCH", path, {"card": card, "system": "knockout"})
        assert answer.status_code == 200, answer.text
        await nora.post(f"{path}/director/announce")
        answer = await nora.ask("PATCH", path, {"limit": 64, "text": "bring a friend"})
        assert answer.status_code == 200, answer.text
        (listed,) = (await nora.get("tournaments?game=tavla"))["soon"]
        assert (listed["game"], listed["card"], listed["length"]) == ("tavla", card, 3)
        assert (listed["system"], listed["limit"]) == ("knockout", 64)
        assert not (await nora.get("tournaments?game=hypergammon"))["mine"]
        await verified(nora, made["id"])


async def test_a_tournament_by_link_stands_in_no_feed(visitors: Visitors) -> None:
    async with visitors.user("Nora") as nora:
        starts = visitors.site.tournaments.now() + 3_600_000
        await announced(nora, title="For everybody", starts=starts)
        unlisted = await announced(nora, title="For friends", starts=starts, public=False)
        for path in ("tournaments.rss", "tournaments.ics"):
            text = (await nora.client.get(f"/{path}")).text
            assert (
                "For everybody" in text
                and "Hypergammon" in text
                and "For friends" not in text
                and unlisted not in text
            )


def test_a_feed_has_nothing_that_its_readers_refuse() -> None:
    settings = SETTINGS | {"text": "a\ud800b\x0b"}
    row: Any = SimpleNamespace(
        id="x",
        title="Fri\uffffday\ufffe",
        settings=settings,
        amended={},
        starts=None,
        created=0,
        series_id=None,
    )
    item = ElementTree.fromstring(feed([row], "https://example.org", "en")).find("channel/item")
    assert item is not None and item.findtext("title") == "Friday"
    assert str(item.findtext("description")).endswith(" · ab")


async def test_two_who_decide_at_once_pair_once(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        identity = await announced(nora, system="swiss", rounds=1)
        await entered(visitors, stack, identity, ["Ann", "Bea", "Cem", "Dara"])
        await nora.post(f"tournaments/{identity}/director/start")
        site = visitors.site
        others = [
            Tournaments(TournamentStore(site.database), site.bus, down=lambda: site.uptime.down)
            for _ in range(2)
        ]
        chores = [Chores(each, site.matches, site.presence, site.metrics) for each in others]
        await asyncio.gather(site.chores.poll(), *(each.poll() for each in chores))
        state = await TournamentStore(site.database).load(identity)
        assert state is not None
        assert [each.both for each in state.state.pairings] and len(state.state.pairings) == 2
        live = select(func.count()).select_from(matches)
        assert (await site.database.first(live)) == (2,)


async def test_what_is_refused_says_which_field_and_which_rule(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        guest = await stack.enter_async_context(visitors.guest())
        for body, where in (
            ({**SETTINGS, "sytem": "swiss"}, "sytem"),
            ({**SETTINGS, "rounds": "three"}, "rounds"),
            ({"title": "x", "card": CARD}, "system"),
            ({**SETTINGS, "title": "x" * 101}, "title"),
        ):
            answer = await nora.ask("POST", "tournaments", body)
            assert (answer.status_code, answer.json()["error"]["where"]) == (422, where), answer.text
        for body, rule, status, place in (
            ({**SETTINGS, "card": "tavla.p3"}, "card.event", 409, "card"),
            ({**SETTINGS, "card": "nonsense"}, "settings.card", 409, "card"),
            ({**SETTINGS, "zone": "Mars/Olympus"}, "zone", 422, "zone"),
            ({**SETTINGS, "starts": 1}, "starts", 422, "starts"),
            ({**SETTINGS, "limit": 6, "rounds": 4}, "rounds.too_many", 409, "rounds"),
        ):
            answer = await nora.ask("POST", "tournaments", body)
            error = answer.json()["error"]
            assert (answer.status_code, error["rule"], error.get("where")) == (status, rule, place)
        assert (await guest.ask("POST", "tournaments", SETTINGS)).status_code == 409
        identity = await announced(nora)
        assert (await guest.ask("POST", f"tournaments/{identity}/entry", {})).json()["error"][
            "rule"
        ] == "entry.guest"
        ann = await stack.enter_async_context(visitors.user("Ann"))
        await ann.post(f"tournaments/{identity}/entry")
        again = await ann.ask("POST", f"tournaments/{identity}/entry", {})
        assert again.json()["error"]["rule"] == "entry.twice"
        for kind, code in (("start", "refused"), ("dance", "not_found")):
            answer = await ann.ask("POST", f"tournaments/{identity}/director/{kind}", {})
            assert answer.json()["error"]["code"] == code, answer.text
        few = await nora.ask("POST", f"tournaments/{identity}/director/start", {})
        assert few.json()["error"]["rule"] == "start.few"
        stale = {"key": 1, "fields": {"changes": {"text": "new"}}}
        await nora.post(f"tournaments/{identity}/director/amend", stale)
        answer = await nora.ask("POST", f"tournaments/{identity}/director/amend", stale)
        assert (answer.json()["error"]["code"], answer.json()["error"]["where"]) == ("stale", "amend")
        assert (await nora.ask("GET", "tournaments/none")).status_code == 404
        late = await nora.ask("POST", f"tournaments/{identity}/director/amend", {"key": 2**40, "fields": {}})
        assert late.status_code == 422
        hidden = {"fields": {"changes": {"public": False}}}
        answer = await nora.ask("POST", f"tournaments/{identity}/director/amend", hidden)
        assert answer.json()["error"]["rule"] == "amend.frozen"
        half = {"fields": {"pairing": 1, "entrant": 1, "points": 0.5, "reason": "late"}}
        answer = await nora.ask("POST", f"tournaments/{identity}/director/penalty", half)
        assert (answer.status_code, answer.json()["error"]["where"]) == (422, "points"), answer.text
        for kind, body in (("add", {"fields": {"name": "Ali"}}), ("names", {"text": "Ali"})):
            answer = await nora.ask("POST", f"tournaments/{identity}/director/{kind}", body)
            assert (answer.status_code, answer.json()["error"]["where"]) == (409, "action"), answer.text
        director = f"tournaments/{identity}/director"
        for path, body, at in (
            ("tournaments", {**SETTINGS, "limit": "many"}, (422, "limit")),
            ("tournaments", {**SETTINGS, "bots": "none"}, (422, "bots")),
            ("tournaments", {**SETTINGS, "system": "`a` >= " + "9" * 5000}, (422, "system")),
            ("tournaments", {**SETTINGS, "groups": 2}, (409, "groups")),
            ("tournaments", {**SETTINGS, "opens": 2**63}, (422, "opens")),
            ("tournaments", {**SETTINGS, "card": "chess.p1"}, (409, "card")),
            ("tournaments", {**SETTINGS, "club": "mo\u2066da"}, (409, None)),
            (f"{director}/amend", {"fields": {"changes": {"opens": 2**63}}}, (422, "opens")),
            (f"{director}/amend", {"fields": {"changes": {"rounds": 99}}}, (422, "rounds")),
            (f"{director}/penalty", {"fields": {"entrant": 1, "points": 1, "pair": 1}}, (422, "pair")),
            (f"{director}/mute", {"fields": {"id": "\ud800", "reason": "x"}}, (409, None)),
        ):
            answer = await nora.ask("POST", f"{path}?lang=fa", body)
            error = answer.json()["error"]
            assert (answer.status_code, error.get("where")) == at, error
            assert not error["text"].isascii()
        tags = [
            (await nora.ask("GET", f"tournaments/{identity}/standings?page={page}")).headers["etag"]
            for page in (1, 1000)
        ]
        assert tags[0] == tags[1]
        for page in ("-1", "1001", "two", "²"):
            answer = await nora.ask("GET", f"tournaments/{identity}/standings?page={page}")
            assert (answer.status_code, answer.json()["error"]["where"]) == (422, "page"), answer.text
        for _number in range(2):
            await nora.post("tournaments", SETTINGS)
        assert (await nora.ask("POST", "tournaments", SETTINGS)).json()["error"][
            "code"
        ] == "too_many_tournaments"


async def test_what_cannot_be_read_is_said_in_words(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        director = f"tournaments/{await announced(nora)}/director"
        settings: tuple[tuple[dict[str, Any], str], ...] = (
            ({"x": 1}, "x is not known here"),
            ({"title": 1}, "title must be a text"),
            ({"title": ""}, "title has at least 1 characters"),
            ({"title": "x" * 101}, "title has at most 100 characters"),
            ({"limit": 1}, "limit is at least 2"),
            ({"limit": 2049}, "limit is at most 2048"),
            ({"limit": "many"}, "limit must be a whole number"),
            ({"rated": 1}, "rated must be true or false"),
            ({"tie_breaks": 1}, "tie_breaks must be a list"),
            ({"lengths": 1}, "lengths must be an object"),
            ({"lengths": {"main": []}}, "lengths[...] must be a list of 1 or more"),
            ({"bots": "Object missing required field `x`"}, "bots cannot be read"),
        )
        for kind, fields, text in (
            *(("amend", {"changes": changes}, text) for changes, text in settings),
            ("penalty", {}, "entrant is missing"),
            ("penalty", {"entrant": 1, "points": "x"}, "points must be a number"),
            ("penalty", {"entrant": 1, "points": 0}, "points must be above 0"),
            ("penalty", {"entrant": 1, "points": 1000}, "points is at most 999"),
            ("correct", {"pairing": 1, "score": 5}, "score must be a list"),
            ("correct", {"pairing": 1, "score": [5]}, "score must be a list of 2"),
        ):
            answer = await nora.ask("POST", f"{director}/{kind}", {"fields": fields})
            assert (answer.status_code, answer.json()["error"]["text"]) == (422, text)


async def test_an_action_that_is_sent_again_has_its_first_outcome(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        identity = await announced(nora, boards="real", system="round_robin", card="tavla.p5")
        body = {"text": "name,rating,club\nAli,1500,\n=Bea,,Izmir\n", "ref": "file"}
        first = await nora.post(f"tournaments/{identity}/director/names", body)
        wrong = await nora.ask("POST", f"tournaments/{identity}/director/names?lang=fa", body)
        assert wrong.status_code == 422  # both names are entered already
        assert "twice" not in wrong.json()["error"]["text"]
        other = {"fields": {"name": "Zed", "id": nora.user["id"]}}
        answer = await nora.ask("POST", f"tournaments/{identity}/director/add", other)
        assert (answer.status_code, answer.json()["error"]["where"]) == (422, "id")
        assert [each["name"] for each in first["entrants"]] == ["Ali", "=Bea"]
        # More than other requests may have, and yet no more than the file may.
        long = {"text": "".join(f"{'x' * 99}{number}\n" for number in range(1300))}
        answer = await nora.ask("POST", f"tournaments/{identity}/director/names", long)
        assert "a name has 1 to 100 characters" in answer.json()["error"]["text"]
        answer = await nora.ask("POST", f"tournaments/{identity}/director/names", {"text": "y" * 300_000})
        error = answer.json()["error"]
        assert (answer.status_code, error["where"]) == (422, "text") and "256 KiB" in error["text"]
        many = {"text": "".join(f"Name {number}\n" for number in range(20))}
        full = await nora.ask("POST", f"tournaments/{identity}/director/names", many)
        assert (full.status_code, full.json()["error"]["rule"]) == (409, "entry.full"), full.text
        assert (await nora.get(f"tournaments/{identity}"))["counts"]["entered"] == 2
        await nora.post(f"tournaments/{identity}/director/start")
        await visitors.site.chores.poll()
        result = {"ref": "sheet 1", "fields": {"pairing": 1, "winner": 1, "score": [5, 3]}}
        answers = [await nora.post(f"tournaments/{identity}/director/enter_result", result) for _ in range(2)]
        assert answers[0]["n"] <= answers[1]["n"] and answers[0]["then"] == answers[1]["then"]
        other = {"fields": {"pairing": 1, "winner": 2, "score": [3, 5]}}
        known = await nora.ask("POST", f"tournaments/{identity}/director/enter_result", other)
        assert known.json()["error"]["rule"] == "result.known"
        code = await nora.ask("GET", f"tournaments/{identity}/qr.svg?pairing=1")
        assert code.headers["content-type"] == "image/svg+xml" and code.text.startswith("<svg")
        table = (await nora.ask("GET", f"tournaments/{identity}/export.csv")).content.decode("utf-8-sig")
        lines = table.splitlines()
        assert lines[1].startswith("1,Ali,name,,1500,") and lines[2].startswith("2,'=Bea,name,Izmir,")
        assert [line.rsplit(",", 1)[1] for line in lines] == ["last", "1", "2"]


async def test_an_event_gives_no_hints_no_rematch_and_no_analysis_of_its_positions(
    visitors: Visitors,
) -> None:
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        identity = await announced(nora, system="round_robin")
        ann, bea = await entered(visitors, stack, identity, ["Ann", "Bea"])
        await nora.post(f"tournaments/{identity}/director/start")
        await visitors.site.chores.poll()
        pairing = (await ann.get(f"tournaments/{identity}"))["me"]["pairing"]
        path = f"/ws/match/{pairing['match']}"
        lines = [await stack.enter_async_context(each.socket(path)) for each in (ann, bea)]
        players = [Player(random.Random(number)) for number in range(2)]
        playing = [asyncio.create_task(play_at(*each)) for each in zip(lines, players, strict=True)]
        room = await visitors.site.matches.get(pairing["match"])
        assert room is not None
        await asyncio.gather(*playing)
        assert room.session.phase is Phase.OVER
        again = await ann.ask("POST", f"matches/{pairing['match']}/rematch", {})
        assert again.json()["error"].get("rule") == "event.rematch", again.text
        with pytest.raises(Refused) as hint:
            await room.kind.hint(room, (Side.WHITE,), "en", lambda _place: None)
        assert hint.value.refusal.rule == "event.hints"
        await visitors.site.chores.poll()
        rows = (await nora.get(f"tournaments/{identity}/standings"))["rows"]
        assert [row["score"] for row in rows] == [1, 0]


async def test_no_engine_judges_what_stands_at_a_match_of_ones_tournament(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        identity = await announced(nora, system="round_robin", card="backgammon.p1.clock-d12-60")
        (ann, bea), site = await entered(visitors, stack, identity, ["Ann", "Bea"]), visitors.site
        await nora.post(f"tournaments/{identity}/director/start")
        await site.chores.poll()
        pairing = (await ann.get(f"tournaments/{identity}"))["me"]["pairing"]
        start = sb.variant("backgammon").start()
        here = start.parse_play("8/5 6/5", (3, 1)).result
        standing = {"phase": "move", "position": here.id}
        row = update(matches).where(matches.c.id == pairing["match"]).values(standing=standing)
        await site.database.write(row)
        same = (here.id, here.id.replace(":b", ":w"), here.mirror().id)
        for person, found in ((ann, same), (bea, same[:1])):
            for identity in found:
                query = {"card": "backgammon.p1", "id": identity}
                for asked in ("ask", "rollout"):
                    answer = await person.ask("POST", f"analysis/{asked}", query)
                    assert answer.json()["error"]["rule"] == "event.analysis"
                assert "core" not in await person.get(f"analysis?core=1&card=backgammon.p1&id={identity}")
                pasted = await person.post("analysis/text", {"text": identity, "core": True})
                assert "core" not in pasted and pasted["query"]["id"] == identity
            answer = await person.ask("POST", "uploads", uploaded(SHORT))
            assert answer.json()["error"]["rule"] == "event.analysis"
        standing["position"] = here.mirror().id
        await site.database.write(row.values(standing=standing))
        answer = await ann.ask("POST", "uploads", uploaded(SHORT))
        assert answer.json()["error"]["rule"] == "event.analysis"
        assert "core" in await ann.get(f"analysis?core=1&card=backgammon.p1&id={start.id}")
        assert "core" in await nora.get(f"analysis?core=1&card=backgammon.p1&id={here.id}")
        for person, content in ((nora, SHORT), (ann, SHORT.replace(b"31: 8/5 6/5", b"31: 24/20    "))):
            assert (await person.ask("POST", "uploads", uploaded(content))).status_code == 200


async def test_an_arena_pairs_those_who_are_there_again_and_again_until_its_end(visitors: Visitors) -> None:
    hours = Hours(visitors)
    chores = visitors.site.chores
    async with bots_at(visitors, 4) as (nora, bots):
        identity = await announced(nora, system="arena", bots="with", minutes=30)
        for bot in bots:
            assert (await bot.post(f"tournaments/{identity}/entry", {})).status_code == 200
        listening = [asyncio.Event() for _ in bots]
        # The last one is not there, so it is never paired.
        playing = [asyncio.create_task(play_all(*each)) for each in zip(bots[:3], listening[:3], strict=True)]
        await asyncio.gather(*(each.wait() for each in listening[:3]))
        async with nora.socket(f"/ws/tournament/{identity}") as line:
            await nora.post(f"tournaments/{identity}/director/start")
            waves = 0
            while waves < 2:
                hours.pass_(10)
                await chores.poll()
                waves = (await line.until("tournament"))["d"]["round"]
            hours.pass_(29.5 * 60)  # nobody is paired any more, and the matches that are played go on

            async def are_over() -> bool:
                await chores.poll()
                return not (await nora.get(f"tournaments/{identity}/pairings?live=1"))["pairings"]

            await eventually(are_over)
            hours.pass_(60)
            await chores.poll()
            await line.until("tournament", status="confirming")
        await nora.post(f"tournaments/{identity}/director/confirm")
        played = await asyncio.gather(*playing)
        assert sum(played) >= 2 * 2
        rows = (await nora.get(f"tournaments/{identity}/standings"))["rows"]
        assert rows[0]["score"] >= 2
        assert {row["entrant"]["number"]: row["played"] for row in rows}.get(4, 0) == 0
        await verified(nora, identity)


async def test_a_series_has_one_tournament_a_local_date(
    visitors: Visitors,
) -> None:
    site = visitors.site
    hours = Hours(visitors)
    keepers = [SeriesKeeper(site.tournaments, ["Europe/Istanbul"]) for _ in range(2)]
    for keeper in keepers:
        await keeper.poll()
    async with visitors.guest() as guest:
        soon = (await guest.get("tournaments"))["soon"]
        assert sorted(each["series"] for each in soon) == ["daily", *["weekly"] * 5]
        (daily,) = (each for each in soon if each["series"] == "daily")
        local = datetime.fromtimestamp(daily["starts"] / 1000, ZoneInfo("Europe/Istanbul"))
        assert (local.hour, local.minute, daily["zone"]) == (21, 0, "Europe/Istanbul")
        await guest.post(f"tournaments/{daily['id']}/entry", {"share": "ab" * 32})
        calendar = (await guest.client.get("/tournaments.ics")).text
        assert calendar.count("BEGIN:VEVENT") == 6 and f"UID:{daily['id']}@" in calendar
        address = f"{guest.client.base_url}/t/{daily['id']}".replace("//t/", "/t/")
        items = ElementTree.fromstring((await guest.client.get("/tournaments.rss")).content).iter("item")
        links = [item.findtext("link") for item in items]
        assert links.count(address) == 1 and len(links) == 6
        own = (await guest.get("me/calendar"))["url"]
        persian = "آرنای روزانه · استانبول"
        for path in ("/tournaments.ics", "/tournaments.rss", own, f"/t/{daily['id']}.ics"):
            for url, spoken in ((f"{path}?lang=fa", "en"), (path, "fa")):
                answer = await guest.client.get(url, headers={"accept-language": spoken})
                assert persian in answer.text.replace("\r\n ", "")
        page = await guest.client.get(f"/t/{daily['id']}", headers={"accept-language": "fa"})
        assert f'property="og:title" content="{persian}' in page.text
        calendar = (await guest.client.get(own)).text
        assert calendar.count("BEGIN:VEVENT") == 1 and f"UID:{daily['id']}@" in calendar
        assert (await guest.client.get(own.replace(".ics", "x.ics"))).status_code == 404
        hours.pass_((daily["starts"] - site.tournaments.now()) / 1000 + 1)
        await keepers[1].poll()
        soon = (await guest.get("tournaments"))["soon"]
        (following,) = (each for each in soon if each["series"] == "daily" and each["id"] != daily["id"])
        assert following["starts"] > daily["starts"] + 22 * 3_600_000
        await site.chores.poll()  # one person is no arena: nobody waits for more
        cancelled = await guest.get(f"tournaments/{daily['id']}")
        assert cancelled["status"] == "cancelled"
        one = (await guest.client.get(f"/t/{daily['id']}.ics")).text
        assert "STATUS:CANCELLED" in one


def held_back(monkeypatch: pytest.MonkeyPatch, store: TournamentStore) -> tuple[asyncio.Event, list[int]]:
    """Let actions of entrants be stored from this event on; how many each transaction is to store."""
    gate, stored, write = asyncio.Event(), list[int](), store.append_all

    async def append_all(done: Any, down: int) -> None:
        stored.append(len(done))
        await gate.wait()
        await write(done, down)

    monkeypatch.setattr(store, "append_all", append_all)
    return gate, stored


async def test_those_who_join_at_the_same_time_share_transactions(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        identity = await announced(nora)
        people = [await stack.enter_async_context(visitors.user(f"Player {number}")) for number in range(6)]
        tournaments = visitors.site.tournaments
        gate, stored = held_back(monkeypatch, tournaments.store)
        settings = read_settings(SETTINGS)

        async def enter(number: int) -> Outcome:
            person = await visitors.site.people.directory.by_id(people[number].user["id"])
            assert person is not None
            action = await entry_of(
                visitors.site.database, settings, person, share="", waiting=False, now=tournaments.now()
            )
            return await tournaments.act(identity, person.id, action)

        first = asyncio.create_task(enter(0))
        await eventually(lambda: stored == [1])
        held = await tournaments.held(identity)
        assert held is not None
        others = [asyncio.create_task(enter(number)) for number in (1, 2, 3, 4, 5, 5)]
        await eventually(lambda: len(held.wishes) == 6)
        gate.set()
        # Of the two wishes of one person either may be the first.
        found = await asyncio.gather(first, *others, return_exceptions=True)
        numbers = [each.then["number"] for each in found if isinstance(each, Outcome)]
        (twice,) = [each for each in found if isinstance(each, Refused)]
        assert "entered already" in str(twice)
        assert sorted(numbers) == [1, 2, 3, 4, 5, 6] and stored == [1, 5]
        assert len((await nora.get(f"tournaments/{identity}"))["entrants"]) == 6
        await verified(nora, identity)


async def test_an_entry_that_cannot_be_stored_keeps_nobody_else_out(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        identity = await announced(nora)
        ann = await stack.enter_async_context(visitors.user("Ann"))
        tournaments = visitors.site.tournaments
        gate, _ = held_back(monkeypatch, tournaments.store)
        held = await tournaments.held(identity)
        assert held is not None

        def enter(identity_of: str, *also: Any) -> asyncio.Task[Outcome]:
            action = EnterAction(name="Somebody")
            return asyncio.create_task(tournaments.act(identity, identity_of, action, also=also))

        def fails(_connection: object) -> None:
            raise ValueError("no")

        waits = enter(nora.user["id"])
        await eventually(lambda: held.granting is not None and not held.wishes)
        good, bad = enter(ann.user["id"]), enter("nobody", fails)
        await eventually(lambda: len(held.wishes) == 2)
        gate.set()
        assert (await waits).then == {"number": 1} and (await good).then == {"number": 2}
        with pytest.raises(ValueError, match="no"):
            await bad


async def test_many_who_join_let_others_come_between(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with visitors.user("Nora") as nora:
        identity, tournaments = await announced(nora), visitors.site.tournaments
        gate, stored = held_back(monkeypatch, tournaments.store)
        held = await tournaments.held(identity)
        assert held is not None

        def do(actor: str, action: Action) -> asyncio.Task[Outcome]:
            return asyncio.create_task(tournaments.act(identity, actor, action))

        # Who has no account is taken out again.
        people = [{"id": f"p{n}", "folded": f"p{n}", "skeleton": f"p{n}"} for n in range(41)]
        account = {"name": "Player", "kind": "user", "settings": {}, "created": 1, "seen": 1}
        await visitors.site.database.write(*(insert(users).values(**account, **each) for each in people))
        told: list[int] = []
        visitors.site.bus.subscribe(CHANGED, lambda news: told.append(news["n"]))
        first = do("p0", EnterAction(name="Player"))
        await eventually(lambda: stored == [1])
        message = do(nora.user["id"], MessageAction("we begin soon"))
        others = [do(f"p{number}", EnterAction(name="Player")) for number in range(1, 41)]
        await eventually(lambda: len(held.wishes) == 40)
        gate.set()
        for each in (first, message, *others):
            await each
        assert stored == [1, 32, 8]
        assert told == [2, 3, 35, 43]  # of each transaction, and the director's event after the first


async def test_a_database_that_is_away_is_asked_once_for_all_who_wait(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with visitors.user("Nora") as nora:
        identity, tournaments = await announced(nora), visitors.site.tournaments
        with monkeypatch.context() as patch:
            patch.setattr(tournaments.store, "append_all", _fails)
            gate, stored = held_back(patch, tournaments.store)
            gate.set()
            entries = [tournaments.act(identity, f"p{n}", EnterAction(name="Player")) for n in range(3)]
            outcomes = await asyncio.gather(*entries, return_exceptions=True)
        assert [str(each) for each in outcomes] == ["no disk"] * 3 and stored == [3]
        assert (await tournaments.act(identity, "p0", EnterAction(name="Player"))).then == {"number": 1}


def test_all_open_pairings_are_read_at_once_others_in_parts() -> None:
    open_ = (Pairing(number=n, round=1, first=2 * n - 1, second=2 * n, length=1) for n in range(1, 602))
    decided = (Pairing(number=n, round=2, first=1, second=2, length=1, status="decided") for n in (602, 603))
    settings = read_settings({"title": "Large", "card": "tavla.p1", "system": "swiss", "boards": "real"})
    state = new(settings).but(pairings=(*open_, *decided))

    def numbers(*, live: bool, after: int = 0, latest: int | None = None) -> list[int]:
        found = view.chosen_pairings(state, live=live, after=after, most=500, latest=latest)
        return [each.number for each in found]

    assert numbers(live=True) == list(range(1, 602))
    assert numbers(live=False) == list(range(1, 501))
    assert numbers(live=False, after=500) == list(range(501, 604))
    assert numbers(live=False, latest=2) == [602, 603]
