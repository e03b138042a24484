"""Engine processes of the site: each answers one request at a time, and one that fails is replaced.

They are ordinary engines that speak the line protocol: docs/dev/engine-protocol.md, `ask`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import Any, Final, TypeAlias

from sheshbesh.server.engines.queue import (
    EngineBusyError,
    EngineError,
    EngineRequest,
    FairQueue,
    Job,
    Urgency,
)

__all__ = ["EngineBusyError", "EngineError", "Measure", "Processes", "Urgency"]

log = logging.getLogger(__name__)

_COMMAND = ("-m", "sheshbesh", "engine")

_NICE: Final = 10
"""Engines give way to the server, which moves every game."""
GRACE = 1.5
"""Seconds beyond its bound that an answer is waited for: the way there and back, and a table to read."""
QUEUE_SECONDS = {Urgency.MATCH: 0.0, Urgency.ADVICE: 8.0, Urgency.ANALYSIS: 45.0, Urgency.REVIEW: 120.0}
"""Seconds for which a question of each urgency waits for a process at most."""
_HUNG = 60.0
"""Seconds after which a process that has not answered is ended; making a bear-off database takes a few."""
_AGAIN = (0.5, 1.0, 2.0, 5.0, 10.0)
"""Seconds until a process is started again after two or more that never got ready; the last one goes on."""
_TRIES = 3
_ENDING = 2.0
"""Seconds for which the end of a killed process is awaited."""


Measure: TypeAlias = Callable[[str, float, str], None]
"""Called with each answer: the kind of question, the seconds it took, and `answered`, `busy` or `failed`."""


class Processes:
    """Some processes, to which questions are put.

    What a match waits for has its `seconds` from when it is asked; advice and analysis have them from when
    a process takes it.
    """

    def __init__(self, number: int) -> None:
        self._size = number
        self._queue = FairQueue()
        self._wake = asyncio.Event()
        self._idle = 0
        self._workers: list[_Worker] = []

    def start(self) -> None:
        """Start the processes; questions may be asked at once and wait for them."""
        self._workers = [_Worker(self) for _ in range(self._size)]

    async def close(self) -> None:
        """End the processes; questions that are still open fail."""
        await asyncio.gather(*(worker.close() for worker in self._workers), return_exceptions=True)
        self._workers = []
        while (job := self._queue.pop()) is not None:
            job.answer.cancel()

    @property
    def are_up(self) -> bool:
        """Whether a question would find a process: one that is ready, or that is expected to be soon."""
        return any(worker.is_up for worker in self._workers)

    def waiting(self) -> dict[str, int]:
        """How many questions wait, by their urgency."""
        found = Counter(job.request.urgency for job in self._queue)
        return {urgency.name.lower(): found[urgency] for urgency in Urgency}

    @property
    def ready(self) -> int:
        """How many processes are ready."""
        return sum(worker.is_ready for worker in self._workers)

    async def ask(self, request: EngineRequest, *, within: float | None = None) -> Any:
        """The answer of some process; EngineError if there is none in time, at once where none runs.

        It is waited for as long as its urgency allows, or `within` as many seconds. EngineBusyError where
        too many questions wait.
        """
        if not self.are_up:
            raise EngineError(f"no process runs that could answer {request.kind}")
        waits = request.seconds + QUEUE_SECONDS[request.urgency] if within is None else within
        future = asyncio.get_running_loop().create_future()
        job = Job(request, monotonic() + waits, future)
        self._queue.put(job)
        self._wake.set()
        if not self._idle:
            self._queue.announce_places()
        try:
            async with asyncio.timeout(waits + GRACE):
                return await job.answer
        except TimeoutError:
            raise EngineError(f"no answer to {request.kind} within {waits + GRACE:.1f} s") from None
        finally:
            if job.answer.cancelled() or job.answer.cancel():
                self._queue.discard(job)
                for worker in self._workers:
                    worker.forget(job)

    # For the workers

    async def next_job(self) -> Job:
        """The next question that has not been cancelled."""
        while (job := self._queue.pop()) is None:
            self._wake.clear()
            self._idle += 1
            try:
                await self._wake.wait()
            finally:
                self._idle -= 1
        self._queue.announce_places()
        return job

    def put_back(self, job: Job) -> None:
        """Let a question that was taken wait again."""
        self._queue.put(job, again=True)
        self._wake.set()

    def again(self, job: Job, why: str) -> None:
        """A process failed over this question: another may try, a bounded number of times."""
        job.tries += 1
        if job.answer.done():
            return
        if job.tries < _TRIES:
            self.put_back(job)
        else:
            job.answer.set_exception(EngineError(f"{job.request.kind}: {why}"))

    def fail_if_none_is_up(self) -> None:
        """No question waits where nobody will answer it."""
        while not self.are_up and (job := self._queue.pop()) is not None:
            job.answer.set_exception(EngineError(f"no process runs that could answer {job.request.kind}"))


class _Worker:
    """One process after the other, and the task that feeds them."""

    def __init__(self, pool: Processes) -> None:
        self._pool = pool
        self._process: asyncio.subprocess.Process | None = None
        self._job: Job | None = None
        self._ready = False
        self._failures = 0
        """Processes that were lost one after the other, none of which got ready."""
        self._task = asyncio.create_task(self._run())

    @property
    def is_ready(self) -> bool:
        """Whether its process can be asked."""
        return self._ready

    @property
    def is_up(self) -> bool:
        """Whether its process is ready, or one is being started after no more than one that was lost."""
        return self._ready or self._failures <= 1

    async def close(self) -> None:
        """End the process."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._end()

    def forget(self, job: Job) -> None:
        """Stop the search for this question if it is the running one: nobody waits for the answer."""
        if self._job is job and self._process is not None and self._process.stdin is not None:
            # Its process may be gone, which asyncio and uvloop report by different errors.
            with contextlib.suppress(OSError, RuntimeError):
                self._process.stdin.write(b"stop\n")

    async def _run(self) -> None:
        while True:
            try:
                self._process = await _spawn()
                why = await self._feed(self._process)
            except Exception as error:  # whatever it was, the next process may do better
                why = _message_of(error)
            log.error("an engine's process is replaced: %s", why)
            await self._end()
            self._failures += 1
            if self._failures > 1:
                self._pool.fail_if_none_is_up()
                await asyncio.sleep(_AGAIN[min(self._failures - 2, len(_AGAIN) - 1)])

    async def _feed(self, process: asyncio.subprocess.Process) -> str:
        """Put questions to a process until it fails; why it did."""
        ended = asyncio.create_task(process.wait())
        try:
            async with asyncio.timeout(_HUNG):
                await _ready(process)
            self._ready, self._failures = True, 0
            while True:
                job = await self._next_job(ended)
                if job is None:
                    return f"it has ended by itself ({process.returncode})"
                self._job = job
                try:
                    async with asyncio.timeout(_HUNG):
                        answer = await self._exchange(process, job)
                    _settle_job(job, answer)
                except Exception as error:
                    # A pipe to a dead process is an OSError to asyncio and a RuntimeError to uvloop.
                    why = _message_of(error)
                    self._pool.again(job, why)
                    return f"{job.request.kind}: {why}"
                finally:
                    self._job = None
        finally:
            ended.cancel()
            self._ready = False

    async def _next_job(self, ended: asyncio.Task[int]) -> Job | None:
        """The next question, None where the process ends before there is one."""
        coming = asyncio.create_task(self._pool.next_job())
        try:
            await asyncio.wait((coming, ended), return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not coming.done():
                coming.cancel()
        if not coming.done() or coming.cancelled():
            return None
        if not ended.done():
            return coming.result()
        self._pool.put_back(coming.result())
        return None

    async def _exchange(self, process: asyncio.subprocess.Process, job: Job) -> str:
        assert process.stdin is not None
        limit = max(min(job.request.seconds, job.deadline - monotonic()), 0.0)
        request = json.dumps({"limit": round(limit, 3), **job.request.ask}, separators=(",", ":"))
        process.stdin.write(f"ask {request}\n".encode())
        await process.stdin.drain()
        return await _read_line(process)

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_ENDING):
                await process.wait()


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


def _settle_job(job: Job, answer: str) -> None:
    """Give a question its answer; ValueError for a line that is none."""
    word, _, rest = answer.partition(" ")
    if word not in ("answer", "error"):
        raise ValueError(f"the answer was {answer[:80]!r}")
    if job.answer.done():
        return
    if word == "error":
        job.answer.set_exception(EngineError(f"{job.request.kind}: {rest}"))
    else:
        job.answer.set_result(json.loads(rest))


async def _spawn() -> asyncio.subprocess.Process:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *_COMMAND,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=1 << 20,
        # Ctrl-C is for the server, which then closes the other end of the pipe.
        start_new_session=True,
    )
    with contextlib.suppress(AttributeError, OSError):  # it has no nice value on Windows, or has ended
        os.setpriority(os.PRIO_PROCESS, process.pid, _NICE)
    return process
