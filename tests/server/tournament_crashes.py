"""An arena on a server that is killed again and again: nobody is paired twice, no pairing lacks its match."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any

import websockets
from sqlalchemy import select

from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import matches
from sheshbesh.server.storage.tournament_tables import tournament_pairings
from sheshbesh.server.tournaments.store import TournamentStore
from sheshbesh.tournaments import standings, verify
from sheshbesh.tournaments.actions import ResultAction
from tests.server.chaos import Chaos, ChaosPlayer
from tests.server.crashes import Served, check_match
from tests.server.live import WITHOUT_ENGINES, Browser
from tests.server.player import Player
from tests.waiting import eventually

_CARD = "hypergammon.p1.clock-d12-60"
_SILENCE = 2.0
"""Seconds without a frame after which a page says that it is there."""
_AT_ONCE = 20
"""People who arrive at the same time."""


class ArenaCrashTest:
    """Guests who hold sockets at an arena, and play each match that they are paired for.

    They are spread over so many `processes`, which share the database.
    """

    def __init__(self, database: str, seed: int, processes: int = 1) -> None:
        # So many connections are more than one household has: they come as from a proxy.
        settings = {"SHESHBESH_TRUSTED_PROXIES": "127.0.0.1", **WITHOUT_ENGINES}
        self.served = [Served(database, settings=settings) for _ in range(processes)]
        self._database = database
        self._chance = random.Random(seed)
        self._browsers: list[Browser] = []
        self._tasks: list[asyncio.Task[None]] = []
        self.players: dict[str, list[ChaosPlayer]] = {}
        """Who has played, by match."""
        self._seated: set[str] = set()
        self.identity = ""
        self._is_over = False
        self._back = 0.0
        self.waits: list[float] = []
        """Seconds from each return of the server to the first new match."""

    async def begin(self, entrants: int) -> None:
        """Make an arena, let so many guests enter, and start it once all have a socket there."""
        self._director = await self._browser()
        await self._director.post("/account/claim", {"name": "Nora", "password": "a long word of Nora"})
        settings = {"title": "Arena", "card": _CARD, "system": "arena", "who": "guests"}
        self.identity = str((await self._director.post("/tournaments", settings))["id"])
        await self._direct("announce")
        gate, there = asyncio.Semaphore(_AT_ONCE), [asyncio.Event() for _ in range(entrants)]

        async def enter(number: int) -> None:
            async with gate:
                browser = await self._browser()
                await browser.post(f"/tournaments/{self.identity}/entry")
                self._tasks.append(asyncio.create_task(self._attend(browser, number, there[number])))
                await there[number].wait()

        await asyncio.gather(*map(enter, range(entrants)))
        await self._direct("start")

    async def _browser(self) -> Browser:
        served = self.served[len(self._browsers) % len(self.served)]
        browser = await Browser(served.base).guest()
        self._browsers.append(browser)
        return browser

    async def _direct(self, action: str) -> Any:
        return await self._director.post(f"/tournaments/{self.identity}/director/{action}")

    async def _attend(self, browser: Browser, number: int, there: asyncio.Event) -> None:
        """Hold a socket at the tournament, through as many connections as it takes."""
        chance = random.Random(f"{self._chance.random()}")

        async def listened() -> bool:
            with suppress(OSError, websockets.WebSocketException, TimeoutError):
                async with browser.at(f"/ws/tournament/{self.identity}") as socket:
                    there.set()
                    await self._listen(socket, browser, f"{number}", chance)
            return self._is_over

        await eventually(listened, seconds=7200)

    async def _listen(
        self, socket: websockets.ClientConnection, browser: Browser, name: str, chance: random.Random
    ) -> None:
        while not self._is_over:
            try:
                async with asyncio.timeout(_SILENCE):
                    message = json.loads(await socket.recv())
            except TimeoutError:
                await socket.send('{"t":"ping"}')
                continue
            pairing = (message.get("d") or {}).get("me", {}).get("pairing")
            if pairing is not None and pairing["match"]:
                self._sit(pairing["match"], browser, name, chance)

    def _sit(self, match: str, browser: Browser, name: str, chance: random.Random) -> None:
        sitting = self.players.setdefault(match, [])
        if not sitting and self._back:
            self.waits.append(monotonic() - self._back)
            self._back = 0.0
        name = f"{match}-{name}"
        if name in self._seated:
            return
        self._seated.add(name)
        player = ChaosPlayer(
            lambda query: browser.socket(match, query),
            Player(chance, name=name, resigns=0.1),
            Chaos(chance, level=0.0),
        )
        sitting.append(player)
        self._tasks.append(asyncio.create_task(player.run(seconds=7200)))

    @property
    def acknowledged(self) -> int:
        """Return how many actions have been acknowledged so far."""
        return sum(len(player.acked) for sitting in self.players.values() for player in sitting)

    def _has(self, enough: int) -> bool:
        return self.acknowledged >= enough

    async def play_through(
        self, kills: int, disturb: Callable[[], Awaitable[None]], *, between: tuple[int, int]
    ) -> None:
        """Let them play, and `disturb` them again and again after a number of actions within `between`."""
        for _ in range(kills):
            enough = self.acknowledged + self._chance.randint(*between)
            await eventually(partial(self._has, enough), seconds=3600)
            await disturb()
            self._back = monotonic()
        matches_before = len(self.players)
        await eventually(lambda: len(self.players) > matches_before, seconds=3600)

    async def kill(self) -> None:
        """Kill a server, any of them, and start it again."""
        served = self._chance.choice(self.served)
        served.kill()
        await served.start()

    async def _shown(self) -> tuple[int, list[list[Any]]] | None:
        """Return the standings and the event up to which they go; None if one came between two pages."""
        shown: list[list[Any]] = []
        numbers = set()
        page, pages = 1, 1
        while page <= pages:
            found = await self._director.get(f"/tournaments/{self.identity}/standings?page={page}")
            numbers.add(found["n"])
            shown += [[row["place"], row["entrant"]["number"], row["score"]] for row in found["rows"]]
            page, pages = page + 1, found["pages"]
        return (numbers.pop(), shown) if len(numbers) == 1 else None

    async def end(self) -> tuple[int, list[list[Any]]]:
        """Hold the arena, hang up, and stop the server; the standings as it showed them last."""
        await self._direct("hold")
        self._is_over = True
        for task in self._tasks:
            task.cancel()
        for outcome in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(outcome, BaseException) and not isinstance(outcome, asyncio.CancelledError):
                raise outcome
        shown: tuple[int, list[list[Any]]] = await eventually(self._shown)
        for browser in self._browsers:
            await browser.http.aclose()
        for served in self.served:
            await served.stop()
        return shown

    async def check(self, n: int, shown: list[list[Any]]) -> int:
        """Hold what is stored against what must be, the standings as of event `n`; the number of pairings."""
        database = Database(self._database)
        await database.open()
        try:
            record = await TournamentStore(database).record(self.identity)
            assert record is not None
            verdict = verify(record.to_text())
            assert verdict.ok, verdict.problems
            state = record.replay()
            rows = await database.all(
                select(tournament_pairings.c.match_id, tournament_pairings.c.number)
                .join(matches, matches.c.id == tournament_pairings.c.match_id)
                .where(tournament_pairings.c.tournament_id == self.identity)
            )
            assert {row.match_id: row.number for row in rows} == {
                each.match: each.number for each in state.pairings
            }, "a pairing without its match, or a match without its pairing"
            results = Counter(
                event.action.pairing for event in record.events if isinstance(event.action, ResultAction)
            )
            assert set(results.values()) <= {1}, "a result was counted twice"
            playing = Counter(number for each in state.open_pairings for number in each.both)
            assert set(playing.values()) <= {1}, "somebody is in two open pairings"
            then = replace(record, events=record.events[:n]).replay()
            assert then.n == n
            assert shown == [[row.place, row.entrant, row.score] for row in standings(then)]
            for match, players in self.players.items():
                await check_match(database, match, players)
        finally:
            await database.close()
        return len(state.pairings)


async def play_arena_through_crashes(
    database: str, *, entrants: int, kills: int, seed: int, between: tuple[int, int], processes: int = 1
) -> ArenaCrashTest:
    """Kill servers so often under an arena, and check what they have kept."""
    crashes = ArenaCrashTest(database, seed, processes)
    try:
        for served in crashes.served:
            await served.start()
        await crashes.begin(entrants)
        await crashes.play_through(kills, crashes.kill, between=between)
        shown = await crashes.end()
    finally:
        for served in crashes.served:
            served.kill()
    assert await crashes.check(*shown) >= entrants // 2
    return crashes
