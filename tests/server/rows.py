"""A row for every table of a database, whatever its version: found out from the tables themselves."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import JSON, Boolean, Connection, Float, Integer, LargeBinary, MetaData, Table, insert

VALUES: dict[tuple[str, str], Any] = {
    ("users", "kind"): "user",
    ("matches", "state"): "over",
    ("chouettes", "state"): "over",
    ("practice_cards", "state"): "active",
    ("matches", "kind"): "people",
    ("seats", "side"): "white",
    ("seats", "keeper"): "page",
    ("chat", "phrase"): None,
    ("chouette_chat", "phrase"): None,
    ("tournament_chat", "phrase"): None,
    ("ratings", "pool"): "people",
    ("rated_matches", "pool"): "people",
    ("reviews", "source"): "match",
    ("reviews", "state"): "done",
    ("reports", "kind"): "talk",
    ("sanctions", "kind"): "mute",
    ("users", "owner"): None,
    ("seeks", "process"): "",
    ("engine_jobs", "state"): "waiting",
    ("tournaments", "status"): "running",
}
"""Where a constraint asks for a certain one; any other text is `x`."""


def value(table: Table, name: str) -> Any:
    """A value that a column takes."""
    if (table.name, name) in VALUES:
        return VALUES[table.name, name]
    column = table.c[name]
    kind = column.type
    if isinstance(kind, JSON):
        return {"a": [1, "ü"]} if name not in _LISTS else ["a"]
    if isinstance(kind, Boolean):
        return True
    if isinstance(kind, Float):
        return 1500.25
    if isinstance(kind, Integer):
        return 7
    if isinstance(kind, LargeBinary):
        return b"\x00\xff bytes"
    return "x"


_LISTS = frozenset({"scopes", "people"})


def fill(connection: Connection) -> dict[str, dict[str, Any]]:
    """Put a row into every table; the rows by table, as they are read again."""
    metadata = MetaData()
    metadata.reflect(connection)
    found = {}
    for table in metadata.sorted_tables:
        if table.name == "alembic_version":
            continue
        row = {column.name: value(table, column.name) for column in table.columns}
        connection.execute(insert(table).values(**row))
        found[table.name] = row
    return found


def plain(data: Any) -> Any:
    """A stored value, JSON as what it says."""
    if isinstance(data, str) and data[:1] in "[{":
        return json.loads(data)
    return data
