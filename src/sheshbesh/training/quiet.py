"""A lock that pauses training while tests, benchmarks or load runs have the machine to themselves.

    python src/sheshbesh/training/quiet.py COMMAND ...

runs a command under the lock, once every trainer of this user has paused (at the end of its round) or a
minute has passed. The lock is a folder with one file per holder, PID.quiet; a file whose process is gone
counts for nothing and is removed. Trainers at work have a file there too, PID.training. It needs the standard
library alone: `make` runs it before the package is built. Without POSIX process ids nothing pauses.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

FOLDER = "SHESHBESH_QUIET"
"""The environment variable that names another folder for the lock."""

HOLDER = "SHESHBESH_QUIET_HOLDER"
"""The environment variable that tells a command under the lock who holds it: what the command itself trains
does not pause for that."""

_HOLDER, _TRAINER = ".quiet", ".training"
_LONGEST_WAIT = 60.0
_LOOK_AGAIN = 0.5


def folder() -> Path:
    """Return where the files lie: one folder for all checkouts of a user on a machine."""
    named = os.environ.get(FOLDER)
    return Path(named) if named else Path(tempfile.gettempdir()) / f"sheshbesh-quiet-{getpass.getuser()}"


def asked_for() -> bool:
    """Return True if a running process, other than the one this runs under, has asked trainers to pause."""
    return any(str(process) != os.environ.get(HOLDER) for process in _living(_HOLDER))


def training() -> bool:
    """Return True if a living trainer is at work, not paused."""
    return bool(_living(_TRAINER))


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Trainers pause while this lasts; a waiting caller is another matter, see `wait_for_trainers`."""
    with _file(_HOLDER):
        yield


@contextlib.contextmanager
def at_work() -> Iterator[None]:
    """This process trains while this lasts."""
    with _file(_TRAINER):
        yield


def wait(until: Callable[[], bool]) -> None:
    """Be paused, as a trainer, while quiet is asked for or until `until` says so."""
    own = folder() / f"{os.getpid()}{_TRAINER}"
    worked = own.exists()
    own.unlink(missing_ok=True)
    while asked_for() and not until():
        time.sleep(_LOOK_AGAIN)
    if worked:
        own.touch()


def wait_for_trainers(longest: float = _LONGEST_WAIT) -> bool:
    """Wait until no trainer is at work; False if `longest` seconds were not enough."""
    end = time.monotonic() + longest
    while training():
        if time.monotonic() > end:
            return False
        time.sleep(_LOOK_AGAIN)
    return True


@contextlib.contextmanager
def _file(kind: str) -> Iterator[None]:
    file = folder() / f"{os.getpid()}{kind}"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def _living(kind: str) -> list[int]:
    """The processes that have such a file; the files of those that are gone are removed."""
    found: list[int] = []
    if os.name != "posix" or not folder().is_dir():
        return found
    for file in folder().glob(f"*{kind}"):
        if file.stem.isdecimal() and _lives(int(file.stem)):
            found.append(int(file.stem))
        else:
            with contextlib.suppress(OSError):
                file.unlink()
    return found


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return process < 2**31  # another user's process lives; a larger number is none
    return True


def _main(command: list[str]) -> int:
    if not command:
        print("usage: quiet.py COMMAND ...", file=sys.stderr)
        return 2
    with held():
        if not wait_for_trainers():
            print("A trainer is still at work; times measured now say little.", file=sys.stderr)
        try:
            environment = {**os.environ, HOLDER: str(os.getpid())}
            return subprocess.run(command, check=False, env=environment).returncode
        except FileNotFoundError:
            print(f"{command[0]}: no such command", file=sys.stderr)
            return 127


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
