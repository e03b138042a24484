"""Chouettes in the database: made, joined, begun, loaded and continued."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, or_, select, update

from sheshbesh.errors import SheshbeshError
from sheshbesh.i18n import Text
from sheshbesh.match import Card
from sheshbesh.server.ids import now_ms
from sheshbesh.server.people.lookalikes import skeleton
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage.database import Database, Rows, Step
from sheshbesh.server.storage.tables import chouette_events, chouette_people, chouette_secrets, chouettes
from sheshbesh.server.tables.chouette_seats import ChouetteAgreement, Sitter
from sheshbesh.server.tables.event_log import EventLog, Writing, damaged
from sheshbesh.server.tables.standing import due_of
from sheshbesh.server.tables.store import LIVE, MOST_MATCHES, OPEN, OVER
from sheshbesh.session import Chouette, ChouetteHeader, Consultation
from sheshbesh.session.chouette.apply import CHOUETTE_ACTIONS
from sheshbesh.session.chouette.seats import MOST

_PEOPLE = chouette_people.c
_DUE = update(chouettes).where(chouettes.c.id == bindparam("table"))
"""When somebody's time runs out."""


class ChouetteStore(EventLog[Chouette, ChouetteAgreement]):
    """Where chouettes are kept."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, chouette_events, chouette_secrets, CHOUETTE_ACTIONS)

    # How it was agreed on

    async def table(self, chouette: str) -> ChouetteAgreement | None:
        """A chouette with those who sit or have sat at it; None if there is none. Failure 410 as `load`."""
        row = await self._database.first(select(chouettes).where(chouettes.c.id == chouette))
        if row is None:
            return None
        return _table(row, await self.people(chouette))

    async def people(self, chouette: str) -> tuple[Sitter, ...]:
        """Those who sit or have sat there, in the order in which they came."""
        query = select(chouette_people).where(_PEOPLE.chouette_id == chouette).order_by(_PEOPLE.place)
        rows = await self._database.all(query)
        return tuple(Sitter(row.name, row.user_id, row.level) for row in rows)

    async def create(self, table: ChouetteAgreement) -> None:
        """Make a table at which people may sit down. Failure 429 where its owner has too many already."""

        def check(connection: Connection) -> None:
            mine = chouettes.c.owner == table.owner, chouettes.c.state != OVER
            count = connection.execute(select(func.count()).select_from(chouettes).where(*mine)).scalar()
            if (count or 0) >= MOST_MATCHES:
                text = Text("you can play at most {most} matches at once", most=MOST_MATCHES)
                raise Failure(429, text, wait=60)

        row = {
            "id": table.id,
            "header": {},
            "throws": {},
            "card": table.card.code,
            "game": table.card.game,
            "consultation": table.consultation.value,
            "chosen_members": table.chosen_members,
            "private": table.unlisted,
            "state": OPEN,
            "owner": table.owner,
            "created": table.created,
            "down": table.down,
        }
        people = [_person_row(table.id, sitter, place) for place, sitter in enumerate(table.people)]
        steps: list[Step] = [check, insert(chouettes).values(row)]
        await self._database.write(*steps, *(insert(chouette_people).values(each) for each in people))

    async def seat(self, chouette: str, sitter: Sitter) -> None:
        """Take a place in the list of people; somebody who was there before has theirs already.

        Failure 409 where the table is full, or somebody else has this name.
        """

        def sit(connection: Connection) -> None:
            query = select(chouette_people).where(_PEOPLE.chouette_id == chouette)
            rows = connection.execute(query).all()
            like = [row for row in rows if skeleton(row.name) == skeleton(sitter.name)]
            if any(row.user_id != sitter.user or row.name != sitter.name for row in like):
                text = Text("somebody at this table is called {name} already", name=sitter.name)
                raise Failure(409, text, code="name_taken")
            if like:
                return
            row = connection.execute(select(chouettes.c.state).where(chouettes.c.id == chouette))
            if row.scalar() == OPEN and len(rows) >= MOST:
                raise Failure(409, Text("a chouette has at most {most} people", most=MOST), code="full")
            place = max((row.place for row in rows), default=-1) + 1
            connection.execute(insert(chouette_people).values(_person_row(chouette, sitter, place)))

        await self._database.write(sit)

    async def unseat(self, chouette: str, name: str) -> None:
        """Take somebody off the list of a table that has not begun."""
        still_open = select(chouettes.c.id).where(chouettes.c.id == chouette, chouettes.c.state == OPEN)
        gone = delete(chouette_people).where(
            _PEOPLE.chouette_id == chouette, _PEOPLE.name == name, _PEOPLE.chouette_id.in_(still_open)
        )
        await self._database.write(gone)

    async def stand_in(self, chouette: str, name: str, level: str | None) -> None:
        """Let the program play for a person at this level; with None the person plays again."""
        changed = (
            update(chouette_people)
            .where(_PEOPLE.chouette_id == chouette, _PEOPLE.name == name, _PEOPLE.user_id.is_not(None))
            .values(level=level)
        )
        await self._database.write(changed)

    async def begin(self, header: ChouetteHeader, throws: Mapping[str, Sequence[int]]) -> bool:
        """Begin with these seats; False where somebody else has begun it."""
        values = {"state": LIVE, "started": now_ms(), "header": header.to_data()}
        begun = (
            update(chouettes)
            .where(chouettes.c.id == header.match_id, chouettes.c.state == OPEN)
            .values(throws={name: list(dice) for name, dice in throws.items()}, **values)
        )
        (written,) = await self._database.write(begun)
        return bool(written.count)

    async def withdraw(self, chouette: str) -> None:
        """Take away a table that has not begun."""
        await self._database.write(
            delete(chouettes).where(chouettes.c.id == chouette, chouettes.c.state == OPEN)
        )

    # Lists

    async def of(self, user: str) -> Sequence[Row[Any]]:
        """The rows of the chouettes of a person that are not over, the newest first."""
        theirs = select(_PEOPLE.chouette_id).where(_PEOPLE.user_id == user)
        mine = or_(chouettes.c.id.in_(theirs), chouettes.c.owner == user)
        query = select(chouettes).where(chouettes.c.state != OVER, mine)
        return await self._database.all(query.order_by(chouettes.c.created.desc()).limit(MOST_MATCHES))

    async def played(
        self, user: str, *, with_unlisted: bool, before: int | None = None, most: int = 30
    ) -> Sequence[Row[Any]]:
        """The rows of the chouettes of a person that are over, those that ended last first.

        `before` is when the last one seen ended, in ms.
        """
        theirs = select(_PEOPLE.chouette_id).where(_PEOPLE.user_id == user)
        query = select(chouettes).where(chouettes.c.state == OVER, chouettes.c.id.in_(theirs))
        if not with_unlisted:
            query = query.where(~chouettes.c.private)
        if before is not None:
            query = query.where(chouettes.c.ended < before)
        return await self._database.all(query.order_by(chouettes.c.ended.desc()).limit(most))

    async def public(self, most: int = 40) -> Sequence[Row[Any]]:
        """The rows of the newest chouettes that everybody may see and that are not over."""
        query = select(chouettes).where(chouettes.c.state != OVER, ~chouettes.c.private)
        return await self._database.all(query.order_by(chouettes.c.created.desc()).limit(most))

    # What happens

    def _belonging(self, writing: Writing[Chouette, ChouetteAgreement]) -> list[Step]:
        """When somebody's time runs out by now, and the end."""
        table, before, after = writing.table, writing.before, writing.after
        more: list[Step] = []
        due = due_of(table.down or 0, after.board)
        if before is None or due != due_of(table.down or 0, before.board):
            more.append(Rows(_DUE, [{"table": table.id, "due": due}]))
        if after.is_over:
            row = update(chouettes).where(chouettes.c.id == table.id)
            more.append(row.values(state=OVER, ended=now_ms()))
        return more


def _person_row(chouette: str, sitter: Sitter, place: int) -> dict[str, Any]:
    return {
        "chouette_id": chouette,
        "name": sitter.name,
        "user_id": sitter.user,
        "level": sitter.level,
        "place": place,
    }


def _table(row: Row[Any], people: tuple[Sitter, ...]) -> ChouetteAgreement:
    try:
        header = ChouetteHeader.from_data(row.header) if row.state != OPEN else None
        return ChouetteAgreement(
            row.id,
            Card.from_code(row.card) if header is None else header.card,
            people,
            header,
            row.throws,
            Consultation(row.consultation),
            row.chosen_members,
            row.private,
            row.state,
            row.owner,
            row.created,
            row.down,
        )
    except (SheshbeshError, LookupError, TypeError, ValueError):
        raise damaged(row.id) from None
