"""How long the search for positions takes on SQLite: `python -m benchmarks.site.position_search [ROWS]`.

The rows are outlines of positions from games of the engine with itself, as often as it takes to have that
many; their losses are drawn. All belong to one person and one game, which is the worst case: every question
has to be answered from that person's part of the index. Beside questions that many positions answer there are
some that none does, for which the whole part is read; "all" asks both indices at once. Printed are the best
and the median of some tries, and the least processor time, which other work on the machine leaves alone.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from sheshbesh.engines import make_engine
from sheshbesh.records import Decision
from sheshbesh.reviews import Judged
from sheshbesh.reviews.search import Wanted, outline
from sheshbesh.rules import Roll
from sheshbesh.server.practice.store import PositionSearch
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.database import Rows
from sheshbesh.server.storage.review_tables import positions, reviews
from sheshbesh.server.storage.tables import users

_GAME, _GAMES, _TRIES, _BATCH = "backgammon", 60, 7, 20_000
_OF_A_REVIEW = 500

QUESTIONS = {
    "the largest loss": Wanted(),
    "back games": Wanted(themes=frozenset({"backgame"})),
    "a prime against a prime, a blunder": Wanted(
        themes=frozenset({"prime_v_prime"}), spans={"loss": (80, None)}
    ),
    "the five points made, a blot on the bar point": Wanted(
        points={5: "made", 20: "their_made", 7: "blot"}, spans={"loss": (40, None)}
    ),
    "ten checkers back (none)": Wanted(spans={"back": (10, None)}),
    "a pattern that none has": Wanted(points=dict.fromkeys(range(1, 13), "blot")),
    "doubles in a race (none)": Wanted(kind="double", themes=frozenset({"race"})),
}


def outlines(seed: int = 1) -> list[dict[str, int | str]]:
    """The outlines of some games' positions."""
    engine, chance = make_engine(_GAME), random.Random(seed)
    found = []
    for _ in range(_GAMES):
        position = engine.variant.start()
        while True:
            dice = Roll(chance.randint(1, 6), chance.randint(1, 6))
            ranked = engine.rank(position, dice)
            if not ranked:
                break
            decision = Decision(1, 0, position.turn, "play")
            judged = Judged(decision, 1, position.id, position.id, None, "", "", 0.0, None, 2)
            told = {"board": position.id, "side": position.turn.value, "dice": 10 * max(dice) + min(dice)}
            found.append(told | asdict(outline(judged, engine.variant)))
            position = ranked[min(chance.choice((0, 0, 1, 2)), len(ranked) - 1)].play.result
    return found


def rows(count: int, seed: int = 1) -> Iterator[dict[str, Any]]:
    """As many rows, with losses as they are in reviews: most decisions lose nothing."""
    chance, known = random.Random(seed), outlines(seed)
    for n in range(count):
        loss = min(round(chance.expovariate(1 / 40)), 1000) if chance.random() < 0.3 else 0
        told = {"review_id": f"r{n // _OF_A_REVIEW}", "n": n % _OF_A_REVIEW, "owner": "p", "public": True}
        yield told | {"variant": _GAME} | known[n % len(known)] | {"loss": loss}


async def _fill(database: Database, count: int) -> None:
    person = {"id": "p", "name": "p", "folded": "p", "skeleton": "p", "kind": "guest", "settings": {}}
    await database.write(insert(users).values(**person, created=0, seen=0))
    review = {"owner": "p", "source": "upload", "variant": _GAME, "state": "done", "created": 0, "plies": 2}
    made = [
        {**review, "id": f"r{n}", "source_id": str(n), "indexed": 1}
        for n in range((count + _OF_A_REVIEW - 1) // _OF_A_REVIEW)
    ]
    for each in made:
        await database.write(insert(reviews).values(**each))
    statement, part = insert(positions), []
    for row in rows(count):
        part.append(row)
        if len(part) == _BATCH:
            await database.write(Rows(statement, part))
            part = []
    if part:
        await database.write(Rows(statement, part))


async def measure(count: int) -> None:
    """Fill a table, ask, print."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "site.db"
        database = Database(f"sqlite:///{file}")
        await database.open()
        try:
            begun = time.perf_counter()
            await _fill(database, count)
            filled = time.perf_counter() - begun
            print(f"{count} positions in {filled:.0f} s, {file.stat().st_size / 1e6:.0f} MB")
            search = PositionSearch(database)
            for name, wanted in QUESTIONS.items():
                for whose in ("own", "public", "all"):
                    times, worked = [], []
                    for _ in range(_TRIES):
                        begun, spent = time.perf_counter(), time.process_time()
                        found = await search.find("p", _GAME, wanted, whose)
                        times.append(1000 * (time.perf_counter() - begun))
                        worked.append(1000 * (time.process_time() - spent))
                    told = f"{min(times):6.0f} ms, median {statistics.median(times):6.0f} ms"
                    told += f", processor {min(worked):6.0f} ms"
                    print(f"{name:<50} {whose:<7} {len(found):>3} found {told}")
        finally:
            await database.close()


if __name__ == "__main__":
    asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
