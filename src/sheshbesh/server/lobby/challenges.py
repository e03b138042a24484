"""Challenges: seeks for one person, who is notified at once on any page and accepts or declines.

A challenge waits for a while, whether or not its maker stays connected. Accepting it is `Seeks.accept`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Row,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from sheshbesh.i18n import Text
from sheshbesh.server.ids import now_ms
from sheshbesh.server.lobby.seeks import Seeks, SeekTerms, seek_row
from sheshbesh.server.people.person import Person
from sheshbesh.server.people.ratings import may_be_rated
from sheshbesh.server.people.social import Social
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database, Together
from sheshbesh.server.storage.tables import seeks, users

LASTS = 15 * 60_000
"""Milliseconds for which a challenge can be answered."""

REASONS = ("later", "game", "length", "clock", "rated", "casual", "people")
"""Why somebody declines; the page has the words. `people`: plays no bots."""

_MOST_MADE = 10
"""Challenges that one person may have waiting."""
_MOST_HAD = 50
"""Challenges that may wait for one person: enough for a bot, and no flood."""

_PEOPLE: BindParameter[Any] = bindparam("people", expanding=True)
_OF_ANY = select(seeks.c.user_id, seeks.c.invited).where(
    seeks.c.invited.is_not(None), or_(seeks.c.user_id.in_(_PEOPLE), seeks.c.invited.in_(_PEOPLE))
)


@dataclass(frozen=True, slots=True)
class ChallengeParties:
    """A challenge and its two parties."""

    id: str
    by: str
    to: str


class Challenges:
    """The challenges of the site."""

    def __init__(self, database: Database, social: Social, all_seeks: Seeks) -> None:
        self._database, self._social, self._seeks = database, social, all_seeks
        self._has_some = Together(self._of_any)

    async def make(self, person: Person, to: Person, wish: SeekTerms) -> dict[str, Any]:
        """Challenge somebody. Failure for what cannot be played or rated, and between those who are apart."""
        if to.id == person.id:
            raise Failure(409, "you cannot challenge yourself", code="self")
        if await self._social.are_apart(person.id, to.id):
            raise Failure(403, "you two do not play with each other", code="apart")
        if wish.rated:
            may_be_rated(to)
        row = seek_row(person, wish)
        row |= {"process": "", "invited": to.id, "expires": row["created"] + LASTS}
        mine = seeks.c.user_id == person.id, seeks.c.invited.is_not(None)

        def put(connection: Connection) -> None:
            # A challenge that was declined or has expired does not stand in the way of another attempt.
            old = seeks.c.invited == to.id, (seeks.c.expires <= now_ms()) | seeks.c.declined.is_not(None)
            connection.execute(delete(seeks).where(*mine, *old))
            waiting = select(seeks.c.invited).where(*mine, seeks.c.declined.is_(None))
            made = list(connection.execute(waiting).scalars())
            if to.id in made:
                raise Failure(409, "this challenge waits for an answer already", code="challenged")
            if len(made) >= _MOST_MADE:
                text = Text("you can have at most {most} challenges waiting", most=_MOST_MADE)
                raise Failure(409, text, code="too_many_challenges")
            received = select(func.count()).select_from(seeks).where(_open_to(to.id))
            if (connection.execute(received).scalar() or 0) >= _MOST_HAD:
                raise Failure(409, "too many challenges wait for this player", code="too_many_challenges")
            connection.execute(insert(seeks).values(row))

        await self._database.write(put)
        (made,) = await self.described(seeks.c.id == row["id"])
        return made

    async def of(self, user: str) -> dict[str, list[dict[str, Any]]]:
        """Challenges to a user that wait for an answer, and those by the user, declined ones included."""
        if not await self._has_some.get(user):
            return {"to": [], "by": []}
        mine = (seeks.c.user_id == user) & seeks.c.invited.is_not(None) & (seeks.c.expires > now_ms())
        found = await self.described(_open_to(user) | mine)
        return {
            "to": [each for each in found if each["to"]["id"] == user],
            "by": [each for each in found if each["by"]["id"] == user],
        }

    async def _of_any(self, people: Sequence[str]) -> Mapping[str, bool]:
        """Tell who of these people has made or been sent a challenge, whatever became of it."""
        found = await self._database.all(_OF_ANY, {"people": people})
        return dict.fromkeys((user for row in found for user in row), True)

    async def find(self, challenge: str) -> dict[str, Any] | None:
        """One challenge; None if it was taken, withdrawn or forgotten."""
        found = await self.described((seeks.c.id == challenge) & seeks.c.invited.is_not(None))
        return found[0] if found else None

    async def decline(self, person: Person, challenge: str, reason: str) -> ChallengeParties:
        """Say no to it, and why; it stays until its maker has seen it, or for as long as it would have."""
        if reason not in REASONS:
            raise Failure(422, Text("the reasons are {reasons}", reasons=", ".join(REASONS)), where="reason")
        row = update(seeks).where(seeks.c.id == challenge, _open_to(person.id)).values(declined=reason)
        return await self._changed(row.returning(seeks.c.id, seeks.c.user_id, seeks.c.invited))

    async def withdraw(self, person: Person, challenge: str) -> ChallengeParties:
        """Take back what one has made, or forget that it was declined."""
        mine = seeks.c.id == challenge, seeks.c.user_id == person.id, seeks.c.invited.is_not(None)
        row = delete(seeks).where(*mine)
        return await self._changed(row.returning(seeks.c.id, seeks.c.user_id, seeks.c.invited))

    async def _changed(self, statement: Any) -> ChallengeParties:
        (written,) = await self._database.write(statement)
        if not written.rows:
            raise Failure(404, "there is no such challenge", code="challenge_gone")
        return ChallengeParties(*written.rows[0])

    async def sweep(self) -> list[ChallengeParties]:
        """Forget those that nobody has answered in time."""
        late = seeks.c.expires <= now_ms()
        if await self._database.first(select(seeks.c.id).where(late).limit(1)) is None:
            return []
        statement = delete(seeks).where(late).returning(seeks.c.id, seeks.c.user_id, seeks.c.invited)
        (written,) = await self._database.write(statement)
        return [ChallengeParties(*row) for row in written.rows]

    async def described(self, condition: ColumnElement[bool]) -> list[dict[str, Any]]:
        """Challenges of which this is true, as their two parties see them."""
        rows = await self._seeks.found(condition)
        invited = await self._names(rows)
        return [
            seek | {"to": invited[row.invited], "expires": row.expires, "reason": row.declined}
            for row, seek in zip(rows, await self._seeks.described(rows), strict=True)
        ]

    async def _names(self, rows: Sequence[Row[Any]]) -> dict[str, dict[str, Any]]:
        if not rows:
            return {}
        query = select(users.c.id, users.c.name, users.c.kind)
        people = await self._database.all(query.where(users.c.id.in_({row.invited for row in rows})))
        return {row.id: {"id": row.id, "name": row.name, "kind": row.kind} for row in people}


def _open_to(user: str) -> ColumnElement[bool]:
    """Return what this person may still answer."""
    return (seeks.c.invited == user) & seeks.c.declined.is_(None) & (seeks.c.expires > now_ms())
