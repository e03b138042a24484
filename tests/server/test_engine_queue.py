"""The engine's queue: fair by person, bounded, with the place told; and its processes on uvloop."""

from __future__ import annotations

import asyncio
import os
import signal
from time import monotonic

import pytest

from sheshbesh.server.engines.pool import EnginePool
from sheshbesh.server.engines.processes import Processes
from sheshbesh.server.engines.queue import BOUNDS, EngineBusyError, EngineRequest, FairQueue, Job, Urgency
from sheshbesh.session import PlayAction
from tests.server.test_engine_pool import WHITE, at, worker_pids

pytestmark = pytest.mark.anyio

ON_UVLOOP = pytest.mark.parametrize(
    "anyio_backend", [("asyncio", {"use_uvloop": True}), ("asyncio", {"use_uvloop": False})]
)
PATIENCE = 60
"""Seconds in which a process is started on a busy machine."""


async def eventually(condition: object) -> None:
    """Wait until it holds."""
    assert callable(condition)
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.02)


def question(who: str, urgency: Urgency = Urgency.ADVICE, places: list[int] | None = None) -> Job:
    answer = asyncio.get_running_loop().create_future()
    on_place = None if places is None else places.append
    request = EngineRequest(ask={"ask": "hint"}, urgency=urgency, seconds=1.0, who=who, on_place=on_place)
    return Job(request, 0.0, answer)


async def test_one_person_with_many_questions_keeps_nobody_waiting_for_more_than_one_of_them() -> None:
    queue, places = FairQueue(), list[int]()
    for _ in range(BOUNDS[Urgency.ADVICE].of_one):
        queue.put(question("greedy"))
    queue.put(question("modest", places=places))
    queue.announce_places()
    served = []
    while (job := queue.pop()) is not None:
        served.append(job.request.who)
        queue.announce_places()
    assert served[:3] == ["greedy", "modest", "greedy"] and len(served) == 9
    assert places == [2, 1]


async def test_what_a_match_waits_for_comes_before_advice_and_is_shared_as_fairly() -> None:
    queue = FairQueue()
    for who in "aab":
        queue.put(question(who))
        queue.put(question(who, Urgency.MATCH))
    queue.put(late := question("c"))
    assert queue.place(late) == 3 + 3
    order = [(job.request.urgency, job.request.who) for job in iter(queue.pop, None)]
    match, advice = Urgency.MATCH, Urgency.ADVICE
    assert order == [
        *((match, "a"), (match, "b"), (match, "a")),
        *((advice, "a"), (advice, "b"), (advice, "c"), (advice, "a")),
    ]


async def test_the_queue_is_bounded_for_one_and_for_all() -> None:
    queue, bounds = FairQueue(), BOUNDS[Urgency.ADVICE]
    for _ in range(bounds.of_one):
        queue.put(question("greedy"))
    with pytest.raises(EngineBusyError):
        queue.put(question("greedy"))
    for person in range(bounds.of_all - bounds.of_one):
        queue.put(question(str(person)))
    with pytest.raises(EngineBusyError):
        queue.put(question("one more"))
    assert len(queue) == bounds.of_all


async def test_a_question_that_is_given_up_makes_room() -> None:
    queue, jobs = FairQueue(), [question("a") for _ in range(3)]
    for job in jobs:
        queue.put(job)
    queue.discard(jobs[0])
    assert (queue.place(jobs[1]), queue.place(jobs[2])) == (1, 2)


@ON_UVLOOP
async def test_a_killed_process_is_replaced_on_every_loop() -> None:
    async with EnginePool(1, limit=PATIENCE) as pool:
        state = at("tavla.p3")
        for _ in range(3):
            assert not (await pool.decide(state, WHITE, "beginner")).guessed
            (pid,) = worker_pids()
            os.kill(pid, signal.SIGKILL)
        made = await pool.decide(state, WHITE, "beginner")
        assert not made.guessed and isinstance(made.action, PlayAction)


@ON_UVLOOP
async def test_a_process_that_dies_while_nobody_asks_is_replaced_at_once() -> None:
    processes = Processes(1)
    processes.start()
    try:
        await eventually(lambda: processes._workers[0]._ready)
        (before,) = worker_pids()
        os.kill(before, signal.SIGKILL)
        await eventually(lambda: before not in worker_pids() and processes._workers[0]._ready)
        assert processes.are_up
    finally:
        await processes.close()


@ON_UVLOOP
async def test_with_no_process_left_a_decision_is_a_guess_at_once_and_the_end_is_clean(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with EnginePool(2, limit=PATIENCE) as pool:
        state = at("tavla.p3")
        await pool.decide(state, WHITE, "beginner")
        monkeypatch.setattr("sys.executable", "/bin/false")
        for pid in worker_pids():
            os.kill(pid, signal.SIGKILL)
        await eventually(lambda: not pool.are_up)
        began = monotonic()
        assert (await pool.decide(state, WHITE, "beginner")).guessed
        assert await pool.hint(state) is None
        assert monotonic() - began < PATIENCE / 2, "nobody was waited for"
        monkeypatch.undo()
        await eventually(lambda: pool.are_up)
        assert not (await pool.decide(state, WHITE, "beginner")).guessed
    assert not worker_pids()
