"""The queue of engine work of a server process: who is answered next, and by whom.

Everybody who answers pulls from it by the same rules: the engine processes of this host, and workers on
other hosts, which come first where they are free.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final, NamedTuple

from sheshbesh.errors import SheshbeshError
from sheshbesh.server.ids import CLOCK, Clock

TRIES: Final = 3
"""Processes that may be lost over one question; it may be what ends them."""
NOT_STARTED: Final = "not_started"
"""The code of what was not asked, since no process could be started: it may be answered later."""


class EngineError(SheshbeshError):
    """A question has no answer; the text says why.

    `code` is that of an engine's error line, `NOT_STARTED` where there was no engine that could be asked, ""
    where the engine did not answer.
    """

    def __init__(self, text: str, code: str = "") -> None:
        super().__init__(text)
        self.code = code


class EngineBusyError(EngineError):
    """The queue holds as many questions, of this person or of all, as it may."""


class Urgency(IntEnum):
    """The order in which questions are answered."""

    MATCH = 0
    """A match waits for it."""
    ADVICE = 1
    """A player waits for it, and can play on meanwhile."""
    ANALYSIS = 2
    """A person analyses a position by themselves."""
    PICTURE = 3
    """A part of a picture or an animation, made in the background."""
    REVIEW = 4
    """A portion of a review: it may wait for everything else."""
    FILE = 5
    """A file of unknown content is read, in a process of its own that is bounded."""


PEOPLE: Final = frozenset({Urgency.MATCH, Urgency.ADVICE, Urgency.ANALYSIS})
"""The questions that people wait for: the last process that is free takes nothing else."""
BACKGROUND: Final = frozenset({Urgency.PICTURE, Urgency.REVIEW})
"""The questions that have a process of their own on each site."""


class Bounds(NamedTuple):
    """Questions that wait at most, of one person and of all together."""

    of_one: int
    of_all: int


BOUNDS: Final = {
    Urgency.MATCH: Bounds(64, 2_048),
    Urgency.ADVICE: Bounds(8, 256),
    Urgency.ANALYSIS: Bounds(4, 128),
    Urgency.PICTURE: Bounds(32, 32),
    Urgency.REVIEW: Bounds(8, 512),
    Urgency.FILE: Bounds(4, 64),
}


@dataclass(eq=False, slots=True, kw_only=True)
class Job:
    """A question and where its answer goes.

    `ask` is the question as JSON (docs/dev/engine-protocol.md), `seconds` the time that a search has for it.
    `deadline` and `asked` are seconds of the monotonic clock: after the first nobody waits any more. `who` is
    the id of the person it is asked for, "" for nobody: people take turns. `on_place` is called with the
    place of a waiting question, whenever it changes; 1 is the next one. `taker` has it while it is taken;
    one that `was_taken` has waited for its turn already, and may wait again.
    """

    ask: Mapping[str, Any]
    urgency: Urgency
    seconds: float
    answer: asyncio.Future[Any]
    deadline: float
    asked: float = 0.0
    who: str = ""
    on_place: Callable[[int], None] | None = None
    tries: int = 0
    announced: int = 0
    taker: Taker | None = None
    was_taken: bool = False

    @property
    def kind(self) -> str:
        """The kind of the question: "hint", "verdict" and so on."""
        return str(self.ask["ask"])

    def settle(self, answer: object) -> None:
        """Give the answer to who still waits for it."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, text: str, code: str = "") -> None:
        """Say that there is no answer, and why, to who still waits for it."""
        if not self.answer.done():
            self.answer.set_exception(EngineError(text if code else f"{self.kind}: {text}", code))


class Taker(ABC):
    """Answers `slots` questions at a time: processes of this host, or the line to a worker on another one."""

    is_elsewhere: bool
    """True if it is on another host."""
    slots: int

    @property
    @abstractmethod
    def serves(self) -> frozenset[Urgency]:
        """The kinds of questions that it answers, now or as soon as it is free."""

    @property
    @abstractmethod
    def takes(self) -> frozenset[Urgency]:
        """The kinds of questions that it would take now."""

    @property
    @abstractmethod
    def free(self) -> int:
        """The number of questions that it would take now."""

    @property
    @abstractmethod
    def taken(self) -> int:
        """The number of questions that it has."""

    @abstractmethod
    def give(self, job: Job, seconds: float) -> None:
        """Take a question, whose search has these `seconds`."""

    @abstractmethod
    def forget(self, job: Job) -> None:
        """Stop work on a question that was given: nobody waits for the answer."""


class Standing(NamedTuple):
    """The state of a queue: workers on other hosts, their processes, and what they answer just now."""

    workers: int
    processes: int
    taken: int


class FairQueue:
    """Of the same urgency everybody's next question comes before anybody's one after that.

    `waited` is called when a question is taken, with its urgency and the seconds it waited.
    """

    def __init__(
        self,
        *,
        bounds: Mapping[Urgency, Bounds] = BOUNDS,
        waited: Callable[[str, float], None] = lambda _urgency, _seconds: None,
        clock: Clock = CLOCK,
    ) -> None:
        self._bounds, self._waited, self._clock = bounds, waited, clock
        self._waiting: dict[Urgency, OrderedDict[str, deque[Job]]] = {each: OrderedDict() for each in Urgency}
        self._takers: list[Taker] = []

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[Job]:
        for people in self._waiting.values():
            for jobs in people.values():
                yield from jobs

    # Who answers

    def add(self, taker: Taker) -> None:
        """Let somebody answer from now on."""
        self._takers.append(taker)
        self.serve()

    def remove(self, taker: Taker) -> None:
        """Let somebody answer no more; what only they could answer fails."""
        self._takers.remove(taker)
        self.serve()

    def serves(self, urgency: Urgency) -> bool:
        """Tell whether somebody answers questions of this urgency, now or soon."""
        return any(urgency in taker.serves for taker in self._takers)

    def serve(self) -> None:
        """Give questions to all who are free: called whenever somebody is, or is no longer there.

        The places of those that still wait are announced; those that nobody answers any more fail.
        """
        while any(self._give_to(taker) for taker in sorted(self._takers, key=_preference)):
            pass
        for urgency, people in self._waiting.items():
            if people and not self.serves(urgency):
                for job in [job for jobs in people.values() for job in jobs]:
                    self.withdraw(job)
                    job.fail(f"no process runs that could answer {job.kind}", NOT_STARTED)
        self._announce_places()

    def _give_to(self, taker: Taker) -> bool:
        job = self.pop(taker.takes)
        if job is None:
            return False
        if not job.was_taken:
            job.was_taken = True
            self._waited(job.urgency.name.lower(), self._clock.monotonic() - job.asked)
        job.taker = taker
        taker.give(job, self._seconds(job))
        return True

    def _seconds(self, job: Job) -> float:
        """Seconds for the search of a question.

        What a match waits for shares the time that is left with the others that wait: many are answered by
        shallow searches, and by the net alone, before one is answered by heuristics.
        """
        left = max(min(job.seconds, job.deadline - self._clock.monotonic()), 0.0)
        if job.urgency is not Urgency.MATCH:
            return left
        behind = sum(map(len, self._waiting[Urgency.MATCH].values()))
        slots = sum(taker.slots for taker in self._takers if Urgency.MATCH in taker.serves)
        return left / (1 + behind / max(slots, 1))

    # Questions

    def put(self, job: Job) -> None:
        """Let a question wait for its turn.

        EngineError where nobody answers such questions, EngineBusyError where as many wait as may.
        """
        if not self.serves(job.urgency):
            raise EngineError(f"no process runs that could answer {job.kind}", NOT_STARTED)
        people, bounds = self._waiting[job.urgency], self._bounds[job.urgency]
        if len(people.get(job.who, ())) >= bounds.of_one:
            raise EngineBusyError(f"{bounds.of_one} questions of the same person wait already")
        if sum(map(len, people.values())) >= bounds.of_all:
            raise EngineBusyError(f"{bounds.of_all} questions wait already")
        job.asked = self._clock.monotonic()
        people.setdefault(job.who, deque()).append(job)
        self.serve()

    def give_back(self, job: Job) -> None:
        """Let a question that was taken, and not begun, wait again: before all others."""
        job.taker = None
        if job.answer.done():
            return
        people = self._waiting[job.urgency]
        people.setdefault(job.who, deque()).appendleft(job)
        people.move_to_end(job.who, last=False)

    def lost(self, job: Job, why: str, code: str = "") -> None:
        """The taker of a question was lost over it: another may try, a bounded number of times.

        After the last one it fails with this `code`.
        """
        job.tries += 1
        if job.tries < TRIES:
            self.give_back(job)
        else:
            job.taker = None
            job.fail(why, code)

    def withdraw(self, job: Job) -> None:
        """Nobody waits for this answer any more."""
        people = self._waiting[job.urgency]
        jobs = people.get(job.who)
        if jobs is not None and job in jobs:
            jobs.remove(job)
            if not jobs:
                del people[job.who]
        elif job.taker is not None:
            job.taker.forget(job)

    def close(self) -> None:
        """Let all that still waits fail."""
        for job in list(self):
            self.withdraw(job)
            job.fail("the site is being ended")

    def pop(self, urgencies: frozenset[Urgency]) -> Job | None:
        """Remove and return the question of these urgencies that is next, None where there is none."""
        for urgency, people in self._waiting.items():
            while people and urgency in urgencies:
                who, jobs = next(iter(people.items()))
                job = jobs.popleft()
                if jobs:
                    people.move_to_end(who)
                else:
                    del people[who]
                if not job.answer.done():
                    return job
        return None

    # How it stands

    def waiting(self) -> dict[str, int]:
        """Count the questions that wait, by their urgency."""
        return {
            urgency.name.lower(): sum(map(len, people.values())) for urgency, people in self._waiting.items()
        }

    def elsewhere(self) -> Standing:
        """Count what there is on other hosts."""
        there = [taker for taker in self._takers if taker.is_elsewhere]
        return Standing(len(there), sum(each.slots for each in there), sum(each.taken for each in there))

    @property
    def oldest(self) -> float:
        """Seconds for which the oldest question has waited that people wait for."""
        asked = [job.asked for job in self if job.urgency in PEOPLE]
        return self._clock.monotonic() - min(asked) if asked else 0.0

    def place(self, job: Job) -> int:
        """Count the questions that will have been taken when this one is, itself included."""
        people, asker = self._waiting[job.urgency], job.who
        more_urgent = sum(
            len(jobs)
            for urgency, others in self._waiting.items()
            for jobs in others.values()
            if urgency < job.urgency
        )
        own, is_later, ahead = people[asker].index(job), False, 0
        for who, jobs in people.items():
            if who == asker:
                is_later = True
            else:
                ahead += min(len(jobs), own if is_later else own + 1)
        return more_urgent + ahead + own + 1

    def _announce_places(self) -> None:
        for job in list(self):
            if job.on_place is not None and (place := self.place(job)) != job.announced:
                job.announced = place
                job.on_place(place)


def _preference(taker: Taker) -> tuple[bool, int, int]:
    """Those on other hosts come first, then those that answer little else, then those with most to spare."""
    return not taker.is_elsewhere, len(taker.serves), -taker.free
