"""Questions that wait for a process of the engine: what a match waits for first, and each person in turn."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple, Protocol

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
    """A person analyses a position by themselves."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineRequest:
    """A question to an engine process, here or on another host.

    `ask` is the question as JSON (docs/dev/engine-protocol.md), `seconds` the time that a process has for it
    once it has taken it, `who` the id of the person it is asked for, "" for nobody: people take turns.
    `on_place` is called with the place of a waiting question, whenever it changes; 1 is the next one.
    """

    ask: Mapping[str, Any]
    urgency: Urgency
    seconds: float
    who: str = ""
    on_place: Callable[[int], None] | None = None

    @property
    def kind(self) -> str:
        """What is asked: "hint", "verdict" and so on."""
        return str(self.ask["ask"])


class EngineProcesses(Protocol):
    """Engine processes, of this host or of others."""

    @property
    def are_up(self) -> bool:
        """Whether a question would find a process."""

    async def ask(self, request: EngineRequest) -> Any:
        """The answer of one of them; EngineError where there is none in time, EngineBusyError where too many
        questions wait, NobodyThereError where there is no process on another host any more."""


@dataclass(eq=False, slots=True)
class Job:
    """A question in the queue of this process; `deadline` is a time of the monotonic clock, in seconds."""

    request: EngineRequest
    deadline: float
    answer: asyncio.Future[Any]
    tries: int = 0
    announced: int = 0


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
        request = job.request
        people = self._waiting[request.urgency]
        if again:
            people.setdefault(request.who, deque()).appendleft(job)
            people.move_to_end(request.who, last=False)
            return
        bounds = BOUNDS[request.urgency]
        if len(people.get(request.who, ())) >= bounds.of_one:
            raise EngineBusyError(f"{bounds.of_one} questions of the same person wait already")
        if sum(map(len, people.values())) >= bounds.of_all:
            raise EngineBusyError(f"{bounds.of_all} questions wait already")
        people.setdefault(request.who, deque()).append(job)

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
        people, who = self._waiting[job.request.urgency], job.request.who
        jobs = people.get(who, ())
        if job in jobs:
            assert isinstance(jobs, deque)
            jobs.remove(job)
            if not jobs:
                del people[who]

    def place(self, job: Job) -> int:
        """How many questions will have been taken when this one is, itself included."""
        people, asker = self._waiting[job.request.urgency], job.request.who
        more_urgent = sum(
            len(jobs)
            for urgency, others in self._waiting.items()
            for jobs in others.values()
            if urgency < job.request.urgency
        )
        own, is_later, ahead = people[asker].index(job), False, 0
        for who, jobs in people.items():
            if who == asker:
                is_later = True
            else:
                ahead += min(len(jobs), own if is_later else own + 1)
        return more_urgent + ahead + own + 1

    def announce_places(self) -> None:
        """Report the place of each question whose place has changed."""
        for job in list(self):
            on_place = job.request.on_place
            if on_place is not None and (place := self.place(job)) != job.announced:
                job.announced = place
                on_place(place)
