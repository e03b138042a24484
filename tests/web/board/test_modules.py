"""The board's modules by themselves: their own tests under Node, and their types."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.web.browser import CHECKOUT

TOOLS = CHECKOUT / "tools" / "web"
TSC = TOOLS / "node_modules" / ".bin" / "tsc"


def _run(*command: str | Path) -> None:
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node.js on this machine")
def test_pure_modules() -> None:
    """Geometry, stages, notation and touch-move, without a browser."""
    _run("node", "--test", *sorted((CHECKOUT / "tests" / "web" / "board").glob("*.test.js")))


@pytest.mark.slow
@pytest.mark.skipif(not TSC.exists(), reason="npm install in tools/web first")
def test_types() -> None:
    """The JSDoc types of the whole page hold."""
    _run(TSC, "--project", TOOLS / "tsconfig.json")


def test_words_are_all_in_one_place() -> None:
    """Whatever the board asks a catalogue for stands in words.js, where it is collected from."""
    folder = CHECKOUT / "src" / "sheshbesh" / "web" / "board"
    for file in folder.glob("*.js"):
        text = file.read_text(encoding="utf-8")
        assert ' t("' not in text, file.name
        assert '.t("' not in text, file.name
