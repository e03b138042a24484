"""What a room does at its socket: answers once, refuses with reasons, keeps time, waits for the absent."""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import AsyncIterator, Callable
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from weakref import ref

import pytest
from websockets.asyncio.client import ClientConnection

from sheshbesh.rules import Side
from sheshbesh.server.tables import table as table_module
from sheshbesh.server.tables.line import Line
from sheshbesh.server.tables.match import Match
from sheshbesh.server.tables.presence import Patience
from sheshbesh.server.tables.seats import GUEST, MatchAgreement, Seat
from sheshbesh.server.tables.tables import Tables
from sheshbesh.session import Phase, Record, RollAction, WithholdAction
from tests.server.clock import ManualClock
from tests.server.live import Browser, Live, live_site
from tests.server.player import Chains
from tests.server.stored import played, store_match
from tests.waiting import PATIENCE, eventually

pytestmark = pytest.mark.anyio


class Timed(NamedTuple):
    """A site, and the time by which it goes."""

    live: Live
    clock: ManualClock


@pytest.fixture
async def timed(tmp_path: Path) -> AsyncIterator[Timed]:
    clock = ManualClock()
    async with live_site(f"sqlite:///{tmp_path}/site.db", clock=clock) as running:
        yield Timed(running, clock)


@pytest.fixture(scope="module")
async def live(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Live]:
    async with live_site(f"sqlite:///{tmp_path_factory.mktemp('rooms')}/site.db") as running:
        yield running


class SeatedPlayer:
    """Somebody at a socket, step by step."""

    def __init__(self, socket: ClientConnection, side: str) -> None:
        self.socket, self.side = socket, side
        self.refs = (f"{side}-{n}" for n in count(1))
        self.chains = Chains(side)
        self.key, self.v = "", 0
        self.state: dict[str, Any] = {}
        self.others: list[dict[str, Any]] = []

    async def hear(self, kind: str) -> dict[str, Any]:
        """The next message of a kind; states are taken note of on the way."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message: dict[str, Any] = json.loads(await self.socket.recv())
                if message["t"] == "state":
                    self.state, self.key, self.v = message["d"], message["key"], message["v"]
                else:
                    self.others.append(message)
                if message["t"] == kind:
                    return message

    async def until(self, phase: str) -> None:
        """Wait for a phase of the match."""
        while self.state.get("phase") != phase:
            await self.hear("state")

    async def say(self, kind: str, data: dict[str, Any] | None = None, **more: Any) -> str:
        """Send a message; its name."""
        ref = next(self.refs)
        frame = {"t": kind, "ref": ref, **({"d": data} if data is not None else {}), **more}
        await self.socket.send(json.dumps(frame))
        return ref

    async def do(self, action: str, **fields: Any) -> dict[str, Any]:
        """Take an action upon what was seen last; the answer."""
        ref = await self.say("do", {"type": action, **fields}, key=self.key)
        return await self.answer(ref)

    async def answer(self, ref: str) -> dict[str, Any]:
        """The answer to an action."""
        while True:
            async with asyncio.timeout(PATIENCE):
                message: dict[str, Any] = json.loads(await self.socket.recv())
            if message["t"] == "state":
                self.state, self.key, self.v = message["d"], message["key"], message["v"]
            else:
                self.others.append(message)
            if message.get("ref") == ref:
                return message

    async def ready(self) -> None:
        """Be ready, with an anchor."""
        dice = self.state["dice"]
        assert (await self.do("ready", anchor=self.chains.anchor(dice["game"], 0)))["t"] == "ack"

    def link(self) -> str:
        """The link of the throw under way."""
        dice = self.state["dice"]
        found = self.chains.link(dice["game"], dice["serial"], dice["index"])
        assert found is not None
        return found


async def sit(browser: Browser, match: str, side: str, query: str = "") -> SeatedPlayer:
    sitting = SeatedPlayer(await browser.socket(match, query), side)
    await sitting.hear("state")
    return sitting


async def begin(live: Live, card: str) -> tuple[str, SeatedPlayer, SeatedPlayer]:
    """A match between two people who are ready and have thrown for the start: the mover first."""
    match, white, black = await live.friends(card)
    players = [await sit(browser, match, side) for browser, side in ((white, "white"), (black, "black"))]
    for player in players:
        await player.ready()
    while True:
        for player in players:
            await player.until("opening")
        for player in players:
            assert (await player.do("roll", link=player.link()))["t"] == "ack"
        await players[0].hear("state")
        if players[0].state["phase"] != "opening":
            break
    await players[1].until(players[0].state["phase"])
    mover = next(player for player in players if player.side == players[0].state["on_roll"])
    return match, mover, next(player for player in players if player is not mover)


def first_play(state: dict[str, Any]) -> str:
    """The first way through the choices."""
    here, steps = 0, []
    while state["choices"][here]["next"]:
        origin, target, _, _, here = state["choices"][here]["next"][0]
        steps.append(f"{origin}/{target or 'off'}")
    return " ".join(steps) or "pass"


async def test_an_action_sent_twice_is_done_once(live: Live) -> None:
    match, mover, other = await begin(live, "backgammon.p1")
    frame = {
        "t": "do",
        "ref": "twice",
        "key": mover.key,
        "d": {"type": "play", "play": first_play(mover.state)},
    }
    for _ in range(3):
        await mover.socket.send(json.dumps(frame))
        assert (await mover.answer("twice"))["t"] == "ack"
    await other.until("roll")
    assert other.v == mover.v
    room = await live.site.matches.get(match)
    assert room is not None
    assert room.version == mover.v


async def test_what_was_decided_upon_something_else_is_refused(live: Live) -> None:
    _, mover, other = await begin(live, "backgammon.p1")
    stale = mover.key
    assert (await mover.do("play", play=first_play(mover.state)))["t"] == "ack"
    await other.until("roll")
    ref = await other.say("do", {"type": "roll", "link": other.link()}, key=stale)
    assert (await other.answer(ref))["d"]["rule"] == "wire.stale"
    ref = await other.say("do", {"type": "double"})
    assert (await other.answer(ref))["d"]["rule"] == "wire.stale"


async def test_nobody_acts_for_another(live: Live) -> None:
    match, mover, other = await begin(live, "backgammon.p1")
    refused = await other.do("play", play=first_play(mover.state))
    assert refused["d"]["rule"] == "turn.other"
    ref = await other.say("do", {"type": "roll"}, key=other.key, **{"as": mover.side})
    assert (await other.answer(ref))["d"]["rule"] == "wire.seat"
    for action in ({"type": "withhold", "side": mover.side}, {"type": "abandon", "side": mover.side}):
        ref = await other.say("do", action, key=other.key)
        assert (await other.answer(ref))["d"]["rule"] == "actor.server"
    watcher = await sit(await live.browser(), match, "")
    assert watcher.state["you"] == []
    assert [player.state["beat"] for player in (mover, other, watcher)] == [2.5, 15.0, 15.0]
    assert "choices" not in watcher.state
    assert (await watcher.do("play", play="pass"))["d"]["rule"] == "wire.seat"


async def test_a_refusal_is_in_the_language_of_the_page(live: Live) -> None:
    match, white, _ = await live.friends("backgammon.p1.dice-typed")
    texts = set()
    for lang in ("en", "fa", "tr"):
        player = await sit(white, match, "white", f"?lang={lang}")
        refused = await player.do("double")
        texts.add(refused["d"]["text"])
    assert len(texts) == 3


async def test_why_not(live: Live) -> None:
    _, mover, _ = await begin(live, "backgammon.p1")
    ref = await mover.say("why", {"steps": [[24, 1]]})
    because = await mover.answer(ref)
    assert because["t"] == "because"
    assert because["d"]["rule"] == "dice.not_thrown"
    step = mover.state["choices"][0]["next"][0]
    assert (await mover.answer(await mover.say("why", {"steps": [step[:2]]})))["d"] is None


async def test_a_silent_players_link_is_left_out(timed: Timed) -> None:
    match, mover, other = await begin(timed.live, "backgammon.p1")
    # The mover gives no link with the play, and none when the opponent has thrown.
    assert (await mover.do("play", play=first_play(mover.state)))["t"] == "ack"
    await other.until("roll")
    assert (await other.do("roll", link=other.link()))["t"] == "ack"
    await timed.clock.until_waiting(table_module.PATIENCE)
    assert other.state["phase"] == "throwing"
    timed.clock.advance(table_module.PATIENCE)
    await other.until("move")
    assert other.state["turn"]["dice"]
    room = await timed.live.site.matches.get(match)
    assert room is not None
    record = await timed.live.site.matches.kind.store.load(match)
    assert record is not None
    left_out = [event.action for event in record.events if event.action.type == "withhold"]
    assert left_out == [WithholdAction(mover.side)]


async def test_an_opening_draw_goes_on_where_a_player_has_lost_their_chain(timed: Timed) -> None:
    match, *browsers = await timed.live.friends("backgammon.p1")
    white, black = [
        await sit(browser, match, side) for browser, side in zip(browsers, ("white", "black"), strict=True)
    ]
    for player in (white, black):
        await player.ready()
    for player in (white, black):
        await player.until("opening")
    assert (await white.do("roll", link=white.link()))["t"] == "ack"
    # Nobody who only takes their time is passed over.
    timed.clock.advance(10 * table_module.PATIENCE)
    game, serial = (black.state["dice"][name] for name in ("game", "serial"))
    black.chains = Chains("another browser")
    lost = await black.do("anchor", anchor=black.chains.anchor(game, serial), lost=True)
    assert lost["t"] == "ack"
    assert (await white.do("anchor", anchor=white.chains.anchor(game, serial)))["t"] == "ack"
    assert black.state["phase"] == "opening"
    await timed.clock.until_waiting(table_module.PATIENCE)
    timed.clock.advance(table_module.PATIENCE)
    while not black.state["opening"]["throws"]:
        await black.hear("state")
    assert black.state["dice"]["serial"] == serial + 1, "new chains are in use"
    record = await timed.live.site.matches.kind.store.load(match)
    assert record is not None
    left_out = [event.action for event in record.events if event.action.type == "withhold"]
    assert left_out == [WithholdAction(black.side)]


async def test_with_strict_dice_nobody_goes_on_without_a_link(timed: Timed) -> None:
    _, mover, other = await begin(timed.live, "backgammon.p1.dice-strict")
    assert (await mover.do("play", play=first_play(mover.state)))["t"] == "ack"
    await other.until("roll")
    assert (await other.do("roll", link=other.link()))["t"] == "ack"
    await mover.until("throwing")
    timed.clock.advance(600)
    await mover.socket.send('{"t":"ping"}')
    await mover.hear("pong")
    assert mover.state["phase"] == "throwing"
    assert mover.state["dice"]["owe"] == {mover.side: "link"}
    assert (await mover.do("link", link=mover.link()))["t"] == "ack"
    await other.until("move")


async def test_a_clock_that_runs_out_ends_the_match(timed: Timed) -> None:
    _, mover, other = await begin(timed.live, "backgammon.p1.clock-d1-60")
    timed.clock.advance(64)
    await other.until("over")
    assert other.state["ending"] == "time"
    assert other.state["winner"] == other.side
    await mover.until("over")
    assert mover.state["clock"][mover.side] == 0


async def test_an_untimed_match_can_be_claimed_from_who_has_left(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live.site.matches.kind, "patience", Patience(0.3, 120.0))
    match, mover, other = await begin(live, "backgammon.p1")
    early = await other.do("time")
    assert early["d"]["rule"] == "claim.early"
    await mover.socket.send('{"t":"bye"}')
    while (await other.hear("presence"))["d"][mover.side]["here"] is not False:
        pass
    while "time" not in other.state["allowed"]:
        await other.hear("state")
    assert (await other.do("time"))["t"] == "ack"
    await other.until("over")
    assert (other.state["winner"], other.state["ending"]) == (other.side, "abandoned")
    room = await live.site.matches.get(match)
    assert room is not None
    assert not room.is_idle
    await other.socket.close()


async def test_who_comes_back_is_sent_what_they_missed(live: Live) -> None:
    match, white, black = await live.friends("backgammon.p1")
    player = await sit(white, match, "white")
    seen = player.v
    await player.ready()
    again = SeatedPlayer(await white.socket(match, f"?v={seen}"), "white")
    message = await again.hear("state")
    assert [event["n"] for event in message["events"]] == list(range(seen + 1, message["v"] + 1))
    assert message["d"]["history"] == []
    everything = SeatedPlayer(await white.socket(match, "?v=999999"), "white")
    message = await everything.hear("state")
    assert message["v"] == len(message["events"])
    # A page that has seen what the database lost plays on from what is left.
    later = await sit(black, match, "black", f"?v={message['v'] + 3}")
    assert later.v == message["v"]
    await later.ready()
    await later.until("opening")
    assert later.v > message["v"]


async def test_who_enters_a_table_that_was_dropped_meanwhile_is_sent_away(live: Live) -> None:
    match, _, _ = await begin(live, "backgammon.p1")
    table = await live.site.matches.get(match)
    assert table is not None
    table.stop()
    viewer = Line(None, ())
    await table.enter(viewer)
    assert viewer.is_cut
    assert viewer not in table.viewers.connected


async def test_a_room_that_nobody_needs_is_dropped_and_comes_back_the_same(live: Live) -> None:
    match, mover, other = await begin(live, "backgammon.p1")
    room = await live.site.matches.get(match)
    assert room is not None
    browser_state = {key: mover.state[key] for key in ("board", "phase", "turn", "score", "on_roll")}
    for player in (mover, other):
        await player.socket.close()
    await eventually(lambda: not room.viewers)
    for _ in range(40):
        live.site.matches.tick(list(live.site.matches.loaded.values()))
    assert match not in live.site.matches.loaded
    back = await live.site.matches.get(match)
    assert back is not None
    assert back is not room
    frame = json.loads(back.viewers.frame((Side.of(mover.side),)))
    assert {key: frame["d"][key] for key in browser_state} == browser_state
    assert frame["key"] == mover.key


async def test_the_tutor_speaks_to_the_player_alone_and_only_where_it_may(live: Live) -> None:
    _, player = await moving(live, "?lang=fa")
    hint = await player.answer(await player.say("hint"))
    assert hint["d"]["lang"] == "fa"
    assert (await player.do("play", play="24/18 18/13"))["t"] == "ack"
    verdict = next((m for m in player.others if m["t"] == "verdict"), None) or await player.hear("verdict")
    assert verdict["d"]["grade"] == "best"
    quiet, mover, _ = await begin(live, "backgammon.p1")
    assert quiet
    assert (await mover.answer(await mover.say("hint")))["d"]["rule"] == "tutor.off"
    # Help with a bear-off is for everybody, once nothing is left to decide.
    assert (await mover.answer(await mover.say("finish")))["d"]["rule"] == "finish.choice"


async def test_a_browser_with_the_core_is_given_the_numbers_and_may_hand_them_back(live: Live) -> None:
    room, player = await moving(live, "?core=1")
    (line,) = (each for each in room.viewers if each.names)
    asked = await player.answer(await player.say("hint"))
    assert asked["t"] == "ask"
    assert asked["d"]["question"]["throws"] == [[6, 5]]
    hint = await player.answer(await player.say("hint", here=False))
    assert hint["t"] == "hint"
    assert (await player.do("play", play="24/18 18/13"))["t"] == "ack"
    before = [m for m in player.others if m["t"] == "ask" and "done" in m["d"]]
    judged = before[0] if before else await player.hear("ask")
    assert (judged["d"]["done"], judged["d"]["dice"]) == ("play", [6, 5])
    assert not any(m["t"] == "verdict" for m in player.others)
    # It may come after a later decision, as to throw at once.
    line.judging[judged["d"]["n"] + 2] = lambda: None
    await player.say("verdict", n=judged["d"]["n"])
    assert (await player.hear("verdict"))["d"]["grade"] == "best"
    # A rated match, or one against a person, has no tutor: no numbers are given there either.
    _, mover, _ = await begin(live, "backgammon.p1")
    assert (await mover.answer(await mover.say("hint")))["d"]["rule"] == "tutor.off"


async def moving(live: Live, query: str, *, tutor: bool = True) -> tuple[Match, SeatedPlayer]:
    """A match against the engine in which a person has thrown 6-5, at a socket with this query."""
    browser = await live.browser()
    match = await browser.match("backgammon.p1.dice-typed", tutor=tutor, side="white")
    player = await sit(browser, match, "white", query)
    assert (await player.do("ready"))["t"] == "ack"
    await player.until("opening")
    assert (await player.do("dice", first=6, second=5))["t"] == "ack"
    await player.until("move")
    room = await live.site.matches.get(match)
    assert room is not None
    return room, player


async def test_with_the_tutor_a_play_is_taken_back_once_while_the_engine_waits(live: Live) -> None:
    room, player = await moving(live, "?core=1&retry=1")
    assert (await player.do("retry", side="white"))["d"]["rule"] == "turn.no_retry"
    assert (await player.do("play", play="24/13"))["t"] == "ack"
    assert "retry" in player.state["allowed"] and not room.programs.is_busy
    assert (await player.do("retry", side="white"))["t"] == "ack"
    assert (player.state["phase"], player.state["on_roll"]) == ("move", "white")
    assert player.state["turn"] == {"dice": [6, 5], "done": [], "touched": None}
    assert [json.loads(turn)["kind"] for turn in room.viewers.turns] == ["play", "retry"]
    assert (await player.do("play", play="13/2"))["t"] == "ack"
    assert "retry" not in player.state["allowed"]
    await player.until("throwing")  # the engine has rolled; a person types its dice
    record = (await (await live.browser()).http.get(f"/api/v1/matches/{room.id}/record")).text
    assert Record.from_text(record).replay().events == room.version
    told = [each["type"] for each in map(json.loads, record.splitlines()[1:])]
    assert told == ["ready", "ready", "dice", "play", "retry", "play", "roll"]


@pytest.mark.parametrize("leaves", [False, True])
async def test_the_engine_goes_on_when_the_player_says_so_or_has_left(live: Live, *, leaves: bool) -> None:
    room, player = await moving(live, "?retry=1")
    assert (await player.do("play", play="24/13"))["t"] == "ack"
    assert not room.programs.is_busy
    if leaves:
        await player.socket.close()
    else:
        await player.say("on")
    await eventually(lambda: room.session.phase is Phase.THROWING)


async def test_nothing_is_taken_back_without_the_tutor(live: Live) -> None:
    _, player = await moving(live, "?retry=1", tutor=False)
    assert (await player.do("play", play="24/13"))["t"] == "ack"
    assert "retry" not in player.state["allowed"]
    assert (await player.do("retry", side="white"))["d"]["rule"] == "tutor.off"


async def test_rematch(live: Live) -> None:
    browser = await live.browser()
    match = await browser.match("backgammon.p1.dice-typed.clock-t0_1", side="white")
    player = await sit(browser, match, "white")
    assert (await player.do("ready"))["t"] == "ack"
    await player.until("opening")
    assert (await player.do("dice", first=6, second=5))["t"] == "ack"
    await player.until("over")
    made = await browser.post(f"/matches/{match}/rematch")
    again = await browser.post(f"/matches/{match}/rematch")
    assert made == again
    other = await sit(browser, made["id"], "black")
    assert other.state["you"] == ["black"]
    assert other.state["card"]["code"] == player.state["card"]["code"]


async def test_a_table_that_is_dropped_while_it_stores_goes_on_in_the_next_one(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = live.site.matches
    seats = [Seat(GUEST, "Guest", (await live.browser()).id) for _ in Side]
    agreed = await store_match(live.site, played(match="dropped", turns=1), *seats)
    first, load = await tables.get(agreed.id), tables.kind.store.load
    assert first is not None
    before = first.version

    async def load_and_go_on(table: str, known: MatchAgreement | None = None) -> Any:
        stored = await load(table, known)
        await first.act(first.state.to_act[0], RollAction())
        return stored

    monkeypatch.setattr(tables.kind.store, "load", load_and_go_on)
    tables.drop(first)
    second = await tables.get(agreed.id)
    assert second is not None and second is not first
    assert second.version == first.version > before


async def test_a_table_that_is_dropped_is_freed_at_once(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    async def at_once(function: Callable[..., Any], *arguments: Any) -> Any:
        return function(*arguments)

    browser = await live.browser()
    chouette = {"card": "backgammon.m", "bots": ["beginner"] * 2}
    made = str((await browser.post("/chouettes", chouette))["id"])
    await browser.post(f"/chouettes/{made}/begin")
    seats = [Seat(GUEST, "Guest", browser.id) for _ in Side]
    match = await store_match(live.site, played(match="freed", turns=1), *seats)
    # A thread holds on to what it has made until it is its turn again.
    monkeypatch.setattr(asyncio, "to_thread", at_once)
    gc.disable()
    try:
        assert [
            await is_freed(live.site.matches, match.id),
            await is_freed(live.site.chouettes, made),
        ] == [True, True]
    finally:
        gc.enable()


async def is_freed(tables: Tables[Any, Any, Any], table: str) -> bool:
    """Whether nothing is left of a table that is dropped, without a collection of garbage.

    What has loaded it is collected before.
    """
    found = await tables.get(table)
    assert found is not None
    left = ref(found)
    await asyncio.sleep(0)
    gc.collect(1)
    tables.drop(found)
    del found
    return left() is None
