"""The servers under test: started as their user would, and watched from outside."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Self
from urllib.error import URLError
from urllib.request import urlopen

from benchmarks.site.work import children, resident

_PATIENCE = 60.0
PROGRAM = Path(sys.executable).with_name("sheshbesh")


_KEY = "of the workers in this measurement"


def _end(process: subprocess.Popen[bytes], by: signal.Signals) -> None:
    process.send_signal(by)
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Worker:
    """`sheshbesh site worker` with two engine processes."""

    def __init__(self, url: str, log: Path, program: Path = PROGRAM) -> None:
        self._log = log
        self._command = [str(program), "site", "worker", url, "--processes", "2"]
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        with self._log.open("wb") as log:
            known = {**os.environ, "SHESHBESH_WORKER_KEY": _KEY}
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log, env=known)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        _end(self._process, signal.SIGTERM)

    @property
    def pid(self) -> int:
        """Its process; the engine's are others."""
        assert self._process is not None
        return self._process.pid


class Server:
    """`sheshbesh serve` on a free port of this machine; `own_engines` has engine processes beside it."""

    def __init__(
        self, database: str, log: Path, program: Path = PROGRAM, *, own_engines: bool = True
    ) -> None:
        self.host, self._log = "127.0.0.1", log
        with socket.create_server((self.host, 0)) as probe:
            self.port = probe.getsockname()[1]
        serve = ("serve", "--host", self.host, "--port", str(self.port), "--no-limits")
        only = () if own_engines else ("--no-own-engines",)
        self._command = [str(program), *serve, "--database", database, *only]
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        with self._log.open("wb") as log:
            # Engine seats act at once, since the site is measured and not their pauses.
            swift = {
                **os.environ,
                "SHESHBESH_ENGINE_PACE": "0",
                "SHESHBESH_WORKER_KEY": _KEY,
                "SHESHBESH_INTERNAL_URL": self.url,
            }
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log, env=swift)
        try:
            self._wait()
        except BaseException:
            self._process.kill()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process is not None
        _end(self._process, signal.SIGINT)

    def _wait(self) -> None:
        """Until it has said where it is and answers there."""
        assert self._process is not None
        until = monotonic() + _PATIENCE
        while monotonic() < until and self._process.poll() is None:
            if f"is at {self.url}" in self.log():
                try:
                    urlopen(f"{self.url}/api/v1/health", timeout=5).close()
                except URLError:
                    pass
                else:
                    return
            sleep(0.1)
        raise RuntimeError(f"the server did not start: {self.log()}")

    @property
    def url(self) -> str:
        """Its address, for pages and for workers."""
        return f"http://{self.host}:{self.port}"

    def log(self) -> str:
        """What it has printed."""
        return self._log.read_text(errors="replace")

    @property
    def pid(self) -> int:
        """Its process; the engine's are others."""
        assert self._process is not None
        return self._process.pid

    def memory(self) -> int:
        """Bytes of memory that it holds, its workers for the engine left out."""
        return resident(self.pid)


@dataclass
class Place:
    """Servers on one database, and the process that the database's own processes come from, if it has any."""

    servers: Sequence[Server]
    database: int | None = None
    workers: Sequence[Worker] = ()
    known: set[int] = field(default_factory=set)
    known_engines: set[int] = field(default_factory=set)

    def database_processes(self) -> set[int]:
        """The processes of the database, those that have ended included."""
        if self.database is not None:
            self.known |= {self.database, *children(self.database)}
        return self.known

    def engines(self) -> set[int]:
        """Workers, and all engine processes, those that have ended included."""
        workers = {worker.pid for worker in self.workers}
        for pid in workers | {server.pid for server in self.servers}:
            self.known_engines |= set(children(pid))
        self.known_engines |= workers
        return self.known_engines

    def faults(self) -> str:
        """The end of what the servers have said of faults; empty if they had none."""
        return "".join(log[-4000:] for log in (server.log() for server in self.servers) if "Traceback" in log)


@contextmanager
def running(
    *, postgres: bool = False, processes: int = 1, workers: int = 0, program: Path = PROGRAM
) -> Iterator[Place]:
    """A number of servers on a new, empty database: SQLite, or PostgreSQL with synchronous commits.

    With `workers` those run the engine, and no server has an engine process of its own.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sheshbesh-load-")))
        url, database = f"sqlite:///{folder}/site.db", None
        if postgres:
            from tests.server.postgres import running_postgres

            found = stack.enter_context(running_postgres(durable=True))
            url, database = found.url(), found.pid
        # One behind the other: the first makes the tables.
        servers = [
            stack.enter_context(Server(url, folder / f"log{number}", program, own_engines=not workers))
            for number in range(processes)
        ]
        hosts = [
            stack.enter_context(Worker(servers[0].url, folder / f"worker{number}", program))
            for number in range(workers)
        ]
        yield Place(servers, database, hosts)
