"""Work on reviews in the background: one at a time in each server process, everybody's next one in turn.

Its decisions are judged in portions, each a question to an engine, here or on another host, that is less
urgent than what people wait for. What was judged is kept every few seconds as a partial review of
`sheshbesh.reviews`: a review goes on after the server was killed, in this process or in another one.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import zlib
from collections import deque
from collections.abc import Awaitable, Callable, Collection
from typing import Any, Final

from sqlalchemy import Row

from sheshbesh.i18n import Text
from sheshbesh.reviews import partial
from sheshbesh.server.engine.questions import Questions, packed
from sheshbesh.server.engine.queue import NOT_STARTED, EngineBusyError, EngineError
from sheshbesh.server.engine.workers import FILE_BYTES, FILE_SECONDS
from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.refusals import Failure
from sheshbesh.server.reviews.store import UPLOAD, ReviewStore
from sheshbesh.server.storage.failures import is_unavailable

log = logging.getLogger(__name__)

FindContent = Callable[[str, str], Awaitable[bytes | None]]
"""The record of a match, by its id, for an owner; None where there is none any more."""

MOST_DECISIONS: Final = 4_500
"""Decisions of a review at most: its report is one question to an engine, and so has a bounded length."""

_LOOK: Final = 2.0
"""Seconds between two polls of what other processes have left or asked for."""
_KEEP: Final = 4.0
"""Seconds between two times that what was judged is stored."""
_SIZE: Final = 6
"""Decisions of a portion at most; what it does not get done waits for the next one."""
_AT_ONCE: Final = 4
"""Portions of one review that are judged at the same time."""
_FAILURES: Final = 3
"""Portions without an answer after which a review has failed."""


class ReviewMaker:
    """Reads files and makes reviews; `matches` finds the records of matches played here."""

    def __init__(
        self,
        store: ReviewStore,
        matches: FindContent,
        process: str,
        engines: Questions,
        clock: Clock = CLOCK,
    ) -> None:
        self._store, self._matches, self._process, self._engines = store, matches, process, engines
        self._clock = clock
        self._wake = asyncio.Event()

    def wake(self) -> None:
        """A review was asked for."""
        self._wake.set()

    async def read(
        self, content: bytes, lang: str, boards: Collection[str] = (), *, who: str
    ) -> dict[str, Any]:
        """Return the content of a person's match file in a language: `read` of docs/dev/engine-protocol.md.

        `met` says whether a decision of it is made on one of `boards`, as position ids begin, or on one
        with the colours exchanged.

        Failure 422 with one sentence for what is no match, or would take too much time or memory.
        """
        try:
            return await self._engines.read(content, lang, boards, who=who)
        except EngineError as error:
            if isinstance(error, EngineBusyError) or error.code == NOT_STARTED:
                text = Text("too many files are being read: try again in a moment")
                raise Failure(503, text, wait=5) from None
            if error.code == "bad_argument":
                text = Text("this file cannot be read as a match: {why}", why=str(error)[:400])
            else:
                log.warning("a file was not read: %s", error)
                text = Text(
                    "this file takes more than {seconds} s or {megabytes} MiB to read",
                    seconds=FILE_SECONDS,
                    megabytes=FILE_BYTES >> 20,
                )
        raise Failure(422, text, code="no_match")

    async def run(self) -> None:
        """Work on what waits, until cancelled; then it waits again."""
        try:
            failed = False
            while True:
                try:
                    if failed:
                        # The one that was worked on, where the database was away and it could not say so.
                        await self._store.put_back(self._process)
                        failed = False
                    await self._store.put_back()
                    while (row := await self._store.take(self._process)) is not None:
                        await self._make(row)
                except Exception:
                    failed = True
                    log.exception("reviews: the next one could not be taken")
                self._wake.clear()
                with contextlib.suppress(TimeoutError):
                    async with self._clock.timeout(_LOOK):
                        await self._wake.wait()
        except asyncio.CancelledError:
            with contextlib.suppress(Exception):
                await self._store.put_back(self._process)
            raise

    async def _make(self, row: Row[Any]) -> None:
        """One review, from its beginning or from where it was stopped.

        It fails where it cannot be made; an error of a database that is away is raised.
        """
        try:
            content = await self._content(row)
            if content is None:
                await self._store.fail(row.id, Text("the match is no longer there"))
                return
            before = await asyncio.to_thread(zlib.decompress, row.partial) if row.partial else b""
            file = await asyncio.to_thread(packed, content)
            await _Review(self._store, self._engines, self._clock, row, file).make(before)
        except EngineError as error:
            log.warning("review %s: %s", row.id, error)
            await self._store.fail(row.id, _why(error))
        except Exception as error:
            if is_unavailable(error):
                raise
            log.exception("review %s", row.id)
            await self._store.fail(row.id, _why(error))

    async def _content(self, row: Row[Any]) -> bytes | None:
        if row.source == UPLOAD:
            found = await self._store.upload(row.owner, row.source_id)
            return None if found is None else found[1]
        return await self._matches(row.owner, row.source_id)


def _why(error: Exception) -> Text:
    """Why a review cannot be made; what engines say among themselves stands in the log."""
    told = getattr(error, "message", None)
    return told if isinstance(told, Text) else Text("no engine could review this match")


class _Review:
    """One review that is being made, of a `file` as engines take it."""

    def __init__(
        self, store: ReviewStore, engines: Questions, clock: Clock, row: Row[Any], file: str
    ) -> None:
        self._store, self._engines, self._clock = store, engines, clock
        self._id, self._owner, self._plies, self._file = row.id, row.owner, row.plies, file
        self._found: dict[int, dict[str, Any]] = {}
        self._places: deque[int] = deque()
        self._failures: list[EngineError] = []

    async def make(self, before: bytes) -> None:
        """Judge what is missing in the partial review `before`, and finish; EngineError where nobody can.

        It ends early where the review was removed.
        """
        first = await self._engines.judge(self._file, self._plies, [], who=self._owner)
        key, total = str(first["key"]), int(first["total"])
        if total > MOST_DECISIONS:
            text = Text(
                "this match has {n} decisions, and a review at most {most}", n=total, most=MOST_DECISIONS
            )
            raise EngineError(text)
        self._found = _read(before, key, self._plies)
        self._places.extend(place for place in range(total) if place not in self._found)
        work = [asyncio.create_task(self._work(key)) for _ in range(_AT_ONCE)]
        try:
            while not all(task.done() for task in work):
                if not await self._keep(key, total):
                    return
                with contextlib.suppress(TimeoutError):
                    async with self._clock.timeout(_KEEP):
                        await asyncio.wait(work)
        finally:
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)
        for task in work:
            task.result()
        if self._places:
            raise self._failures[-1]
        if not await self._keep(key, total):
            return
        judged = await self._kept(key)
        report, told = await self._engines.report(self._file, self._plies, judged, who=self._owner)
        await self._store.finish(self._id, report, **told)

    async def _keep(self, key: str, total: int) -> bool:
        """Store how far it is; whether it still is to be made."""
        progress = {"done": len(self._found), "total": total, "plies": self._plies}
        return await self._store.progress(self._id, progress, await self._kept(key))

    async def _kept(self, key: str) -> bytes:
        return await asyncio.to_thread(partial, key, self._plies, dict(self._found))

    async def _work(self, key: str) -> None:
        """Have one portion after the other judged, until none is left."""
        while self._places and len(self._failures) < _FAILURES:
            places = [self._places.popleft() for _ in range(min(_SIZE, len(self._places)))]
            try:
                found = await self._engines.judge(self._file, self._plies, places, who=self._owner)
                if found["key"] != key:
                    raise EngineError("review: a worker judges by another net")
                self._found |= {int(place): judged for place, judged in found["judged"]}
            except EngineError as error:
                log.warning("a portion of a review is missing: %s", error)
                self._failures.append(error)
            self._places.extendleft(place for place in reversed(places) if place not in self._found)


def _read(before: bytes, key: str, plies: int) -> dict[int, dict[str, Any]]:
    """Return what a partial review holds of this depth; nothing where it belongs to something else."""
    lines = [json.loads(line) for line in before.splitlines()]
    if not lines or lines[0] != {"review": key}:
        return {}
    return {int(place): judged for depth, place, judged in lines[1:] if depth == plies}
