"""A scheduler and workers in processes of their own, and parts for them to do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from os import _exit
from pathlib import Path

from tests.waiting import until

ROOT = Path(__file__).resolve().parents[2]


class DaskProcesses:
    """A scheduler and workers, each a process that Dask's nanny replaces when it is killed."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.file = folder / "scheduler.json"
        self.scheduler = self._start(
            folder, "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self.file)
        )
        self._workers = [
            self._start(folder, "worker", "--scheduler-file", str(self.file), "--nthreads", "1")
            for _ in range(workers)
        ]

        def is_up() -> bool:
            if self.scheduler.poll() is not None:
                raise RuntimeError((folder / "scheduler.log").read_text())
            return self.file.is_file()

        until(is_up)

    @staticmethod
    def _start(folder: Path, what: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "distributed.cli.dask_" + what, "--no-dashboard", *arguments]
        if what == "worker":
            command += ["--local-directory", str(folder)]
        with (folder / f"{what}.log").open("ab") as log:
            return subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                start_new_session=True,
            )

    def stop(self) -> None:
        """End all of them, with what they have started: asked politely it would take Dask long."""
        for process in (*self._workers, self.scheduler):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def dask_processes(folder: Path, workers: int) -> Iterator[DaskProcesses]:
    """Scheduler and workers while this lasts."""
    started = DaskProcesses(folder, workers)
    try:
        yield started
    finally:
        started.stop()


# Parts


def digest_of(number: int, text: str = "") -> str:
    """Some work of a tenth of a second or so, and where it was done is not seen in it."""
    digest = f"{text}{number}".encode()
    for _ in range(100_000):
        digest = sha256(digest).digest()
    return digest.hex()


def process_of(_number: int) -> int:
    """Where a part is done."""
    return os.getpid()


def digest_and_place(number: int, text: str) -> tuple[str, int]:
    """The same, and the process that it was done in."""
    return digest_of(number, text), os.getpid()


def fails(number: int) -> int:
    """Raises for the third part."""
    if number == 2:
        raise KeyError("the third")
    return number


def ends_its_process(number: int) -> int:
    """A part that no worker survives."""
    _exit(number + 3)
