"""Around one game: score, cube, match equity, house-rule cards. Values and laws; no turns, no time.

Knows nothing of engines, files, terminals or networks.
"""

from sheshbesh.match.card import Card, Contest, DiceSource
from sheshbesh.match.equity import (
    MatchEquityTable,
    equity_table,
    equity_table_of,
    equity_tables,
    read_equity_table,
)
from sheshbesh.match.generate import CubePlay, extended, generate, without_crawford
from sheshbesh.match.state import CUBE_RULES, MatchState
from sheshbesh.match.timing import ClockKind, ClockSettings

__all__ = [
    "CUBE_RULES",
    "Card",
    "ClockKind",
    "ClockSettings",
    "Contest",
    "CubePlay",
    "DiceSource",
    "MatchEquityTable",
    "MatchState",
    "equity_table",
    "equity_table_of",
    "equity_tables",
    "extended",
    "generate",
    "read_equity_table",
    "without_crawford",
]
