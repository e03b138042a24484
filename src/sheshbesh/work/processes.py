"""Work on this machine: in this process, in threads of it, or in processes beside it."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager
from copy import copy
from functools import partial
from multiprocessing import Pipe, resource_tracker
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import WeakSet

from sheshbesh._core import Stop
from sheshbesh.errors import WorkError
from sheshbesh.work.base import Batch, PartResult, Shared, Work, unpack

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from loky import ProcessPoolExecutor

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

    def collect(self, seconds: float) -> list[PartResult]:  # noqa: ARG002 -- it never waits
        number, part = self._waiting.popleft()
        try:
            return [PartResult(number, "done", self._function(part))]
        except Exception as error:
            return [PartResult(number, "failed", error)]

    def cancel(self) -> None:
        self._waiting.clear()


class Threads(Work):
    """Threads of this process, for functions that spend their time in the core, which needs no interpreter.

    Each thread has a copy of its own of what is shared, made by `copy.copy`. A piece of work that is dropped
    ends what it computes in the core.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="work")
        self._stops: WeakSet[Stop] = WeakSet()

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
        stop, own = Stop(), threading.local()
        self._stops.add(stop)

        def do(part: object) -> object:
            if shared is not None and not hasattr(own, "shared"):
                own.shared = copy(shared)
            with stop:
                return function(part) if shared is None else function(part, own.shared)

        return _Futures(lambda part: self._pool.submit(do, part), stop)

    def close(self) -> None:
        """Let the threads end, and what they compute."""
        for stop in tuple(self._stops):
            stop.set()
        self._pool.shutdown(cancel_futures=True)


class Processes(Work):
    """Processes of this machine. One that is killed is replaced, and its part done again.

    They know nothing of the program that began them: it may be a script without a main guard, a notebook or
    a prompt. Each has an executor of its own. Processes that share one take their parts from one queue, and
    one that is killed while it holds the lock of that queue stops all the others for ever.
    """

    def __init__(self, workers: int) -> None:
        # Reentrant: a part that has ended already calls back at once, from within `_start`.
        self._lock = threading.RLock()
        self._closed = False
        # It lets Ctrl-C through to the thread that begins it, even where that thread holds it back.
        resource_tracker.ensure_running()
        # This process alone holds the writing end: it closes however the process ends.
        self._alive, self._writing = Pipe(duplex=False)
        self._pools = [self._new_pool() for _ in range(workers)]
        self._free = list(range(workers))
        self._waiting: deque[tuple[Future[object], Callable[..., object], tuple[object, ...]]] = deque()
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    @property
    def workers(self) -> int:
        """The processes."""
        return len(self._pools)

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
        result: Future[object] = Future()
        with self._lock:
            if self._closed:
                raise WorkError("this place of work is closed")
            self._waiting.append((result, function, arguments))
            self._start()
        return result

    def _start(self) -> None:
        """Give what waits to the processes that are free."""
        while self._free and self._waiting:
            result, function, arguments = self._waiting.popleft()
            if result.set_running_or_notify_cancel():
                number = self._free.pop()
                with _interrupts_held():
                    begun = self._begin(number, function, arguments)
                begun.add_done_callback(partial(self._ended, number, result))

    def _begin(
        self, number: int, function: Callable[..., object], arguments: tuple[object, ...]
    ) -> Future[object]:
        try:
            begun: Future[object] = self._pools[number].submit(function, *arguments)
        except BrokenExecutor:  # killed while it had nothing to do
            self._pools[number].shutdown(wait=False, cancel_futures=True)
            self._pools[number] = self._new_pool()
            begun = self._pools[number].submit(function, *arguments)
        return begun

    def _ended(self, number: int, result: Future[object], done: Future[object]) -> None:
        error = CancelledError() if done.cancelled() else done.exception()
        with self._lock:
            if not self._closed:
                if isinstance(error, BrokenExecutor):
                    # It ends by itself, and may hold a lock while it calls this.
                    self._pools[number] = self._new_pool()
                self._free.append(number)
                self._start()
        if error is None:
            result.set_result(done.result())
        else:
            result.set_exception(error)

    def close(self) -> None:
        """Let the processes end, with the parts they are at."""
        with self._lock:
            self._closed = True  # from here on no process begins
            busy = len(self._free) < len(self._pools)
            for result, *_ in self._waiting:
                result.cancel()
            self._waiting.clear()
        for pool in self._pools:  # without the lock, which parts that end now take
            pool.shutdown(kill_workers=busy)
        self._writing.close()
        self._alive.close()
        if self._folder is not None:
            self._folder.cleanup()

    def _new_pool(self) -> ProcessPoolExecutor:
        from loky import ProcessPoolExecutor

        with _interrupts_held():
            return ProcessPoolExecutor(1, initializer=_be_a_worker, initargs=(self._alive,))


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Keep Ctrl-C from what is begun inside: a process that begins has the mask of who began it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Futures(Batch):
    """Parts in an executor."""

    def __init__(self, submit: Callable[[object], Future[object]], stop: Stop | None = None) -> None:
        self._submit, self._stop = submit, stop
        self._out: dict[Future[object], int] = {}

    def submit(self, number: int, part: object) -> None:
        self._out[self._submit(part)] = number

    def collect(self, seconds: float) -> list[PartResult]:
        done = wait(self._out, seconds, FIRST_COMPLETED).done
        return [self._outcome(future, self._out.pop(future)) for future in done]

    @staticmethod
    def _outcome(future: Future[object], number: int) -> PartResult:
        try:
            return PartResult(number, "done", future.result())
        except (BrokenExecutor, CancelledError) as error:
            return PartResult(number, "lost", error)
        except Exception as error:
            return PartResult(number, "failed", error)

    def cancel(self) -> None:
        if self._stop is not None:
            self._stop.set()
        for future in self._out:
            future.cancel()
        self._out.clear()


def _with_shared(function: Callable[..., object], shared: object) -> Callable[[object], object]:
    return function if shared is None else partial(_call, function, shared)


def _call(function: Callable[..., object], shared: object, part: object) -> object:
    return function(part, shared)


def _do(function: Callable[..., object], digest: bytes, source: bytes | Path, part: object) -> object:
    """A part with what it shares, in a worker process or thread."""
    return function(part, unpack(digest, source.read_bytes if isinstance(source, Path) else lambda: source))


def _be_a_worker(alive: Connection) -> None:
    # Ctrl-C reaches every process of the terminal; the one that the work is done for decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["OMP_NUM_THREADS"] = "1"
    threading.Thread(target=_end_with, args=(alive,), daemon=True).start()


def _end_with(alive: Connection) -> None:
    """End this process as soon as the one that it works for has ended, were it killed."""
    alive.poll(None)
    os._exit(1)
