"""A load that grows in steps: client processes told what to do, and the figures of each step."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from os import cpu_count
from time import monotonic, sleep
from typing import Any

import uvloop

from benchmarks.site.games import Crowd, Figures, Orders
from benchmarks.site.server import Place
from benchmarks.site.work import Work

_SETTLING = 8.0
"""Seconds after new games have come, before anything is measured."""

_FULL = 0.9
"""The share of a core, or of the machine, from which on it counts as used up."""


@dataclass(frozen=True)
class Step:
    """Measurements with some live games: times in seconds, memory in bytes, work in shares of one core."""

    games: int
    turns_a_second: float
    actions_a_second: float
    p50: float
    p99: float
    worst: float
    clients_late: float
    """By how much the clients themselves were behind their plan, p99."""
    servers: float
    database: float
    engines: float
    """Engine processes, and the workers that feed them."""
    clients: float
    strangers: float
    """What others, who have nothing to do with this, used meanwhile."""
    cpu_an_action: float
    """Seconds of a core of all servers, heartbeats and all else included."""
    memory_a_game: float
    """With its two sockets."""
    bytes_a_second: float
    faults: dict[str, int]

    def to_data(self) -> dict[str, Any]:
        """The step as plain data."""
        return {
            key: round(value, 6) if isinstance(value, float) else value for key, value in asdict(self).items()
        }

    def __str__(self) -> str:
        times = f"p50 {1e3 * self.p50:.1f} ms, p99 {1e3 * self.p99:.1f} ms, worst {1e3 * self.worst:.0f} ms"
        said = (
            f"{self.games:>6} games: {self.turns_a_second:.0f} turns/s, "
            f"{self.actions_a_second:.0f} actions/s, announced {times} "
            f"(clients late p99 {1e3 * self.clients_late:.1f} ms); of a core: servers {self.servers:.0%}, "
            f"database {self.database:.0%}, engines {self.engines:.0%}, clients {self.clients:.0%}, "
            f"others {self.strangers:.0%}; "
            f"{1e6 * self.cpu_an_action:.0f} us of the servers an action, "
            f"{self.memory_a_game / 1024:.0f} KB a game with its sockets, "
            f"{self.bytes_a_second / 1e6:.1f} MB/s"
        )
        return said + (f", faults {self.faults}" if self.faults else "")

    def shortage(self, processes: int) -> str:
        """What there was too little of, as far as the figures say it."""
        if self.servers >= _FULL * processes:
            return "the one core that a server process can use"
        used = self.servers + self.database + self.engines + self.clients + self.strangers
        if used >= _FULL * (cpu_count() or 1):
            return "the cores of this machine, which clients and database share"
        if self.clients_late > self.p99 / 2:
            return "the clients, which were late themselves"
        return "no processor; a wait"


class Clients:
    """Processes that play."""

    def __init__(
        self, place: Place, count: int, *, every: float, deflate: bool, apart: bool, engine: bool
    ) -> None:
        context = get_context("spawn")
        self._place = place
        self._lines: list[Connection] = []
        self._processes = []
        ports = [server.port for server in place.servers]
        for number in range(count):
            ours, theirs = context.Pipe()
            orders = Orders(place.servers[0].host, ports, number, every, deflate, apart, engine)
            process = context.Process(target=_client, args=(theirs, orders), daemon=True)
            process.start()
            self._lines.append(ours)
            self._processes.append(process)

    def ask(self, order: str) -> list[Any]:
        """Give all the same order; their answers."""
        for line in self._lines:
            line.send((order, 0))
        return [line.recv() for line in self._lines]

    def grow(self, by: int) -> int:
        """Begin this many more games; return how many there are now."""
        for index, line in enumerate(self._lines):
            line.send(("grow", (by + index) // len(self._lines)))
        return sum(line.recv() for line in self._lines)

    def look(self, sockets: int) -> None:
        """Have the first process open sockets at a game that nobody plays."""
        self._lines[0].send(("look", sockets))
        self._lines[0].recv()

    def work(self) -> Work:
        """Who has worked how much up to now."""
        return Work.now(
            servers=[server.pid for server in self._place.servers],
            database=self._place.database_processes(),
            clients=[process.pid or 0 for process in self._processes],
            engines=self._place.engines(),
        )

    def end(self) -> None:
        """Send everybody home."""
        self.ask("end")
        for process in self._processes:
            process.join(10)


@contextmanager
def playing(
    place: Place,
    count: int,
    *,
    every: float,
    deflate: bool = False,
    apart: bool = False,
    engine: bool = False,
) -> Iterator[Clients]:
    """Client processes for as long as this lasts."""
    clients = Clients(place, count, every=every, deflate=deflate, apart=apart, engine=engine)
    try:
        yield clients
    finally:
        clients.end()


def measure(place: Place, clients: Clients, steps: Sequence[int], *, seconds: float) -> Iterator[Step]:
    """Grow to each number of games, let them be played, and say how it was."""
    empty = memory(place)
    games = 0
    for wanted in steps:
        games = clients.grow(wanted - games)
        sleep(_SETTLING)
        clients.ask("clear")
        before, began = clients.work(), monotonic()
        sleep(seconds)
        work, passed = clients.work().since(before), monotonic() - began
        yield _step(games, passed, work, memory(place) - empty, clients.ask("tell"))


def memory(place: Place) -> int:
    """What all servers hold."""
    return sum(server.memory() for server in place.servers)


def _step(games: int, seconds: float, work: Work, held: int, told: Sequence[Figures]) -> Step:
    announced = sorted(time for each in told for time in each.announced)
    late = sorted(time for each in told for time in each.late)
    actions = sum(each.actions for each in told)
    return Step(
        games=games,
        turns_a_second=sum(each.turns for each in told) / seconds,
        actions_a_second=actions / seconds,
        p50=_quantile(announced, 0.5),
        p99=_quantile(announced, 0.99),
        worst=announced[-1] if announced else 0.0,
        clients_late=_quantile(late, 0.99),
        servers=work.servers / seconds,
        database=work.database / seconds,
        engines=work.engines / seconds,
        clients=work.clients / seconds,
        strangers=work.strangers / seconds,
        cpu_an_action=work.servers / max(actions, 1),
        memory_a_game=held / max(games, 1),
        bytes_a_second=sum(each.received for each in told) / seconds,
        faults=dict(sum((each.faults for each in told), Counter[str]())),
    )


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0


def _client(line: Connection, orders: Orders) -> None:
    uvloop.run(_serve(line, orders))


async def _serve(line: Connection, orders: Orders) -> None:
    """One client process: does what it is told until the end."""
    crowd = Crowd(orders)
    while True:
        try:
            order, value = await asyncio.to_thread(line.recv)
        except EOFError:
            return
        if order == "grow":
            await crowd.grow(value)
            line.send(len(crowd.running))
        elif order == "look":
            await crowd.look(value)
            line.send(None)
        elif order == "clear":
            crowd.begin_measuring()
            line.send(None)
        elif order == "tell":
            line.send(crowd.told())
        else:
            crowd.close()
            line.send(None)
            return
