"""Ratings by puzzles: a person and a puzzle are two opponents, and the first answer is their match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Row, Table, func, insert, select, update

from sheshbesh.practice.puzzles import Level, Puzzle
from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.people.glicko import Rating, rate
from sheshbesh.server.people.person import Person
from sheshbesh.server.people.ratings import PERIOD, PROVISIONAL, insert_for
from sheshbesh.server.people.sanctions import is_banned
from sheshbesh.server.storage import Database, Step
from sheshbesh.server.storage.review_tables import puzzle_answers, puzzle_ratings, solver_ratings
from sheshbesh.server.storage.tables import users

FIRST: Final[Mapping[Level, float]] = {"easy": 1200.0, "medium": 1500.0, "hard": 1800.0}
"""The ratings that puzzles begin with, and from which the levels follow that suit somebody."""
_FIRST_DEVIATION: Final = 150.0
"""That of a puzzle which nobody has answered: a level says something of it already."""

TWICE: Final = 60_000
"""Milliseconds within which the same answer again is the first request sent twice."""

LISTED: Final = 50
"""The most people of a ladder that are listed."""


class Change(NamedTuple):
    """What an answer did to a rating."""

    before: float
    after: float
    deviation: float


class PuzzleRatings:
    """Rates first answers, and lists the people of a game by what they are rated."""

    def __init__(self, database: Database, clock: Clock = CLOCK) -> None:
        self._database, self._clock = database, clock

    async def answered(self, person: Person, puzzle: Puzzle, *steps: Step, right: bool) -> Change | None:
        """Rate an answer, together with other steps; what it did, if it is this person's first to the puzzle.

        A first answer that is sent twice within a minute is told twice what it did. All later ones change
        nothing: None for them, and for a program, whose answers are not rated.
        """
        if person.kind == "bot":
            await self._database.write(*steps)
            return None
        now = self._clock.now_ms()

        def step(connection: Connection) -> Change | None:
            return _rated(connection, person.id, puzzle, now, right=right)

        change, *_ = await self._database.write(step, *steps)
        assert change is None or isinstance(change, Change)
        return change

    async def level(self, owner: str, game: str) -> Level:
        """The level of puzzles that suits somebody at a game: the easiest for those who have no rating."""
        row = await self._own(owner, game)
        return "easy" if row is None else level_for(row.rating)

    async def solved(self, owner: str, puzzle: str) -> str | None:
        """Return the game of a puzzle that somebody has answered; None where they have not."""
        mine = puzzle_answers.c.owner == owner, puzzle_answers.c.puzzle == puzzle
        row = await self._database.first(select(puzzle_answers.c.game).where(*mine))
        return None if row is None else str(row.game)

    async def ladder(self, game: str, owner: str) -> dict[str, Any]:
        """The people whose rating at a game is no guess any more, the highest first, and how somebody stands.

        `people` are the first `LISTED` of `count`; `own` is None for who has answered none, and its `place`
        is None while the rating is a guess.
        """
        rated = self._rated(game)
        rows = await self._database.all(
            rated.order_by(solver_ratings.c.rating.desc(), users.c.id).limit(LISTED)
        )
        found = await self._database.first(select(func.count()).select_from(rated.subquery()))
        mine = await self._own(owner, game)
        own = None
        if mine is not None:
            above = rated.where(solver_ratings.c.rating > mine.rating).subquery()
            ahead = await self._database.first(select(func.count()).select_from(above))
            own = _data(mine) | {"place": None}
            if mine.deviation <= PROVISIONAL and ahead is not None:
                own["place"] = ahead[0] + 1
        return {
            "game": game,
            "people": [
                {"user": {"id": row.id, "name": row.name, "kind": row.kind}, **_data(row)} for row in rows
            ],
            "count": int(found[0]) if found is not None else 0,
            "own": own,
        }

    def _rated(self, game: str) -> Any:
        return (
            select(users.c.id, users.c.name, users.c.kind, *_RATING)
            .join(solver_ratings, solver_ratings.c.owner == users.c.id)
            .where(solver_ratings.c.game == game, solver_ratings.c.deviation <= PROVISIONAL, ~is_banned())
        )

    async def _own(self, owner: str, game: str) -> Row[Any] | None:
        mine = solver_ratings.c.owner == owner, solver_ratings.c.game == game
        return await self._database.first(select(*_RATING).where(*mine))


_RATING = (solver_ratings.c.rating, solver_ratings.c.deviation, solver_ratings.c.answers)


def level_for(rating: float) -> Level:
    """The level whose puzzles begin nearest to a rating."""
    return min(FIRST, key=lambda level: abs(FIRST[level] - rating))


def _data(row: Row[Any]) -> dict[str, Any]:
    return {
        "rating": round(row.rating),
        "deviation": round(row.deviation),
        "provisional": row.deviation > PROVISIONAL,
        "answers": row.answers,
    }


def _rated(connection: Connection, owner: str, puzzle: Puzzle, now: int, *, right: bool) -> Change | None:
    game, mine = puzzle.card.variant, (puzzle_answers.c.owner == owner, puzzle_answers.c.puzzle == puzzle.id)
    # The person first, so that two answers of theirs are one after the other, then the puzzle.
    person = _locked(connection, solver_ratings, {"owner": owner, "game": game}, Rating(), now)
    known = connection.execute(select(puzzle_answers).where(*mine)).first()
    if known is not None:
        is_same = known.correct == right and now - known.at <= TWICE
        return Change(known.before, known.after, known.deviation) if is_same else None
    first = Rating(FIRST[puzzle.level], _FIRST_DEVIATION)
    other = _locked(connection, puzzle_ratings, {"puzzle": puzzle.id}, first, now)
    after = rate(person, [(other, float(right))])
    _store(connection, solver_ratings, {"owner": owner, "game": game}, after, now)
    _store(connection, puzzle_ratings, {"puzzle": puzzle.id}, rate(other, [(person, float(not right))]), now)
    row = {"owner": owner, "puzzle": puzzle.id, "game": game, "correct": right, "at": now}
    change = Change(person.value, after.value, after.deviation)
    connection.execute(insert(puzzle_answers).values(**row, **change._asdict()))
    return change


def _locked(connection: Connection, table: Table, key: Mapping[str, str], first: Rating, now: int) -> Rating:
    """A rating as it is now, locked until the commit; made if there is none."""
    values = {"rating": first.value, "deviation": first.deviation, "volatility": first.volatility}
    made = insert_for(connection, table).values(**key, **values, answers=0, at=now)
    connection.execute(made.on_conflict_do_nothing())
    here = [table.c[name] == value for name, value in key.items()]
    row = connection.execute(select(table).where(*here).with_for_update()).one()
    found = Rating(row.rating, row.deviation, row.volatility)
    # A puzzle does not change while nobody answers it.
    return found.after((now - row.at) / PERIOD) if "owner" in key else found


def _store(connection: Connection, table: Table, key: Mapping[str, str], rating: Rating, now: int) -> None:
    here = [table.c[name] == value for name, value in key.items()]
    values = {"rating": rating.value, "deviation": rating.deviation, "volatility": rating.volatility}
    connection.execute(update(table).where(*here).values(**values, answers=table.c.answers + 1, at=now))
