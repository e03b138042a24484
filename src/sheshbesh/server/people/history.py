"""A user's history: matches, how they ended, and against whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, case, exists, func, or_, select

from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import matches, rated_matches, seats, users
from sheshbesh.server.storage.tournament_tables import title_data, tournament_entrants, tournaments

_LONGEST = 1_000
"""Rated matches that a curve is drawn by."""
_MOST_GOING_ON = 40
"""Matches that somebody could go back to; nobody may have more."""
_PLACES, _FIELD = 3, 4
"""Places of a tournament that count as trophies, and the smallest field in which one does."""
_TROPHIES = 50
_LEFT = ("time", "abandoned", "forfeit")
"""Endings of a match whose loser did not play it out."""


def _count(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)


def _is_program() -> ColumnElement[bool]:
    """Return True if the seat across the board is the engine's or a bot's."""
    across = seats.alias("across")
    bot = exists().where(users.c.id == across.c.user_id, users.c.kind == "bot")
    return exists().where(
        across.c.match_id == seats.c.match_id,
        across.c.side != seats.c.side,
        or_(across.c.level.is_not(None), bot),
    )


def _numbers(row: Row[Any] | None, *names: str) -> dict[str, int]:
    return {name: int(row[place]) if row is not None else 0 for place, name in enumerate(names)}


class History:
    """Reads the finished matches."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def record(self, user: str) -> dict[str, dict[str, int]]:
        """Matches with `people` and with `programs`, those won, and those lost by leaving."""
        won = matches.c.winner == seats.c.side
        program = _is_program().label("program")
        query = (
            select(
                program,
                func.count(),
                _count(won),
                _count(matches.c.winner.is_not(None) & ~won & matches.c.ending.in_(_LEFT)),
            )
            .select_from(seats)
            .join(matches, matches.c.id == seats.c.match_id)
            .where(seats.c.user_id == user, matches.c.state == "over", matches.c.kind != "hotseat")
            .group_by("program")  # not anew: the values within it would have other places
        )
        found = {bool(row.program): tuple(row)[1:] for row in await self._database.all(query)}
        names = ("matches", "won", "left")
        return {
            whom: dict(zip(names, map(int, found.get(program, (0, 0, 0))), strict=True))
            for whom, program in (("people", False), ("programs", True))
        }

    async def trophies(self, user: str) -> list[dict[str, Any]]:
        """The first three places that somebody has won in tournaments of the list, the latest first.

        In a small field fewer count: one who is ahead of at least half of it.
        """
        place = tournament_entrants.c.place
        query = (
            select(place, tournaments.c.id, tournaments.c.title, tournaments.c.game, tournaments.c.ended)
            .add_columns(tournaments.c.entrants, tournaments.c.series_id)
            .join(tournaments, tournaments.c.id == tournament_entrants.c.tournament_id)
            .where(tournament_entrants.c.user_id == user, place <= _PLACES)
            .where(tournaments.c.public, tournaments.c.status == "over")
            .where(tournaments.c.entrants >= _FIELD, 2 * place <= tournaments.c.entrants)
            .order_by(tournaments.c.ended.desc(), tournaments.c.id)
            .limit(_TROPHIES)
        )
        return [
            {
                "place": row.place,
                "tournament": {"id": row.id, **title_data(row.title, row.series_id)},
                "game": row.game,
                "entrants": row.entrants,
                "at": row.ended,
            }
            for row in await self._database.all(query)
        ]

    async def games(self, user: str) -> list[dict[str, Any]]:
        """The games that somebody has finished matches of, the most played first."""
        query = (
            select(matches.c.game, func.count().label("n"))
            .join(seats, seats.c.match_id == matches.c.id)
            .where(seats.c.user_id == user, matches.c.state == "over", matches.c.kind != "hotseat")
            .group_by(matches.c.game)
            .order_by(func.count().desc(), matches.c.game)
        )
        return [{"game": row.game, "matches": row.n} for row in await self._database.all(query)]

    async def between(self, one: str, other: str) -> dict[str, int]:
        """Finished matches between two, from the first one's view."""
        mine, theirs = seats.alias("mine"), seats.alias("theirs")
        query = (
            select(
                func.count(),
                _count(matches.c.winner == mine.c.side),
                _count(matches.c.winner == theirs.c.side),
            )
            .select_from(matches)
            .join(mine, mine.c.match_id == matches.c.id)
            .join(theirs, theirs.c.match_id == matches.c.id)
            .where(mine.c.user_id == one, theirs.c.user_id == other, matches.c.state == "over")
        )
        return _numbers(await self._database.first(query), "matches", "won", "lost")

    async def playing(self, user: str) -> list[str]:
        """The ids of the matches that somebody plays now and that may be watched."""
        query = (
            select(matches.c.id)
            .join(seats, seats.c.match_id == matches.c.id)
            .where(
                seats.c.user_id == user,
                matches.c.state == "live",
                matches.c.private.is_(False),
                matches.c.kind != "hotseat",
            )
            .order_by(matches.c.started.desc())
            .limit(20)
        )
        return [row.id for row in await self._database.all(query)]

    async def live(self, user: str) -> list[str]:
        """The ids of all matches that somebody has going on, private ones too."""
        query = (
            select(matches.c.id)
            .join(seats, seats.c.match_id == matches.c.id)
            .where(seats.c.user_id == user, matches.c.state == "live")
            .distinct()
        )
        return [row.id for row in await self._database.all(query)]

    async def matches(
        self, user: str, *, before: int | None, game: str | None, limit: int, with_private: bool
    ) -> list[dict[str, Any]]:
        """Finished matches, the newest first; of one game where it is named."""
        query = (
            select(matches, seats.c.side)
            .join(seats, seats.c.match_id == matches.c.id)
            .where(seats.c.user_id == user, matches.c.state == "over", matches.c.kind != "hotseat")
            .order_by(matches.c.ended.desc())
            .limit(limit)
        )
        if before is not None:
            query = query.where(matches.c.ended < before)
        if game is not None:
            query = query.where(matches.c.game == game)
        if not with_private:
            query = query.where(matches.c.private.is_(False))
        return await self.listed(await self._database.all(query))

    async def going_on(self, user: str) -> list[dict[str, Any]]:
        """The matches that somebody could go back to, the newest first, private ones and those on a
        shared screen among them; of each how it stands, and the sides they play."""
        query = (
            select(matches, func.min(seats.c.side).label("side"), func.count().label("sides"))
            .join(seats, seats.c.match_id == matches.c.id)
            .where(seats.c.user_id == user, matches.c.state == "live")
            .group_by(matches.c.id)
            .order_by(matches.c.started.desc())
            .limit(_MOST_GOING_ON)
        )
        rows = await self._database.all(query)
        both = ("white", "black")
        return [
            {
                **entry,
                "you": list(both) if row.sides == len(both) else [row.side],
                "standing": row.standing,
                "down": row.down,
            }
            for row, entry in zip(rows, await self.listed(rows), strict=True)
        ]

    async def listed(self, rows: Sequence[Row[Any]]) -> list[dict[str, Any]]:
        """Matches as lists have them, of rows of theirs with the `side` from which each is seen."""
        sitting = await self._database.all(
            select(seats.c.match_id, seats.c.side, seats.c.name, seats.c.level).where(
                seats.c.match_id.in_([row.id for row in rows])
            )
        )
        names = {(seat.match_id, seat.side): {"name": seat.name, "level": seat.level} for seat in sitting}
        return [
            {
                "id": row.id,
                "game": row.game,
                "card": row.card,
                "rated": row.rated,
                "side": row.side,
                "players": {side: names.get((row.id, side)) for side in ("white", "black")},
                "score": {"white": row.white_score, "black": row.black_score},
                "winner": row.winner,
                "ending": row.ending,
                "ended": row.ended,
            }
            for row in rows
        ]

    async def rating_changes(self, user: str, *, with_private: bool) -> list[dict[str, Any]]:
        """Return what the last rated matches did to somebody's ratings, the newest first.

        Private matches count as all others do; `with_private` lists their ids too.
        """
        query = (
            select(rated_matches, matches.c.private, matches.c.game, matches.c.rules, matches.c.time_class)
            .join(matches, matches.c.id == rated_matches.c.match_id)
            .where(rated_matches.c.user_id == user)
            .order_by(rated_matches.c.at.desc())
            .limit(_LONGEST)
        )
        return [
            {
                "match": row.match_id if with_private or not row.private else None,
                "game": row.game,
                "rules": row.rules,
                "time_class": row.time_class,
                "pool": row.pool,
                "before": round(row.before),
                "after": round(row.after),
                "at": row.at,
            }
            for row in await self._database.all(query)
        ]
