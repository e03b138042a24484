"""A load that grows in steps: client processes told what to do, and the figures of each step."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext
from time import sleep
from typing import Any

from benchmarks.site.games import Crowd, Figures
from benchmarks.site.server import Server

_SETTLING = 8.0
"""Seconds after new games have come, before anything is measured."""


@dataclass(frozen=True)
class Step:
    """What so many live games were like. Times in seconds, memory in bytes."""

    games: int
    turns_a_second: float
    actions_a_second: float
    p50: float
    p99: float
    worst: float
    clients_p99: float
    """By how much the clients themselves were late."""
    core: float
    """The share of one core that the server used."""
    memory_a_game: float
    """With its two sockets."""
    bytes_a_second: float
    faults: dict[str, int]

    def to_data(self) -> dict[str, Any]:
        """The step as plain data."""
        return {
            key: round(value, 5) if isinstance(value, float) else value for key, value in asdict(self).items()
        }

    def __str__(self) -> str:
        times = f"p50 {1e3 * self.p50:.1f} ms, p99 {1e3 * self.p99:.1f} ms, worst {1e3 * self.worst:.0f} ms"
        said = (
            f"{self.games:>6} games: {self.turns_a_second:.0f} turns/s, "
            f"{self.actions_a_second:.0f} actions/s, announced {times} "
            f"(clients late p99 {1e3 * self.clients_p99:.1f} ms), server {self.core:.0%} of a core, "
            f"{self.memory_a_game / 1024:.0f} KB a game with its sockets, "
            f"{self.bytes_a_second / 1e6:.1f} MB/s"
        )
        return said + (f", faults {self.faults}" if self.faults else "")


def measure(
    server: Server,
    steps: Sequence[int],
    context: SpawnContext,
    *,
    every: float,
    seconds: float,
    clients: int,
    deflate: bool,
) -> Iterator[Step]:
    """Grow to each number of games, let them be played, and say how it was."""
    empty = server.memory()
    lines = []
    for number in range(clients):
        ours, theirs = context.Pipe()
        place = (server.host, server.port, number, every, deflate)
        context.Process(target=_client, args=(theirs, place), daemon=True).start()
        lines.append(ours)
    games = 0
    for wanted in steps:
        for index, line in enumerate(lines):
            line.send(("grow", (wanted - games + index) // clients))
        begun = [line.recv() for line in lines]
        games = sum(begun)
        sleep(_SETTLING)
        for line in lines:
            line.send(("clear", None))
        used = server.seconds()
        sleep(seconds)
        used = server.seconds() - used
        for line in lines:
            line.send(("tell", None))
        yield _step(games, seconds, used, server.memory() - empty, [line.recv() for line in lines])
    for line in lines:
        line.send(("end", None))


def _step(games: int, seconds: float, used: float, memory: int, told: Sequence[Figures]) -> Step:
    announced = sorted(time for each in told for time in each.announced)
    late = sorted(time for each in told for time in each.late)
    faults = sum((each.faults for each in told), Counter[str]())
    return Step(
        games,
        sum(each.turns for each in told) / seconds,
        sum(each.actions for each in told) / seconds,
        _quantile(announced, 0.5),
        _quantile(announced, 0.99),
        announced[-1] if announced else 0.0,
        _quantile(late, 0.99),
        used / seconds,
        memory / max(games, 1),
        sum(each.received for each in told) / seconds,
        dict(faults),
    )


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0


def _client(line: Connection, place: tuple[str, int, int, float, bool]) -> None:
    asyncio.run(_serve(line, place))


async def _serve(line: Connection, place: tuple[str, int, int, float, bool]) -> None:
    """One client process: does what it is told until the end."""
    host, port, number, every, deflate = place
    crowd = Crowd(host, port, number, every=every, deflate=deflate)
    while True:
        try:
            order, value = await asyncio.to_thread(line.recv)
        except EOFError:
            order, value = "end", None
        if order == "grow":
            await crowd.grow(value)
            line.send(len(crowd.running))
        elif order == "clear":
            crowd.begin_measuring()
        elif order == "tell":
            line.send(crowd.told())
        else:
            crowd.close()
            return
