"""How much of a law that holds for many cases is tested every time, and how much by `make soak`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

import sheshbesh as sb

REVIEWED = 400
"""Seconds to wait for a review: its process has a low priority, and gets little of a machine that is busy."""


def sampled(cases: Iterable[Any], chosen: Callable[[Any], bool]) -> list[Any]:
    """The cases for `parametrize`: those that are not `chosen` are left to `make soak`.

    A tuple is the values of one case. ValueError if none is chosen: such a test would never run.
    """
    everything = list(cases)
    if not any(map(chosen, everything)):
        raise ValueError("no case is left to run every time")
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)), marks=() if chosen(case) else pytest.mark.soak
        )
        for case in everything
    ]


def sampled_games(one_of: int, start: int = 0) -> list[Any]:
    """Return the games for `parametrize`: one in so many, from the place `start` on; soak has the others."""
    games = sb.variants()
    return sampled(games, lambda name: games.index(name) % one_of == start)
