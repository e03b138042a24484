"""A server process's side of the queue between hosts: questions go there while a worker lives."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from sheshbesh.server.engines.processes import GRACE, QUEUE_SECONDS
from sheshbesh.server.engines.queue import (
    EngineBusyError,
    EngineError,
    EngineRequest,
    NobodyThereError,
    Urgency,
)
from sheshbesh.server.ids import new_id
from sheshbesh.server.news.bus import GAP, Bus
from sheshbesh.server.storage import Database
from sheshbesh.server.workers.jobs import ANSWERED, ASKED, DONE, Jobs, Standing

log = logging.getLogger(__name__)

_POLL: Final = 1.0
"""Seconds between two polls of the queue; notifications arrive at once, and may be lost."""
_CLEAN: Final = 30
"""Polls between two deletions of what nobody waits for."""


@dataclass(slots=True)
class _Open:
    """A question that is not answered yet. `on_place` is called with its place."""

    answer: asyncio.Future[Any]
    on_place: Callable[[int], None] | None
    announced: int = 0
    is_fetched: bool = False


class Elsewhere:
    """Engine processes on other hosts; `run` keeps it going.

    `waited` is called when a worker has taken a question: with its urgency, and the seconds it waited.
    """

    def __init__(
        self, database: Database, bus: Bus, process: str, *, waited: Callable[[str, float], None]
    ) -> None:
        self._jobs, self._bus, self._process, self._waited = Jobs(database), bus, process, waited
        self._open: dict[str, _Open] = {}
        self._dropping: set[asyncio.Task[None]] = set()
        self._wake = asyncio.Event()
        self.standing = Standing()
        """How the queue stood at the last poll."""

    @property
    def are_up(self) -> bool:
        """Whether a worker lives that has an engine process."""
        return self.standing.processes > 0

    async def ask(self, request: EngineRequest) -> Any:
        """The answer of some engine process on another host; errors as `Processes.ask`.

        NobodyThereError where no worker lives, or the last one went.
        """
        if not self.are_up:
            raise NobodyThereError("no worker lives")
        job, waits = new_id(), request.seconds + QUEUE_SECONDS[request.urgency]
        mine = self._open[job] = _Open(asyncio.get_running_loop().create_future(), request.on_place)
        try:
            async with asyncio.timeout(waits + GRACE):
                if not await self._jobs.put(job, self._process, request, waits=waits):
                    raise EngineBusyError("as many questions wait as may")
                self._bus.publish(ASKED)
                return await mine.answer
        except TimeoutError:
            raise EngineError(f"no answer to {request.kind} within {waits + GRACE:.1f} s") from None
        finally:
            del self._open[job]
            if not mine.is_fetched:
                self._drop(job)

    def _drop(self, job: str) -> None:
        """Withdraw a question; the worker that has it sees so at its next heartbeat."""
        self._dropping.add(task := asyncio.create_task(self._forget(job)))
        task.add_done_callback(self._dropping.discard)

    async def _forget(self, job: str) -> None:
        try:
            await self._jobs.drop([job])
        except Exception:  # it is deleted later, with what ended processes have left
            log.warning("a question could not be withdrawn", exc_info=True)

    # Answers

    def listen(self) -> None:
        """Subscribe to notifications of answers."""
        self._bus.subscribe(ANSWERED, self._hear)
        self._bus.subscribe(GAP, lambda _: self._wake.set())

    def _hear(self, news: Mapping[str, Any]) -> None:
        if news["process"] == self._process:
            self._wake.set()

    async def run(self) -> None:
        """Fetch answers, and poll the queue, until cancelled."""
        loop, polls, poll_at = asyncio.get_running_loop(), 0, 0.0
        while True:
            try:
                self._wake.clear()
                if self._open:
                    await self._fetch()
                if loop.time() >= poll_at:
                    poll_at, polls = loop.time() + _POLL, polls + 1
                    await self.poll()
                    if polls % _CLEAN == 1:
                        await self._jobs.clean()
            except Exception:
                log.exception("engine work elsewhere")
                self.standing = Standing()
                await asyncio.sleep(_POLL)
            with suppress(TimeoutError):
                async with asyncio.timeout(max(poll_at - loop.time(), 0.0)):
                    await self._wake.wait()

    async def _fetch(self) -> None:
        for row in await self._jobs.collect(self._process):
            if row.taken is not None:
                self._waited(Urgency(row.urgency).name.lower(), (row.taken - row.asked) / 1000)
            mine = self._open.get(row.id)
            if mine is None:
                continue  # nobody waits for it any more
            mine.is_fetched = True
            if mine.answer.done():
                continue
            if row.state != DONE:
                mine.answer.set_exception(EngineError("the workers that took it have ended"))
            elif row.error is not None:
                mine.answer.set_exception(EngineError(row.error))
            else:
                mine.answer.set_result(row.answer)

    async def poll(self) -> None:
        """Read how the queue stands, and report their places in it."""
        before, self.standing = self.standing, await self._jobs.standing()
        if before.workers != self.standing.workers:
            now = self.standing
            log.info("engine workers elsewhere: %d, with %d processes", now.workers, now.processes)
        if not self.are_up:
            for each in self._open.values():
                if not each.answer.done():
                    each.answer.set_exception(NobodyThereError("the last worker is gone"))
            return
        if any(each.on_place is not None for each in self._open.values()):
            for job, place in (await self._jobs.places(self._process)).items():
                mine = self._open.get(job)
                if mine is not None and mine.on_place is not None and mine.announced != place:
                    mine.announced = place
                    mine.on_place(place)
