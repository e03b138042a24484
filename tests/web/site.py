"""The real site for browser tests: `sheshbesh serve` as a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

COMMAND = Path(sys.executable).with_name("sheshbesh")


@contextmanager
def serving_site(folder: Path) -> Iterator[str]:
    """Serve the site with a new database in `folder`; yields its address."""
    environment = {**os.environ, "SHESHBESH_SECRET": "only-for-tests-of-the-page"}
    options = [
        "--port",
        "0",
        "--database",
        f"sqlite:///{folder}/site.db",
        "--engine-workers",
        "1",
        "--no-limits",
    ]
    command = [str(COMMAND), "serve", *options]
    with (
        (folder / "errors.txt").open("w") as errors,
        subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as server,
    ):
        assert server.stdout is not None
        first = server.stdout.readline()
        assert "http" in first, (folder / "errors.txt").read_text()
        try:
            yield first.split()[3]
        finally:
            server.send_signal(signal.SIGINT)
            server.communicate(timeout=30)
