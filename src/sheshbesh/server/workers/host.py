"""A worker on a host of its own: takes questions from the queue and puts them to its engine processes.

It has the address of the database and nothing else of the site: no secret, no account, no match but those
that are asked about. `docs/guide/running.md` says what its role in the database may do.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack, suppress
from typing import Any

from sqlalchemy import Row

from sheshbesh.server.engines.processes import Processes
from sheshbesh.server.engines.queue import EngineError, EngineRequest, Urgency
from sheshbesh.server.ids import new_id
from sheshbesh.server.news.bus import GAP, make_bus
from sheshbesh.server.storage import Database
from sheshbesh.server.workers.jobs import ANSWERED, ASKED, BEAT, Jobs

log = logging.getLogger(__name__)

_POLL = 1.0
"""Seconds between two polls of the queue; notifications arrive at once, and may be lost."""


class EngineHost:
    """Engine processes of this host, at work for the site whose database is at `url`."""

    def __init__(self, url: str, processes: int, *, name: str) -> None:
        self.id, self.name = new_id(), name
        self._database, self._bus = Database(url), make_bus(url, self.id)
        self._jobs, self.size = Jobs(self._database), processes
        self._processes = Processes(processes)
        self._running: dict[str, asyncio.Task[None]] = {}
        self._wake = asyncio.Event()
        self.answered = 0
        """Questions that were answered in time."""

    async def run(self) -> None:
        """Work until cancelled; unfinished questions then wait for other workers again.

        SettingsError where the tables are of another version of the program.
        """
        async with AsyncExitStack() as stack:
            await self._database.open(as_it_is=True)
            stack.push_async_callback(self._database.close)
            await self._bus.open()
            stack.push_async_callback(self._bus.close)
            for topic in (ASKED, GAP):
                self._bus.subscribe(topic, lambda _: self._wake.set())
            self._processes.start()
            stack.push_async_callback(self._processes.close)
            stack.push_async_callback(self._leave)
            async with asyncio.TaskGroup() as both:
                both.create_task(self._beat_for_ever())
                both.create_task(self._take_for_ever())

    async def _leave(self) -> None:
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(Exception):  # without a database the questions are given to others all the same, later
            await self._jobs.leave(self.id)

    async def _beat_for_ever(self) -> None:
        while True:
            held = list(self._running.items())
            try:
                kept = await self._jobs.beat(self.id, self.name, self._processes.ready)
            except Exception:
                log.exception("the heartbeat could not be stored")
            else:
                for job, task in held:
                    if job not in kept:  # nobody waits for it any more, or another worker has it
                        task.cancel()
            await asyncio.sleep(BEAT)

    async def _take_for_ever(self) -> None:
        while True:
            self._wake.clear()
            try:
                await self._take()
            except Exception:
                log.exception("no question could be taken")
                await asyncio.sleep(_POLL)
            with suppress(TimeoutError):
                async with asyncio.timeout(_POLL):
                    await self._wake.wait()

    async def _take(self) -> None:
        """Take questions for all processes that have none; the last one is kept for people who wait."""
        while (free := self._processes.ready - len(self._running)) > 0:
            last = Urgency.ANALYSIS if free == 1 < self.size else Urgency.REVIEW
            row = await self._jobs.take(self.id, last=last)
            if row is None:
                return
            self._running[row.id] = asyncio.create_task(self._answer(row))

    async def _answer(self, row: Row[Any]) -> None:
        try:
            found: dict[str, Any]
            try:
                within = max(float(row.left), 0.0)
                urgency = Urgency(row.urgency)
                request = EngineRequest(ask=row.ask, urgency=urgency, seconds=row.seconds, who=row.who)
                found = {"answer": await self._processes.ask(request, within=within)}
            except EngineError as error:
                found = {"error": str(error)}
            if await self._jobs.answer(self.id, row, **found):
                self.answered += 1
                self._bus.publish(ANSWERED, process=row.process)
        except Exception:
            log.exception("an answer could not be stored")
        finally:
            del self._running[row.id]
            self._wake.set()
