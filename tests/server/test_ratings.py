"""Glicko-2 against its paper, and ratings as they are kept."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import insert, select

from sheshbesh.match import Card
from sheshbesh.match.timing import ClockSettings
from sheshbesh.server.people.glicko import Rating, expected, rate
from sheshbesh.server.people.person import name_values
from sheshbesh.server.people.ratings import (
    PERIOD,
    Pool,
    TimeClass,
    rating_step,
    ratings_for,
    ratings_of,
    time_class,
)
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import matches, rated_matches, users

CARD = Card.from_code("tavla.p5")


def test_the_worked_example_of_the_paper() -> None:
    # Glickman, "Example of the Glicko-2 system": r' = 1464.06, RD' = 151.52, σ' = 0.05999.
    results = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = rate(Rating(1500, 200, 0.06), results, tau=0.5)
    assert after.value == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_the_expectations_of_the_paper() -> None:
    player = Rating(1500, 200)
    found = [expected(player, Rating(*other)) for other in ((1400, 30), (1550, 100), (1700, 300))]
    assert found == pytest.approx([0.639, 0.432, 0.303], abs=0.001)


def test_a_great_surprise_raises_volatility_and_time_raises_doubt_up_to_a_bound() -> None:
    calm = Rating(2400, 50, 0.06)
    assert rate(calm, [(Rating(1200, 50), 0.0)] * 5).volatility > 0.06
    assert calm.deviation < calm.after(10).deviation < calm.after(100).deviation
    assert calm.after(1e9).deviation == 350.0


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("n", TimeClass.UNTIMED),
        ("t5", TimeClass.BLITZ),
        ("d12-120", TimeClass.RAPID),
        ("d30-300", TimeClass.SLOW),
    ],
)
def test_time_classes(code: str, kind: TimeClass) -> None:
    clock = ClockSettings() if code == "n" else ClockSettings.from_code(code)
    assert time_class(clock) is kind


def person(name: str, kind: str = "user") -> Any:
    row = {"id": name, "kind": kind, "settings": {}, "created": 0, "seen": 0}
    return insert(users).values(**row, **name_values(name))


def match(name: str) -> Any:
    return insert(matches).values(
        id=name,
        header={},
        card=CARD.code,
        game=CARD.game,
        rules=CARD.rules.fingerprint,
        time_class="untimed",
        state="live",
        kind="people",
        rated=True,
        created=0,
    )


def finish(name: str, white: str, black: str, winner: str, now: int = 0) -> Any:
    return rating_step(name, CARD, white=white, black=black, winner=winner, now=now)


@pytest.mark.anyio
async def test_a_match_is_rated_once_however_often_it_is_written(database: Database) -> None:
    await database.write(person("a"), person("b"), match("m"))
    answers = await asyncio.gather(*(database.write(finish("m", "a", "b", "white")) for _ in range(5)))
    assert sum(bool(answer[0]) for answer in answers) == 1
    pool = Pool.of(CARD, with_bot=False)
    assert await ratings_for(database, pool, "ab") == {"a": 1662, "b": 1338}
    assert len(await database.all(select(rated_matches))) == 2


@pytest.mark.anyio
async def test_two_processes_rate_matches_of_the_same_people_at_once(database_url: str) -> None:
    both = [Database(database_url), Database(database_url)]
    for one in both:
        await one.open()
    names = [f"m{n}" for n in range(20)]
    await both[0].write(person("a"), person("b"), *(match(name) for name in names))
    sides = [("a", "b"), ("b", "a")]
    steps = [finish(name, *sides[n % 2], "white") for n, name in enumerate(names)]
    await asyncio.gather(*(both[n // 2 % 2].write(step) for n, step in enumerate(steps)))
    found = {entry["matches"] for name in "ab" for entry in await ratings_of(both[1], name)}
    assert found == {20}
    for one in both:
        await one.close()


@pytest.mark.anyio
async def test_matches_with_a_bot_are_rated_apart(database: Database) -> None:
    await database.write(person("a"), person("b", "bot"), match("m"))
    await database.write(finish("m", "a", "b", "black"))
    (found,) = await ratings_of(database, "a")
    assert (found["pool"], found["game"], found["provisional"]) == ("bots", "tavla", True)
    assert await ratings_for(database, Pool.of(CARD, with_bot=False), "a") == {}


@pytest.mark.anyio
async def test_a_pause_makes_a_rating_less_certain(database: Database) -> None:
    await database.write(*(person(name) for name in "abcd"), *(match(name) for name in ("m", "k", "o", "p")))
    await database.write(finish("m", "a", "b", "white"), finish("k", "a", "b", "white", now=100 * PERIOD))
    await database.write(finish("o", "c", "d", "white"), finish("p", "c", "d", "white"))
    (rested,), (busy,) = await ratings_of(database, "a"), await ratings_of(database, "c")
    assert rested["deviation"] > busy["deviation"]
