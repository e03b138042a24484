"""Engine work on other hosts: who gets which question, and what becomes of it where somebody dies."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import pytest
from sqlalchemy import text

from sheshbesh.errors import SettingsError
from sheshbesh.rules import Side
from sheshbesh.server.engines.pool import EnginePool
from sheshbesh.server.engines.queue import EngineError, EngineRequest, Urgency
from sheshbesh.server.ids import new_id
from sheshbesh.server.reviews.portions import pack
from sheshbesh.server.reviews.store import DONE, FAILED
from sheshbesh.server.settings import Settings
from sheshbesh.server.storage import Database
from sheshbesh.server.workers.host import EngineHost
from sheshbesh.server.workers.jobs import TRIES, Jobs
from tests.server.live import Live, live_site
from tests.server.postgres import Postgres
from tests.server.test_engine_pool import at
from tests.server.test_reviews import SHORT, uploaded
from tests.server.visitors import PATIENCE
from tests.sizes import REVIEWED

pytestmark = pytest.mark.anyio

ROLE = """
CREATE ROLE {role} LOGIN;
GRANT SELECT ON alembic_version TO {role};
GRANT SELECT, UPDATE ON engine_jobs TO {role};
GRANT SELECT, INSERT, UPDATE, DELETE ON engine_workers TO {role}
"""
"""What docs/guide/running.md tells an operator to do."""


@pytest.fixture
async def queue(postgres: Postgres) -> AsyncIterator[tuple[Jobs, Database]]:
    database = Database(postgres.url())
    await database.open()
    yield Jobs(database), database
    await database.close()


async def put(jobs: Jobs, who: str, name: str, urgency: Urgency = Urgency.ADVICE) -> bool:
    request = EngineRequest(ask={"ask": name}, urgency=urgency, seconds=1.0, who=who)
    return await jobs.put(name, "web", request, waits=60.0)


async def taken(jobs: Jobs, worker: str = "w", last: Urgency = Urgency.REVIEW) -> str | None:
    row = await jobs.take(worker, last=last)
    return None if row is None else str(row.id)


async def expire(database: Database) -> None:
    """Let time pass for everybody's leases."""
    await database.write(text("UPDATE engine_jobs SET lease = lease - 10000"))


async def test_people_take_turns_and_matches_come_first(queue: tuple[Jobs, Database]) -> None:
    jobs, _ = queue
    for who, name in (("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("b", "b2"), ("c", "c1")):
        assert await put(jobs, who, name)
    await put(jobs, "d", "review", Urgency.REVIEW)
    await put(jobs, "e", "match", Urgency.MATCH)
    places = await jobs.places("web")
    assert sorted(places, key=lambda name: places[name]) == [
        *("match", "a1", "b1", "c1", "a2", "b2", "a3", "review")
    ]
    assert [await taken(jobs) for _ in range(3)] == ["match", "a1", "b1"]
    await put(jobs, "f", "f1")
    assert [await taken(jobs, last=Urgency.ANALYSIS) for _ in range(6)] == [
        "c1",
        "a2",
        "b2",
        "f1",
        "a3",
        None,
    ]
    assert await taken(jobs) == "review"


async def test_one_person_s_questions_are_taken_in_the_order_in_which_they_were_asked(
    queue: tuple[Jobs, Database],
) -> None:
    jobs, database = queue
    asked = ["z", "y", "x", "w", "v"]  # not in the order of their ids, whatever a clock says
    for name in asked[:3]:
        assert await put(jobs, "a", name)
    await database.write(text("UPDATE engine_jobs SET asked = asked + 60000, turn = turn + 60000"))
    for name in asked[3:]:
        assert await put(jobs, "a", name), "the clock was set back by a minute"
    await put(jobs, "b", "b1")
    # Asked while an earlier question was taken: it could not yet be seen, and kept its turn.
    await database.write(text("UPDATE engine_jobs SET turn = turn - 90000 WHERE id = 'v'"))
    places = await jobs.places("web")
    assert sorted(places, key=lambda name: places[name]) == ["z", "b1", *asked[1:]]
    assert [await taken(jobs) for _ in range(6)] == ["z", "b1", *asked[1:]]


async def test_nobody_takes_a_question_that_somebody_has(queue: tuple[Jobs, Database]) -> None:
    jobs, _ = queue
    for number in range(8):
        await put(jobs, str(number), f"q{number}")
    found = await asyncio.gather(*(taken(jobs, f"w{number}") for number in range(8)))
    assert len({*found} - {None}) == 8 and await taken(jobs) is None


async def test_a_person_has_so_many_questions_and_no_more(queue: tuple[Jobs, Database]) -> None:
    jobs, _ = queue
    assert [await put(jobs, "a", f"a{n}") for n in range(9)] == [*[True] * 8, False]
    assert await put(jobs, "b", "b1")


async def test_what_a_dead_worker_had_is_given_to_another_and_its_late_answer_is_dropped(
    queue: tuple[Jobs, Database],
) -> None:
    jobs, database = queue
    await put(jobs, "a", "q")
    late = await jobs.take("dead", last=Urgency.MATCH)
    assert late is None, "it is less urgent"
    late = await jobs.take("dead", last=Urgency.ADVICE)
    assert late is not None and await taken(jobs, "other") is None, "its lease holds"
    await expire(database)
    again = await jobs.take("other", last=Urgency.ADVICE)
    assert again is not None and again.id == "q"
    assert not await jobs.answer("dead", late, answer={"late": True})
    assert await jobs.answer("other", again, answer=None), "null is an answer"
    assert not await jobs.answer("other", again, answer=1), "one is enough"
    (told,) = await jobs.collect("web")
    assert (told.id, told.state, told.answer, told.error) == ("q", "done", None, None)
    assert await jobs.collect("web") == []


async def test_signs_of_life_keep_a_question_and_say_what_was_withdrawn(queue: tuple[Jobs, Database]) -> None:
    jobs, database = queue
    await put(jobs, "a", "kept")
    await put(jobs, "b", "withdrawn")
    assert {await taken(jobs), await taken(jobs)} == {"kept", "withdrawn"}
    await jobs.drop(["withdrawn"])
    await expire(database)
    assert await jobs.beat("w", "host", 3) == {"kept"}
    assert await taken(jobs, "other") is None
    standing = await jobs.standing()
    assert (standing.workers, standing.processes, standing.taken) == (1, 3, 1)
    await jobs.leave("w")
    assert (await jobs.standing()).workers == 0
    assert await taken(jobs, "other") == "kept", "at once"


async def test_a_question_that_ends_all_who_take_it_is_given_up(queue: tuple[Jobs, Database]) -> None:
    jobs, database = queue
    await put(jobs, "a", "poison")
    for _ in range(TRIES):
        assert await taken(jobs) == "poison"
        assert await jobs.collect("web") == []
        await expire(database)
    assert await taken(jobs) is None
    (told,) = await jobs.collect("web")
    assert (told.id, told.state) == ("poison", "taken")


async def test_what_a_dead_server_process_asked_is_deleted(queue: tuple[Jobs, Database]) -> None:
    jobs, database = queue
    await put(jobs, "a", "q")
    await jobs.clean()
    assert (await jobs.standing()).waiting["advice"] == 1
    await database.write(text("UPDATE engine_jobs SET until = until - 200000"))
    await jobs.clean()
    assert (await jobs.standing()).waiting["advice"] == 0


# With engines


@asynccontextmanager
async def working(host: EngineHost) -> AsyncIterator[asyncio.Task[None]]:
    """A worker at work."""
    task = asyncio.create_task(host.run())
    try:
        yield task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def until(true: Callable[[], object], seconds: float = 30.0) -> None:
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.02)


async def least_role(live: Live, url: str) -> str:
    """The address of the database for a role that may do what the documentation says, and no more."""
    role = f"engine_{new_id().lower().replace('-', '_')}"
    for statement in ROLE.format(role=role).split(";"):
        await live.site.database.write(text(statement.strip()))
    return url.replace("sheshbesh@", f"{role}@")


def asks(live: Live) -> EnginePool:
    """The engines of a site as it would have them without own ones."""
    return EnginePool(0, elsewhere=live.site.elsewhere)


async def test_two_server_processes_and_two_workers_share_the_work(postgres: Postgres) -> None:
    url = postgres.url()
    async with live_site(url, own_engines=False) as one, live_site(url, own_engines=False) as two:
        with pytest.raises(EngineError):
            await anext(asks(one).roll_out({}, trials=1, seed=1))
        role = await least_role(one, url)
        first, second = EngineHost(role, 1, name="first"), EngineHost(role, 1, name="second")
        async with working(first) as dying, working(second):
            there = [each.site.elsewhere for each in (one, two)]
            await until(lambda: all(each is not None and each.standing.processes == 2 for each in there))
            pools, file = (asks(one), asks(two)), pack(SHORT)
            asked = [pool.judge(file, 0, [0], who=f"p{n}") for n in range(6) for pool in pools]
            made = await asyncio.gather(*asked)
            assert all(each == made[0] for each in made) and made[0]["judged"]
            assert first.answered + second.answered == 12 and first.answered and second.answered
            dying.cancel()
            await until(dying.done)
            assert await pools[0].judge(file, 0, [0]) == made[0]
            browser = await one.browser()
            ready = (await browser.http.get("/api/v1/ready")).json()["engines"]
            assert ready["here"] == 0 and ready["elsewhere"] >= 1
        await until(lambda: not pools[0].are_up)
        assert (await pools[0].decide(at("tavla.p3"), Side.WHITE, "beginner")).guessed, "nobody is left"


async def test_a_worker_that_is_gone_without_a_word_keeps_no_question(postgres: Postgres) -> None:
    """Its process was killed: nothing was put back, and its lease runs out."""
    url = postgres.url()
    async with live_site(url, own_engines=False) as live:
        jobs = Jobs(live.site.database)
        await jobs.beat("slow to start", "host", 1)
        await live.site.database.write(text("UPDATE engine_workers SET seen = seen + 60000"))
        assert live.site.elsewhere is not None
        await live.site.elsewhere.poll()
        asked = asyncio.create_task(asks(live).judge(pack(SHORT), 0, [0]))
        async with asyncio.timeout(PATIENCE):
            while await jobs.take("dead", last=Urgency.REVIEW) is None:
                await asyncio.sleep(0.02)
        async with working(EngineHost(url, 1, name="alive")):
            assert (await asked)["judged"]


async def test_a_review_is_judged_elsewhere_and_is_the_same(postgres: Postgres) -> None:
    url = postgres.url()
    host = EngineHost(url, 2, name="host")
    async with live_site(url, engine_workers=1) as live:
        here = await _reviewed(live)
        async with working(host):
            await until(lambda: live.site.elsewhere and live.site.elsewhere.are_up)
            assert await _reviewed(live) == here
    assert host.answered > 1


async def _reviewed(live: Live) -> bytes:
    """The report of a stranger's upload."""
    browser = await live.browser()
    review = (await browser.post("/uploads", uploaded(SHORT, plies=1)))["id"]
    async with asyncio.timeout(REVIEWED):
        while (row := await live.site.reviews.store.one(browser.id, review)) is None or row.state != DONE:
            assert row is None or row.state != FAILED, row.error
            await asyncio.sleep(0.05)
    return zlib.decompress(row.report)


def test_without_own_engines_the_database_is_postgres() -> None:
    with pytest.raises(SettingsError, match="own_engines"):
        Settings(own_engines=False)
