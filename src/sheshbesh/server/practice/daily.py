"""The puzzle of the day: what people answered to it, and for how many days in a row they were right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import Row, insert, select

from sheshbesh.practice import Answer
from sheshbesh.practice.puzzles import Puzzle
from sheshbesh.server.ids import now_ms
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.database import Conflict
from sheshbesh.server.storage.review_tables import daily_answers


def today() -> date:
    """The day whose puzzle is asked, everywhere at the same time: that of UTC."""
    return datetime.now(UTC).date()


class DailyAnswers:
    """Reads and writes the first answer of each person and day."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def answered(self, owner: str, day: date, puzzle: Puzzle, answer: Answer) -> bool:
        """Note an answer; whether it was the first one to the puzzle of that day."""
        row = {"owner": owner, "day": day.isoformat(), "puzzle": puzzle.id, "answer": answer.text}
        try:
            await self._database.write(
                insert(daily_answers).values(**row, correct=answer.right, answered=now_ms())
            )
        except Conflict:
            return False
        return True

    async def standing(self, owner: str, day: date) -> dict[str, Any]:
        """Return how somebody stands on a day.

        `answered` is None before they have answered, else whether they were right, and `answer` what they
        said; `streak` counts the days in a row on which they were right, up to this one or the one before,
        `longest` the most there ever were; `right` of `total` answers were right.
        """
        days = daily_answers.c
        query = select(days.day, days.correct, days.answer).where(
            days.owner == owner, days.day <= day.isoformat()
        )
        rows = await self._database.all(query.order_by(days.day))
        return standing_of(rows, day)


def standing_of(rows: Sequence[Row[Any] | Any], day: date) -> dict[str, Any]:
    """The standing from all answers up to a day, the oldest first."""
    results: Mapping[date, bool] = {date.fromisoformat(row.day): bool(row.correct) for row in rows}
    run = longest = 0
    last: date | None = None
    for each, right in results.items():
        run = (run + 1 if last == each - timedelta(days=1) else 1) if right else 0
        longest, last = max(longest, run), each
    goes_on = last is not None and last >= day - timedelta(days=1)
    return {
        "answered": results.get(day),
        "answer": rows[-1].answer if day in results else None,
        "streak": run if goes_on else 0,
        "longest": longest,
        "right": sum(results.values()),
        "total": len(results),
    }
