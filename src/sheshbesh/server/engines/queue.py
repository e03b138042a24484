"""Questions that wait for a process of the engine: what a match waits for first, and each person in turn."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

from sheshbesh.errors import SheshbeshError


class EngineError(SheshbeshError):
    """No process could answer a question; the text says why."""


class EngineBusyError(EngineError):
    """The queue holds as many questions, of this person or of all, as it may."""


class NobodyThereError(EngineError):
    """There is no worker on another host; engine processes of one's own may know the answer."""


class Urgency(IntEnum):
    """Which questions are answered first."""

    MATCH = 0
    """A match waits for it."""
    ADVICE = 1
    """A player waits for it, and can play on meanwhile."""
    ANALYSIS = 2
    """Somebody looks at a position by themselves."""
    REVIEW = 3
    """A portion of a review: it may wait for everything else."""


class _Bounds(NamedTuple):
    of_one: int
    of_all: int


BOUNDS = {
    Urgency.MATCH: _Bounds(64, 2_048),
    Urgency.ADVICE: _Bounds(8, 256),
    Urgency.ANALYSIS: _Bounds(4, 128),
    Urgency.REVIEW: _Bounds(8, 512),
}
"""Questions that wait at most, of one person and of all together."""


@dataclass(eq=False, slots=True)
class Job:
    """A question under way, asked for `who`. `tell` hears its place in the queue: 1 is the next one.

    `seconds` is the time that a process has for it, from when it takes it; less where `deadline`, a time of
    the monotonic clock, comes first.
    """

    ask: Mapping[str, Any]
    who: str
    urgency: Urgency
    seconds: float
    deadline: float
    answer: asyncio.Future[Any]
    tell: Callable[[int], None] | None = None
    tries: int = 0
    told: int = 0


class FairQueue:
    """Of the same urgency everybody's next question comes before anybody's one after that."""

    def __init__(self) -> None:
        self._waiting: dict[Urgency, OrderedDict[str, deque[Job]]] = {each: OrderedDict() for each in Urgency}

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[Job]:
        for people in self._waiting.values():
            for jobs in people.values():
                yield from jobs

    def put(self, job: Job, *, again: bool = False) -> None:
        """Let a question wait; one that is asked `again` goes before the others of its person.

        EngineBusyError where the queue is full.
        """
        people = self._waiting[job.urgency]
        if again:
            people.setdefault(job.who, deque()).appendleft(job)
            people.move_to_end(job.who, last=False)
            return
        bounds = BOUNDS[job.urgency]
        if len(people.get(job.who, ())) >= bounds.of_one:
            raise EngineBusyError(f"{bounds.of_one} questions of the same person wait already")
        if sum(map(len, people.values())) >= bounds.of_all:
            raise EngineBusyError(f"{bounds.of_all} questions wait already")
        people.setdefault(job.who, deque()).append(job)

    def pop(self) -> Job | None:
        """The question to be answered next, None where there is none."""
        for people in self._waiting.values():
            while people:
                who, jobs = next(iter(people.items()))
                job = jobs.popleft()
                if jobs:
                    people.move_to_end(who)
                else:
                    del people[who]
                if not job.answer.done():
                    return job
        return None

    def discard(self, job: Job) -> None:
        """Nobody waits for this answer any more."""
        people = self._waiting[job.urgency]
        jobs = people.get(job.who, ())
        if job in jobs:
            assert isinstance(jobs, deque)
            jobs.remove(job)
            if not jobs:
                del people[job.who]

    def place(self, job: Job) -> int:
        """How many questions will have been taken when this one is, itself included."""
        people = self._waiting[job.urgency]
        more_urgent = sum(
            len(jobs)
            for urgency, others in self._waiting.items()
            for jobs in others.values()
            if urgency < job.urgency
        )
        own, is_later, ahead = people[job.who].index(job), False, 0
        for who, jobs in people.items():
            if who == job.who:
                is_later = True
            else:
                ahead += min(len(jobs), own if is_later else own + 1)
        return more_urgent + ahead + own + 1

    def tell(self) -> None:
        """Tell everybody whose place has changed."""
        for job in list(self):
            if job.tell is not None and (place := self.place(job)) != job.told:
                job.told = place
                job.tell(place)
