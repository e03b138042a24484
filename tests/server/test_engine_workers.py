"""Engine processes of a host: replaced when they are lost, the last one that is free kept for people."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sheshbesh.server.engine.queue import NOT_STARTED, PEOPLE, EngineError, FairQueue, Job, Urgency
from sheshbesh.server.engine.workers import (
    FOREGROUND,
    IN_BACKGROUND,
    READERS,
    SINGLE,
    Kind,
    Workers,
)
from tests.server.clock import ManualClock
from tests.server.engine_help import BROKEN, OBEDIENT
from tests.waiting import eventually

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.parametrize(
        "anyio_backend", [("asyncio", {"use_uvloop": True}), ("asyncio", {"use_uvloop": False})]
    ),
]

NewWorkers = Callable[..., Workers]


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def workers(clock: ManualClock) -> AsyncIterator[NewWorkers]:
    """Makes groups of processes, each with a queue of its own."""
    async with AsyncExitStack() as stack:

        def make(size: int, kind: Kind = SINGLE, command: Sequence[str] = OBEDIENT) -> Workers:
            made = Workers(FairQueue(clock=clock), size, kind, command=command, clock=clock)
            made.start()
            stack.push_async_callback(made.close)
            return made

        yield make


def asked(workers: Workers, name: str, urgency: Urgency = Urgency.ADVICE, **more: Any) -> Job:
    """A question that was put."""
    job = Job(
        ask={"ask": name, **more},
        urgency=urgency,
        seconds=2.0,
        answer=asyncio.get_running_loop().create_future(),
        deadline=workers.clock.monotonic() + 2.0,
    )
    workers.queue.put(job)
    return job


async def ready(workers: Workers) -> None:
    await eventually(lambda: workers.ready == workers.slots)


async def test_a_process_is_asked_again_and_again(workers: NewWorkers) -> None:
    group = workers(1)
    first = await asked(group, "hint").answer
    assert first == await asked(group, "hint").answer
    assert (first["nice"], first["limit"]) == (10, 2.0)
    with pytest.raises(EngineError, match=r"^this is wrong$") as refused:
        await asked(group, "wrong").answer
    assert refused.value.code == "bad_argument"
    assert await asked(group, "hint").answer == first, "a question that is wrong ends no process"


async def test_what_three_processes_are_lost_over_fails_and_the_next_question_has_a_new_one(
    workers: NewWorkers,
) -> None:
    group = workers(1)
    before = await asked(group, "hint").answer
    job = asked(group, "die")
    later = asked(group, "hint")
    with pytest.raises(EngineError, match="die: "):
        await job.answer
    assert job.tries == 3
    assert (await later.answer)["pid"] != before["pid"]
    assert group.queue.serves(Urgency.MATCH)


async def test_a_process_that_dies_while_nobody_asks_is_replaced_at_once(workers: NewWorkers) -> None:
    group = workers(1)
    before = (await asked(group, "hint").answer)["pid"]
    os.kill(before, 9)
    assert (await asked(group, "hint").answer)["pid"] != before


async def test_a_process_that_hangs_is_ended_after_its_time(workers: NewWorkers, clock: ManualClock) -> None:
    group = workers(1)
    await ready(group)
    job = asked(group, "hang")

    def is_given_up() -> bool:
        if (group.taken, group.ready) == (1, 1):  # else a process is being started
            clock.advance(2.0 + SINGLE.hung + 0.1)
        return job.answer.done()

    await eventually(is_given_up)
    assert job.tries == 3
    with pytest.raises(EngineError):
        await job.answer
    assert (await asked(group, "hint").answer)["pid"]


async def test_a_search_is_stopped_when_nobody_waits_for_it(workers: NewWorkers, tmp_path: Path) -> None:
    group, path = workers(1), tmp_path / "begun"
    jobs = [asked(group, "wait", path=str(each)) for each in (path, tmp_path / "not begun")]
    later = asked(group, "hint")
    await eventually(path.exists)
    for job in reversed(jobs):
        job.answer.cancel()
        group.queue.withdraw(job)
    assert (await later.answer)["pid"] and not (tmp_path / "not begun").exists()


async def test_where_no_process_starts_questions_fail_at_once_and_later_it_is_tried_again(
    workers: NewWorkers, clock: ManualClock
) -> None:
    group = workers(1, command=BROKEN)
    with pytest.raises(EngineError):
        await asked(group, "hint").answer
    with pytest.raises(EngineError, match="no process runs"):
        asked(group, "hint")
    group.command = OBEDIENT
    await clock.until_waiting(0.5)
    clock.advance(0.5)
    await eventually(lambda: group.queue.serves(Urgency.MATCH))
    assert (await asked(group, "hint").answer)["pid"]


@pytest.mark.parametrize(
    ("size", "kind", "taken"),
    [(3, FOREGROUND, 2), (2, FOREGROUND, 1), (1, FOREGROUND, 0), (1, SINGLE, 1), (1, IN_BACKGROUND, 1)],
)
async def test_the_last_process_that_is_free_takes_only_what_people_wait_for(
    workers: NewWorkers, tmp_path: Path, size: int, kind: Kind, taken: int
) -> None:
    group = workers(size, kind)
    if not kind.lazy:
        await ready(group)
    jobs = [asked(group, "wait", Urgency.REVIEW, path=str(tmp_path / "begun")) for _ in range(size + 1)]
    assert group.taken == taken
    if kind.keeps_last:
        assert (await asked(group, "hint", Urgency.MATCH).answer)["pid"], "at once"
    for job in jobs:
        job.answer.cancel()
        group.queue.withdraw(job)


async def test_the_background_process_is_started_by_its_first_question_and_stays(workers: NewWorkers) -> None:
    group = workers(1, IN_BACKGROUND)
    assert group.ready == 0 and group.free == 1 and not group.serves & PEOPLE
    first = await asked(group, "png", Urgency.PICTURE).answer
    assert (await asked(group, "review", Urgency.REVIEW).answer)["pid"] == first["pid"]
    assert first["nice"] == 19


async def test_each_file_has_a_process_of_its_own_and_one_that_ends_it_is_not_read_again(
    workers: NewWorkers,
) -> None:
    group = workers(2, replace(READERS, options=()))
    first, second = [await asked(group, "read", Urgency.FILE).answer for _ in range(2)]
    assert first["pid"] != second["pid"] and first["nice"] == 19
    for _ in range(4):
        job = asked(group, "die", Urgency.FILE)
        with pytest.raises(EngineError) as refused:
            await job.answer
        assert (job.tries, refused.value.code) == (0, "")
    assert (await asked(group, "read", Urgency.FILE).answer)["pid"], "and others are read at once"


async def test_a_file_for_which_no_process_starts_may_be_read_later(
    workers: NewWorkers,
) -> None:
    group = workers(1, replace(READERS, options=()), BROKEN)
    with pytest.raises(EngineError) as refused:
        await asked(group, "read", Urgency.FILE).answer
    assert refused.value.code == NOT_STARTED
    group.command = OBEDIENT
    assert (await asked(group, "read", Urgency.FILE).answer)["pid"]


async def test_what_is_asked_when_the_processes_end_fails(workers: NewWorkers) -> None:
    group = workers(1)
    await ready(group)
    job, waiting = asked(group, "hang"), asked(group, "hint")
    await group.close()
    for each in (job, waiting):
        with pytest.raises(EngineError):
            await each.answer
