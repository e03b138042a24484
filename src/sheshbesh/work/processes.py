"""Work on this machine: in this process, in threads of it, or in processes beside it."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from sheshbesh.work.base import Batch, Outcome, Shared, Work, unpack

_LARGE: Final = 1 << 16
"""Bytes from which on what is shared goes through a file instead of with every part."""


class Here(Work):
    """This process alone: a part is done when its result is asked for."""

    beside = False
    workers = 1
    window = 1

    def batch(self, function: Callable[..., object], shared: object) -> Batch:
        """The parts of one call of `map`."""
        return _Queue(_with_shared(function, shared))

    def close(self) -> None:
        """Nothing is to be let go."""


class _Queue(Batch):
    def __init__(self, function: Callable[[object], object]) -> None:
        self._function = function
        self._waiting: deque[tuple[int, object]] = deque()

    def submit(self, number: int, part: object) -> None:
        self._waiting.append((number, part))

    def collect(self, seconds: float) -> list[Outcome]:  # noqa: ARG002 -- it never waits
        number, part = self._waiting.popleft()
        try:
            return [Outcome(number, "done", self._function(part))]
        except Exception as error:
            return [Outcome(number, "failed", error)]

    def cancel(self) -> None:
        self._waiting.clear()


class Threads(Work):
    """Threads of this process, for functions that spend their time in the core.

    What is shared is shared as it is, by all threads. Closing waits for parts that have begun.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="work")

    @property
    def workers(self) -> int:
        """The threads."""
        return self._workers

    @property
    def window(self) -> int:
        """One more than there are threads: nothing has to travel."""
        return self._workers + 1

    def batch(self, function: Callable[..., object], shared: object) -> Batch:
        """The parts of one call of `map`."""
        called = _with_shared(function, shared)
        return _Futures(lambda part: self._pool.submit(called, part))

    def close(self) -> None:
        """Let the threads end."""
        self._pool.shutdown(cancel_futures=True)


class Processes(Work):
    """Processes of this machine. Those that are killed are replaced, and their parts done again."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._lock = threading.Lock()
        self._pool: Executor = self._new_pool()
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    @property
    def workers(self) -> int:
        """The processes."""
        return self._workers

    def _new_pool(self) -> Executor:
        return ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"), initializer=_be_a_worker)

    def batch(self, function: Callable[..., object], shared: object) -> Batch:
        """The parts of one call of `map`."""
        if shared is None:
            return _Futures(partial(self._submit, function))
        packed = Shared.of(shared)
        source = self._in_file(packed) if len(packed.content) > _LARGE else packed.content
        return _Futures(partial(self._submit, _do, function, packed.digest, source))

    def _in_file(self, packed: Shared) -> Path:
        with self._lock:
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="sheshbesh-work-")
            path = Path(self._folder.name, packed.digest.hex())
            if not path.exists():
                path.write_bytes(packed.content)
        return path

    def _submit(self, function: Callable[..., object], *arguments: object) -> Future[object]:
        with self._lock:
            try:
                return self._pool.submit(function, *arguments)
            except BrokenExecutor:
                # One process was lost, and the executor gives the others up with it.
                self._pool.shutdown(wait=False, cancel_futures=True)
                self._pool = self._new_pool()
                return self._pool.submit(function, *arguments)

    def close(self) -> None:
        """Let the processes end; they finish the parts they are at."""
        with self._lock:
            self._pool.shutdown(cancel_futures=True)
            if self._folder is not None:
                self._folder.cleanup()


class _Futures(Batch):
    """Parts in an executor."""

    def __init__(self, submit: Callable[[object], Future[object]]) -> None:
        self._submit = submit
        self._out: dict[Future[object], int] = {}

    def submit(self, number: int, part: object) -> None:
        self._out[self._submit(part)] = number

    def collect(self, seconds: float) -> list[Outcome]:
        done = wait(self._out, seconds, FIRST_COMPLETED).done
        return [self._outcome(future, self._out.pop(future)) for future in done]

    @staticmethod
    def _outcome(future: Future[object], number: int) -> Outcome:
        try:
            return Outcome(number, "done", future.result())
        except (BrokenExecutor, CancelledError) as error:
            return Outcome(number, "lost", error)
        except Exception as error:
            return Outcome(number, "failed", error)

    def cancel(self) -> None:
        for future in self._out:
            future.cancel()
        self._out.clear()


def _with_shared(function: Callable[..., object], shared: object) -> Callable[[object], object]:
    return function if shared is None else partial(_call, function, shared)


def _call(function: Callable[..., object], shared: object, part: object) -> object:
    return function(part, shared)


def _do(function: Callable[..., object], digest: bytes, source: bytes | Path, part: object) -> object:
    """A part, in a worker process."""
    return function(part, unpack(digest, source.read_bytes if isinstance(source, Path) else lambda: source))


def _be_a_worker() -> None:
    # Ctrl-C reaches every process of the terminal; the one that the work is done for decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["OMP_NUM_THREADS"] = "1"
