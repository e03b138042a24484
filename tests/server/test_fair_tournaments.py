"""What keeps tournaments fair: what those who watch see, who enters, matches given away, talk, reviews."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from sheshbesh.rules import Side
from sheshbesh.server.limits import Limits
from sheshbesh.server.people.moderation import Actor
from sheshbesh.server.reviews.store import MATCH
from sheshbesh.server.tournaments.podium import podium_matches
from sheshbesh.session import SERVER as SESSION_SERVER
from sheshbesh.session import ForfeitAction, ReadyAction
from sheshbesh.tournaments import SERVER
from sheshbesh.tournaments.actions import ResultAction, WalkoverAction
from tests.server.clock import ManualClock
from tests.server.player import Chains
from tests.server.test_tournaments import Hours, announced, entered, verified
from tests.server.visitors import Browser, Visitors, visited_site
from tests.tournament_help import Course, settings_of
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

OPERATOR = Actor("operator", is_operator=True)


async def _paired(nora: Browser, visitors: Visitors, stack: AsyncExitStack, **settings: Any) -> str:
    """A tournament of Ann and Bea that has been paired; its id."""
    identity = await announced(nora, system="round_robin", **settings)
    await entered(visitors, stack, identity, ["Ann", "Bea"])
    await nora.post(f"tournaments/{identity}/director/start")
    await visitors.site.chores.poll()
    return identity


async def test_those_who_watch_see_a_board_as_many_minutes_later_as_was_set(tmp_path: Path) -> None:
    clock = ManualClock()
    async with AsyncExitStack() as stack:
        database = f"sqlite:///{tmp_path}/site.db"
        visitors = await stack.enter_async_context(visited_site(database, clock=clock))
        nora = await stack.enter_async_context(visitors.user("Nora"))
        identity = await announced(nora, system="round_robin", delay=10, arrive=3600)
        ann, _ = await entered(visitors, stack, identity, ["Ann", "Bea"])
        await nora.post(f"tournaments/{identity}/director/start")
        await visitors.site.chores.poll()
        (pairing,) = (await nora.get(f"tournaments/{identity}/pairings?live=1"))["pairings"]
        match = pairing["match"]
        path = f"/ws/match/{match}"
        hers = await stack.enter_async_context(ann.socket(path))
        looks_on = await stack.enter_async_context(nora.socket(path))
        looks_too = await stack.enter_async_context(ann.socket(f"{path}?look=1"))
        for line in (hers, looks_on, looks_too):
            assert (await line.until("state", phase="ready"))["d"]["event"]["delay"] == 600
        table = await visitors.site.matches.get(match)
        assert table is not None
        await table.act(Side.WHITE, ReadyAction(Chains("white").anchor("1", 0)))
        seen = table.version
        shown = await hers.until("state")
        assert shown["v"] == seen

        (listed,) = (await nora.get("lobby"))["live"]
        assert (listed["id"], listed["score"]) == (match, None)

        async def told(person: Browser) -> tuple[int, int]:
            """How many events somebody is told of in the record, and the game that is being played."""
            text = (await person.ask("GET", f"matches/{match}/record")).text
            return len(text.splitlines()) - 1, (await person.get(f"matches/{match}"))["game"]

        assert [(await told(person))[0] for person in (ann, nora)] == [seen, 0]
        clock.advance(599)
        visitors.site.matches.tick([table])
        assert (await told(nora))[0] == 0
        clock.advance(2)
        visitors.site.matches.tick([table])
        for line in (looks_on, looks_too):
            assert (await line.until("state"))["v"] == seen
        assert (await told(nora))[0] == seen
        # When it is over the record is whole; the board is still shown as it was.
        await table.act(SESSION_SERVER, ForfeitAction("white", "no_show"))
        assert (await told(nora))[0] == (await told(ann))[0] == table.version
        async with nora.socket(path) as again:
            assert (await again.until("state"))["d"]["phase"] == "ready"
        clock.advance(601)
        visitors.site.matches.tick([table])
        assert (await looks_on.until("state", phase="over"))["d"]["winner"] == "black"


async def _rule_where_was(person: Browser, before: Browser, path: str) -> str:
    """The rule against an entry in a browser that remembers who was there before."""
    known = "sheshbesh-known"
    person.client.cookies.set(known, before.client.cookies[known], domain="127.0.0.1")
    return str((await person.ask("POST", path, {})).json()["error"]["rule"])


async def test_one_address_is_marked_for_the_director_and_one_browser_enters_once(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        identity = await announced(nora)
        ann, _bea = await entered(visitors, stack, identity, ["Ann", "Bea"])
        path = f"tournaments/{identity}"
        assert (await nora.get(path))["same_address"] == [[1, 2]]
        assert (await ann.get(path))["same_address"] == []
        cem = await stack.enter_async_context(visitors.user("Cem"))
        assert await _rule_where_was(cem, ann, f"{path}/entry") == "entry.twice"
        await ann.ask("DELETE", f"{path}/entry")
        await cem.post(f"{path}/entry")
        await nora.post(f"{path}/director/cancel", {"fields": {"reason": "rain"}})
        assert (await nora.get(path))["same_address"] == []


async def test_who_is_put_out_comes_back_by_no_other_account_of_their_browser(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        identity = await announced(nora, system="arena", minutes=60)
        path = f"tournaments/{identity}"
        people = await entered(visitors, stack, identity, ["Ann", "Bea", "Cem", "Dara"])
        await nora.post(f"{path}/director/remove", {"fields": {"entrant": 4, "ban": True, "reason": "rude"}})
        await nora.post(f"{path}/director/start")
        for number, kind in ((1, "disqualify"), (2, "remove")):
            await nora.post(f"{path}/director/{kind}", {"fields": {"entrant": number, "reason": "cheats"}})
        eve = await stack.enter_async_context(visitors.user("Eve"))
        rules = [await _rule_where_was(eve, each, f"{path}/entry") for each in people]
        assert rules == ["entry.twice"] * 4
        eve.client.cookies.delete("sheshbesh-known")
        await eve.post(f"{path}/entry")


async def test_two_of_whom_one_gives_matches_away_again_are_reported_once(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        await visitors.site.people.moderation.appoint(OPERATOR, "Nora", "trusted", moderator=True)
        tournaments = visitors.site.tournaments
        names = [stack.enter_async_context(visitors.user(name)) for name in ("Ann", "Bea")]
        people = [await each for each in names]
        matches = []
        for number in range(3):
            identity = await announced(nora, system="round_robin", public=False)
            for person in people:
                await person.post(f"tournaments/{identity}/entry")
            await nora.post(f"tournaments/{identity}/director/start")
            under_way = asyncio.ensure_future(visitors.site.chores.poll())
            await asyncio.sleep(0)
            await visitors.site.chores.poll()
            assert under_way.done()
            state = await tournaments.find(identity)
            assert state is not None
            (pairing,) = state.open_pairings
            matches.append(pairing.match)
            quick = ResultAction(pairing=1, winner=2, score=(0, 1), turns=2, resigned=True)
            await tournaments.act(identity, SERVER, quick if number else WalkoverAction(pairing=1, winner=1))
            found = await nora.get("moderation/reports")
            assert len(found) == (number > 0)
        (report,) = await nora.get("moderation/reports")
        assert (report["user"]["name"], report["by"], report["kind"]) == ("Bea", None, "cheating")
        assert (report["signs"], report["text"]) == (matches[:2], "")
        # A match that was played is no sign, and neither is one whose result was corrected.
        correct = {"pairing": 1, "winner": 1, "score": [1, 0], "reason": "they had played"}
        await nora.post(f"tournaments/{identity}/director/correct", {"fields": correct})
        answer = {"answer": "a family"}
        await nora.post(f"moderation/reports/{report['id']}/resolve", answer)
        assert await nora.get("moderation/reports") == []


def test_one_message_in_five_seconds_is_taken() -> None:
    clock = ManualClock()
    limiter = Limits(clock=clock).event_chat
    assert limiter.take("ann") == 0
    assert limiter.take("ann") == 5
    clock.advance(5)
    assert limiter.take("ann") == 0


async def test_who_writes_in_a_tournament_and_who_does_not(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        cem = await stack.enter_async_context(visitors.user("Cem"))
        guest = await stack.enter_async_context(visitors.guest())
        identity = await announced(nora, system="round_robin")
        ann, bea, dara = await entered(visitors, stack, identity, ["Ann", "Bea", "Dara"])
        path = f"tournaments/{identity}"

        async def put_out(kind: str, number: int, **fields: Any) -> None:
            fields |= {"entrant": number, "reason": "shouts"}
            await nora.post(f"{path}/director/{kind}", {"fields": fields})

        async def say(person: Browser, **words: str) -> str | None:
            answer = await person.ask("POST", f"{path}/chat", words)
            return None if answer.status_code == 200 else answer.json()["error"].get("rule")

        line = await stack.enter_async_context(bea.socket(f"/ws/tournament/{identity}"))
        assert await say(ann, text="who\u202e brings boards?") is None
        heard = (await line.until("chat"))["d"]
        assert (heard["by"], heard["text"], heard["n"]) == ("Ann", "who brings boards?", 1)
        assert await say(cem, phrase="hello") is None  # who has not entered may ask before it begins
        assert await say(guest, phrase="hello") == "chat.entrants"
        for text in ("see https://example.org", "www.example.org", "example.com/x"):
            assert await say(bea, text=text) == "chat.links"
        assert await say(nora, text="rules: https://example.org") is None
        assert (await bea.ask("POST", f"{path}/chat", {"text": "a", "phrase": "hello"})).status_code == 422
        mute = {"fields": {"id": bea.user["id"], "reason": "shouts"}}
        assert (await ann.ask("POST", f"{path}/director/mute", mute)).status_code == 409
        await nora.post(f"{path}/director/mute", mute)
        assert await say(bea, phrase="hello") == "chat.event_muted"
        assert not (await bea.get(path))["may_write"]
        mute["fields"]["on"] = False
        await nora.post(f"{path}/director/mute", mute)
        assert await say(bea, phrase="bye") is None
        await put_out("remove", 3, ban=True)
        assert await say(dara, phrase="hello") == "chat.entrants"
        await nora.post(f"{path}/director/start")
        assert await say(cem, phrase="bye") == "chat.entrants"
        await visitors.site.chores.poll()
        await put_out("disqualify", 1)
        assert await say(ann, phrase="bye") == "chat.entrants"

        async def is_played() -> bool:
            return bool((await nora.get(path))["status"] == "confirming")

        assert await eventually(is_played)
        assert await say(cem, phrase="bye") == "chat.entrants"
        assert await say(bea, phrase="good_game") is None
        assert [each["by"] for each in await cem.get(f"{path}/chat")] == ["Ann", "Cem", "Nora", "Bea", "Bea"]
        await nora.post(f"{path}/director/cancel", {"fields": {"reason": "rain"}})
        assert await say(nora, phrase="bye") == "chat.off"


def test_matches_of_the_podium_are_those_among_its_three_and_each_ones_last() -> None:
    course = Course(settings_of("knockout", consolation="none", draw="manual")).open(8).start()
    assert podium_matches(course.state) == ()
    course.finish()
    # 1 beat 2 in the final; 3 and 4, who share the third place, were beaten by them before.
    assert [each.both for each in podium_matches(course.state)] == [(1, 2), (2, 3), (1, 4)]


async def test_the_podium_is_reviewed_for_everybody_when_all_is_played(visitors: Visitors) -> None:
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        identity = await _paired(nora, visitors, stack)
        site = visitors.site
        state = await site.tournaments.find(identity)
        assert state is not None
        (pairing,) = state.open_pairings
        table = await site.matches.get(pairing.match)
        assert table is not None
        await table.act(SESSION_SERVER, ForfeitAction("white", "absent"))
        winner, loser = state.entrant(pairing.second).id, state.entrant(pairing.first).id
        store = site.reviews.store
        # The loser lets whom they like see a review of theirs: that is none for everybody.
        private = await store.ask(loser, MATCH, pairing.match, "tavla", plies=0, about={})
        await store.finish(private, b"{}", net="", summary={})
        await store.share(loser, private, names=True)
        await site.chores.poll()
        (found,) = await nora.get(f"tournaments/{identity}/reviews")
        assert found["players"] == {"white": "Ann", "black": "Bea"}
        page = (await nora.client.get(f"/t/{identity}")).text
        assert "1. Bea · 2. Ann" in page and f"/pictures/match/{pairing.match}.png?shape=link" in page
        # It is the winner's, once, however often it is asked for.
        row = await store.find(winner, MATCH, pairing.match)
        assert row is not None
        await nora.post(f"tournaments/{identity}/director/confirm")
        await site.chores.poll()
        assert len(await nora.get(f"tournaments/{identity}/reviews")) == 1
        await store.finish(row.id, b"{}", net="", summary={})
        (found,) = await nora.get(f"tournaments/{identity}/reviews")
        assert row.share in found["url"]
        # Who has closed its link, and opens one for others, shows it to those alone.
        await store.unshare(winner, row.id)
        await store.share(winner, row.id, names=True)
        assert await nora.get(f"tournaments/{identity}/reviews") == []


async def test_a_moderator_corrects_where_the_director_has_left_a_held_tournament(visitors: Visitors) -> None:
    hours = Hours(visitors)
    async with AsyncExitStack() as stack:
        nora = await stack.enter_async_context(visitors.user("Nora"))
        sima = await stack.enter_async_context(visitors.user("Sima"))
        await visitors.site.people.moderation.appoint(OPERATOR, "Sima", "trusted", moderator=True)
        identity = await announced(nora, system="swiss", rounds=1, boards="real", card="tavla.p5")
        path = f"tournaments/{identity}"
        await nora.post(f"{path}/director/names", {"text": "Ali\nBea\nCem\nDara\n"})
        await nora.post(f"{path}/director/start")
        await visitors.site.chores.poll()
        pairing = (await nora.get(f"{path}/pairings"))["pairings"][0]
        fields = {"pairing": 1, "winner": pairing["white"], "score": [5, 2]}
        await nora.post(f"{path}/director/enter_result", {"fields": fields})
        wrong = fields | {"winner": pairing["black"], "score": [2, 5], "reason": "misread"}

        async def correct(person: Browser, **changes: Any) -> str | None:
            answer = await person.ask("POST", f"{path}/director/correct", {"fields": wrong | changes})
            return None if answer.status_code == 200 else answer.json()["error"].get("rule", answer.text)

        assert await correct(sima) == "actor.director"
        assert "correct" not in (await sima.get(path))["allowed"]
        # Others are put out by a moderator at any time, for a reason.
        disqualify = {"fields": {"entrant": pairing["white"]}}
        answer = await sima.ask("POST", f"{path}/director/disqualify", disqualify)
        assert answer.json()["error"]["rule"] == "reason.missing"
        await nora.post(f"{path}/director/hold", {"fields": {"reason": "a dispute"}})
        assert await correct(sima) == "actor.director"
        hours.pass_(15 * 60)
        assert "correct" in (await sima.get(path))["allowed"]
        assert await correct(sima, reason=" ") == "reason.missing"
        assert await correct(sima, score=[5, 5]) == "result.score"
        assert await correct(sima, pairing=9) == "pairing.unknown"
        assert await correct(sima) is None
        rows = (await nora.get(f"{path}/standings"))["rows"]
        assert [row["entrant"]["number"] for row in rows if row["score"]] == [pairing["black"]]
        log = (await nora.get(path))["log"][-1]
        assert (log["what"], log["by"], log["reason"]) == ("correct", "moderator", "misread")
        await sima.post(f"{path}/director/hold", {"fields": {"on": False}})
        assert await correct(sima) == "actor.director"
        await verified(nora, identity)
