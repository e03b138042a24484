"""Engine processes that start in no time: copies of one that has imported what all of them need.

    python -m tests.engines SOCKET

listens there until its input ends. What connects hands over its input and output, and its arguments as
options of `sheshbesh engine`: `tests/engine_stand_in.py`, which a site starts as it does an engine.
"""

from __future__ import annotations

import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from os import _exit
from pathlib import Path

NEEDED = (
    "sheshbesh.cli.main",
    "sheshbesh.cli.commands.engine",
    "sheshbesh.ubgi.dialogue",
    "sheshbesh.ubgi.requests",
    "sheshbesh.pictures.raster",
    "sheshbesh.practice",
    "sheshbesh.reviews.questions",
    "sheshbesh.reviews.search",
    "sheshbesh.reviews.summary",
)
"""The modules that engines import, sooner or later."""

_LONGEST = 4096
_PROGRAM = Path(__file__).with_name("engine_stand_in.py")


@contextmanager
def engines_at_hand() -> Iterator[tuple[str, ...]]:
    """Let engines be started in no time; the arguments of Python that start one."""
    with tempfile.TemporaryDirectory(prefix="sheshbesh-engines-") as folder:
        address = f"{folder}/socket"
        program = (sys.executable, "-m", "tests.engines", address)
        with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as origin:
            assert origin.stdin is not None and origin.stdout is not None
            assert origin.stdout.readline() == b"listening\n"
            yield "-I", "-S", str(_PROGRAM), address
            origin.stdin.close()


def _serve(address: str) -> None:
    """Fork for everybody who connects, until the input ends; return in the copies, as an engine."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # so that what has ended is gone
    for name in NEEDED:
        import_module(name)
    with socket.socket(socket.AF_UNIX) as listening, selectors.DefaultSelector() as both:
        listening.bind(address)
        listening.listen(64)
        print("listening", flush=True)
        both.register(listening, selectors.EVENT_READ)
        both.register(0, selectors.EVENT_READ)
        while all(key.fileobj is listening for key, _ in both.select()):
            line, _ = listening.accept()
            if os.fork() == 0:
                break
            line.close()
        else:
            _exit(0)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    said, given, _, _ = socket.recv_fds(line, _LONGEST, 2)
    for place, descriptor in enumerate(given):
        os.dup2(descriptor, place)
        os.close(descriptor)
    sys.argv = ["sheshbesh", "engine", *said.decode().split("\n")[1:]]
    threading.Thread(target=_end_with, args=(line,), daemon=True).start()


def _end_with(line: socket.socket) -> None:
    """Be killed where the program is that stands for this process."""
    line.recv(1)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    _serve(sys.argv[1])
    import_module("sheshbesh.cli.main").main()
