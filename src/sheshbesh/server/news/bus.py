"""News between the parts of the site: within one process, and between processes over PostgreSQL.

News only says *that* something has changed (ids, never contents): receivers read the
database. So a lost notification costs time and no more. After a broken connection the topic `GAP` is
published, and all receivers read again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from itertools import islice
from typing import Any, TypeAlias

import psycopg
from pydantic_core import from_json, to_json

from sheshbesh.server.ids import CLOCK, Clock

Handler: TypeAlias = Callable[[Mapping[str, Any]], None]
"""Called with the news; must not block. What takes time, it starts as a task."""

GAP = "bus.gap"
"""The topic published after a broken connection: any news may have been lost."""

_CHANNEL = "sheshbesh"
_LONGEST = 7_900
"""Bytes of a notification at most: PostgreSQL takes a few more."""
_MOST_WAITING = 10_000
_MOST_AT_ONCE = 200
_GATHER = 0.005
"""Seconds for which news waits for other news, to be told in one notification: each costs every process more
than what it says."""
_RETRY = (0.1, 0.5, 1.0, 2.0, 5.0)
"""Seconds before each further try to connect; the last one is repeated."""

_CONNECT_TIMEOUT = 10

_Connection: TypeAlias = psycopg.AsyncConnection[tuple[Any, ...]]

_log = logging.getLogger(__name__)


class Bus:
    """News by topic within this process; the base of the one that reaches other processes."""

    reaches_others = False
    """True if there may be other processes."""

    def __init__(self) -> None:
        self._handlers: dict[str, list[Handler]] = defaultdict(list)

    async def open(self) -> None:
        """Connect; nothing to do within one process."""

    async def close(self) -> None:
        """Disconnect; nothing to do within one process."""

    def subscribe(self, topic: str, handler: Handler) -> Callable[[], None]:
        """Have `handler` called with the news of a topic; call what is returned to unsubscribe."""
        self._handlers[topic].append(handler)

        def unsubscribe() -> None:
            handlers = self._handlers.get(topic, [])
            with suppress(ValueError):
                handlers.remove(handler)
            if not handlers:
                self._handlers.pop(topic, None)

        return unsubscribe

    def publish(self, topic: str, **news: Any) -> None:
        """Call the handlers of all processes, here at once, elsewhere soon; only after the commit."""
        self._tell(topic, news)

    def tell_others(self, topic: str, **news: Any) -> None:
        """Call the handlers of other processes only. News lost on the way must do no harm."""

    def _tell(self, topic: str, news: Mapping[str, Any]) -> None:
        for handler in tuple(self._handlers.get(topic, ())):
            try:
                handler(news)
            except Exception:  # the other handlers are called all the same
                _log.exception("news of %s", topic)


class PostgresBus(Bus):
    """The same over LISTEN and NOTIFY, by two connections of its own: one that waits, and one that sends."""

    reaches_others = True

    def __init__(self, url: str, process: str, clock: Clock = CLOCK) -> None:
        super().__init__()
        self._url, self._process, self._clock = url, process, clock
        self._head = to_json([process]).decode()[:-1]
        self._unsent: deque[str] = deque()
        self._awake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect; from now on handlers are called with the news of other processes."""
        connections = await self._connect()
        self._task = asyncio.create_task(self._run(*connections), name="bus")

    async def close(self) -> None:
        """Disconnect."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def publish(self, topic: str, **news: Any) -> None:
        """Call the handlers of all processes, here at once, elsewhere soon; ValueError for too long news."""
        text = self._text(topic, news)
        self._tell(topic, news)
        self._send_soon(text)

    def tell_others(self, topic: str, **news: Any) -> None:
        """Call the handlers of other processes soon. ValueError for news that is too long."""
        self._send_soon(self._text(topic, news))

    def _text(self, topic: str, news: Mapping[str, Any]) -> str:
        text = to_json((topic, news)).decode()
        if len(f"{self._head},{text}]".encode()) > _LONGEST:
            raise ValueError(f"news of {topic} is too long for a notification: {len(text)} characters")
        return text

    def _packed(self, texts: Sequence[str]) -> list[str]:
        """As few notifications as these texts fit into, in their order."""
        found: list[str] = []
        size = 0
        for text in texts:
            added = len(text.encode()) + 1
            if not found or size + added > _LONGEST:
                found.append(self._head)
                size = len(self._head.encode()) + 1
            found[-1] += f",{text}"
            size += added
        return [f"{each}]" for each in found]

    def _send_soon(self, text: str) -> None:
        if len(self._unsent) < _MOST_WAITING:  # else the connection has been down for long
            self._unsent.append(text)
            self._awake.set()

    async def _connect(self) -> tuple[_Connection, _Connection]:
        """The connection that listens, and the one that sends."""
        async with AsyncExitStack() as stack:
            both = [
                await stack.enter_async_context(
                    await psycopg.AsyncConnection.connect(
                        self._url, autocommit=True, connect_timeout=_CONNECT_TIMEOUT
                    )
                )
                for _ in range(2)
            ]
            await both[0].execute(f"LISTEN {_CHANNEL}")
            stack.pop_all()
        return both[0], both[1]

    async def _run(self, listener: _Connection, sender: _Connection) -> None:
        try:
            while True:
                error = await self._work(listener, sender)
                _log.warning("the connection for news is broken", exc_info=error)
                await listener.close()
                await sender.close()
                listener, sender = await self._connect_again()
                self._tell(GAP, {})
        finally:
            await listener.close()
            await sender.close()

    async def _work(self, listener: _Connection, sender: _Connection) -> BaseException:
        """Listen and send until a connection breaks, which is noticed while idle too; how it broke."""
        tasks = [asyncio.create_task(work) for work in (self._listen(listener), self._send(sender))]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        error = next(iter(done)).exception()
        if not isinstance(error, OSError | psycopg.Error):
            raise error or RuntimeError("the bus has stopped")
        return error

    async def _listen(self, connection: _Connection) -> None:
        async for notify in connection.notifies():
            self._receive(notify.payload)
        raise ConnectionError("the database has closed it")

    async def _send(self, connection: _Connection) -> None:
        while True:
            if not self._unsent:
                self._awake.clear()
                await self._awake.wait()
                await asyncio.sleep(_GATHER)
                continue
            # What was perhaps sent before the connection broke is sent again: receiving twice does no harm.
            texts = list(islice(self._unsent, _MOST_AT_ONCE))
            packed = self._packed(texts)
            await connection.execute("SELECT pg_notify(%s, x) FROM unnest(%s::text[]) x", (_CHANNEL, packed))
            for _ in texts:
                self._unsent.popleft()

    async def _connect_again(self) -> tuple[_Connection, _Connection]:
        tries = 0
        while True:
            await self._clock.sleep(_RETRY[min(tries, len(_RETRY) - 1)])
            tries += 1
            with suppress(OSError, psycopg.Error):
                return await self._connect()

    def _receive(self, text: str) -> None:
        if text.startswith(f"{self._head},"):
            return  # its own handlers were called at once
        try:
            _, *all_news = from_json(text)
            told = [(str(topic), dict(news)) for topic, news in all_news]
        except (TypeError, ValueError):  # not of this program: the others are heard all the same
            _log.exception("news that cannot be read: %.200r", text)
            return
        for topic, news in told:
            self._tell(topic, news)


def make_bus(url: str, process: str, clock: Clock = CLOCK) -> Bus:
    """The bus that fits the database."""
    return PostgresBus(url, process, clock) if url.startswith("postgres") else Bus()
