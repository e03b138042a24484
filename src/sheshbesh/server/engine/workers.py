"""Engine processes of this host: each answers one question at a time, and one that fails is replaced.

They are ordinary engines that speak the line protocol: docs/dev/engine-protocol.md, `ask`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sheshbesh.server.engine.queue import BACKGROUND, NOT_STARTED, PEOPLE, FairQueue, Job, Taker, Urgency
from sheshbesh.server.ids import CLOCK, Clock

log = logging.getLogger(__name__)

COMMAND: Sequence[str] = ("-m", "sheshbesh", "engine")
"""The arguments of Python that start an engine."""
LONGEST: Final = 8 * 1024 * 1024
"""Bytes of a question or an answer."""
FILE_SECONDS: Final = 10
"""Processor time that reading a file may take."""
FILE_BYTES: Final = 1 << 30
"""Memory that reading a file may take."""

_AGAIN: Final = (0.5, 1.0, 2.0, 5.0, 10.0)
"""Seconds until a process is started again after two or more that never got ready; the last one goes on."""
_START: Final = 60.0
"""Seconds in which a process gets ready."""
_CLOSED: Final = "the processes that answer are being ended"
_ENDING: Final = 2.0
"""Seconds for which the end of a killed process is awaited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """The purpose of a group of processes.

    The last one that is free keeps itself for `PEOPLE` where it `keeps_last`. A `lazy` process is started by
    its first question; one that answers `once` ends with it, and what it was lost over fails. `hung` seconds
    after a question's own time the process is ended.
    """

    answers: frozenset[Urgency]
    nice: int
    keeps_last: bool = False
    lazy: bool = False
    once: bool = False
    options: tuple[str, ...] = ()
    hung: float = 60.0


FOREGROUND: Final = Kind(answers=PEOPLE | BACKGROUND, nice=10, keeps_last=True)
"""The engines of a site: they give way to the server, which moves every game."""
SINGLE: Final = Kind(answers=PEOPLE | BACKGROUND, nice=10)
"""The only engine of a host that has nothing else."""
IN_BACKGROUND: Final = Kind(answers=BACKGROUND, nice=19, lazy=True, hung=600.0)
"""The questions that nobody waits for at a board. On a busy machine a process of this priority is given
little time."""
READERS: Final = Kind(
    answers=frozenset({Urgency.FILE}),
    nice=19,
    lazy=True,
    once=True,
    options=("--memory", str(FILE_BYTES >> 20), "--cpu-seconds", str(FILE_SECONDS)),
    hung=0.0,
)
"""Readers of files, each of which may be made to take all of a machine: their own bounds are the system's."""


class Workers(Taker):
    """A group of processes that answer questions of a queue; `command` starts one, `COMMAND` without it."""

    is_elsewhere = False

    def __init__(
        self,
        queue: FairQueue,
        size: int,
        kind: Kind,
        *,
        command: Sequence[str] = (),
        clock: Clock = CLOCK,
    ) -> None:
        self.queue, self.slots, self.kind, self.clock = queue, size, kind, clock
        self.command = (*(command or COMMAND), *kind.options)
        self._slots: list[_Slot] = []

    def start(self) -> None:
        """Start the processes; questions may be asked at once and wait for them."""
        self._slots = [_Slot(self) for _ in range(self.slots)]
        self.queue.add(self)

    async def close(self) -> None:
        """End the processes; what they were asked fails."""
        slots, self._slots = self._slots, []
        await asyncio.gather(*(slot.close() for slot in slots), return_exceptions=True)
        if slots:
            self.queue.remove(self)

    @property
    def serves(self) -> frozenset[Urgency]:
        """The kinds of questions answered while a process is ready, or expected to be soon."""
        return self.kind.answers if any(slot.is_up for slot in self._slots) else frozenset()

    @property
    def takes(self) -> frozenset[Urgency]:
        """The kinds of questions answered now: the last process that is free takes only what people wait
        for."""
        free = self.free
        if not free:
            return frozenset()
        return self.kind.answers & PEOPLE if free == 1 and self.kind.keeps_last else self.kind.answers

    @property
    def free(self) -> int:
        """The number of processes that have nothing to do."""
        return sum(slot.is_free for slot in self._slots)

    @property
    def taken(self) -> int:
        """The number of processes that have a question."""
        return sum(slot.has_job for slot in self._slots)

    @property
    def ready(self) -> int:
        """The number of processes that are ready."""
        return sum(slot.is_ready for slot in self._slots)

    def give(self, job: Job, seconds: float) -> None:
        """Put a question to a process that is free."""
        next(slot for slot in self._slots if slot.is_free).put(job, seconds)

    def forget(self, job: Job) -> None:
        """Stop the search for this question."""
        for slot in self._slots:
            slot.forget(job)


class _Slot:
    """One process after the other, and the task that feeds them."""

    def __init__(self, group: Workers) -> None:
        self._group, self._kind = group, group.kind
        self._process: asyncio.subprocess.Process | None = None
        self._job: Job | None = None
        self._seconds = 0.0
        self._is_asked = False
        """True if its process was asked the question that it has."""
        self._given = asyncio.Event()
        self.is_ready = False
        """True if its process can be asked."""
        self._failures = 0
        """Processes that were lost one after the other, none of which got ready."""
        self._pauses = False
        self._task = asyncio.create_task(self._run())

    @property
    def is_up(self) -> bool:
        """True if its process is ready, or one is being started after no more than one that was lost."""
        return self.is_ready or self._failures <= 1 or (self._kind.lazy and not self._pauses)

    @property
    def has_job(self) -> bool:
        """True if it has a question."""
        return self._job is not None

    @property
    def is_free(self) -> bool:
        """True if a question can be put to it."""
        return self._job is None and (self.is_ready or (self._kind.lazy and self.is_up))

    async def close(self) -> None:
        """End the process."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._end()
        if self._job is not None:
            self._job.fail(_CLOSED)

    def put(self, job: Job, seconds: float) -> None:
        """Ask its process, or the one that is started for that."""
        self._job, self._seconds, self._is_asked = job, seconds, False
        self._given.set()

    def forget(self, job: Job) -> None:
        """Stop the search for this question if it is the running one: nobody waits for the answer."""
        if self._job is job and self._process is not None and self._process.stdin is not None:
            # Its process may be gone, which asyncio and uvloop report by different errors.
            with contextlib.suppress(OSError, RuntimeError):
                self._process.stdin.write(b"stop\n")

    async def _run(self) -> None:
        queue = self._group.queue
        while True:
            if self._kind.lazy:
                await self._given.wait()
            why: str | None = None
            try:
                why = await self._feed(await self._started())
            except Exception as error:  # whatever it was, the next process may do better
                why = _message_of(error)
            job = self._job  # another one may come while the process ends
            await self._end()
            if why is not None and not self._kind.once:
                log.error("an engine's process is replaced: %s", why)
            self._failures += why is not None
            self._pauses = self._failures > 1
            self._lose(job, why or "")
            queue.serve()
            if self._pauses:
                await self._group.clock.sleep(_AGAIN[min(self._failures - 2, len(_AGAIN) - 1)])
                self._pauses = False
                queue.serve()

    def _lose(self, job: Job | None, why: str) -> None:
        """Let another process try what this one was lost over, if there was something."""
        if job is None:
            return
        self._job = None
        self._given.clear()
        code = "" if self._is_asked else NOT_STARTED
        if self._kind.once:
            job.fail(why, code)  # unless it has its answer
        else:
            self._group.queue.lost(job, why, code)

    async def _feed(self, process: asyncio.subprocess.Process) -> str | None:
        """Put questions to a process until it fails; why it did, None where it was for one question."""
        ended = asyncio.create_task(process.wait())
        try:
            async with self._group.clock.timeout(_START):
                await _ready(process)
            self.is_ready, self._failures = True, 0
            self._group.queue.serve()
            while await self._is_given(ended):
                assert self._job is not None
                try:
                    if not self._job.answer.done():  # else nobody waits any more
                        self._is_asked = True
                        _settle(self._job, await self._exchange(process, self._job))
                except Exception as error:
                    # A pipe to a dead process is an OSError to asyncio and a RuntimeError to uvloop.
                    return f"{self._job.kind}: {_message_of(error)}"
                if self._kind.once:
                    return None
                self._job = None
                self._given.clear()
                self._group.queue.serve()
            return f"it has ended by itself ({process.returncode})"
        finally:
            ended.cancel()
            self.is_ready = False

    async def _is_given(self, ended: asyncio.Task[int]) -> bool:
        """Wait for a question; False where the process ends before there is one."""
        if not self._given.is_set():
            given = asyncio.create_task(self._given.wait())
            try:
                await asyncio.wait((given, ended), return_when=asyncio.FIRST_COMPLETED)
            finally:
                given.cancel()
        return self._given.is_set() and not ended.done()

    async def _exchange(self, process: asyncio.subprocess.Process, job: Job) -> str:
        assert process.stdin is not None
        request = json.dumps({"limit": round(self._seconds, 3), **job.ask}, separators=(",", ":"))
        async with self._group.clock.timeout(self._seconds + self._kind.hung):
            process.stdin.write(f"ask {request}\n".encode())
            await process.stdin.drain()
            return await _read_line(process)

    async def _started(self) -> asyncio.subprocess.Process:
        """Start a process; one that was just being started when the group is closed is ended, too."""
        starting = asyncio.create_task(self._spawn())
        try:
            self._process = await asyncio.shield(starting)
        except asyncio.CancelledError:
            self._process = await starting
            raise
        return self._process

    async def _spawn(self) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *self._group.command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=2 * LONGEST,
            # Ctrl-C is for the server, which then closes the other end of the pipe.
            start_new_session=True,
        )
        with contextlib.suppress(AttributeError, OSError):  # no nice value on Windows, or it has ended
            os.setpriority(os.PRIO_PROCESS, process.pid, self._kind.nice)
        return process

    async def _end(self) -> None:
        process = self._process
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        with contextlib.suppress(TimeoutError):
            async with self._group.clock.timeout(_ENDING):
                await process.wait()
                assert process.stdout is not None
                await process.stdout.read()  # until its pipes are closed, too
        self._process = None


async def _read_line(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    line = await process.stdout.readline()
    if not line:
        raise EOFError("the process has ended")
    return line.decode().rstrip("\n")


async def _ready(process: asyncio.subprocess.Process) -> None:
    """Wait until a process can be asked."""
    assert process.stdin is not None
    process.stdin.write(b"isready\n")
    if (line := await _read_line(process)) != "readyok":
        raise ValueError(f"isready was answered by {line[:80]!r}")


def _message_of(error: Exception) -> str:
    return str(error) or type(error).__name__


def _settle(job: Job, answer: str) -> None:
    """Give a question its answer; ValueError for a line that is none."""
    word, _, rest = answer.partition(" ")
    if word == "answer":
        job.settle(json.loads(rest))
    elif word == "error":
        code, _, text = rest.partition(" ")
        job.fail(text.removeprefix("ask: "), code)
    else:
        raise ValueError(f"the answer was {answer[:80]!r}")
