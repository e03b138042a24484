"""The processes that think for the site: a queue of questions, and workers that take the most urgent."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import json
import logging
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from time import monotonic
from typing import Any, Final

from sheshbesh.errors import SheshbeshError

log = logging.getLogger(__name__)

_NICE: Final = "10"
_GRACE = 1.5
"""Seconds beyond its bound that an answer is waited for: the way there and back, and a table to read."""
_HUNG = 60.0
"""Seconds after which a process that has not answered is ended; making a bear-off table takes a few."""
_AGAIN = 1.0
"""Seconds until a process that could not be started is tried again."""
_TRIES = 2


class EngineError(SheshbeshError):
    """No process could answer a question; the text says why."""


class Urgency(IntEnum):
    """Which questions are answered first."""

    MATCH = 0
    """A match waits for it."""
    ADVICE = 1
    """A player waits for it, and can play on meanwhile."""


@dataclass(eq=False, slots=True)
class _Job:
    """A question under way."""

    ask: dict[str, Any]
    deadline: float
    answer: asyncio.Future[Any]
    tries: int = 0


@dataclass(order=True, slots=True)
class _Queued:
    """A job's place in the queue."""

    urgency: int
    number: int
    job: _Job = field(compare=False)


class Processes:
    """Some processes, to which questions are put; each has `limit` seconds from when it is asked."""

    def __init__(self, number: int, *, limit: float) -> None:
        self._size = number
        self._limit = limit
        self._queue: list[_Queued] = []
        self._numbers = itertools.count(1)
        self._wake = asyncio.Condition()
        self._workers: list[_Worker] = []

    def start(self) -> None:
        """Start the processes; questions may be asked at once and wait for them."""
        self._workers = [_Worker(self) for _ in range(self._size)]

    async def close(self) -> None:
        """End the processes; questions that are still open fail."""
        await asyncio.gather(*(worker.close() for worker in self._workers))
        self._workers = []
        for queued in self._queue:
            queued.job.answer.cancel()
        self._queue.clear()

    async def ask(self, ask: dict[str, Any], urgency: Urgency) -> Any:
        """The answer of some process; EngineError if there is none in time."""
        job = _Job(ask, monotonic() + self._limit, asyncio.get_running_loop().create_future())
        await self._put(job, urgency)
        try:
            async with asyncio.timeout(self._limit + _GRACE):
                return await job.answer
        except TimeoutError:
            raise EngineError(f"no answer to {ask['ask']} within {self._limit + _GRACE:.1f} s") from None
        finally:
            if job.answer.cancelled() or job.answer.cancel():
                for worker in self._workers:
                    worker.forget(job)

    # For the workers

    async def _put(self, job: _Job, urgency: Urgency) -> None:
        async with self._wake:
            heapq.heappush(self._queue, _Queued(urgency, next(self._numbers), job))
            self._wake.notify()

    async def next_job(self) -> _Job:
        """The most urgent question that somebody still wants answered."""
        async with self._wake:
            while True:
                while self._queue:
                    job = heapq.heappop(self._queue).job
                    if not job.answer.done():
                        return job
                await self._wake.wait()

    async def again(self, job: _Job, why: str) -> None:
        """A process died over this question: another may try, once."""
        job.tries += 1
        if job.answer.done():
            return
        if job.tries < _TRIES:
            await self._put(job, Urgency.MATCH)
        else:
            job.answer.set_exception(EngineError(f"{job.ask['ask']}: {why}"))


class _Worker:
    """One process and the task that feeds it."""

    def __init__(self, pool: Processes) -> None:
        self._pool = pool
        self._process: asyncio.subprocess.Process | None = None
        self._job: _Job | None = None
        self._number = 0
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """End the process."""
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        await self._end()

    def forget(self, job: _Job) -> None:
        """Nobody waits any more for the answer that is being thought about."""
        if self._job is job and self._process is not None and self._process.stdin is not None:
            self._process.stdin.write(_line({"stop": self._number}))

    async def _run(self) -> None:
        while True:
            process = self._process or await self._begin()
            if process is None:
                continue
            job = await self._pool.next_job()
            self._job = job
            try:
                async with asyncio.timeout(_HUNG):
                    answer = await self._exchange(process, job)
            except (OSError, TimeoutError, ValueError, EOFError) as error:
                log.error("an engine's process is replaced: %s: %s", job.ask["ask"], error)
                await self._end()
                await self._pool.again(job, str(error) or type(error).__name__)
            else:
                _settle_job(job, answer)
            finally:
                self._job = None

    async def _begin(self) -> asyncio.subprocess.Process | None:
        """Start the process; None where the system would not, and it is to be tried again."""
        try:
            self._process = await _spawn()
        except OSError as error:
            log.error("an engine's process cannot be started: %s", error)
            await asyncio.sleep(_AGAIN)
        return self._process

    async def _exchange(self, process: asyncio.subprocess.Process, job: _Job) -> Mapping[str, Any]:
        assert process.stdin is not None and process.stdout is not None
        self._number += 1
        limit = max(job.deadline - monotonic(), 0.0)
        process.stdin.write(_line({"id": self._number, "limit": round(limit, 3), **job.ask}))
        await process.stdin.drain()
        line = await process.stdout.readline()
        if not line:
            raise EOFError("the process has ended")
        answer: Mapping[str, Any] = json.loads(line)
        return answer

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _settle_job(job: _Job, answer: Mapping[str, Any]) -> None:
    if job.answer.done():
        return
    if "failed" in answer:
        job.answer.set_exception(EngineError(f"{job.ask['ask']}: {answer['failed']}"))
    else:
        job.answer.set_result(answer["is"])


def _line(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


async def _spawn() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "sheshbesh.server.engines.worker",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=1 << 20,
        env={**os.environ, "SHESHBESH_WORKER_NICE": _NICE},
    )
