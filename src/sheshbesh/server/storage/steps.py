"""What a write is made of, and what it answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import CursorResult, Dialect, Executable, Insert, Row, Update
from sqlalchemy.ext.asyncio import AsyncConnection


class Rows(NamedTuple):
    """Rows for a statement that is compiled once, however many they are.

    They are the new rows of a plain insertion, or the values of an update that names its row by a column
    equal to a `bindparam`; all rows for one statement have the same keys. Writes that come together are done
    in one go for each statement, so what a statement writes must not depend on rows of other writes; of
    updates of one row the last one counts.
    """

    statement: Insert | Update
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


def by_statement(jobs: Sequence[Sequence[Step]]) -> Sequence[Rows] | None:
    """The rows of all jobs together, one entry for each statement; None where a step is of another kind.

    Each job's steps stay in their order.
    """
    found: list[tuple[Insert | Update, list[Mapping[str, Any]]]] = []
    for steps in jobs:
        place = 0
        for step in steps:
            if not isinstance(step, Rows):
                return None
            while place < len(found) and found[place][0] is not step.statement:
                place += 1
            if place == len(found):
                found.append((step.statement, []))
            found[place][1].extend(step.rows)
    return [Rows(statement, rows) for statement, rows in found]


_Processor: TypeAlias = Callable[[Any], Any]


class Prepared:
    """A statement of `Rows` as the driver's text, and what makes its values the driver's."""

    __slots__ = ("_columns", "names", "text")

    def __init__(self, statement: Insert | Update, keys: Sequence[str], dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect, column_keys=list(keys))
        self.text = str(compiled)
        self._columns: list[tuple[str, _Processor | None]] = [
            (name, compiled.binds[name].type.dialect_impl(dialect).bind_processor(dialect))
            for name in compiled.positiontup or ()
        ]
        self.names = tuple(name for name, _ in self._columns)
        """What the values of a row are called, in the order of the text."""

    @property
    def width(self) -> int:
        """Values of one row."""
        return len(self._columns)

    def values(self, rows: Sequence[Mapping[str, Any]]) -> list[list[Any]]:
        """The values of rows, in the order of the text."""
        return [
            [row[name] if make is None else make(row[name]) for name, make in self._columns] for row in rows
        ]


class PreparedStatements:
    """The statements of a writer that were made ready, for one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._found: dict[Insert | Update, Prepared] = {}

    def of(self, rows: Rows) -> Prepared:
        """The statement of these rows; there is at least one."""
        found = self._found.get(rows.statement)
        if found is None:
            found = self._found[rows.statement] = Prepared(rows.statement, [*rows.rows[0]], self._dialect)
        return found
