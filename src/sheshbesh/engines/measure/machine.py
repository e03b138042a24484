"""What nets run on here: the processor and its instruction sets. All give the same values to the bit."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sheshbesh import _core


def isas() -> tuple[str, ...]:
    """The instruction sets there are on this machine, slowest first; "baseline" is always there."""
    return tuple(_core.isas())


def active_isa() -> str:
    """The one in use: the fastest, or the one that SHESHBESH_ISA in the environment names."""
    return _core.active_isa()


@contextmanager
def running_on(isa: str) -> Iterator[None]:
    """Engines and rollouts made meanwhile use this instruction set; ValueError if it is not there."""
    before = active_isa()
    if isa not in isas():
        raise ValueError(f"this machine has no instruction set {isa!r}; it has {', '.join(isas())}")
    _core.force_isa(isa)
    try:
        yield
    finally:
        _core.force_isa(before)


def processor() -> str:
    """The processor, as far as the system names it, and how many cores there are."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{named[0] if named else platform.processor() or platform.machine()}, {os.cpu_count()} cores"
