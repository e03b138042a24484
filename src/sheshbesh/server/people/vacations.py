"""Days off: anyone who sets them is not on the clock of matches by correspondence meanwhile."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, func, insert, select

from sheshbesh.i18n import Text
from sheshbesh.match.timing import DAY
from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import users, vacations

MOST_AT_ONCE, MOST_A_YEAR = 14, 30
"""Days that may be taken at once, and within a year."""

_YEAR = 365 * DAY


class Vacation(NamedTuple):
    """Until when somebody is away, in ms of the world's time, None where they are here, and the days left."""

    until: int | None
    left: int


class Vacations:
    """The vacations of people. One that has begun is not shortened: anyone who is back early just plays."""

    def __init__(self, database: Database, clock: Clock = CLOCK) -> None:
        self._database, self._clock = database, clock

    async def of(self, person: str) -> Vacation:
        """Return how a person stands."""

        def read(connection: Connection) -> Vacation:
            return _standing(connection, person, self._clock.steady_ms())

        (found,) = await self._database.write(read)
        return Vacation(*found)

    async def until(self, person: str) -> int | None:
        """Until when a person is away, in ms of the world's time; None where they are here."""
        query = select(func.max(vacations.c.until)).where(
            vacations.c.user_id == person, vacations.c.until > self._clock.steady_ms()
        )
        row = await self._database.first(query)
        return None if row is None or row[0] is None else int(row[0])

    async def take(self, person: Person, days: int) -> Vacation:
        """Be away for a number of days from now on, or for more days after those that were taken.

        Failure 409 for more days than there are left, or at once.
        """

        def put(connection: Connection) -> Vacation:
            # Two requests at once must not take the same days.
            connection.execute(select(users.c.id).where(users.c.id == person.id).with_for_update())
            now = self._clock.steady_ms()
            stands = _standing(connection, person.id, now)
            begins = stands.until or now
            if days > stands.left:
                raise Failure(409, Text("you have {n} days of vacation left this year", n=stands.left))
            if begins + days * DAY > now + MOST_AT_ONCE * DAY:
                raise Failure(409, Text("a vacation lasts at most {n} days", n=MOST_AT_ONCE))
            row = insert(vacations).values(user_id=person.id, since=begins, until=begins + days * DAY)
            connection.execute(row)
            return Vacation(begins + days * DAY, stands.left - days)

        (taken,) = await self._database.write(put)
        return Vacation(*taken)


def _standing(connection: Connection, person: str, now: int) -> Vacation:
    rows = connection.execute(
        select(vacations.c.since, vacations.c.until).where(
            vacations.c.user_id == person, vacations.c.until > now - _YEAR
        )
    ).all()
    used = sum(row.until - row.since for row in rows)
    until = max((row.until for row in rows if row.until > now), default=None)
    return Vacation(until, max(MOST_A_YEAR - -(-used // DAY), 0))
