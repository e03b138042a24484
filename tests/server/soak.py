"""What takes long: `kill -9` a hundred times, a database that is away, every game over the worst of lines.

    python -m tests.server.soak [--kills 100] [--rounds 1] [--minutes 10]

On SQLite and on PostgreSQL. Says what it found, and leaves with 1 if anything was lost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from time import monotonic

import sheshbesh as sb
from tests.server.crashes import CrashTest, Served, play_through_crashes
from tests.server.live import live_site
from tests.server.postgres import running_postgres
from tests.server.test_chaos import chaotic, check
from tests.server.tournament_crashes import play_arena_through_crashes
from tests.waiting import eventually

_GAMES = 10
_LONG_CARDS = ("backgammon.p49.clock-d12-600", "gul_bara.p49", "tavla.p49", "acey_deucey.p49")
_KILLS_A_MATCH = 10
_KILLS_AN_ARENA = 20
_PATIENCE = 3600.0
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


async def outages(folder: Path, refusals: int, *, stops: int = 2, seed: int = 1) -> None:
    """Stop PostgreSQL under ten games until enough actions were refused; the log says so, in few lines."""
    away, log = 0.0, folder / "site.log"
    settings = {"SHESHBESH_LOG_FORMAT": "json"}
    with running_postgres() as server:
        database = server.url()
        test = CrashTest(database, seed, Served(database, log=log, settings=settings))

        async def stop() -> None:
            nonlocal away
            before, refused, began = log.stat().st_size, test.refused, monotonic()
            await asyncio.to_thread(server.stop)
            enough = refused + refusals // stops
            await eventually(lambda: test.refused >= enough, seconds=_PATIENCE)
            await asyncio.to_thread(server.start)
            grown, took = log.stat().st_size - before, monotonic() - began
            away = max(away, took)
            print(f"{took:.0f} s away: {test.refused - refused} refusals, the log grew by {grown:,} bytes")

        try:
            await test.served.start(until="ready")
            await test.seat(_GAMES, _LONG_CARDS)
            await test.play_through(stops, stop, between=(refusals, refusals))
        finally:
            test.served.kill()
        lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
        seen = Counter(line.get("cause") or line["message"] for line in lines if line["level"] != "info")
        print(f"{len(lines)} lines of the log, {log.stat().st_size:,} bytes: {dict(seen)}")
        assert not [line for line in lines if "traceback" in line], "a traceback for an outage"
        # Each outage may be seen in a minute that the one before it was not, and at its end.
        most = stops * (2 + away // 60)
        assert max(seen.values()) <= most, f"more than a line a minute: {seen.most_common(3)}"
        survived = await test.check()
        print(f"PostgreSQL was stopped {stops} times, {survived} acknowledged actions, none lost")


async def arena(database: str, entrants: int, kills: int) -> None:
    """Kill servers under an arena whose entrants hold sockets and play: two of them on PostgreSQL."""
    processes = 2 if database.startswith("postgresql") else 1
    between = 1, 5 * entrants
    played = await play_arena_through_crashes(
        database, entrants=entrants, kills=kills, seed=1, between=between, processes=processes
    )
    longest = max(played.waits, default=0.0)
    print(
        f"an arena of {entrants}, killed {kills} times: {len(played.players)} matches, "
        f"{played.acknowledged} acknowledged actions, none lost; "
        f"the first new match at most {longest:.1f} s after a return"
    )


async def soak(kills: int, rounds: int, refusals: int, entrants: int) -> None:
    """Everything, on both databases."""
    with tempfile.TemporaryDirectory() as folder:
        await outages(Path(folder), refusals)
    with tempfile.TemporaryDirectory() as folder, running_postgres() as postgres:
        played = await worst_lines(f"sqlite:///{folder}/lines.db", rounds)
        print(f"{played} matches on bad lines: no state differs, nothing is lost")
        for kind in ("sqlite", "postgresql"):
            survived = 0
            for start in range(0, kills, _KILLS_A_MATCH):
                database = f"sqlite:///{folder}/{start}.db" if kind == "sqlite" else postgres.url()
                survived += await kill(database, min(_KILLS_A_MATCH, kills - start), start)
            print(f"{kind}: killed {kills} times, {survived} acknowledged actions, none lost")
            database = f"sqlite:///{folder}/arena.db" if kind == "sqlite" else postgres.url()
            await arena(database, entrants, min(kills, _KILLS_AN_ARENA))


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="how often, on each database")
    parser.add_argument("--rounds", type=int, default=1, help="how often every game is played on bad lines")
    parser.add_argument(
        "--refusals", type=int, default=10_000, help="of actions while the database is stopped twice"
    )
    parser.add_argument("--entrants", type=int, default=200, help="of an arena that is killed 20 times")
    given = parser.parse_args()
    try:
        asyncio.run(soak(given.kills, given.rounds, given.refusals, given.entrants))
    except AssertionError as error:
        print(f"LOST: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
