"""The engine's queue: fair by person, bounded, shared by all who answer, with the place announced."""

from __future__ import annotations

import asyncio

import pytest

from sheshbesh.server.engine.questions import Questions
from sheshbesh.server.engine.queue import (
    BOUNDS,
    NOT_STARTED,
    PEOPLE,
    TRIES,
    EngineBusyError,
    EngineError,
    FairQueue,
    Job,
    Taker,
    Urgency,
)
from sheshbesh.session import PlayAction
from tests.server.clock import ManualClock
from tests.server.test_engine_questions import WHITE, at
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

EVERYTHING = frozenset(Urgency)


class ManualTaker(Taker):
    """Answers when a test says so; `slots` questions at the same time."""

    def __init__(
        self, slots: int = 1, serves: frozenset[Urgency] = EVERYTHING, *, elsewhere: bool = False
    ) -> None:
        self.slots, self.is_elsewhere, self._serves = slots, elsewhere, serves
        self.jobs: list[Job] = []
        self.seconds: list[float] = []
        self.forgotten: list[Job] = []

    @property
    def serves(self) -> frozenset[Urgency]:
        return self._serves

    @property
    def takes(self) -> frozenset[Urgency]:
        return self.serves if self.free else frozenset()

    @property
    def free(self) -> int:
        return self.slots - len(self.jobs)

    @property
    def taken(self) -> int:
        return len(self.jobs)

    def give(self, job: Job, seconds: float) -> None:
        self.jobs.append(job)
        self.seconds.append(seconds)

    def forget(self, job: Job) -> None:
        self.forgotten.append(job)


def opened(*takers: ManualTaker) -> FairQueue:
    queue = FairQueue(clock=ManualClock())
    for taker in takers:
        queue.add(taker)
    return queue


def question(
    who: str, urgency: Urgency = Urgency.ADVICE, places: list[int] | None = None, name: str = "hint"
) -> Job:
    return Job(
        ask={"ask": name},
        urgency=urgency,
        seconds=2.0,
        answer=asyncio.get_running_loop().create_future(),
        deadline=2.0,
        who=who,
        on_place=None if places is None else places.append,
    )


async def test_one_person_with_many_questions_keeps_nobody_waiting_for_more_than_one_of_them() -> None:
    queue, places = opened(ManualTaker(0)), list[int]()
    for _ in range(BOUNDS[Urgency.ADVICE].of_one):
        queue.put(question("greedy"))
    queue.put(question("modest", places=places))
    served = []
    while (job := queue.pop(EVERYTHING)) is not None:
        served.append(job.who)
        queue.serve()
    assert served[:3] == ["greedy", "modest", "greedy"] and len(served) == 9
    assert places == [2, 1]


async def test_what_a_match_waits_for_comes_before_advice_and_is_shared_as_fairly() -> None:
    queue = opened(ManualTaker(0))
    for who in "aab":
        queue.put(question(who))
        queue.put(question(who, Urgency.MATCH))
    queue.put(late := question("c"))
    assert queue.place(late) == 3 + 3
    order = [(job.urgency, job.who) for job in iter(lambda: queue.pop(EVERYTHING), None)]
    match, advice = Urgency.MATCH, Urgency.ADVICE
    assert order == [
        *((match, "a"), (match, "b"), (match, "a")),
        *((advice, "a"), (advice, "b"), (advice, "c"), (advice, "a")),
    ]


async def test_one_person_s_questions_are_taken_in_the_order_in_which_they_were_asked() -> None:
    queue, names = opened(ManualTaker(0)), ["z", "y", "x", "w"]
    for name in names:
        queue.put(question("a", name=name))
    taken = [queue.pop(EVERYTHING) for _ in range(2)]
    for job in reversed(taken):  # both are given back: the first comes first again
        assert job is not None
        queue.give_back(job)
    assert [job.kind for job in iter(lambda: queue.pop(EVERYTHING), None)] == names


@pytest.mark.parametrize("urgency", Urgency)
async def test_the_queue_is_bounded_for_one_and_for_all(urgency: Urgency) -> None:
    queue, bounds = opened(ManualTaker(0)), BOUNDS[urgency]
    for _ in range(bounds.of_one):
        queue.put(question("greedy", urgency))
    with pytest.raises(EngineBusyError):
        queue.put(question("greedy", urgency))
    for person in range(bounds.of_all - bounds.of_one):
        queue.put(question(str(person), urgency))
    with pytest.raises(EngineBusyError):
        queue.put(question("one more", urgency))
    assert len(queue) == bounds.of_all


async def test_a_question_that_is_withdrawn_makes_room_and_its_search_ends() -> None:
    queue, jobs = opened(taker := ManualTaker(1)), [question("a") for _ in range(4)]
    for job in jobs:
        queue.put(job)
    queue.withdraw(jobs[1])
    assert (queue.place(jobs[2]), queue.place(jobs[3])) == (1, 2)
    queue.withdraw(jobs[0])
    assert taker.forgotten == [jobs[0]]


async def test_other_hosts_are_asked_first_and_then_those_that_answer_little_else() -> None:
    background = frozenset({Urgency.PICTURE, Urgency.REVIEW})
    queue = opened(
        own := ManualTaker(2), slow := ManualTaker(1, background), there := ManualTaker(1, elsewhere=True)
    )
    for _ in range(3):
        queue.put(question("a", Urgency.REVIEW))
    assert [taker.taken for taker in (there, slow, own)] == [1, 1, 1]
    queue.put(question("a", Urgency.MATCH))
    assert own.jobs[-1].urgency is Urgency.MATCH
    assert queue.elsewhere() == (1, 1, 1)


async def test_who_is_lost_over_a_question_is_followed_by_two_others_and_then_it_fails() -> None:
    queue = opened(taker := ManualTaker(1))
    queue.put(job := question("a"))
    queue.put(question("a", name="later"))
    for tried in range(1, TRIES + 1):
        assert taker.jobs.pop() is job and not job.answer.done(), tried
        queue.lost(job, "it has ended")
        queue.serve()
    with pytest.raises(EngineError, match="hint: it has ended"):
        await job.answer
    assert [each.kind for each in taker.jobs] == ["later"]


async def test_what_is_given_back_unbegun_counts_as_no_try() -> None:
    queue = opened(taker := ManualTaker(1))
    queue.put(job := question("a"))
    for _ in range(2 * TRIES):
        assert taker.jobs.pop() is job
        queue.give_back(job)
        queue.serve()
    assert job.tries == 0 and not job.answer.done()


async def test_the_wait_of_a_question_is_counted_once_however_often_it_is_taken() -> None:
    waits: list[tuple[str, float]] = []
    queue = FairQueue(clock=ManualClock(), waited=lambda *taken: waits.append(taken))
    queue.add(taker := ManualTaker(1))
    queue.put(question("a"))
    for again in (queue.give_back, lambda job: queue.lost(job, "it has ended")):
        again(taker.jobs.pop())
        queue.serve()
    assert len(taker.jobs) == 1 and waits == [("advice", 0.0)]


async def test_nobody_waits_where_nobody_answers() -> None:
    queue = opened(taker := ManualTaker(0, PEOPLE))
    with pytest.raises(EngineError, match="no process runs that could answer hint") as refused:
        queue.put(question("a", Urgency.REVIEW))
    assert refused.value.code == NOT_STARTED
    queue.put(job := question("a"))
    queue.remove(taker)
    with pytest.raises(EngineError, match="no process runs that could answer hint") as refused:
        await job.answer
    assert refused.value.code == NOT_STARTED
    assert len(queue) == 0


async def test_matches_that_wait_share_the_time_and_are_searched_less_deep() -> None:
    """Depth is given up before anybody is answered by heuristics."""
    queue = opened(taker := ManualTaker(2), ManualTaker(1, frozenset({Urgency.REVIEW})))
    for number in range(10):
        queue.put(question(str(number), Urgency.MATCH))
    assert taker.seconds == [2.0, 2.0], "nobody else waited then"
    for _ in range(8):
        taker.jobs.pop(0)
        queue.serve()
    assert taker.seconds[2:] == [2.0 / (1 + waiting / 2) for waiting in range(7, -1, -1)]
    taker.jobs.clear()
    for _ in range(4):
        queue.put(question("a", Urgency.ADVICE))
    assert taker.seconds[-2:] == [2.0, 2.0], "advice has its whole time from when it is taken"


async def test_a_decision_that_comes_too_late_is_a_guess_and_the_queue_forgets_it() -> None:
    clock = ManualClock()
    waits: list[tuple[str, float]] = []
    engines = Questions(
        0,
        limit=2.0,
        queue=FairQueue(clock=clock, waited=lambda *taken: waits.append(taken)),
        measure=lambda kind, seconds, outcome: measured.append((kind, seconds, outcome)),
        clock=clock,
    )
    measured: list[tuple[str, float, str]] = []
    engines.queue.add(taker := ManualTaker(1))
    asked = [asyncio.create_task(engines.decide(at("tavla.p3"), WHITE, "club", who="a")) for _ in range(2)]
    await eventually(lambda: taker.jobs)
    (job,) = taker.jobs
    clock.advance(1.0)
    taker.jobs.clear()
    job.settle({"type": "play", "play": "8/5 6/5"})
    engines.queue.serve()
    assert await asked[0] == (PlayAction("8/5 6/5"), False)
    assert waits == [("match", 0.0), ("match", 1.0)]
    assert taker.seconds == [2.0, 1.0], "what is left to the one that waited"
    clock.advance(2.4)
    assert not asked[1].done()
    clock.advance(0.2)
    made = await asked[1]
    assert made.guessed and isinstance(made.action, PlayAction)
    assert measured == [("decide", 1.0, "answered"), ("decide", pytest.approx(3.6), "failed")]
    assert taker.forgotten == taker.jobs
