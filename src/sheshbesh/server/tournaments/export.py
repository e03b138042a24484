"""Tournaments as files: a table of entrants, and the record with the standings."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from io import StringIO
from typing import Any

from sheshbesh.server.tournaments.view import lines, name_of
from sheshbesh.tournaments import Entrant, Tournament, TournamentRecord
from sheshbesh.tournaments.standings import row_data

_BESIDE = ("consolation", "last_chance")
"""The brackets in which nobody plays for the places of the tournament."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def table(state: Tournament, gone: frozenset[int] = frozenset()) -> bytes:
    """One row an entrant, in the order of the standings, as CSV in UTF-8 with a byte order mark.

    A place that is shared or not decided goes from `place` to `last`; that in a bracket beside the main one
    has a column of its own. `gone` are the entrants whose account was deleted.
    """
    rows = lines(state)
    beside = {(row.bracket, row.entrant): row.place for row in rows if row.bracket in _BESIDE}
    brackets = [name for name in _BESIDE if any(name == bracket for bracket, _ in beside)]
    ties = [name for name in state.settings.order_of_ties if name not in ("shared", "playoff")]
    out = StringIO()
    write = csv.writer(out, lineterminator="\r\n").writerow
    write(
        [
            "place",
            "name",
            "kind",
            "club",
            "rating",
            "seed",
            "group",
            "bracket",
            "score",
            "wins",
            "losses",
            *ties,
            "last",
            *brackets,
        ]
    )
    ranked = set()
    for row in rows:
        if row.bracket in _BESIDE:
            continue
        entrant = state.entrant(row.entrant)
        ranked.add(row.entrant)
        numbers = [row.score, row.wins, row.losses, *(row.ties.get(name) for name in ties)]
        where = [entrant.seed or None, row.group or None, row.bracket]
        others = [beside.get((name, row.entrant)) for name in brackets]
        write([row.place, *_who(entrant, gone), *where, *map(_number, numbers), row.last, *others])
    for entrant in state.entrants:
        if entrant.number not in ranked:
            write(["", *_who(entrant, gone)])
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def _who(entrant: Entrant, gone: frozenset[int]) -> list[object]:
    return [_safe(name_of(entrant, gone)), entrant.kind, _safe(entrant.club or ""), entrant.rating]


def _safe(text: str) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _number(value: float | None) -> float | str | None:
    return int(value) if value is not None and value == int(value) else value


def record_data(record: TournamentRecord, state: Tournament) -> Mapping[str, Any]:
    """The record and the standings, as one object."""
    return {
        "header": record.header(),
        "events": [event.to_data() for event in record.events],
        "standings": row_data(lines(state)),
    }
