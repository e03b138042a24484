"""The people whom somebody follows: who of them is here, and what they have done of late."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Row, select

from sheshbesh.server.ids import now_ms
from sheshbesh.server.people.history import History
from sheshbesh.server.people.social import Social
from sheshbesh.server.practice.daily import standing_of
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.review_tables import daily_answers
from sheshbesh.server.storage.tables import follows, matches, seats
from sheshbesh.server.storage.tournament_tables import title_data, tournament_entrants, tournaments
from sheshbesh.server.tables.presence import Presence

_DAYS: Final = 30
"""Days of which the activities are told."""
_MOST: Final = 50
"""Activities that are told."""
_STREAK: Final = 3
"""Days from which on a streak is told."""
_YEAR: Final = timedelta(days=366)
"""For which answers are read; a longer streak is told as one of a year."""


class Friends:
    """Reads what is public of those whom somebody follows."""

    def __init__(self, database: Database, presence: Presence, social: Social) -> None:
        self._database, self._presence, self._social = database, presence, social

    async def listed(self, owner: str) -> list[dict[str, Any]]:
        """Those whom somebody follows, those who are here first.

        `here` is None where that may not be known; `playing` is a match of theirs that may be watched now.
        """
        people = await self._social.followed(owner)
        ids = [each["id"] for each in people]
        shown = await self._social.visible(owner, ids)
        here = await self._presence.everybody()
        query = (
            select(seats.c.user_id, matches.c.id)
            .join(matches, matches.c.id == seats.c.match_id)
            .where(seats.c.user_id.in_(shown & here), matches.c.state == "live")
            .where(matches.c.private.is_(False), matches.c.kind != "hotseat")
            .order_by(matches.c.started)
        )
        playing = {row.user_id: row.id for row in await self._database.all(query)}
        told = [
            {
                **each,
                "here": each["id"] in here if each["id"] in shown else None,
                "playing": playing.get(each["id"]),
            }
            for each in people
        ]
        return sorted(told, key=lambda each: not each["here"])

    async def activities(self, owner: str, day: date) -> list[dict[str, Any]]:
        """What those whom somebody follows have done, the newest first: `kind`, `user` and `at` in ms.

        A `match` that everybody may watch, as lists have it; a `tournament` that was won
        (`id`, `title`, `series`, `zone`); a
        `streak` of right answers to the puzzles of the days (`days`) that has not ended before `day`.
        """
        people = {each["id"]: each for each in await self._social.followed(owner)}
        found = [
            *await self._matches(owner, people),
            *await self._tournaments(owner, people),
            *await self._streaks(owner, people, day),
        ]
        return sorted(found, key=lambda each: -each["at"])[:_MOST]

    async def _matches(self, owner: str, people: dict[str, Any]) -> list[dict[str, Any]]:
        query = (
            select(matches, seats.c.side, seats.c.user_id)
            .join(seats, seats.c.match_id == matches.c.id)
            .join(follows, follows.c.followed == seats.c.user_id)
            .where(follows.c.owner == owner, matches.c.state == "over", matches.c.ended >= _since())
            .where(matches.c.private.is_(False), matches.c.kind != "hotseat")
            .order_by(matches.c.ended.desc())
            .limit(_MOST)
        )
        # Of two whom one follows the match is told once.
        rows = {row.id: row for row in await self._database.all(query)}.values()
        listed = await History(self._database).listed(list(rows))
        return [
            {"kind": "match", "user": people[row.user_id], "at": row.ended, "match": entry}
            for row, entry in zip(rows, listed, strict=True)
            if row.user_id in people
        ]

    async def _tournaments(self, owner: str, people: dict[str, Any]) -> list[dict[str, Any]]:
        entrants = tournament_entrants.c
        query = (
            select(entrants.user_id, tournaments.c.id, tournaments.c.title, tournaments.c.ended)
            .add_columns(tournaments.c.series_id)
            .join(tournaments, tournaments.c.id == entrants.tournament_id)
            .join(follows, follows.c.followed == entrants.user_id)
            .where(follows.c.owner == owner, entrants.place == 1)
            .where(tournaments.c.status == "over", tournaments.c.public.is_(True))
            .where(tournaments.c.ended >= _since())
            .limit(_MOST)
        )
        return [
            {
                "kind": "tournament",
                "user": people[row.user_id],
                "at": row.ended,
                "tournament": {"id": row.id, **title_data(row.title, row.series_id)},
            }
            for row in await self._database.all(query)
            if row.user_id in people
        ]

    async def _streaks(self, owner: str, people: dict[str, Any], day: date) -> list[dict[str, Any]]:
        days = daily_answers.c
        # When somebody answered says that they were here.
        shown = await self._social.visible(owner, list(people))
        query = (
            select(days.owner, days.day, days.correct, days.answer, days.answered)
            .where(days.owner.in_(shown), days.day <= day.isoformat())
            .where(days.day >= (day - _YEAR).isoformat())
            .order_by(days.owner, days.day)
        )
        streaks = await asyncio.to_thread(_streaks_of, await self._database.all(query), day)
        return [
            {"kind": "streak", "user": people[user], "at": at, "days": streak} for user, at, streak in streaks
        ]


def _streaks_of(rows: Sequence[Row[Any]], day: date) -> list[tuple[str, int, int]]:
    """Return whose streaks are told, the time of the last right answer in ms, and the days, from all answers.

    The rows are by person, then by day.
    """
    found = []
    for user, answers in groupby(rows, key=lambda row: row.owner):
        theirs = list(answers)
        streak = standing_of(theirs, day)["streak"]
        if streak >= _STREAK:
            found.append((user, max(row.answered for row in theirs if row.correct), streak))
    return found


def _since() -> int:
    return now_ms() - _DAYS * 24 * 3600 * 1000
