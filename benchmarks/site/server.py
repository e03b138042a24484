"""The server under test: started as its user would, and watched from outside."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Self
from urllib.error import URLError
from urllib.request import urlopen

_PATIENCE = 60.0
_TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """`sheshbesh serve` on a free port of this machine, with a database of its own."""

    def __init__(self, database: str | None = None, *options: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="sheshbesh-load-")
        self._database = database or f"sqlite:///{self._folder.name}/site.db"
        self._options = options
        self.host, self.port = "127.0.0.1", 0
        self._log = Path(self._folder.name) / "log"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        command = [
            str(Path(sys.executable).with_name("sheshbesh")),
            "serve",
            "--host",
            self.host,
            "--port",
            "0",
        ]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [*command, "--database", self._database, *self._options], stdout=log, stderr=log
            )
        self._wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._folder.cleanup()

    def _wait(self) -> None:
        """Until it has said where it is and answers there."""
        assert self._process is not None
        until = monotonic() + _PATIENCE
        while monotonic() < until and self._process.poll() is None:
            told = self.log().partition("is at http://127.0.0.1:")[2]
            if told:
                self.port = int(told.split()[0].rstrip("/"))
                try:
                    urlopen(f"http://{self.host}:{self.port}/api/v1/health", timeout=5).close()
                except URLError:
                    pass
                else:
                    return
            sleep(0.1)
        raise RuntimeError(f"the server did not start: {self.log()}")

    def log(self) -> str:
        """What it has printed."""
        return self._log.read_text(errors="replace")

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    def memory(self) -> int:
        """Bytes of memory that it holds, its workers for the engine left out."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024

    def seconds(self) -> float:
        """Seconds of a core that it has used so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS
