"""Reports: a player reports another one to the moderators; open until a moderator has answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select

from sheshbesh.i18n import Text
from sheshbesh.rules.safe_text import one_line
from sheshbesh.server.ids import new_id, now_ms
from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import chat, reports, seats, users

KINDS = ("talk", "cheating", "leaving", "name", "other")
"""The subjects of reports."""

SIGNS = "\x1esigns"
"""The beginning of a report's text by the site, as none of a person has: the ids of matches follow that one
of two gave away."""

LONGEST_REPORT = 1_000
"""Characters."""

_MOST_OPEN = 20
"""Open reports of one person."""
_LISTED = 100
_TALK = 100
"""Messages of the match that are shown with a report."""


class Reports:
    """Takes reports, and lists them for moderators."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def make(self, reporter: Person, reported: str, kind: str, text: str, match: str | None) -> str:
        """Tell of somebody; the report's id.

        `match` is one in which they have played, or None. Failure 409 for a second report of the same person
        that is still open, and where somebody has too many open ones.
        """
        if kind not in KINDS:
            raise Failure(422, "there is no such kind of report", where="kind")
        cleaned = "\n".join(one_line(line) for line in text.strip().splitlines())
        made = new_id()

        def put(connection: Connection) -> str:
            if match is not None:
                sat = select(seats.c.side).where(seats.c.match_id == match, seats.c.user_id == reported)
                if connection.execute(sat).first() is None:
                    raise Failure(422, "this player was not in that match", where="match")
            mine = reports.c.reporter == reporter.id, reports.c.resolved.is_(None)
            same = select(reports.c.id).where(*mine, reports.c.reported == reported)
            if connection.execute(same).first() is not None:
                raise Failure(
                    409, "you have reported this player already: a moderator will look at it", code="reported"
                )
            count = select(func.count()).select_from(reports).where(*mine)
            if int(connection.execute(count).scalar() or 0) >= _MOST_OPEN:
                text = Text("at most {most} of your reports can be open at once", most=_MOST_OPEN)
                raise Failure(409, text, code="too_many_reports")
            row = insert(reports).values(
                id=made,
                reported=reported,
                reporter=reporter.id,
                match_id=match,
                kind=kind,
                text=cleaned,
                at=now_ms(),
            )
            connection.execute(row)
            return made

        (found,) = await self._database.write(put)
        return str(found)

    async def open(self) -> list[dict[str, Any]]:
        """The open reports, the oldest first, with the chat of their matches."""
        return await self._listed(await self._rows(resolved=False))

    async def resolved(self) -> list[dict[str, Any]]:
        """Those answered last, the newest first."""
        return await self._listed(await self._rows(resolved=True))

    async def _rows(self, *, resolved: bool) -> Sequence[Row[Any]]:
        who, by = users.alias("who"), users.alias("by")
        query = (
            select(reports, who.c.name, who.c.kind.label("whose"), by.c.name.label("by"))
            .join(who, who.c.id == reports.c.reported)
            .outerjoin(by, by.c.id == reports.c.reporter)
            .limit(_LISTED)
        )
        if resolved:
            query = query.where(reports.c.resolved.is_not(None)).order_by(reports.c.resolved.desc())
        else:
            query = query.where(reports.c.resolved.is_(None)).order_by(reports.c.at)
        return await self._database.all(query)

    async def _listed(self, rows: Sequence[Row[Any]]) -> list[dict[str, Any]]:
        return [
            {
                "id": row.id,
                "signs": row.text.removeprefix(SIGNS).split() if row.text.startswith(SIGNS) else [],
                "user": {"id": row.reported, "name": row.name, "kind": row.whose},
                "by": row.by,
                "match": row.match_id,
                "kind": row.kind,
                "text": "" if row.text.startswith(SIGNS) else row.text,
                "at": row.at,
                "answer": row.answer,
                "resolved": row.resolved,
                "resolved_by": row.resolved_by,
                "talk": await self._talk(row.match_id) if row.match_id is not None else [],
            }
            for row in rows
        ]

    async def _talk(self, match: str) -> list[dict[str, Any]]:
        query = select(chat).where(chat.c.match_id == match).order_by(chat.c.n.desc()).limit(_TALK)
        return [
            {"by": row.name, "at": row.at, "text": row.text, "phrase": row.phrase}
            for row in reversed(await self._database.all(query))
        ]
