"""The texts by which other programs exchange positions: parse and print, nothing else.

Knows rules and matches; no engines, sessions, terminals or networks.
"""

from sheshbesh.formats.any_id import AnyPosition, Kind, kind_of_id, parse_any_id
from sheshbesh.formats.gnubg_id import (
    GnubgPosition,
    format_gnubg_id,
    format_position_id,
    parse_gnubg_id,
    parse_position_id,
)
from sheshbesh.formats.ogid import parse_ogid
from sheshbesh.formats.xgid import XgPosition, format_xgid, format_xgid_board, parse_xgid, parse_xgid_board

__all__ = [
    "AnyPosition",
    "GnubgPosition",
    "Kind",
    "XgPosition",
    "format_gnubg_id",
    "format_position_id",
    "format_xgid",
    "format_xgid_board",
    "kind_of_id",
    "parse_any_id",
    "parse_gnubg_id",
    "parse_ogid",
    "parse_position_id",
    "parse_xgid",
    "parse_xgid_board",
]
