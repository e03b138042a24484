"""The one writer of a database: it commits the writes of many callers in one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import CursorResult, Engine, Executable, Insert, Row
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine


class Rows(NamedTuple):
    """Rows for a statement that is compiled once, however many they are.

    Those of writes that come together, one behind the other, are done in one go.
    """

    statement: Insert
    rows: Sequence[Mapping[str, Any]]


Step: TypeAlias = Executable | Rows | Callable[[AsyncConnection], Awaitable[Any]]
"""A statement, rows for one, or a function that works within the transaction and may be called again after a
rollback, so that it must have no effect but on the database."""

_MOST_AT_ONCE = 200
"""Writes in one transaction: bounds how long the first of them waits for the last."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a statement did: how many rows it touched, and those it returned."""

    count: int
    rows: Sequence[Row[Any]]


@dataclass(slots=True)
class _Job:
    steps: tuple[Step, ...]
    done: asyncio.Future[list[Any]]


class Writer:
    """Takes writes until it is closed.

    `plain` is another engine to the same database for writes of statements alone, which are done in a
    thread, without a detour through the event loop for each statement.
    """

    def __init__(self, engine: AsyncEngine, plain: Engine | None) -> None:
        self._engine, self._plain = engine, plain
        self._thread = ThreadPoolExecutor(1, "database writer") if plain is not None else None
        self._jobs: asyncio.Queue[_Job] = asyncio.Queue()
        self._task = asyncio.create_task(self._write_for_ever(), name="database writer")

    async def close(self) -> None:
        """Commit what has been handed in, and take no more."""
        await self._jobs.join()
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        if self._thread is not None:
            self._thread.shutdown()

    async def write(self, steps: tuple[Step, ...]) -> list[Any]:
        """Do all steps or none; return after they are committed. See `Database.write`."""
        job = _Job(steps, asyncio.get_running_loop().create_future())
        self._jobs.put_nowait(job)
        return await asyncio.shield(job.done)

    async def _write_for_ever(self) -> None:
        while True:
            jobs = [await self._jobs.get()]
            while len(jobs) < _MOST_AT_ONCE and not self._jobs.empty():
                jobs.append(self._jobs.get_nowait())
            try:
                await self._commit(jobs)
            finally:
                for job in jobs:
                    if not job.done.done():
                        job.done.cancel()
                    self._jobs.task_done()

    async def _commit(self, jobs: Sequence[_Job]) -> None:
        """Commit jobs together; if one of them fails, each of them alone."""
        try:
            if self._thread is not None and all(_is_plain(step) for job in jobs for step in job.steps):
                loop = asyncio.get_running_loop()
                answers = await loop.run_in_executor(self._thread, self._commit_at_once, jobs)
            else:
                async with self._engine.begin() as connection:
                    answers = [await _perform(connection, job.steps) for job in jobs]
        except Exception as error:  # whatever it is, it belongs to the caller
            if len(jobs) > 1:
                for job in jobs:
                    await self._commit([job])
            else:
                _fail(jobs[0], error)
            return
        for job, answer in zip(jobs, answers, strict=True):
            if not job.done.done():
                job.done.set_result(answer)

    def _commit_at_once(self, jobs: Sequence[_Job]) -> list[list[Any]]:
        """Commit jobs in the writer's thread: one way there and back for however many statements."""
        assert self._plain is not None
        answers: list[list[Any]] = [[] for _ in jobs]
        steps = [(place, step) for place, job in enumerate(jobs) for step in job.steps]
        with self._plain.begin() as connection:
            for statement, group in groupby(steps, key=_group):
                if statement is None:
                    for place, step in group:
                        assert isinstance(step, Executable)
                        answers[place].append(_written(connection.execute(step)))
                else:
                    together = list(group)
                    rows = [row for _, step in together if isinstance(step, Rows) for row in step.rows]
                    connection.execute(statement, rows)
                    for place, _ in together:
                        answers[place].append(None)
        return answers


async def _perform(connection: AsyncConnection, steps: Sequence[Step]) -> list[Any]:
    answers: list[Any] = []
    for step in steps:
        if isinstance(step, Executable):
            answers.append(_written(await connection.execute(step)))
        elif isinstance(step, Rows):
            await connection.execute(step.statement, step.rows)
            answers.append(None)
        else:
            answers.append(await step(connection))
    return answers


def _written(result: CursorResult[Any]) -> Written:
    return Written(result.rowcount, result.all() if result.returns_rows else ())


def _is_plain(step: Step) -> bool:
    return isinstance(step, Executable | Rows)


def _group(placed: tuple[int, Step]) -> Insert | None:
    """What steps have in common that can be done in one go."""
    step = placed[1]
    return step.statement if isinstance(step, Rows) else None


def _fail(job: _Job, error: Exception) -> None:
    if not job.done.done():
        job.done.set_exception(error)
        job.done.exception()  # a caller that was cancelled will not fetch it
