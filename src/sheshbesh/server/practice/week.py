"""A person's last seven days: matches, errors and puzzles, from what is stored anyway."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Row, case, func, select, tuple_

from sheshbesh.reviews.summary import error_rate
from sheshbesh.server.practice.view import found_data
from sheshbesh.server.reviews.store import DONE
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.review_tables import positions, puzzle_answers, reviews
from sheshbesh.server.storage.tables import matches, seats

WEEK: Final = 7 * 24 * 3600 * 1000
"""Milliseconds."""
_REVIEWS: Final = 400
"""The most reviews of a week that are counted, the latest."""


class Weeks:
    """Reads the days before a moment."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, person: str, until: int) -> dict[str, Any]:
        """The seven days before a time in ms.

        `games` are those played, the most played first, with `matches` and those `won`; `rating` is the
        performance rating in reviews made within these days (500 times the equity lost a decision) with its
        standard `error`, `before` that of the seven days before; both are None without a decision. `worst` is
        the dearest position among them as `GET /positions` has it; `puzzles` has first answers, and how many
        of them were `right`.
        """
        since = until - WEEK
        reviewed = await self._reviews(person, since, until)
        return {
            "since": since,
            "until": until,
            "games": await self._games(person, since, until),
            "rating": _rating(reviewed),
            "before": _rating(await self._reviews(person, since - WEEK, since)),
            "worst": await self._worst(person, reviewed),
            "puzzles": await self._puzzles(person, since, until),
        }

    async def _games(self, person: str, since: int, until: int) -> list[dict[str, Any]]:
        won = func.sum(case((matches.c.winner == seats.c.side, 1), else_=0))
        query = (
            select(matches.c.game, func.count().label("matches"), won.label("won"))
            .join(seats, seats.c.match_id == matches.c.id)
            .where(seats.c.user_id == person, matches.c.state == "over", matches.c.kind != "hotseat")
            .where(matches.c.ended >= since, matches.c.ended < until)
            .group_by(matches.c.game)
            .order_by(func.count().desc(), matches.c.game)
        )
        rows = await self._database.all(query)
        return [{"game": row.game, "matches": row.matches, "won": int(row.won)} for row in rows]

    async def _reviews(self, person: str, since: int, until: int) -> Sequence[Row[Any]]:
        """The finished reviews of matches in which this person sat at one side."""
        query = (
            select(reviews.c.id, reviews.c.about, reviews.c.summary)
            .where(reviews.c.owner == person, reviews.c.state == DONE)
            .where(reviews.c.created >= since, reviews.c.created < until)
            .order_by(reviews.c.created.desc())
            .limit(_REVIEWS)
        )
        return [row for row in await self._database.all(query) if row.about.get("you")]

    async def _worst(self, person: str, reviewed: Sequence[Row[Any]]) -> dict[str, Any] | None:
        if not reviewed:
            return None
        sides = [(row.id, row.about["you"]) for row in reviewed]
        query = (
            select(positions)
            .where(tuple_(positions.c.review_id, positions.c.side).in_(sides), positions.c.loss > 0)
            .order_by(positions.c.loss.desc(), positions.c.review_id, positions.c.n)
            .limit(1)
        )
        row = await self._database.first(query)
        return None if row is None else {**found_data(row, person), "variant": row.variant}

    async def _puzzles(self, person: str, since: int, until: int) -> dict[str, int]:
        answers = puzzle_answers.c
        right = func.coalesce(func.sum(case((answers.correct, 1), else_=0)), 0)
        query = select(func.count().label("answered"), right.label("right")).where(answers.owner == person)
        row = await self._database.first(query.where(answers.at >= since, answers.at < until))
        return {"answered": row.answered, "right": int(row.right)} if row is not None else {}


def _rating(reviewed: Sequence[Row[Any]]) -> dict[str, float] | None:
    tally = [0.0, 0.0, 0.0]
    for row in reviewed:
        if mine := row.summary.get(row.about["you"], {}).get("all"):
            tally = [a + b for a, b in zip(tally, mine, strict=True)]
    rate = error_rate(tally)
    return None if rate is None else {"pr": round(rate[0] / 2, 2), "error": round(rate[1] / 2, 2)}
