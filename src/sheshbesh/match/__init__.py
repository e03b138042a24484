"""Around one game: score, cube, house-rule cards. Values and laws; no turns, no time.

Knows nothing of engines, files, terminals or networks.
"""

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
