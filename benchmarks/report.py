"""Targets, and the numbers as a page."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
from dataclasses import dataclass, field
from pathlib import Path

CORE_TARGET = 15e6
CORE_TARGET_OTHERS = CORE_TARGET / 4
CALLS_TARGET = 300e3
CORE_RATIO_TARGET = 15.0
PYTHON_RATIO_TARGET = 3.0

_FEATURES = {"avx512f": "AVX-512", "avx2": "AVX2", "asimd": "NEON"}


@dataclass
class Results:
    """Rates by game, per second; the comparison in decisions per second.

    Of the engine: the net it was measured with, values a second by instruction set, the rest by name.
    """

    positions: dict[str, float] = field(default_factory=dict)
    decisions: dict[str, float] = field(default_factory=dict)
    calls: dict[str, float] = field(default_factory=dict)
    compared: dict[str, float] = field(default_factory=dict)
    net: str = ""
    values: dict[str, float] = field(default_factory=dict)
    engine: dict[str, float] = field(default_factory=dict)

    def targets(self) -> list[tuple[str, float, float]]:
        """Every target: what it is about, the number wanted, the number found."""
        found = []
        for name, rate in self.positions.items():
            wanted = CORE_TARGET if name == "backgammon" else CORE_TARGET_OTHERS
            found.append((f"{name}: final positions per second in the core", wanted, rate))
        if "backgammon" in self.calls:
            found.append(
                ("backgammon: legal_plays per second from Python", CALLS_TARGET, self.calls["backgammon"])
            )
        if "open_spiel" in self.compared:
            theirs = self.compared["open_spiel"]
            found.append(("times open_spiel in the core", CORE_RATIO_TARGET, self.compared["core"] / theirs))
            found.append(
                ("times open_spiel from Python", PYTHON_RATIO_TARGET, self.compared["python"] / theirs)
            )
        return found

    def missed(self) -> list[str]:
        """The targets not reached, as sentences."""
        return [
            f"{what}: {rate:,.0f}, wanted {wanted:,.0f}"
            for what, wanted, rate in self.targets()
            if rate < wanted
        ]


def describe_machine() -> str:
    """The machine in the few words that matter for speed."""
    features = ""
    flags = Path("/proc/cpuinfo")
    if flags.exists():
        words = set(flags.read_text().split())
        features = next((f" with {label}" for word, label in _FEATURES.items() if word in words), "")
    kind = platform.machine().replace("_", "-")
    return f"{os.cpu_count()}-core {kind}{features}, {_compiler()}, Python {platform.python_version()}"


def _compiler() -> str:
    """What built the core, as compilers leave it in their output."""
    spec = importlib.util.find_spec("sheshbesh._core")
    data = Path(spec.origin).read_bytes() if spec and spec.origin else b""
    for pattern, name in ((rb"clang version (\d+)", "clang"), (rb"GCC: \([^)]*\) (\d+)", "gcc")):
        if found := re.search(pattern, data):
            return f"{name} {found[1].decode()}"
    return "compiler unknown"


def page(results: Results, machine: str) -> str:
    """The results as Markdown."""
    return "\n".join([*_heading(machine), *_games(results), *_comparison(results), *_engine(results)])


def _heading(machine: str) -> list[str]:
    return [
        "# Benchmarks",
        "",
        f"Measured on: {machine}. One core, processor time, best of several",
        "runs; written by `python -m benchmarks --write`.",
        "",
    ]


def _games(results: Results) -> list[str]:
    lines = [
        "## Random games",
        "",
        "Positions are distinct final positions returned by the core in random games, decisions are",
        "throws played (all in C++). Calls are `Position.legal_plays` from Python, on positions of random",
        "games with random dice.",
        "",
        f"Targets: {CORE_TARGET / 1e6:.0f} M positions/s for backgammon and a quarter of that for every",
        f"other game, {CALLS_TARGET / 1e3:.0f} k calls/s for backgammon.",
        "",
        "| game | M positions/s | M decisions/s | k calls/s |",
        "|---|---:|---:|---:|",
    ]
    for name, positions in results.positions.items():
        decisions, calls = results.decisions[name], results.calls[name]
        lines.append(f"| {name} | {positions / 1e6:.1f} | {decisions / 1e6:.2f} | {calls / 1e3:.0f} |")
    return [*lines, ""]


def _comparison(results: Results) -> list[str]:
    lines = ["## Beside open_spiel", ""]
    if "open_spiel" not in results.compared:
        return [*lines, "Not measured: open_spiel is not installed (extra `peers`).", ""]
    lines += [
        "Random games of backgammon in one and the same run, in decisions per second. A double counts",
        "twice for open_spiel, which plays it as two half-turns.",
        "",
        f"Targets: {CORE_RATIO_TARGET:.0f} times in the core, {PYTHON_RATIO_TARGET:.0f} times from Python.",
        "",
        "| | k decisions/s | times open_spiel |",
        "|---|---:|---:|",
    ]
    rows = {
        "open_spiel": "open_spiel from Python",
        "python": "Sheshbesh from Python",
        "core": "Sheshbesh in the core",
    }
    for key, label in rows.items():
        rate = results.compared[key]
        lines.append(f"| {label} | {rate / 1e3:.0f} | {rate / results.compared['open_spiel']:.1f} |")
    return [*lines, ""]


def _engine(results: Results) -> list[str]:
    if not results.values:
        return []
    baseline = next(iter(results.values.values()))
    lines = [
        "## The engine",
        "",
        "Backgammon. Values are those of the raw net, inputs included, in batches; all instruction sets gave",
        "the same bits. Everything else runs on the fastest one, from Python. Beside gnubg:",
        "[strength](strength/README.md).",
        "",
        f"Net: {results.net}.",
        "",
        "| instruction set | k values/s | times baseline |",
        "|---|---:|---:|",
    ]
    for isa, rate in results.values.items():
        lines.append(f"| {isa} | {rate / 1e3:.0f} | {rate / baseline:.1f} |")
    lines += ["", "| | a second | ms each |", "|---|---:|---:|"]
    for name, rate in results.engine.items():
        lines.append(f"| {name} | {rate:,.0f} | {1e3 / rate:.3f} |")
    return [*lines, ""]
