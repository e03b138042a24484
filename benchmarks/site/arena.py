"""An arena on the site: how long a wave takes from its start to the last board, and what it costs others.

    python -m benchmarks.site.arena --entrants 1000

The site runs in this process, behind its own server on the loopback. The entrants are in another one: each
holds a socket at the tournament, opens its board as soon as it is paired, and plays. A third reads standings
all the while. What is printed: seconds from the start to the last open board, the processor time of the
pairing, how late the event loop was at most (and how much of that it worked itself: the rest is other
processes on the machine), and how soon standings were answered. `--places` says what the event loop did when
it was late. With `--callbacks` the site runs on the event loop of the standard library instead of that of
`sheshbesh serve`, which takes longer over everything and can be asked how long its longest callback took.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import multiprocessing
import os
import socket
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

import uvicorn
import uvloop
from sqlalchemy import insert

from benchmarks.site.frame import Seen, see
from benchmarks.site.line import Address, Line, open_line
from benchmarks.site.player import Player
from benchmarks.site.work import children, cpu_seconds
from sheshbesh.cli.commands.serve import GENERATIONS, SWITCH, collect_young
from sheshbesh.server.app import make_app
from sheshbesh.server.http.cookies import cookie_name, sign
from sheshbesh.server.http.serving import make_config
from sheshbesh.server.ids import fingerprint, now_ms
from sheshbesh.server.people.person import name_values
from sheshbesh.server.settings import Settings
from sheshbesh.server.site import Site
from sheshbesh.server.storage.tables import sign_ins, users
from sheshbesh.tournaments import SERVER, read_settings
from sheshbesh.tournaments.actions import AnnounceAction, EnterAction, StartAction

_TICK = 0.005
_PATIENCE = 300.0
_AT_ONCE = 40
"""Sockets that are being opened at once."""
_PING_EVERY = 5.0
_CARD = "tavla.p3.clock-d12-60"


# The event loop


@dataclass
class Lateness:
    """By how many seconds an event loop was late at most, and how much of that it worked itself."""

    worst: float = 0.0
    worked: float = 0.0
    longest: float = 0.0
    collected: float = 0.0
    about: dict[str, int] = field(default_factory=dict)
    began: float = 0.0
    seen: Counter[str] = field(default_factory=Counter)

    async def watch(self) -> None:
        """Look until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due, busy = loop.time() + _TICK, time.thread_time()
            await asyncio.sleep(_TICK)
            self.worst = max(self.worst, loop.time() - due)
            self.worked = max(self.worked, time.thread_time() - busy)

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Keep the longest callback of the event loop, by the processor time of its thread."""
        run, self.began = asyncio.Handle._run, time.thread_time()

        def timed(handle: asyncio.Handle) -> None:
            run(handle)
            # Asked for once: this clock is not read without a call to the system. What the loop does between
            # two callbacks counts for the second.
            now = time.thread_time()
            self.longest = max(self.longest, now - self.began)
            self.began = now

        asyncio.Handle._run = timed  # type: ignore[method-assign, assignment]
        try:
            yield
        finally:
            asyncio.Handle._run = run  # type: ignore[method-assign]

    @contextmanager
    def collections(self) -> Iterator[None]:
        """Keep the longest garbage collection, by the processor time of its thread."""
        began = 0.0

        def collected(phase: str, about: dict[str, int]) -> None:
            nonlocal began
            if phase == "start":
                began = time.thread_time()
            elif (took := time.thread_time() - began) > self.collected:
                self.collected, self.about = took, about

        gc.callbacks.append(collected)
        try:
            yield
        finally:
            gc.callbacks.remove(collected)

    @contextmanager
    def stalls(self, beyond: float) -> Iterator[None]:
        """Count where the loop is in callbacks that work for longer than this, seen from another thread."""
        own_clock = time.pthread_getcpuclockid(threading.get_ident())
        watched, ended = threading.get_ident(), threading.Event()

        def look() -> None:
            while not ended.wait(_TICK):
                if time.clock_gettime(own_clock) - self.began > beyond:
                    stack = traceback.extract_stack(sys._current_frames()[watched])
                    own = [each for each in stack if "sheshbesh" in each.filename] or stack
                    places = (f"{Path(each.filename).name}:{each.lineno} {each.name}" for each in own[-4:])
                    self.seen[" < ".join(reversed(list(places)))] += 1

        thread = threading.Thread(target=look, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


# Entrants, in a process of their own


class _Entrant:
    """Somebody with a socket at the tournament and, once they are paired, one at their board."""

    def __init__(self, crowd: _Crowd, number: int, cookie: str) -> None:
        self.crowd, self.number, self.cookie = crowd, number, cookie
        self.lines: list[Line] = []
        self.match = ""
        self.seen: Seen | None = None
        self.player: Player | None = None
        self.done: set[tuple[str, str]] = set()
        self.refs = 0

    async def arrive(self) -> None:
        """Open the socket at the tournament."""
        self.lines.append(await self._open(f"/ws/tournament/{self.crowd.tournament}", self._news))

    async def _open(self, path: str, received: Any) -> Line:
        address = Address("127.0.0.1", self.crowd.port, f"127.1.{self.number // 250}.{self.number % 250 + 1}")
        return await open_line(address, path, self.cookie, received, lambda _why: None, deflate=False)

    def _news(self, _line: Line, frame: bytes) -> None:
        if not frame.startswith(b'{"t":"tournament"'):
            return
        found = json.loads(frame)["d"]
        pairing = (found["me"] or {}).get("pairing")
        if pairing and pairing["match"] != self.match:
            self.match = pairing["match"]
            own = found["me"]["number"]
            side = "white" if pairing["white"] == own else "black"
            self.player = Player(side, Random(self.number), strict=True)
            self.done = set()
            self.crowd.begin(self._sit(self.match))

    async def _sit(self, match: str) -> None:
        async with self.crowd.gate:
            self.lines.append(await self._open(f"/ws/match/{match}", self._state))

    def _state(self, line: Line, frame: bytes) -> None:
        if frame.startswith(b'{"t":"pong","n"'):
            line.send(frame.decode())
        if not frame.startswith(b'{"t":"state"') or self.player is None:
            return
        self.crowd.opened(self)
        seen = self.seen = see(frame)
        action = self.player.action(seen.own)
        if action is None or (seen.key, action["type"]) in self.done:
            return
        self.done.add((seen.key, action["type"]))
        self.refs += 1
        ref = f"r{self.refs}"
        text = json.dumps({"t": "do", "ref": ref, "key": seen.key, "d": action}, separators=(",", ":"))
        asyncio.get_running_loop().call_later(self.crowd.pace(action["type"]), line.send, text)


class _Crowd:
    """The entrants of this process, who make a turn `every` so many seconds."""

    def __init__(self, tournament: str, port: int, every: float, started: float) -> None:
        self.tournament, self.port, self.every, self.started = tournament, port, every, started
        self.gate = asyncio.Semaphore(_AT_ONCE)
        self.boards: dict[int, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._chance = Random(1)

    def begin(self, work: Any) -> None:
        """Do something beside what is done already."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def opened(self, entrant: _Entrant) -> None:
        """Note that somebody has seen their board."""
        self.boards.setdefault(entrant.number, time.monotonic())

    def pace(self, action: str) -> float:
        """Return how long to think, in seconds."""
        return self.every * (0.5 + self._chance.random()) / 2 if action in ("roll", "play") else 0.0


def _play(pipe: Connection, port: int, tournament: str, cookies: list[str], every: float) -> None:
    uvloop.run(_play_on(pipe, port, tournament, cookies, every))


async def _play_on(pipe: Connection, port: int, tournament: str, cookies: list[str], every: float) -> None:
    crowd = _Crowd(tournament, port, every, time.monotonic())
    entrants = [_Entrant(crowd, number, cookie) for number, cookie in enumerate(cookies)]

    async def arrive(entrant: _Entrant) -> None:
        async with crowd.gate:
            await entrant.arrive()

    await asyncio.gather(*map(arrive, entrants))
    pipe.send("all are there")
    while not pipe.poll():
        # Pages send their heartbeats at different times.
        for entrant in entrants:
            await asyncio.sleep(_PING_EVERY / len(entrants))
            for line in entrant.lines[-2:]:
                line.send('{"t":"ping"}')
            if pipe.poll():
                break
    pipe.recv()
    pipe.send(sorted(crowd.boards.values()))


# Readers of the standings


def _read(pipe: Connection, port: int, path: str, rate: float) -> None:
    pipe.send(uvloop.run(_read_on(pipe, port, path, rate)))


async def _read_on(pipe: Connection, port: int, path: str, rate: float) -> list[float]:
    """Ask at this rate until told to end; the seconds that each answer took."""
    taken: list[float] = []
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
    loop = asyncio.get_running_loop()

    async def ask(due: float) -> None:
        reader, writer = idle.pop() if idle else await asyncio.open_connection("127.0.0.1", port)
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        size = next(
            int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")
        )
        await reader.readexactly(size)
        taken.append(loop.time() - due)
        idle.append((reader, writer))
        if b" 200 " not in head.split(b"\r\n", 1)[0]:
            raise RuntimeError(head.decode("latin-1"))

    began, tasks = loop.time(), set()
    number = 0
    while not pipe.poll():
        number += 1
        due = began + number / rate
        await asyncio.sleep(max(due - loop.time(), 0))
        task = asyncio.create_task(ask(due))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)
    return sorted(taken)


# The site


async def _enter(site: Site, entrants: int) -> tuple[str, list[str]]:
    """Make accounts that are signed in, and enter them; the tournament and the cookies."""
    now = now_ms()
    people, signed, cookies = [], [], []
    for number in range(entrants):
        identity, secret = f"p{number}", f"secret {number}"
        name = name_values(f"Player {number}")
        people.append({"id": identity, "kind": "user", "settings": {}, "created": now, "seen": now} | name)
        row = {"id": f"s{number}", "hash": fingerprint(secret), "user_id": identity}
        signed.append(row | {"created": now, "seen": now, "agent": ""})
        cookies.append(f"{cookie_name(site.settings)}={sign(site.settings.secret, 'cookie', secret)}")
    await site.database.write(
        lambda connection: connection.execute(insert(users), people),
        lambda connection: connection.execute(insert(sign_ins), signed),
    )
    settings = {"title": "Arena", "card": _CARD, "system": "arena"}
    made = await site.tournaments.create(read_settings(settings), None)
    await site.tournaments.act(made.id, SERVER, AnnounceAction())
    for number in range(entrants):
        await site.tournaments.act(made.id, f"p{number}", EnterAction(name=f"Player {number}"))
    return made.id, cookies


async def _opened(site: Site, entrants: int, seconds: float) -> bool:
    """Wait until so many sit at boards here, at most so many seconds; tell whether they came to sit."""
    end = time.monotonic() + seconds
    while sum(len(table.viewers) for table in site.matches.loaded.values()) < entrants // 2 * 2:
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.05)
    return True


async def _until(pipe: Connection) -> Any:
    return await asyncio.wait_for(asyncio.to_thread(pipe.recv), _PATIENCE)


async def measure(options: argparse.Namespace) -> None:
    """Print a line for each step."""
    spawn = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        database = f"sqlite:///{Path(folder) / 'site.db'}"
        given = {"limits": False, "own_engines": False, "worker_key": "of the workers here", "port": port}
        app = make_app(Settings(database=database, **given))
        site: Site = app.state.site
        # As `sheshbesh serve` sets its process.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*GENERATIONS)
        sys.setswitchinterval(SWITCH)
        collecting = asyncio.create_task(collect_young())
        config = make_config(app, site.settings)
        config.port = port
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve())
        while not server.started and not serving.done():
            await asyncio.sleep(0.05)
        began = time.perf_counter()
        identity, cookies = await _enter(site, options.entrants)
        print(f"{options.entrants} entries: {time.perf_counter() - began:.1f} s", flush=True)
        play, playing = spawn.Pipe()
        read, reading = spawn.Pipe()
        standings = f"/api/v1/tournaments/{identity}/standings"
        crowd = spawn.Process(
            target=_play, args=(playing, port, identity, cookies, options.every), daemon=True
        )
        readers = spawn.Process(target=_read, args=(reading, port, standings, options.requests), daemon=True)
        crowd.start()
        print(await _until(play), flush=True)
        if options.requests:
            readers.start()
            await asyncio.sleep(2)
        lateness = Lateness()
        with ExitStack() as stack:
            if options.callbacks:
                stack.enter_context(lateness.timed())
                stack.enter_context(lateness.stalls(options.stalls))
            stack.enter_context(lateness.collections())
            watch = asyncio.create_task(lateness.watch())
            started, used = time.monotonic(), time.process_time()
            await site.tournaments.act(identity, SERVER, StartAction())
            opening = await _opened(site, options.entrants, options.seconds)
            opened = time.process_time() - used if opening else float("nan")
            await asyncio.sleep(max(started + options.seconds - time.monotonic(), 0))
            watch.cancel()
            used = time.process_time() - used
        helpers = children(os.getpid())
        known = {crowd.pid, readers.pid}
        state = await site.tournaments.find(identity)
        assert state is not None
        print(f"{state.n} events, {len(state.pairings)} pairings, {len(state.open_pairings)} of them open")
        paired = sum(cpu_seconds(pid) for pid in helpers if pid not in known)
        taken: list[float] = []
        if options.requests:
            read.send("end")
            taken = await _until(read)
        play.send("end")
        boards = await _until(play)
        last = boards[-1] - started if boards else float("nan")
        print(f"boards seen by {len(boards)} of {options.entrants}; the last after {last:.1f} s")
        print(f"processor time of the processes that pair, their start included: {paired:.2f} s")
        print(
            f"event loop late by {lateness.worst * 1000:.0f} ms at most, "
            f"{lateness.worked * 1000:.0f} ms of its own work at most"
        )
        print(
            f"longest garbage collection {lateness.collected * 1000:.0f} ms of processor time "
            f"(generation {lateness.about.get('generation')}, {lateness.about.get('collected')} freed)"
        )
        if options.callbacks:
            print(f"longest callback {lateness.longest * 1000:.0f} ms of processor time")
        print(
            f"processor time of the site from the start on: {opened:.2f} s to the last board, "
            f"{used:.1f} of {options.seconds:.0f} s"
        )
        if taken:
            middle, high = taken[len(taken) // 2], taken[len(taken) * 99 // 100]
            print(f"{len(taken)} standings: p50 {middle * 1000:.0f} ms, p99 {high * 1000:.0f} ms")
        for place, count in lateness.seen.most_common(options.places):
            print(f"{count * _TICK * 1000:6.0f} ms  {place}")
        for process in multiprocessing.active_children():
            process.terminate()
        collecting.cancel()
        server.should_exit = True
        with suppress(asyncio.CancelledError):
            await serving


def main() -> None:
    """Measure an arena."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.site.arena", description=main.__doc__)
    parser.add_argument("--entrants", type=int, default=1000)
    parser.add_argument("--requests", type=float, default=200, help="requests for standings a second")
    parser.add_argument("--every", type=float, default=20, help="seconds between two turns of a match")
    parser.add_argument("--seconds", type=float, default=30, help="how long to measure from the start on")
    parser.add_argument(
        "--stalls", type=float, default=0.03, help="how late the loop is when it is looked at"
    )
    parser.add_argument("--places", type=int, default=0, help="how many places of stalls to name")
    parser.add_argument(
        "--callbacks",
        action="store_true",
        help="use the standard library's event loop, and time its callbacks",
    )
    options = parser.parse_args()
    run = asyncio.run if options.callbacks else uvloop.run
    run(measure(options))


if __name__ == "__main__":
    main()
