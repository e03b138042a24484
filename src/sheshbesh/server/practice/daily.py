"""The puzzle of the day: what people answered to it, and their streaks of days with a right answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, Row, select

from sheshbesh.practice import Answer
from sheshbesh.practice.puzzles import Puzzle
from sheshbesh.server.ids import now_ms
from sheshbesh.server.people.ratings import insert_for
from sheshbesh.server.storage import Database, Step
from sheshbesh.server.storage.review_tables import daily_answers

_GRACE: Final = timedelta(days=2)
"""From one right answer to the next in a streak: a day between them is forgiven."""


def today() -> date:
    """The day whose puzzle is asked, everywhere at the same time: that of UTC."""
    return datetime.now(UTC).date()


class DailyAnswers:
    """Reads and writes the first answer of each person and day."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @staticmethod
    def first(owner: str, day: date, puzzle: Puzzle, answer: Answer) -> Step:
        """The step that notes an answer, if it is the first one of that day."""
        row = {"owner": owner, "day": day.isoformat(), "puzzle": puzzle.id, "answer": answer.text}

        def step(connection: Connection) -> None:
            made = insert_for(connection, daily_answers)
            row_of_day = made.values(**row, correct=answer.right, answered=now_ms())
            connection.execute(row_of_day.on_conflict_do_nothing())

        return step

    async def puzzle(self, owner: str, day: date) -> str | None:
        """Return the id of the puzzle that somebody has answered on a day; None where they have not."""
        days = daily_answers.c
        query = select(days.puzzle).where(days.owner == owner, days.day == day.isoformat())
        row = await self._database.first(query)
        return None if row is None else str(row.puzzle)

    async def standing(self, owner: str, day: date) -> dict[str, Any]:
        """Return how somebody stands on a day.

        `answered` is None before they have answered, else whether they were right, and `answer` what they
        said; `streak` counts the days on which they were right, no two of them in a row left out, up to this
        day, `longest` the most there ever were; `right` of `total` answers were right.
        """
        days = daily_answers.c
        query = select(days.day, days.correct, days.answer).where(
            days.owner == owner, days.day <= day.isoformat()
        )
        rows = await self._database.all(query.order_by(days.day))
        return standing_of(rows, day)


def standing_of(rows: Sequence[Row[Any] | Any], day: date) -> dict[str, Any]:
    """The standing from all answers up to a day, the oldest first.

    One day without a right answer, missed or wrong, does not end a streak; a second one in a row does.
    """
    results: Mapping[date, bool] = {date.fromisoformat(row.day): bool(row.correct) for row in rows}
    run = longest = 0
    last: date | None = None
    for each in (each for each, right in results.items() if right):
        run = run + 1 if last is not None and each - last <= _GRACE else 1
        longest, last = max(longest, run), each
    # Of a day that is not over the answer may still come.
    latest = day if day in results else day - timedelta(days=1)
    goes_on = last is not None and latest - last < _GRACE
    return {
        "answered": results.get(day),
        "answer": rows[-1].answer if day in results else None,
        "streak": run if goes_on else 0,
        "longest": longest,
        "right": sum(results.values()),
        "total": len(results),
    }
