"""How sure the engine is of a difference between two plays, as measured for each game and depth.

The error at a depth is the root mean square of the change of the difference between the two best candidates
of a decision when both are looked at deeper, per point at stake. `benchmarks/strength/precision.py` measures
it and writes `precision.json`. Errors that all candidates share change no decision and do not count.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from sheshbesh.rules import Variant

measured_file = Path(__file__).with_name("precision.json")
"""The measured errors, by rule fingerprint; "any" stands for rule sets that were not measured."""


def candidate_error(game: Variant, plies: int) -> float:
    """The standard error of the difference between two candidates, in equity per point at stake.

    Depths beyond those measured count as the deepest that was; a rule set that was not measured has the
    largest error of any game.
    """
    measured = _measured()
    entry = measured.get(game.fingerprint) or measured["any"]
    errors = entry["errors"]
    return float(errors[str(min(plies, max(map(int, errors))))])


@cache
def _measured() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(measured_file.read_text(encoding="utf-8"))
    return found
