"""`sheshbesh serve` as a process of its own that is killed at random moments, and what must survive."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import MappingProxyType

import httpx
from sqlalchemy import select

from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import events
from sheshbesh.server.tables.store import MatchStore
from sheshbesh.session import Event, parse_action, replay
from tests.server.chaos import Chaos, ChaosPlayer
from tests.server.live import Browser, client, free_port
from tests.server.player import Player
from tests.waiting import PATIENCE, eventually

_DURING_PLAY = 0.7
_SLOWEST = 5
"""Actions a second that ten matches make on the slowest machine."""

CARDS = ("backgammon.p3.clock-d12-120", "gul_bara.p3", "tavla.p3.touch_move=true", "acey_deucey.p3")


class Served:
    """A server process on a port and a database, which can be killed and started again.

    `settings` are more variables of its environment; `log` is a file that gets what it writes on standard
    error.
    """

    def __init__(
        self,
        database: str,
        port: int | None = None,
        *,
        settings: Mapping[str, str] = MappingProxyType({}),
        log: Path | None = None,
    ) -> None:
        self.port = port or free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self._database, self._settings, self._log = database, settings, log
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self, *, seconds: float = 120.0, until: str = "health") -> None:
        """Start, and wait until it answers; `until` it is `ready` rather than that."""
        program = Path(sys.executable).with_name("sheshbesh")
        command = [str(program), "serve", "--port", str(self.port), "--no-limits"]
        with ExitStack() as stack:
            log = None if self._log is None else stack.enter_context(self._log.open("ab"))
            self._process = subprocess.Popen(
                [*command, "--database", self._database, "--engine-workers", "1"],
                env={**os.environ, "SHESHBESH_ENGINE_PACE": "0", **self._settings},
                stdout=subprocess.DEVNULL,
                stderr=log,
                start_new_session=True,
            )
        process = self._process
        async with client(self.base) as stranger:

            async def answers() -> bool:
                assert process.poll() is None, "the server has ended by itself"
                with suppress(httpx.TransportError):
                    return (await stranger.get(f"/api/v1/{until}")).status_code == 200
                return False

            await eventually(answers, seconds=seconds)

    async def stop(self) -> None:
        """SIGTERM, as a restart does."""
        if self._process is not None:
            self._process.terminate()
            await asyncio.to_thread(self._process.wait)
            self._process = None

    def kill(self) -> None:
        """`kill -9`, the engine's processes with it."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None


class CrashTest:
    """Matches in play on a server that is killed again and again."""

    def __init__(self, database: str, seed: int, served: Served | None = None) -> None:
        self.served = served or Served(database)
        self._database = database
        self._chance = random.Random(seed)
        self._sitting: dict[str, list[ChaosPlayer]] = {}
        self._browsers: list[Browser] = []

    async def browser(self) -> Browser:
        """A new guest."""
        browser = await Browser(self.served.base).guest()
        self._browsers.append(browser)
        return browser

    async def seat(self, count: int, cards: Sequence[str] = CARDS) -> None:
        """Begin matches: people against people, and one against the engine."""
        for number in range(count):
            card = cards[number % len(cards)]
            one = await self.browser()
            if number == 0:
                match, browsers = await one.match(card, {"kind": "engine", "level": "beginner"}), [one]
            else:
                other = await self.browser()
                made = await one.post("/matches", {"card": card, "opponent": {"kind": "friend"}})
                await other.post(made["invite"].replace("/j/", "/invites/"))
                match, browsers = made["id"], [one, other]
            self._sitting[match] = [
                self._player(browser, match, f"{number}-{place}") for place, browser in enumerate(browsers)
            ]

    def _player(self, browser: Browser, match: str, name: str) -> ChaosPlayer:
        chance = random.Random(f"{self._chance.random()}")
        return ChaosPlayer(
            lambda query: browser.socket(match, query), Player(chance, name=name), Chaos(chance, level=0.0)
        )

    @property
    def refused(self) -> int:
        """Actions that were refused so far."""
        return sum(len(player.refused) for players in self._sitting.values() for player in players)

    async def play_and_kill(self, kills: int, *, between: tuple[int, int]) -> None:
        """Let them play, and kill the server again and again at random moments."""

        async def kill() -> None:
            self.served.kill()
            await self.served.start()

        await self.play_through(kills, kill, between=between)

    async def play_through(
        self, times: int, disturb: Callable[[], Awaitable[None]], *, between: tuple[int, int]
    ) -> None:
        """Let them play, and `disturb` them again and again, after a number of actions within `between`."""
        players = [player for sitting in self._sitting.values() for player in sitting]
        playing = [asyncio.create_task(player.run(seconds=1200 + 60 * times)) for player in players]
        try:
            for number in range(times):
                # Sometimes while the players are still reconnecting, otherwise during play.
                if number % 4 == 0 or self._chance.random() < _DURING_PLAY:
                    await _until_played(players, playing, self._chance.randint(*between))
                await disturb()
            await _until_played(players, playing, 1)
        finally:
            for task in playing:
                task.cancel()
            ended = await asyncio.gather(*playing, return_exceptions=True)
            self.served.kill()
            for browser in self._browsers:
                await browser.http.aclose()
        for outcome in ended:
            if isinstance(outcome, BaseException) and not isinstance(outcome, asyncio.CancelledError):
                raise outcome

    async def check(self) -> int:
        """Nothing that was acknowledged or shown is lost; the number of acknowledged actions."""
        database = Database(self._database)
        await database.open()
        try:
            for match, players in self._sitting.items():
                await check_match(database, match, players)
        finally:
            await database.close()
        return sum(len(player.acked) for players in self._sitting.values() for player in players)


async def _until_played(
    players: Sequence[ChaosPlayer], playing: Sequence[asyncio.Task[None]], actions: int
) -> None:
    """Wait until a number of further actions are acknowledged, or all matches are over."""

    def acknowledged() -> int:
        return sum(len(player.acked) for player in players)

    enough = acknowledged() + actions
    await eventually(
        lambda: acknowledged() >= enough or all(task.done() for task in playing),
        seconds=PATIENCE + actions / _SLOWEST,
    )


async def check_match(database: Database, match: str, players: Sequence[ChaosPlayer]) -> None:
    """Hold what is stored of a match against what its players were told."""
    stored = await MatchStore(database).load(match)
    assert stored is not None
    replay(stored.table.header, stored.events)  # it follows from the rules, from the first to the last
    kept: dict[int, Event] = {event.n: event for event in stored.events}
    rows = await database.all(
        select(events.c.ref, events.c.action).where(events.c.match_id == match, events.c.ref.is_not(None))
    )
    done = {row.ref: row.action for row in rows}
    for player in players:
        for n, event in player.events.items():
            assert kept[n].to_data() == event, f"event {n} of {match} was announced and is another now"
        for ref, action in player.acked:
            assert done.get(ref) == parse_action(action).to_data(), (
                f"{ref} of {match} was acknowledged and is lost"
            )


async def play_through_crashes(
    database: str, *, kills: int, seed: int, between: tuple[int, int] = (1, 60)
) -> int:
    """Kill a server so often in the middle of matches; the number of actions that survived it all."""
    crashes = CrashTest(database, seed)
    try:
        await crashes.served.start()
        await crashes.seat(4)
        await crashes.play_and_kill(kills, between=between)
    finally:
        crashes.served.kill()
    return await crashes.check()
