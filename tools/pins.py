"""The pins: which groups of packages `constraints.txt` holds, how they are read and resolved again.

    python tools/pins.py [--upgrade]     resolves them; pins that still fit stay, unless --upgrade
    python tools/pins.py GROUP           prints a group with its hashes, as pip reads it

Names and versions are in `constraints.txt`, to be read in a diff; their hashes in `hashes.txt`. Both come
from `uv pip compile` and record no address of a registry. Standard library only, since `setup_venv.py`
reads the pins before anything is installed.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Collection
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "constraints.txt"
HASHES = ROOT / "hashes.txt"

GROUPS = ("play", "dev", "train", "peers", "wasm")
"""Each group holds what it needs beyond the groups before it."""

_ALONE = {"wasm": "dev"}
"""Groups that are installed without those between them and the one named."""

HEADER = """\
# Every package the checkout installs; hashes.txt has their hashes. Made by `make constraints`; do not edit.
# A group adds to the groups above it: play (to build and run), dev (to check, test and document;
# environments and cluster), train (to make nets), peers (other programs that tests and benchmarks
# compare with), wasm (the compiler of the core for browsers; it needs no more than dev).
"""
HASHES_HEADER = """\
# The hashes of the packages in constraints.txt. Made by `make constraints`; do not edit.
"""
BUILD_TOOLS = ("cmake", "nanobind", "ninja", "pip", "scikit-build-core")
TO_BUILD = (*BUILD_TOOLS, "packaging", "pathspec")
"""The packages of the group play that the core is built with: the tools and what they need."""

_UNPINNED = ("torch",)
"""Installed without hashes: which of its builds (plain, CUDA, ...) fits, depends on the machine."""


def _mark(group: str) -> str:
    return f"# --- {group} ---"


def read(group: str, *, only: Collection[str] = ()) -> str:
    """Return the packages of one group with their hashes, in the form pip takes as a requirements file.

    With `only` those of these names.
    """
    _, found, rest = FILE.read_text(encoding="utf-8").partition(_mark(group) + "\n")
    if not found:
        raise SystemExit(f"{FILE.name} has no group {group!r}; run `make constraints`")
    hashes = dict(_split(block) for block in _blocks(HASHES.read_text(encoding="utf-8")))
    lines = [line for line in rest.partition("\n# --- ")[0].splitlines() if line]
    if only:
        lines = [line for line in lines if line.partition("==")[0] in only]
    missing = [line for line in lines if _name(line) not in hashes]
    if missing:
        raise SystemExit(f"{HASHES.name} has no hashes of {', '.join(missing)}; run `make constraints`")
    return "".join(f"{line} \\\n{hashes[_name(line)]}\n" for line in lines)


def _name(pin: str) -> str:
    """A pin without the condition under which it counts."""
    return pin.partition(" ;")[0]


def _split(block: str) -> tuple[str, str]:
    """A pin and its hashes."""
    pin, _, hashes = block.partition(" \\\n")
    return pin, hashes


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


def _compile(requirements: list[str], known: list[str], kept: str) -> list[str]:
    """Resolve for every Python and system we support; `known` pins stay, `kept` ones if they fit."""
    with tempfile.TemporaryDirectory() as folder:
        constraint, out = Path(folder, "known.txt"), Path(folder, "out.txt")
        constraint.write_text("\n".join(known), encoding="utf-8")
        out.write_text(kept, encoding="utf-8")
        command = ["uv", "pip", "compile", "-", "--quiet", "--universal", "--generate-hashes"]
        command += ["--python-version", "3.11", "--no-header", "--no-annotate", "--no-emit-index-url"]
        command += ["--no-emit-find-links", "--constraint", str(constraint), "--output-file", str(out)]
        done = subprocess.run(
            command, input="\n".join(requirements), capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(done.stderr)
        return _blocks(out.read_text(encoding="utf-8"))


def make(*, upgrade: bool) -> None:
    """Resolve all groups and write both files: names and versions in one, hashes in the other."""
    kept = "" if upgrade or not FILE.exists() else FILE.read_text(encoding="utf-8")
    text, known, hashes = HEADER, list[str](), dict[str, str]()
    for group, requirements in _wanted().items():
        found = dict(map(_split, _compile(requirements, known, kept)))
        text += "\n".join(["", _mark(group), *(pin for pin in found if pin not in known), ""])
        known = list(found)
        hashes |= {_name(pin): each for pin, each in found.items()}
    FILE.write_text(text, encoding="utf-8")
    pins = "".join(f"{name} \\\n{each}\n" for name, each in sorted(hashes.items()))
    HASHES.write_text(HASHES_HEADER + pins, encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] and sys.argv[1] in GROUPS:
        sys.stdout.write(read(sys.argv[1]))
    else:
        make(upgrade="--upgrade" in sys.argv[1:])
        sys.stdout.write(f"wrote {FILE.name} and {HASHES.name}\n")
