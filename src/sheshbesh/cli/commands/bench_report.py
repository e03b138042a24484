"""The findings of `sheshbesh bench`, for people and for programs."""

from __future__ import annotations

from typing import Any

from sheshbesh.engines.measure import speed
from sheshbesh.engines.measure.bench_work import Measured, Speeds


def as_json(found: Measured) -> str:
    """One JSON object."""
    import json

    return json.dumps(_report(found), indent=2)


def _report(found: Measured) -> dict[str, Any]:
    from sheshbesh import __version__

    return {
        "version": __version__,
        "isa": found.isa,
        "isas": list(speed.isas()),
        "threads": found.threads,
        "positions_per_s": {name: each.positions for name, each in found.games.items()},
        "evals_per_s": {name: each.evaluations for name, each in found.games.items()},
        "decisions_per_s": {name: each.decisions for name, each in found.games.items()},
        "nets": {name: _net(each) for name, each in found.games.items()},
        "signature": found.joint,
        "signatures": {"rules": found.rules, "engine": found.engine, "games": found.signatures},
    }


def _net(speeds: Speeds) -> dict[str, Any] | None:
    if speeds.net is None:
        return None
    manifest = speeds.net.manifest
    return {
        "name": manifest.name,
        "parameters": speeds.net.load().parameters,
        "approximate": speeds.net.approximate,
        "sha256": manifest.sha256,
    }


def as_text(found: Measured) -> str:
    """A table and the signatures, within 80 columns."""
    lines = [f"{'game':<12}{'positions/s':>13}{'evals/s':>13}{'decisions/s':>13}  net"]
    for name, each in found.games.items():
        evaluations = "-" if each.evaluations is None else f"{each.evaluations:,}"
        lines.append(f"{name:<12}{each.positions:>13,}{evaluations:>13}{each.decisions:>13,}  {_named(each)}")
    if any(each.net is not None and each.net.approximate for each in found.games.values()):
        lines.append("~: no net of its own, that of the nearest rules")
    lines.append(f"instruction set {found.isa}, threads {found.threads}")
    lines.append(f"signature {found.joint} (rules {found.rules}, engine {found.engine})")
    return "\n".join(lines)


def _named(speeds: Speeds) -> str:
    if speeds.net is None:
        return "none"
    return f"{'~' if speeds.net.approximate else ''}{speeds.net.manifest.name}"
