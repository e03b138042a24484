"""The pins: which groups of packages `constraints.txt` holds, how they are read and resolved again.

Standard library only, since `setup_venv.py` reads the pins before anything is installed.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "constraints.txt"

GROUPS = ("play", "dev", "train", "peers", "wasm")
"""Each group holds what it needs beyond the groups before it."""

_ALONE = {"wasm": "dev"}
"""Groups that are installed without those between them and the one named."""

HEADER = """\
# Every package the checkout installs, with its hashes. Made by `make constraints`; do not edit.
# A group adds to the groups above it: play (to build and run), dev (to check, test and document;
# environments and cluster), train (to make nets), peers (other programs that tests and benchmarks
# compare with), wasm (the compiler of the core for browsers; it needs no more than dev).
"""
BUILD_TOOLS = ("cmake", "nanobind", "ninja", "scikit-build-core")

_UNPINNED = ("torch",)
"""Installed without hashes: which of its builds (plain, CUDA, ...) fits, depends on the machine."""


def _mark(group: str) -> str:
    return f"# --- {group} ---"


def read(group: str) -> str:
    """Return the lines of one group, in the form pip takes as a requirements file."""
    _, found, rest = FILE.read_text(encoding="utf-8").partition(_mark(group) + "\n")
    if not found:
        raise SystemExit(f"{FILE.name} has no group {group!r}; run `make constraints`")
    return rest.partition("\n# --- ")[0]


def installed_for(group: str) -> tuple[str, ...]:
    """The groups that are installed for one, itself last."""
    last = _ALONE.get(group, group)
    before = GROUPS[: GROUPS.index(last) + 1]
    return (*before, group) if last != group else before


def _wanted() -> dict[str, list[str]]:
    """The direct requirements of each group, the groups before it included."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    build = [line for line in extras["dev"] if line.partition(">")[0] in BUILD_TOOLS]
    play = [*project["dependencies"], *extras["site"], *build]
    dev = [*play, *extras["envs"], *extras["cluster"], *extras["dev"]]
    train = [*dev, *(line for line in extras["train"] if line not in unpinned())]
    peers = [*train, *extras["peers"]]
    return {"play": play, "dev": dev, "train": train, "peers": peers, "wasm": [*peers, *extras["wasm"]]}


def unpinned() -> list[str]:
    """The requirements of the group train that are left to the machine's own package index."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extra = project["optional-dependencies"]["train"]
    return [line for line in extra if line.partition("=")[0] in _UNPINNED]


def _blocks(text: str) -> list[str]:
    """Split a compiled file into one block per package: the pin and its hashes."""
    blocks: list[str] = []
    for line in text.splitlines():
        if line.startswith(" "):
            blocks[-1] += "\n" + line
        elif line and not line.startswith("#"):
            blocks.append(line)
    return blocks


def _compile(requirements: list[str], known: str) -> str:
    """Resolve for every Python and system we support; `known` pins stay as they are."""
    with tempfile.TemporaryDirectory() as folder:
        constraint = Path(folder, "known.txt")
        constraint.write_text(known, encoding="utf-8")
        command = ["uv", "pip", "compile", "-", "--quiet", "--universal", "--generate-hashes"]
        command += ["--python-version", "3.11", "--no-header", "--no-annotate"]
        command += ["--constraint", str(constraint)]
        done = subprocess.run(
            command, input="\n".join(requirements), capture_output=True, text=True, check=False
        )
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


def make() -> None:
    """Resolve all groups to the newest versions and write `constraints.txt`."""
    text, known = HEADER, ""
    for group, requirements in _wanted().items():
        compiled = _compile(requirements, known)
        seen = set(_blocks(known))
        added = [block for block in _blocks(compiled) if block not in seen]
        text += "\n".join(["", _mark(group), *added, ""])
        known = compiled
    FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    make()
    sys.stdout.write(f"wrote {FILE.name}\n")
