"""An arena on the site: how long a wave takes from being due to its boards, and what it costs the event loop.

    python -m benchmarks.site.arena --entrants 1000

The entrants are rows of accounts that count as present; nobody plays. Seconds of wall time, with the greatest
lateness of the event loop beside it: pairing is done in a process of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from sqlalchemy import func, insert, select

from sheshbesh.server.app import make_app
from sheshbesh.server.ids import now_ms
from sheshbesh.server.people.person import name_values
from sheshbesh.server.settings import Settings
from sheshbesh.server.site import Site, opened
from sheshbesh.server.storage.tables import users
from sheshbesh.server.storage.tournament_tables import tournament_pairings
from sheshbesh.tournaments import SERVER, read_settings
from sheshbesh.tournaments.actions import AnnounceAction, EnterAction, StartAction

_TICK = 0.005


async def _lateness(worst: list[float]) -> None:
    """Keep by how much the event loop was late at most."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + _TICK
        await asyncio.sleep(_TICK)
        worst[0] = max(worst[0], loop.time() - due)


async def _enter(site: Site, entrants: int) -> str:
    names = [f"Player {number}" for number in range(entrants)]
    rows = [
        {"id": f"p{number}", "kind": "user", "settings": {}, "created": now_ms(), "seen": now_ms()}
        | name_values(name)
        for number, name in enumerate(names)
    ]
    await site.database.write(lambda connection: connection.execute(insert(users), rows))
    settings = {"title": "Arena", "card": "tavla.p3.clock-d6-20", "system": "arena"}
    made = await site.tournaments.create(read_settings(settings), None)
    await site.tournaments.act(made.id, SERVER, AnnounceAction())
    for number, name in enumerate(names):
        await site.tournaments.act(made.id, f"p{number}", EnterAction(name=name))
    return made.id


async def measure(entrants: int) -> None:
    """Print a line for each step."""
    with tempfile.TemporaryDirectory() as folder:
        site: Site = make_app(Settings(database=f"sqlite:///{Path(folder) / 'site.db'}")).state.site
        async with opened(site):
            began = time.perf_counter()
            identity = await _enter(site, entrants)
            print(f"{entrants} entries: {time.perf_counter() - began:.2f} s")
            worst = [0.0]
            watch = asyncio.create_task(_lateness(worst))
            with ExitStack() as there:
                for number in range(entrants):
                    there.enter_context(site.presence.here(f"p{number}"))
                began = time.perf_counter()
                await site.tournaments.act(identity, SERVER, StartAction())
                count = select(func.count()).select_from(tournament_pairings)
                while (await site.database.first(count)) != (entrants // 2,):
                    await site.chores.poll()
                took = time.perf_counter() - began
            watch.cancel()
            print(
                f"from the start to the last board: {took:.2f} s; event loop late by {worst[0] * 1000:.0f} ms"
            )


def main() -> None:
    """Measure an arena."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.site.arena", description=main.__doc__)
    parser.add_argument("--entrants", type=int, default=1000)
    asyncio.run(measure(parser.parse_args().entrants))


if __name__ == "__main__":
    main()
