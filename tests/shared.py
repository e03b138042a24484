"""What is expensive to make and the same for all test workers: made by the first that needs it."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(folder: Path, make: Callable[[Path], None]) -> Path:
    """The folder, which `make` fills where there is none yet; other workers wait meanwhile.

    Nobody writes into it afterwards. What a worker that was killed has left is made anew.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.is_dir():
            unfinished = folder.with_name(f"{folder.name}.unfinished")
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            make(unfinished)
            unfinished.rename(folder)
    return folder


def folder_of_all(factory: pytest.TempPathFactory) -> Path:
    """The temporary folder of this run of the tests, which its workers share."""
    own = factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
