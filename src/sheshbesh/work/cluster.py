"""Work on a Dask cluster: a scheduler that answers at an address, and workers anywhere that can reach it.

The functions that do the work are known by name, so scheduler and workers need the same version of
Sheshbesh; every part checks it. What parts share is a task of its own: the scheduler keeps it, a worker
fetches it once, and one that was lost with its worker is made again.
"""

from __future__ import annotations

import contextlib
import json
import logging
import pickle
import queue
import socket
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from sheshbesh.errors import WorkError
from sheshbesh.i18n import Text
from sheshbesh.work.base import Batch, PartResult, Shared, Work, own_version, unpack

ANSWERS_WITHIN: Final = 10.0
"""Seconds in which a scheduler has to answer."""

WORKERS_WITHIN: Final = 30.0
"""Seconds in which a scheduler without workers has to get one."""

_SILENCED: Final = ("distributed.batched", "distributed.client", "distributed.comm", "distributed.core")
"""Logs of Dask that describe lost connections at length; here each becomes one error with its meaning."""

_COUNT_AGAIN: Final = 5.0
"""Seconds for which a number of workers is taken to hold: they come and go."""


class Cluster(Work):
    """The workers of one scheduler; WorkError where there is none."""

    def __init__(
        self, address: str, *, answers_within: float = ANSWERS_WITHIN, workers_within: float = WORKERS_WITHIN
    ) -> None:
        self.address = address
        self._lock = threading.Lock()
        self._client = _connected(address, answers_within)
        self._counted = 0.0
        self._workers = 0
        until = time.monotonic() + workers_within
        while not self._count() and time.monotonic() < until:
            time.sleep(0.1)
        if not self._workers:
            self.close()
            raise WorkError(
                Text(
                    "the cluster at {address} has no workers: start some, and then this again",
                    address=address,
                )
            )

    def _count(self) -> int:
        """Return the number of parts that the cluster can do at the same time, by its threads."""
        try:
            self._workers = sum(self._client.nthreads().values())
        except (OSError, RuntimeError, ValueError) as error:
            raise self.lost(error) from error
        self._counted = time.monotonic()
        return self._workers

    @property
    def workers(self) -> int:
        """The threads of all workers that are there now."""
        with self._lock:
            if time.monotonic() - self._counted > _COUNT_AGAIN:
                self._count()
            return max(1, self._workers)

    def batch(self, function: Callable[..., object], shared: object) -> Batch:
        """The parts of one call of `map`."""
        return _Tasks(self, self._client, function, shared)

    def lost(self, error: BaseException) -> WorkError:
        """Return what is raised when the scheduler is gone."""
        why = str(error) or type(error).__name__
        return WorkError(
            Text("the cluster at {address} was lost: {why}", address=self.address, why=why.splitlines()[0])
        )

    def close(self) -> None:
        """Leave the cluster; what is not done is dropped."""
        with contextlib.suppress(Exception):
            self._client.close(timeout=2)


def _connected(address: str, within: float) -> Any:
    try:
        from distributed import Client
    except ImportError as error:
        raise WorkError(
            Text("a cluster needs the extra `cluster`: pip install 'sheshbesh[cluster]'")
        ) from error
    for name in _SILENCED:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    # Made in two steps, so that one that does not get through can be kept from closing what never opened.
    client: Any = Client.__new__(Client)
    client.status = "closed"
    try:
        is_file = Path(address).suffix == ".json" or Path(address).is_file()
        where = _address_in(address) if is_file else address
        _knock(where, within)
        client.__init__(where, timeout=within, set_as_default=False, name="sheshbesh")
    except Exception as error:
        # Of any kind: what answers need not be a scheduler.
        client.status = "closed"
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        if isinstance(error, MemoryError):
            # Dask reads the first bytes of an answer as its length.
            why = "what answers there is no scheduler of Dask"
        raise WorkError(
            Text(
                "no cluster answers at {address}: {why}", address=address or Text("an empty address"), why=why
            )
        ) from error
    return client


def _address_in(file: str) -> str:
    """The address that a scheduler has written to its file; Dask would wait for the file for ever."""
    try:
        return str(json.loads(Path(file).read_text(encoding="utf-8"))["address"])
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError("the file is none that a scheduler of Dask has written") from error


def _knock(address: str, within: float) -> None:
    """OSError where nobody listens at the address: Dask would ask again and again until the time is up."""
    from distributed.comm.addressing import parse_address, parse_host_port

    scheme, place = parse_address(address)
    if scheme in ("tcp", "tls"):
        socket.create_connection(parse_host_port(place), within).close()


class _Tasks(Batch):
    """Parts as tasks of a cluster."""

    def __init__(
        self, cluster: Cluster, client: Any, function: Callable[..., object], shared: object
    ) -> None:
        self._cluster, self._client, self._function = cluster, client, function
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._out: dict[str, tuple[int, Any]] = {}
        self._name = f"sheshbesh-{getattr(function, '__name__', 'part').strip('_')}-{uuid.uuid4().hex}"
        self._digest, self._shared = b"", None
        if shared is not None:
            packed = Shared.of(shared)
            self._digest = packed.digest
            self._shared = self._send(f"{self._name}-shared", _hold, packed.content)

    def _send(self, key: str, function: Callable[..., object], *arguments: object) -> Any:
        try:
            return self._client.submit(function, *arguments, key=key, pure=False)
        except (OSError, RuntimeError) as error:
            raise self._cluster.lost(error) from error

    def submit(self, number: int, part: object) -> None:
        # Pickled here: Dask would look into the part for tasks and data of its own.
        packed = pickle.dumps((self._function, part), pickle.HIGHEST_PROTOCOL)
        key = f"{self._name}-{number}-{uuid.uuid4().hex[:8]}"
        future = self._send(key, do_part, own_version(), packed, self._digest, self._shared)
        self._out[key] = (number, future)
        future.add_done_callback(self._done.put)

    def collect(self, seconds: float) -> list[PartResult]:
        ready = []
        with contextlib.suppress(queue.Empty):
            ready.append(self._done.get(timeout=seconds))
            while True:
                ready.append(self._done.get_nowait())
        if not ready and self._client.status in ("closing", "closed"):
            raise self._cluster.lost(ConnectionError("the connection was closed"))
        finished = [future for future in ready if future.status == "finished"]
        values = dict(zip([each.key for each in finished], self._gathered(finished), strict=True))
        return [self._outcome(future, values) for future in ready]

    def _gathered(self, finished: list[Any]) -> list[object]:
        """The results, in one message."""
        if not finished:
            return []
        try:
            return list(self._client.gather(finished))
        except Exception as error:
            # Nothing that our functions raise: these tasks have finished.
            raise self._cluster.lost(error) from error

    def _outcome(self, future: Any, values: dict[str, object]) -> PartResult:
        number, _ = self._out.pop(future.key)
        if future.key in values:
            return PartResult(number, "done", values[future.key])
        if future.status not in ("error", "finished"):
            # Only a lost connection cancels what we have not.
            raise self._cluster.lost(ConnectionError("its scheduler has gone"))
        error = self._error_of(future)
        if type(error).__name__ == "KilledWorker":
            return PartResult(number, "lost", error)
        if isinstance(error, ModuleNotFoundError) and str(error.name).startswith("sheshbesh"):
            raise WorkError(
                Text(
                    "the cluster at {address} has no Sheshbesh: install version {version} where its "
                    "scheduler and its workers run",
                    address=self._cluster.address,
                    version=own_version(),
                )
            ) from error
        return PartResult(number, "failed", error)

    @staticmethod
    def _error_of(future: Any) -> Exception:
        try:
            error = future.exception(timeout=ANSWERS_WITHIN)
        except Exception as found:
            return found
        return error if isinstance(error, Exception) else ConnectionError(str(error or future.status))

    def cancel(self) -> None:
        futures = [future for _, future in self._out.values()]
        self._out.clear()
        if futures and self._client.status == "running":
            with contextlib.suppress(Exception):
                self._client.cancel(futures)
        self._shared = None


def _hold(content: bytes) -> bytes:
    """Return what is shared, as the result of a task."""
    return content


def do_part(version: str, packed: bytes, digest: bytes, shared: bytes | None) -> object:
    """A part, on a worker; WorkError where it has another version of Sheshbesh."""
    if version != (own := own_version()):
        import platform

        raise WorkError(
            Text(
                "the worker on {host} has Sheshbesh {own}, the program that asks it has {version}: "
                "install the same version there",
                host=platform.node(),
                own=own,
                version=version,
            )
        )
    function, part = pickle.loads(packed)
    return function(part) if shared is None else function(part, unpack(digest, lambda: shared))
