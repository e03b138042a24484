"""Run clang-tidy over all sources of ours, several at a time.

    python tools/clang_tidy.py BUILD_DIRECTORY [OPTION_OF_CLANG_TIDY...]

The directory holds a compile_commands.json. Where it compiles several sources as one (CMAKE_UNITY_BUILD),
their headers are read once. Checks that look at the unit's own file alone then find nothing: those of the
static analyser (clang-analyzer-*), misc-unused-alias-decls and misc-unused-using-decls.
"""

from __future__ import annotations

import concurrent.futures
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OURS = ROOT / "cpp"
TOOL = Path(sys.executable).parent / "clang-tidy"

# The database is written for the compiler that built the core; clang may not know its options. The library
# uses what it deprecates itself.
EXTRA = [
    "--extra-arg=-Wno-unknown-warning-option",
    "--extra-arg=-Wno-ignored-optimization-argument",
    "--extra-arg=-Wno-deprecated-declarations",
]


def parts(unit: Path) -> list[Path]:
    """Return the sources that a translation unit consists of: itself, or those that CMake put into it."""
    if unit.parent.name != "Unity":
        return [unit]
    return [Path(name) for name in re.findall(r'#include "(.+)"', unit.read_text(encoding="utf-8"))]


def units(directory: Path) -> dict[Path, list[Path]]:
    """Map each translation unit with sources of ours to these, the longest first."""
    database = json.loads((directory / "compile_commands.json").read_text(encoding="utf-8"))
    files = {Path(entry["directory"], entry["file"]).resolve() for entry in database}
    found = {unit: [part for part in parts(unit) if part.is_relative_to(OURS)] for unit in files}
    length = {unit: sum(part.stat().st_size for part in ours) for unit, ours in found.items()}
    return {unit: found[unit] for unit in sorted(files, key=length.__getitem__, reverse=True) if found[unit]}


def inspect(unit: Path, directory: Path, options: list[str]) -> tuple[Path, int, str]:
    command = [str(TOOL), "--quiet", "-p", str(directory), *EXTRA, *options, str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    # The other stream only counts the warnings suppressed in system headers.
    return unit, done.returncode, done.stdout or (done.stderr if done.returncode else "")


def main(directory: Path, options: list[str]) -> int:
    found = units(directory)
    if not found:
        print("clang-tidy: nothing to look at", file=sys.stderr)
        return 1
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for unit, code, text in pool.map(lambda unit: inspect(unit, directory, options), found):
            if code:
                failed += 1
                print(f"{unit.relative_to(ROOT)}:\n{text}", flush=True)
    sources = {part for ours in found.values() for part in ours}
    print(f"clang-tidy: {len(sources)} files in {len(found)} units, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]), sys.argv[2:]))
