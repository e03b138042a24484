"""What the tests of rollouts share."""

from __future__ import annotations

import sheshbesh as sb
from sheshbesh.engines import Engine, Rollout


def bearing_off(engine: Engine) -> sb.Position:
    """A short race, with gammons still possible."""
    board = {
        "white": {"6": 2, "5": 1, "3": 1, "1": 1},
        "black": {"19": 2, "20": 1, "22": 2, "24": 1},
        "white_off": 10,
        "black_off": 9,
    }
    return engine.variant.position(board, turn="white")


def numbers(rollout: Rollout) -> list[tuple[float, float]]:
    """Mean and error of everything that a rollout found."""
    found = [*rollout.probabilities, rollout.equity, *rollout.views.values()]
    if rollout.cubeful is not None:
        found.append(rollout.cubeful)
    return [(each.mean, each.error) for each in found]
