"""The cube: match equity tables, what the stakes of a score are worth, and whether to double or take.

Arithmetic over probabilities of results: no nets, no search. Between `match`, whose score and laws it
reads, and `engines`, which estimate the probabilities.
"""

from sheshbesh.cube.equity_tables import (
    MatchEquityTable,
    equity_table,
    equity_table_of,
    equity_tables,
    read_equity_table,
)
from sheshbesh.cube.generate import CubePlay, extended, generate, without_crawford

__all__ = [
    "CubePlay",
    "MatchEquityTable",
    "equity_table",
    "equity_table_of",
    "equity_tables",
    "extended",
    "generate",
    "read_equity_table",
    "without_crawford",
]
