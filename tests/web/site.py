"""The site as its user starts it: `sheshbesh serve` in a process of its own, that may be killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal
from urllib.error import URLError
from urllib.request import urlopen

from tests.waiting import until
from tests.web.browser import CHECKOUT
from tests.web.packed_page import packed_page

Engines = Literal["well", "gone", "crowded"]
"""How questions to the engines fare: answered, by nobody, or refused to players by a queue that is full."""

_SOWN: set[str] = set()


@cache
def _lots() -> TemporaryDirectory[str]:
    found = TemporaryDirectory(prefix="sheshbesh-lots-")
    (Path(found.name) / "seed").touch()
    (Path(found.name) / "engines").write_text("well")
    return found


@contextmanager
def engines(how: Engines) -> Iterator[None]:
    """Let questions to the engines of every site of this process fare so meanwhile."""
    said = Path(_lots().name) / "engines"
    said.write_text(how)
    try:
        yield
    finally:
        said.write_text("well")


def sow(seed: str) -> None:
    """Let all that is thrown and drawn by lot in matches that begin from now on follow from a text.

    That holds for every site of this process. Without a text they are thrown as for the users of the site.
    ValueError for one that others have had: what they drew would be missing.
    """
    if seed in _SOWN:
        raise ValueError(f"{seed!r} was sown before")
    if seed:
        _SOWN.add(seed)
    (Path(_lots().name) / "seed").write_text(seed)


class LiveSite:
    """A server on one port of this machine, with a database in `folder`; engines act without delay.

    It serves the page packed, or its modules as they are in the checkout, and then its dice have no seed.
    """

    def __init__(self, folder: Path, *, packed: bool = True) -> None:
        self._program = (
            [sys.executable, "-m", "tests.web.packed_site", str(packed_page()), _lots().name]
            if packed
            else [str(Path(sys.executable).with_name("sheshbesh"))]
        )
        self._database = f"sqlite:///{folder}/site.db"
        self._log = folder / "log"
        with socket.create_server(("127.0.0.1", 0)) as found:
            self.port = found.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = ["--port", str(self.port), "--database", self._database, "--engine-workers", "1"]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*self._program, "serve", *options],
                stdout=log,
                stderr=log,
                cwd=CHECKOUT,
                env={**os.environ, "SHESHBESH_ENGINE_PACE": "0", "SHESHBESH_LIMITS": "off"},
            )
        process = self._process

        def answers() -> bool:
            if process.poll() is not None:
                raise RuntimeError(f"the site did not start: {self.log()}")
            try:
                urlopen(f"{self.url}/api/v1/health", timeout=5).close()
            except (URLError, OSError):
                return False
            return True

        until(answers)

    def kill(self) -> None:
        """End it as a loss of power would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            try:
                self._process.wait(15)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    def log(self) -> str:
        """What it has printed."""
        return self._log.read_text(errors="replace")


@contextmanager
def serving_site(folder: Path, *, packed: bool = True) -> Iterator[LiveSite]:
    """A site that runs meanwhile, with its database in `folder`."""
    found = LiveSite(folder, packed=packed)
    found.start()
    try:
        yield found
    finally:
        found.stop()
