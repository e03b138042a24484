"""What a write is made of, and what it answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import CursorResult, Executable, Insert, Row
from sqlalchemy.ext.asyncio import AsyncConnection


class Rows(NamedTuple):
    """Rows for a statement that is compiled once, however many they are; each names every column.

    Those of writes that come together, one behind the other, are done in one go.
    """

    statement: Insert
    rows: Sequence[Mapping[str, Any]]


Step: TypeAlias = Executable | Rows | Callable[[AsyncConnection], Awaitable[Any]]
"""A statement, rows for one, or a function that works within the transaction and may be called again after a
rollback, so that it must have no effect but on the database."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a statement did: how many rows it touched, and those it returned."""

    count: int
    rows: Sequence[Row[Any]]


def written(result: CursorResult[Any]) -> Written:
    """What this result says."""
    return Written(result.rowcount, result.all() if result.returns_rows else ())
