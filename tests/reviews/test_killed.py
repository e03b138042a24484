"""A long match whose review is killed: what was judged is kept, and the result is the same to the bit."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from sheshbesh.engines.bearoff_databases import cache_folder
from tests.records.test_write import played
from tests.waiting import until

_PATIENCE_S = 1800


@pytest.mark.soak
@pytest.mark.timeout(3 * _PATIENCE_S)
def test_a_match_of_25_points_killed_twice_has_the_same_review(tmp_path: Path) -> None:
    file = tmp_path / "long.jsonl"
    file.write_text(played("backgammon.p25", 20_000).to_text(), encoding="utf-8")
    command = [sys.executable, "-m", "sheshbesh", "review", str(file), "--plies", "1", "--json", "--no-keep"]
    command += ["--workers", "1"]
    cache = tmp_path / "cache"
    cache.mkdir()
    for known in cache_folder().glob("*"):  # the databases, which are not to be made again
        if known.name != "reviews":
            (cache / known.name).symlink_to(known.resolve())
    environment = {**os.environ, "SHESHBESH_CACHE": str(cache)}
    whole = subprocess.run(command, capture_output=True, check=True, env=environment)
    judged = 0
    for _ in range(2):
        process = subprocess.Popen([*command, "--resume"], stdout=subprocess.DEVNULL, env=environment)
        try:
            judged = until(partial(_more, process, cache / "reviews", judged + 100), seconds=_PATIENCE_S)
        finally:
            process.kill()
            process.wait()
        assert _lines(cache / "reviews") >= judged
    last = subprocess.run([*command, "--resume"], capture_output=True, check=True, env=environment)
    assert last.stdout == whole.stdout
    assert not list((cache / "reviews").iterdir())


def _more(process: subprocess.Popen[bytes], folder: Path, enough: int) -> int:
    """The number of decisions that are judged, once there are enough of them."""
    assert process.poll() is None, "it was done before it was killed"
    judged = _lines(folder)
    return judged if judged >= enough else 0


def _lines(folder: Path) -> int:
    return sum(file.read_bytes().count(b"\n") for file in folder.glob("*.partial"))
