"""The manifest beside a net: its rules, its origin, its strength."""

from __future__ import annotations

import json
import subprocess
from importlib import metadata
from pathlib import Path
from typing import Any

from sheshbesh.bounded import read_text
from sheshbesh.engines import registry
from sheshbesh.engines.measure.speed import processor
from sheshbesh.errors import TrainingError
from sheshbesh.rules.side import KINDS
from sheshbesh.training.coverage import Classes, Coverage
from sheshbesh.training.quantised import INPUT_SET, Quantised


def describe(
    coverage: Coverage,
    net: Quantised,
    *,
    recipe: dict[str, Any],
    seed: int,
    games: int,
    cpu_seconds: float,
    strength: dict[str, Any],
    sha256: str,
    rmse: float,
) -> dict[str, Any]:
    """The manifest of a net; `rmse` is what rounding changes in equity, in points."""
    wins, tie = coverage.classes
    return {
        "format": registry.FORMAT,
        "input_set": INPUT_SET,
        "game": coverage.main.name,
        "title": coverage.main.title,
        "fingerprints": coverage.fingerprints(),
        "axes": coverage.axis_values(),
        "classes": [[KINDS[kind], points] for kind, points in wins],
        "tie": tie,
        "widths": list(net.widths),
        "parameters": net.parameters,
        "recipe": recipe,
        "commit": _commit(),
        "seed": seed,
        "machine": processor(),
        "games": games,
        "cpu_seconds": round(cpu_seconds),
        "strength": strength,
        "quantisation_rmse": round(rmse, 6),
        "sha256": sha256,
    }


def classes_in(file: Path) -> Classes:
    """The ways a game can end, in the manifest of a net; TrainingError says what is missing."""
    try:
        data = json.loads(read_text(file))
        wins = tuple((KINDS.index(kind), int(points)) for kind, points in data["classes"])
        return wins, bool(data["tie"])
    except OSError as error:
        raise TrainingError(f"the manifest {file}: {error.strerror}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise TrainingError(f"the manifest {file} does not say how the game can end: {error}") from error


def _commit() -> str:
    """The commit of the checkout, with a mark if it was changed; the version where there is none."""
    here = Path(__file__).parent
    try:
        found = subprocess.run(
            ["git", "-C", str(here), "describe", "--always", "--abbrev=40", "--dirty"],
            check=True,
            capture_output=True,
            text=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return f"version {metadata.version('sheshbesh')}"
    return found.stdout.strip()
