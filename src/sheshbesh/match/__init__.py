"""Around one game: score, cube, house-rule cards. Values and laws; no turns, no time.

Knows nothing of engines, files, terminals or networks.
"""

import warnings
from importlib import import_module
from typing import TYPE_CHECKING

from sheshbesh.match.card import Card, Contest, DiceSource
from sheshbesh.match.state import CUBE_RULES, MatchState
from sheshbesh.match.timing import ClockKind, ClockSettings

__all__ = [
    "CUBE_RULES",
    "Card",
    "ClockKind",
    "ClockSettings",
    "Contest",
    "DiceSource",
    "MatchState",
]

_MOVED = (
    "CubePlay",
    "MatchEquityTable",
    "equity_table",
    "equity_table_of",
    "equity_tables",
    "extended",
    "generate",
    "read_equity_table",
    "without_crawford",
)
"""Names that lie in `sheshbesh.cube` now; they stay here for one release, with a warning."""


if not TYPE_CHECKING:  # a checker shall find these names where they are

    def __getattr__(name: str) -> object:
        if name not in _MOVED:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        warnings.warn(f"{name} is in sheshbesh.cube now", DeprecationWarning, stacklevel=2)
        return getattr(import_module("sheshbesh.cube"), name)
