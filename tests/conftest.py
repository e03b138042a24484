"""Settings for all tests: how long and how hypothesis looks for counter-examples."""

from __future__ import annotations

import gc
import importlib.util
import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.lots import lots_from

# The same commit gives the same answer, always and everywhere: no deadline, which measures the load of the
# machine, and the same examples each time. `make soak` looks for others, more of them.
settings.register_profile(
    "suite", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("soak", settings.get_profile("suite"), derandomize=False, max_examples=1000)
# Bear-off databases that tests make lie in the checkout, not with those of the user who runs them.
os.environ.setdefault("SHESHBESH_CACHE", str(Path(__file__).parents[1] / "build" / "cache"))
# What else of this user has asked trainers to pause, as the tests of another checkout, is no matter of these.
os.environ["SHESHBESH_QUIET"] = str(Path(__file__).parents[1] / "build" / "quiet")
# Modules are compiled once, not by each of the hundreds of processes that tests start.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# The cores are shared by the workers: threads for the small sums of tests would only wait for each other.
os.environ["OMP_NUM_THREADS"] = "1"
# httpx asks for this with each request, and looks for it in all folders where it is not installed.
if importlib.util.find_spec("sniffio") is None:
    sys.modules["sniffio"] = None  # type: ignore[assignment]
# Whatever the language of the user who runs them: the tests know the English texts.
os.environ["LANGUAGE"] = "en"
# Wherever and in however small a window: no message is wrapped because a path is long. What pytest itself
# prints is as wide as the window.
_WINDOW = shutil.get_terminal_size().columns
os.environ.update(COLUMNS="400", LINES="100", TZ="UTC")
time.tzset()
for _name in ("FORCE_COLOR", "NO_COLOR", "CLICOLOR_FORCE"):
    os.environ.pop(_name, None)

settings.load_profile("suite")  # `--hypothesis-profile` may name the other one


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return one more than there are cores: tests wait now and then, and each worker collects all of them."""
    return (os.cpu_count() or 1) + 1


def pytest_sessionstart(session: pytest.Session) -> None:
    if session.config.pluginmanager.has_plugin("terminalreporter"):
        session.config.get_terminal_writer().fullwidth = _WINDOW


def pytest_collection_finish() -> None:
    """What tests and libraries have brought along stays: collecting it again and again took a tenth of the
    time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.fixture
def archive(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """The folder of the records of this test, whose dice follow from its name."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    # Nothing is killed by most tests, and waiting for a disk a thousand times is slow.
    monkeypatch.setattr(os, "fsync", lambda _: None)
    with lots_from(request.node.nodeid):
        yield tmp_path / "data" / "sheshbesh" / "matches"
