"""Finds positions of reviews: of one's own, and of those that their owners have made public."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final, Literal

from sqlalchemy import ColumnElement, Row, or_, select, true

from sheshbesh.reviews.search import Bits, Span, Wanted
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.review_tables import positions, reviews

Whose = Literal["own", "public", "all"]

MOST: Final = 60
"""The most positions in the answer to one search."""


class PositionSearch:
    """Answers from the indices of the table alone: `docs/dev/site.md` says how fast."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, person: str, variant: str, wanted: Wanted, whose: Whose) -> Sequence[Row[Any]]:
        """The first positions of a game, the largest loss first."""
        asked = []
        if whose in ("own", "all"):
            asked.append(self._first(positions.c.owner == person, variant, wanted))
        if whose in ("public", "all"):
            others = positions.c.public.is_(true()) if self._database.is_postgres else positions.c.public == 1
            asked.append(self._first(others, variant, wanted))
        answers = await asyncio.gather(*asked)
        # What is one's own may be public, too.
        found = {(row.review_id, row.n): row for rows in answers for row in rows}.values()
        return sorted(found, key=lambda row: (-row.loss, row.review_id, row.n))[:MOST]

    async def _first(self, whose: ColumnElement[bool], variant: str, wanted: Wanted) -> Sequence[Row[Any]]:
        query = select(positions).where(whose, positions.c.variant == variant, *conditions(wanted))
        return await self._database.all(query.order_by(positions.c.loss.desc()).limit(MOST))

    async def readable(self, person: str, review: str) -> Row[Any] | None:
        """A review whose positions this person may look at, with its content."""
        mine = or_(reviews.c.owner == person, reviews.c.public.is_(true()))
        return await self._database.first(select(reviews).where(reviews.c.id == review, mine))


def conditions(wanted: Wanted) -> list[ColumnElement[bool]]:
    """The question as conditions on columns."""
    return [each for condition in wanted.conditions() for each in _sql(condition)]


def _sql(condition: Bits | Span) -> list[ColumnElement[bool]]:
    column = positions.c[condition.name]
    if isinstance(condition, Bits):
        return [column.bitwise_and(condition.mask) == condition.value]
    limits: list[ColumnElement[bool]] = []
    if condition.low is not None:
        limits.append(column >= condition.low)
    if condition.high is not None:
        limits.append(column <= condition.high)
    return limits
