"""The summary of a review for lists and graphs: a few numbers of both players, by phase of the game."""

from __future__ import annotations

from math import sqrt
from typing import Any

from sheshbesh.reviews import Judged, Report
from sheshbesh.reviews.questions import rules_of
from sheshbesh.rules import Position, Variant

PHASES = ("contact", "race", "cube")
"""Plays while the sides can still meet, plays after that, and cube decisions."""


def summary_of(report: Report) -> dict[str, Any]:
    """For each player decisions, lost equity (EMG) and squares of losses, as a whole and by phase."""
    rules = rules_of(report)
    sides: dict[str, dict[str, Any]] = {
        side: {name: [0, 0.0, 0.0] for name in ("all", *PHASES)} for side in ("white", "black")
    }
    for each in report.decisions:
        loss = each.counted_loss("gnubg")
        if loss is None:
            continue
        for name in ("all", phase_of(each, rules)):
            tally = sides[each.side.value][name]
            tally[0] += 1
            tally[1] += loss
            tally[2] += loss * loss
    return {side: {name: _rounded(tally) for name, tally in found.items()} for side, found in sides.items()}


def phase_of(each: Judged, rules: Variant) -> str:
    """One of `PHASES`."""
    if each.decision.kind != "play":
        return "cube"
    position: Position = rules.position_from_id(each.board)
    return "contact" if position.has_contact else "race"


def error_rate(tally: list[float]) -> tuple[float, float] | None:
    """Thousandths of a point lost for each decision, and the standard error of that; None for none.

    `tally` is number, sum and sum of squares, as summaries have them.
    """
    count, total, squares = tally
    if not count:
        return None
    mean = total / count
    variance = max(squares / count - mean * mean, 0.0)
    return 1000 * mean, 1000 * sqrt(variance / count)


def _rounded(tally: list[float]) -> list[float]:
    return [tally[0], round(tally[1], 5), round(tally[2], 6)]
