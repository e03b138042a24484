"""The texts by which other programs exchange positions: parse and print, nothing else.

Knows rules and matches; no engines, sessions, terminals or networks.
"""

from sheshbesh.formats.gnubg_id import (
    GnubgPosition,
    format_gnubg_id,
    format_position_id,
    parse_gnubg_id,
    parse_position_id,
)
from sheshbesh.formats.xgid import XgPosition, format_xgid, format_xgid_board, parse_xgid, parse_xgid_board

__all__ = [
    "GnubgPosition",
    "XgPosition",
    "format_gnubg_id",
    "format_position_id",
    "format_xgid",
    "format_xgid_board",
    "parse_gnubg_id",
    "parse_position_id",
    "parse_xgid",
    "parse_xgid_board",
]
