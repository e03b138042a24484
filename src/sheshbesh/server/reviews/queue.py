"""Work on reviews in the background: one at a time in each server process, everybody's next one in turn.

The work is done by a process of its own with the lowest priority, below that of the engines that play and
advise. What it has judged is stored every few seconds: a review goes on after the server was killed, on this
process or on another one.

While there are engine workers on other hosts, they judge the decisions first, in portions; what is left for
the process here is to put the report together, and whatever they did not get done.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from sqlalchemy import Row

from sheshbesh.i18n import Text
from sheshbesh.server.engines.pool import EnginePool
from sheshbesh.server.refusals import Failure
from sheshbesh.server.reviews.portions import LONGEST, Portions, pack
from sheshbesh.server.reviews.store import UPLOAD, ReviewStore
from sheshbesh.server.reviews.worker import BYTES, SECONDS

log = logging.getLogger(__name__)

FindContent = Callable[[str, str], Awaitable[bytes | None]]
"""The record of a match, by its id, for an owner; None where there is none any more."""

_NICE: Final = 19
_TIMEOUT: Final = 3 * SECONDS
"""Seconds in which a file is read: its processor time is bounded, and a busy machine is slower."""
_LOOK: Final = 2.0
"""Seconds between two polls of what other processes have left or asked for."""
_KEEP: Final = 4.0
"""Seconds between two times that what was judged is stored."""
_READERS: Final = 2
"""Files that are read at once."""
_LINE: Final = 1 << 20


class ReviewQueue:
    """Reads files and makes reviews; `matches` finds the records of matches played here."""

    def __init__(self, store: ReviewStore, matches: FindContent, process: str, engines: EnginePool) -> None:
        self._store, self._matches, self._process, self._engines = store, matches, process, engines
        self._wake = asyncio.Event()
        self._reading = asyncio.Semaphore(_READERS)

    def wake(self) -> None:
        """A review was asked for."""
        self._wake.set()

    async def read(self, content: bytes, lang: str) -> dict[str, Any]:
        """What a match file holds, as the worker reports it in a language.

        Failure 422 with one sentence for what is no match, or would take too much time or memory.
        """
        async with self._reading:
            try:
                async with asyncio.timeout(_TIMEOUT), working(content, None, "read", lang) as (lines, _):
                    async for line in lines:
                        if "read" in line:
                            found: dict[str, Any] = line["read"]
                            return found
                        why = str(line["error"])[:400]
                        raise Failure(
                            422, Text("this file cannot be read as a match: {why}", why=why), code="no_match"
                        )
            except TimeoutError:
                pass
        text = Text(
            "this file takes more than {seconds} s or {megabytes} MiB to read",
            seconds=SECONDS,
            megabytes=BYTES >> 20,
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
                    await asyncio.wait_for(self._wake.wait(), _LOOK)
        except asyncio.CancelledError:
            with contextlib.suppress(Exception):
                await self._store.put_back(self._process)
            raise

    async def _make(self, row: Row[Any]) -> None:
        """One review, from its beginning or from where it was stopped."""
        try:
            content = await self._content(row)
            if content is None:
                await self._store.fail(row.id, "the match is no longer there")
                return
            partial = zlib.decompress(row.partial) if row.partial else None
            if self._engines.are_elsewhere and len(packed := pack(content)) <= LONGEST:
                away = Portions(self._engines, packed, row.plies, row.owner).judged(partial)
                async with contextlib.aclosing(away) as portions:
                    async for progress, found in portions:
                        if not await self._store.progress(row.id, progress, found):
                            return
                        partial = found
            async with working(content, partial, "review", str(row.plies)) as (lines, folder):
                if not await self._follow(row.id, lines, folder):
                    return
        except Exception as error:
            log.exception("review %s", row.id)
            await self._store.fail(row.id, str(error) or type(error).__name__)

    async def _content(self, row: Row[Any]) -> bytes | None:
        if row.source == UPLOAD:
            found = await self._store.upload(row.owner, row.source_id)
            return None if found is None else found[1]
        return await self._matches(row.owner, row.source_id)

    async def _follow(self, review: str, lines: AsyncIterator[dict[str, Any]], folder: Path) -> bool:
        """Store what the worker reports; False where the review was removed."""
        loop = asyncio.get_running_loop()
        kept = loop.time()
        async for line in lines:
            if "progress" in line:
                partial = None
                if loop.time() - kept >= _KEEP:
                    kept = loop.time()
                    partial = await asyncio.to_thread(_read_whole, folder / "partial")
                if not await self._store.progress(review, line["progress"], partial):
                    return False
            elif "done" in line:
                report = await asyncio.to_thread((folder / "report").read_bytes)
                await self._store.finish(review, report, **line["done"])
                return True
            else:
                await self._store.fail(review, str(line["error"]))
                return True
        await self._store.fail(review, "the process that made it has ended")
        return True


def _read_whole(path: Path) -> bytes | None:
    """A file that grows by lines, up to its last whole one; None where it has none."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    return content[: content.rfind(b"\n") + 1] or None


@contextlib.asynccontextmanager
async def working(
    content: bytes, partial: bytes | None, what: str, *more: str
) -> AsyncIterator[tuple[AsyncIterator[dict[str, Any]], Path]]:
    """A worker on this file, with the lowest priority: its lines, and its folder.

    It is ended afterwards, however far it is. `what` and `more` are as the worker is called.
    """
    with TemporaryDirectory(prefix="sheshbesh-review-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        await asyncio.to_thread((folder / "match").write_bytes, content)
        if partial is not None:
            await asyncio.to_thread((folder / "partial").write_bytes, partial)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "sheshbesh.server.reviews.worker",
            what,
            name,
            *more,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            limit=_LINE,
            start_new_session=True,
        )
        with contextlib.suppress(AttributeError, OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, _NICE)
        try:
            yield _lines(process), folder
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await asyncio.shield(process.wait())


async def _lines(process: asyncio.subprocess.Process) -> AsyncIterator[dict[str, Any]]:
    assert process.stdout is not None
    while line := await process.stdout.readline():
        yield json.loads(line)
