"""Engine work on other hosts: the frames between a server process and a worker, and both ends of the line.

A worker (`sheshbesh site worker URL`) has a line to every process of the site and offers each of them what it
has free; it gives back what came after somebody else's. What a worker had whose line is lost waits again.

| frame | from | says |
|---|---|---|
| `hello` | worker | the key, its version, its name, how many engine processes it has |
| `offer` | worker | `n` questions would be taken now, none less urgent than `last`; also a sign of life |
| `job` | site | a question, with the seconds that its search has |
| `answer` | worker | the answer by zlib and base64, in parts; `more` follow |
| `error` | worker | there is no answer, and why |
| `cancel` | site | nobody waits for this answer any more |
| `busy` | worker | a question that was not begun, or is given up: another may take it |
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from http.client import HTTPException
from itertools import count
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from sheshbesh import __version__
from sheshbesh.errors import ProtocolError, SettingsError
from sheshbesh.server.engine.questions import packed, unpacked
from sheshbesh.server.engine.queue import (
    BACKGROUND,
    NOT_STARTED,
    PEOPLE,
    EngineError,
    FairQueue,
    Job,
    Taker,
    Urgency,
)
from sheshbesh.server.engine.workers import FOREGROUND, LONGEST, SINGLE, Workers
from sheshbesh.server.ids import CLOCK, Clock

log = logging.getLogger(__name__)

PATH: Final = "/ws/engine"
"""The path at which a server process takes the lines of workers."""
PROCESSES: Final = "/api/v1/engine/processes"
"""The path at which it says which processes the site has."""
BEAT: Final = 1.0
"""Seconds between two offers of a worker."""
SILENT: Final = 3.0
"""Seconds without a frame after which a line counts as lost."""
WRONG_KEY, WRONG_VERSION, UNREADABLE, SILENCE = 4401, 4409, 4400, 4408
"""Codes by which a line is closed."""

_PART: Final = 6_000
"""Characters of an answer in one frame: what a server process reads is bounded."""
_LOOK: Final = 5.0
"""Seconds between two looks at which processes the site has."""
_ASKING: Final = 10.0
"""Seconds in which the site says so."""
_AGAIN: Final = 1.0
"""Seconds until a line that was lost is opened again."""
_LOST: Final = "lost"
"""The code of an error where no engine of the worker has answered."""
_SERVED: Final = PEOPLE | BACKGROUND


class Hello(Struct, frozen=True, tag_field="t", tag="hello"):
    """The first frame of a worker."""

    key: str
    version: str
    slots: int
    name: str = ""


class _Offer(Struct, frozen=True, tag_field="t", tag="offer"):
    n: int
    last: str


class _Job(Struct, frozen=True, tag_field="t", tag="job"):
    id: str
    ask: dict[str, Any]
    seconds: float
    urgency: str


class _Answer(Struct, frozen=True, tag_field="t", tag="answer"):
    id: str
    part: str
    more: bool = False


class _Error(Struct, frozen=True, tag_field="t", tag="error"):
    id: str
    code: str
    text: str


class _Cancel(Struct, frozen=True, tag_field="t", tag="cancel"):
    id: str


class _Busy(Struct, frozen=True, tag_field="t", tag="busy"):
    id: str


_FROM_WORKER = msgspec.json.Decoder(Hello | _Offer | _Answer | _Error | _Busy)
_FROM_SITE = msgspec.json.Decoder(_Job | _Cancel)


def _text(frame: Struct) -> str:
    return msgspec.json.encode(frame).decode()


def read_hello(text: str) -> Hello:
    """The first frame of a worker; ProtocolError where it is another."""
    frame = _read(text)
    if not isinstance(frame, Hello) or not 0 < frame.slots <= 1024:
        raise ProtocolError("the first frame of a worker is hello, with 1 to 1024 slots")
    return frame


def _read(text: str) -> Hello | _Offer | _Answer | _Error | _Busy:
    try:
        frame: Hello | _Offer | _Answer | _Error | _Busy = _FROM_WORKER.decode(text)
        return frame
    except (msgspec.DecodeError, RecursionError) as error:
        raise ProtocolError(f"this is no frame of a worker: {error}") from None


class Line(Taker):
    """A server process's end of the line to one worker; `send` writes a frame, in the order of its calls."""

    is_elsewhere = True

    def __init__(self, queue: FairQueue, hello: Hello, send: Callable[[str], None]) -> None:
        self._queue, self._send = queue, send
        self.slots, self.name, self._free = hello.slots, hello.name, 0
        self._last = Urgency.MATCH
        self._ids = count(1)
        self._jobs: dict[str, Job] = {}
        self._parts: dict[str, list[str]] = {}

    @property
    def serves(self) -> frozenset[Urgency]:
        """The kinds of questions that a worker may offer to take."""
        return _SERVED

    @property
    def free(self) -> int:
        """The number of questions that the worker would take now, by its own words."""
        return self._free

    @property
    def takes(self) -> frozenset[Urgency]:
        """The kinds of questions that the worker has offered to take: its last process that is free, only
        what people wait for."""
        if not self._free:
            return frozenset()
        offered = frozenset(each for each in _SERVED if each <= self._last)
        return offered & PEOPLE if self._free == 1 < self.slots else offered

    @property
    def taken(self) -> int:
        """The number of questions that it has of this process."""
        return len(self._jobs)

    def give(self, job: Job, seconds: float) -> None:
        """Send a question."""
        name = str(next(self._ids))
        self._jobs[name] = job
        self._free -= 1
        self._send(_text(_Job(name, dict(job.ask), seconds, job.urgency.name.lower())))

    def forget(self, job: Job) -> None:
        """Withdraw a question."""
        for name in [name for name, each in self._jobs.items() if each is job]:
            del self._jobs[name]
            self._parts.pop(name, None)
            self._send(_text(_Cancel(name)))

    def received(self, text: str) -> None:
        """Take a frame of the worker; ProtocolError where it cannot be read."""
        match _read(text):
            case _Offer(n, last):
                if last.upper() not in Urgency.__members__:
                    raise ProtocolError(f"there is no urgency {last[:20]!r}")
                self._free, self._last = min(max(n, 0), self.slots), Urgency[last.upper()]
            case _Answer(name, part, more) if name in self._jobs:
                parts = self._parts.setdefault(name, [])
                parts.append(part)
                if _PART * len(parts) > LONGEST:
                    raise ProtocolError(f"an answer has at most {LONGEST} characters")
                if not more:
                    self._settle(self._jobs[name], "".join(self._parts.pop(name)))
                    del self._jobs[name]  # a damaged answer leaves it to `lost`
            case _Error(name, code, why) if name in self._jobs and code == _LOST:
                self._free = 0  # until it says otherwise
                self._parts.pop(name, None)
                self._queue.lost(self._jobs.pop(name), why)
            case _Error(name, code, why) if name in self._jobs:
                self._jobs.pop(name).fail(why, code)
            case _Busy(name) if name in self._jobs:
                self._free = 0  # until it says otherwise
                self._queue.give_back(self._jobs.pop(name))
            case Hello():
                raise ProtocolError("hello is the first frame, and no other one")
            case _:
                pass  # of a question that was withdrawn meanwhile
        self._queue.serve()

    def lost(self) -> None:
        """The line is at its end: what the worker had waits again, as often as may be."""
        jobs, self._jobs = list(self._jobs.values()), {}
        for job in reversed(jobs):  # the first one comes before the others again
            self._queue.lost(job, f"the worker {self.name} that had it was lost")
        self._queue.remove(self)

    @staticmethod
    def _settle(job: Job, text: str) -> None:
        try:
            job.settle(json.loads(unpacked(text, 2 * LONGEST)))
        except Exception as error:
            raise ProtocolError(f"an answer is JSON by zlib and base64: {error}") from None


class EngineHost:
    """A worker: engine processes of this host, at work for the site at `url`, which knows the `key`."""

    def __init__(
        self,
        url: str,
        key: str,
        slots: int,
        *,
        name: str,
        command: Sequence[str] = (),
        clock: Clock = CLOCK,
    ) -> None:
        self.url, self._key, self.name, self.slots = url.rstrip("/"), key, name, slots
        self._clock = clock
        self._queue = FairQueue(clock=clock)
        kind = FOREGROUND if slots > 1 else SINGLE
        self._workers = Workers(self._queue, slots, kind, command=command, clock=clock)
        self._lines: dict[str, asyncio.Task[None]] = {}
        self._open: dict[ClientConnection, dict[str, Job]] = {}
        self._sending: set[asyncio.Task[None]] = set()
        self.answered = 0
        """Questions that were answered."""

    async def run(self, begun: Callable[[], None] = lambda: None) -> None:
        """Work until cancelled; unfinished questions are then given back.

        `begun` is called when the site has answered. SettingsError where it does not, does not know the key,
        or has another version.
        """
        processes = await self._processes()
        begun()
        self._workers.start()
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._beat())
                both.create_task(self._follow(processes))
        finally:
            await asyncio.gather(*(self._give_back(line) for line in list(self._open)))
            for task in self._lines.values():
                task.cancel()
            await asyncio.gather(*self._lines.values(), return_exceptions=True)
            await self._workers.close()

    async def _processes(self) -> list[str]:
        """The addresses of the site's processes; where they have none, that by which one was asked."""
        found = await asyncio.to_thread(_ask, self.url, self._key)
        if found["version"] != __version__:
            raise SettingsError(
                f"the site at {self.url} has version {found['version']}, this worker {__version__}: "
                "install the same version on both"
            )
        listed = [address for address in found["processes"] if address]
        if len(listed) < len(found["processes"]) > 1:
            log.warning(
                "%d of %d processes of the site say no address: set SHESHBESH_INTERNAL_URL for each",
                len(found["processes"]) - len(listed),
                len(found["processes"]),
            )
        return listed or [self.url]

    async def _follow(self, processes: list[str]) -> None:
        """Keep a line to every process there is."""
        while True:
            for address in processes:
                if address not in self._lines:
                    self._lines[address] = asyncio.create_task(self._keep(address))
            for address in [each for each in self._lines if each not in processes]:
                self._lines.pop(address).cancel()
            await self._clock.sleep(_LOOK)
            try:
                processes = await self._processes()
            except SettingsError as error:
                log.warning("the processes of the site are not known: %s", error)

    async def _keep(self, address: str) -> None:
        """Hold a line to one process, opened again whenever it is lost."""
        while True:
            try:
                await self._serve(address)
                log.warning("the line to %s was closed", address)
            except Exception as error:  # whatever it was, the process may be another one the next time
                log.warning("the line to %s is lost: %s", address, str(error) or type(error).__name__)
            await self._clock.sleep(_AGAIN)

    async def _serve(self, address: str) -> None:
        async with connect(
            f"{address.replace('http', 'ws', 1)}{PATH}",
            max_size=2 * LONGEST,
            ping_interval=2 * BEAT,
            ping_timeout=2 * SILENT,
        ) as line:
            await line.send(_text(Hello(self._key, __version__, self.slots, self.name)))
            log.info("the process at %s is served", address)
            self._open[line] = {}
            try:
                self._offer()
                async for text in line:
                    self._received(line, str(text))
            finally:
                for job in self._open.pop(line).values():
                    job.answer.cancel()
                    self._queue.withdraw(job)

    def _received(self, line: ClientConnection, text: str) -> None:
        try:
            frame = _FROM_SITE.decode(text)
        except msgspec.DecodeError as error:
            raise ProtocolError(f"this is no frame of a site: {error}") from None
        jobs = self._open[line]
        if isinstance(frame, _Cancel):
            if (job := jobs.pop(frame.id, None)) is not None:
                job.answer.cancel()
                self._queue.withdraw(job)
            return
        urgency = Urgency[frame.urgency.upper()]
        if urgency not in self._workers.takes:
            self._send(line, _text(_Busy(frame.id)))
            return
        job = jobs[frame.id] = Job(
            ask=frame.ask,
            urgency=urgency,
            seconds=frame.seconds,
            answer=asyncio.get_running_loop().create_future(),
            deadline=self._clock.monotonic() + frame.seconds,
        )
        job.answer.add_done_callback(lambda _: self.send_answer(line, frame.id, job))
        self._queue.put(job)
        self._offer()

    def send_answer(self, line: ClientConnection, name: str, job: Job) -> None:
        """Send the answer of a question, if its line is there and somebody waits, and offer what is free."""
        if self._open.get(line, {}).pop(name, None) is job and not job.answer.cancelled():
            error = job.answer.exception()
            if isinstance(error, EngineError):
                code = _LOST if error.code in ("", NOT_STARTED) else error.code
                self._send(line, _text(_Error(name, code, str(error))))
            else:
                self.answered += 1
                self._send(line, *_parts(name, job.answer.result()))
        self._offer()

    def _offer(self) -> None:
        takes = self._workers.takes
        last = max(takes, default=Urgency.MATCH).name.lower()
        for line in self._open:
            self._send(line, _text(_Offer(self._workers.free, last)))

    async def _beat(self) -> None:
        while True:
            await self._clock.sleep(BEAT)
            self._offer()

    def _send(self, line: ClientConnection, *frames: str) -> None:
        async def send() -> None:
            with suppress(WebSocketException):  # a line that is lost is seen by who reads from it
                for frame in frames:
                    await line.send(frame)

        self._sending.add(task := asyncio.create_task(send()))
        task.add_done_callback(self._sending.discard)

    async def _give_back(self, line: ClientConnection) -> None:
        with suppress(WebSocketException):
            for name in self._open.get(line, {}):
                await line.send(_text(_Busy(name)))


def _parts(name: str, answer: object) -> Iterator[str]:
    text = packed(json.dumps(answer).encode())
    for at in range(0, len(text), _PART):
        yield _text(_Answer(name, text[at : at + _PART], more=at + _PART < len(text)))


def _ask(url: str, key: str) -> dict[str, Any]:
    """Return what the site says of its processes; SettingsError where it says nothing of the kind."""
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
        raise SettingsError(f"the address of a site looks like http://site:8000, not {url!r}")
    request = Request(f"{url}{PROCESSES}", headers={"Authorization": f"Bearer {key}"})
    try:
        with urlopen(request, timeout=_ASKING) as answer:
            found = json.loads(answer.read())
        if not isinstance(found, dict) or not isinstance(found.get("processes"), list):
            raise SettingsError(f"{url} is no address of a site")
    except HTTPError as error:
        if error.code in (401, 404):
            raise SettingsError(
                f"the site at {url} lets no worker with this key in: "
                "SHESHBESH_WORKER_KEY is to be the same there and here"
            ) from None
        raise SettingsError(f"the site at {url} answers with {error.code} {error.reason}") from None
    except (OSError, ValueError, HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise SettingsError(f"the site at {url} does not answer: {reason}") from None
    return found
