"""Where measurements are kept: states of runs that go on, and results that are committed.

A *state* (below `build/strength`) holds what a tool has done so far, under a key that says with what; a
run with the same key goes on where the last one was stopped. A *result* is one file for each tool in
`results/`, one entry for each thing measured, with the net, the settings, the machine and the day.
`python -m benchmarks.strength.page` makes the page from them.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sheshbesh.engines import registry
from sheshbesh.engines.measure.speed import processor
from sheshbesh.engines.registry import Found, Manifest
from sheshbesh.errors import NetError, VariantError, WorkError
from sheshbesh.rules import Variant, variant, variants
from sheshbesh.work import CLUSTER_VARIABLE, Work, open_work

HERE = Path(__file__).parent
RESULTS = HERE / "results"
STATE = Path("build") / "strength"


def write(file: Path, content: object) -> None:
    """Write JSON as a whole or not at all, so that a killed run leaves nothing half done."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f"{file.name}.{os.getpid()}.part")
    draft.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    draft.replace(file)


def read(file: Path) -> dict[str, Any]:
    """What was written there; nothing where there is no file."""
    if not file.exists():
        return {}
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content


class State:
    """What a run has done so far; empty where it was begun with another key."""

    def __init__(self, folder: Path, name: str, key: dict[str, Any]) -> None:
        self._file = folder / f"{name}.json"
        self._key = json.loads(json.dumps(key))
        kept = read(self._file)
        self.done: dict[str, Any] = kept.get("done", {}) if kept.get("key") == self._key else {}

    def save(self) -> None:
        """Keep what is done."""
        write(self._file, {"key": self._key, "done": self.done})


def enter(tool: str, name: str, content: dict[str, Any], folder: Path = RESULTS) -> None:
    """Enter one result of a tool, in place of an older one of the same name.

    Machine and day are those of now, unless `content` names others.
    """
    file = folder / f"{tool}.json"
    known = read(file)
    known[name] = {"machine": processor(), "date": today(), **content}
    write(file, known)


def enter_game(tool: str, game: Variant, content: dict[str, Any], folder: Path = RESULTS) -> None:
    """Enter the result of a game, under every name that its rules have among the shipped games."""
    for name in {game.name, *(each for each in variants() if variant(each).fingerprint == game.fingerprint)}:
        enter(tool, name, content, folder)


def entered(tool: str, name: str, folder: Path = RESULTS) -> dict[str, Any]:
    """The result of a tool that stands there now; nothing where there is none."""
    found: dict[str, Any] = read(folder / f"{tool}.json").get(name, {})
    return found


def add_work_options(parser: argparse.ArgumentParser) -> None:
    """Add `--workers` and `--cluster` to a tool whose parts may be done elsewhere."""
    parser.add_argument("--workers", type=int, default=1, help="processes that share the work (1)")
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        default=os.environ.get(CLUSTER_VARIABLE),
        help="share the work with a Dask cluster instead, whose workers run in a checkout, too "
        f"(${CLUSTER_VARIABLE})",
    )


def opened_work(options: argparse.Namespace) -> Work:
    """Where the work is done, by these options; SystemExit with one line where that cannot be."""
    try:
        return open_work(options.workers, options.cluster)
    except (WorkError, ValueError) as error:
        raise SystemExit(f"{error}") from error


def today() -> str:
    """The day, in UTC."""
    return datetime.now(UTC).date().isoformat()


def described(net: Manifest) -> dict[str, Any]:
    """What is said of a net beside its results."""
    return {
        "net": net.sha256,
        "widths": net.data.get("widths"),
        "parameters": net.data.get("parameters"),
        "games_trained": net.data.get("games"),
        "games_in_all": _games_in_all(net.data),
    }


def _games_in_all(manifest: Mapping[str, Any]) -> int:
    """The games of a net and of all nets that it grew from, one from the other."""
    earlier = manifest.get("recipe", {}).get("began_from", [])
    return int(manifest.get("games", 0)) + sum(int(run["games"]) for run in earlier)


def own_net(game: Variant, folders: Iterable[Path]) -> Found | str:
    """The net made for a game, or why there is nothing to be measured."""
    try:
        found = registry.find(game, folders)
    except NetError as error:
        return str(error)
    if game.fingerprint not in found.manifest.covers:
        return f"it has no net of its own, {found.manifest.name} would stand in"
    return found


def is_shipped(net: str, game: str) -> bool:
    """Whether results of a net (SHA-256) are those of the one that plays a game as shipped now."""
    try:
        now = registry.find(variant(game)).manifest
    except (NetError, VariantError):
        return False
    return net == now.sha256
