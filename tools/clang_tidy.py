"""Run clang-tidy over every translation unit of ours, several at a time.

    python tools/clang_tidy.py BUILD_DIRECTORY...

Each directory holds a compile_commands.json; a file in several of them is looked at once.
"""

from __future__ import annotations

import concurrent.futures
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OURS = ROOT / "cpp"
TOOL = Path(sys.executable).parent / "clang-tidy"

# The database is written for the compiler that built the core; clang may not know its options.
EXTRA = ["--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-ignored-optimization-argument"]


def units(directories: list[Path]) -> dict[Path, Path]:
    """Map each of our source files to the first build directory that compiles it."""
    found: dict[Path, Path] = {}
    for directory in directories:
        database = json.loads((directory / "compile_commands.json").read_text(encoding="utf-8"))
        for entry in database:
            source = Path(entry["directory"], entry["file"]).resolve()
            if source.is_relative_to(OURS):
                found.setdefault(source, directory)
    return found


def inspect(source: Path, directory: Path) -> tuple[Path, int, str]:
    command = [str(TOOL), "--quiet", "-p", str(directory), *EXTRA, str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    # The other stream only counts the warnings suppressed in system headers.
    return source, done.returncode, done.stdout or (done.stderr if done.returncode else "")


def main(directories: list[Path]) -> int:
    found = units(directories)
    if not found:
        print("clang-tidy: nothing to look at", file=sys.stderr)
        return 1
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, code, text in pool.map(inspect, found.keys(), found.values()):
            if code:
                failed += 1
                print(f"{source.relative_to(ROOT)}:\n{text}", flush=True)
    print(f"clang-tidy: {len(found)} files, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main([Path(argument) for argument in sys.argv[1:]]))
