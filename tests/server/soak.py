"""What takes long: `kill -9` a hundred times, and every game over the worst of lines.

    python -m tests.server.soak [--kills 100] [--rounds 1]

On SQLite and on PostgreSQL. Says what it found, and leaves with 1 if anything was lost.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile

import sheshbesh as sb
from tests.server.crashes import play_through_crashes
from tests.server.live import live_site
from tests.server.postgres import running_postgres
from tests.server.test_chaos import chaotic, check

_KILLS_A_MATCH = 10
_TABLE_OPTIONS = ("", ".clock-d12-120", ".dice-strict", ".dice-typed", ".clock-f5-60")


async def kill(database: str, kills: int, seed: int) -> int:
    """Kill servers on this database; actions that were acknowledged, none of them lost."""
    return await play_through_crashes(database, kills=kills, seed=seed)


async def worst_lines(database: str, rounds: int) -> int:
    """Every game between two people on bad lines; the number of matches."""
    chance, played = random.Random("soak"), 0
    async with live_site(database) as live:
        for number in range(rounds):
            for game in sb.variants():
                card = f"{game}.p{chance.choice((1, 3))}{chance.choice(_TABLE_OPTIONS)}"
                match, white, black = await live.friends(card)
                level = chance.choice((0.0, 0.02, 0.05, 0.1))
                players = [
                    chaotic(browser, match, name, number, level)
                    for name, browser in (("white", white), ("black", black))
                ]
                await asyncio.gather(*(player.run(seconds=600) for player in players))
                await check(live, white, match, players)
                played += 1
                print(f"{card}: {players[0].v} events, lines bad to {level:.0%}", flush=True)
    return played


async def soak(kills: int, rounds: int) -> None:
    """Everything, on both databases."""
    with tempfile.TemporaryDirectory() as folder, running_postgres() as postgres:
        played = await worst_lines(f"sqlite:///{folder}/lines.db", rounds)
        print(f"{played} matches on bad lines: no state differs, nothing is lost")
        for kind in ("sqlite", "postgresql"):
            survived = 0
            for start in range(0, kills, _KILLS_A_MATCH):
                database = f"sqlite:///{folder}/{start}.db" if kind == "sqlite" else postgres.url()
                survived += await kill(database, min(_KILLS_A_MATCH, kills - start), start)
            print(f"{kind}: killed {kills} times, {survived} acknowledged actions, none lost")


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="how often, on each database")
    parser.add_argument("--rounds", type=int, default=1, help="how often every game is played on bad lines")
    given = parser.parse_args()
    try:
        asyncio.run(soak(given.kills, given.rounds))
    except AssertionError as error:
        print(f"LOST: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
