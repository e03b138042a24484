"""The work expected of each benchmark; how it is timed is in `sheshbesh.engines.measure.speed`."""

from __future__ import annotations

import json
from pathlib import Path

from sheshbesh.engines.measure.speed import Summary

EXPECTED = Path(__file__).parent / "work.json"


def read_expected() -> dict[str, Summary]:
    """The summaries expected, by benchmark."""
    return {name: tuple(summary) for name, summary in json.loads(EXPECTED.read_text()).items()}


def write_expected(done: dict[str, Summary]) -> None:
    """Expect these from now on."""
    lines = [f"  {json.dumps(name)}: {json.dumps(summary)}" for name, summary in done.items()]
    EXPECTED.write_text("{\n" + ",\n".join(lines) + "\n}\n")
