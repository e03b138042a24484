"""Private notes about other users, and blocks."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, and_, delete, or_, select

from sheshbesh.server.ids import now_ms
from sheshbesh.server.people.person import Person
from sheshbesh.server.people.ratings import insert_for
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import blocks, notes, users


class Social:
    """Notes and blocks."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, owner: Person, about: str) -> str:
        """A user's private note about another."""
        row = await self._database.first(
            select(notes.c.text).where(notes.c.owner == owner.id, notes.c.about == about)
        )
        return "" if row is None else str(row.text)

    async def notes(self, owner: Person) -> list[dict[str, Any]]:
        """All notes of a user, the newest first: `id` and `name` of whom, `text`, `at` in ms."""
        rows = await self._database.all(
            select(users.c.id, users.c.name, notes.c.text, notes.c.at)
            .join(notes, notes.c.about == users.c.id)
            .where(notes.c.owner == owner.id)
            .order_by(notes.c.at.desc())
        )
        return [{"id": row.id, "name": row.name, "text": row.text, "at": row.at} for row in rows]

    async def write_note(self, owner: Person, about: str, text: str) -> None:
        """Replace a note; an empty text deletes it."""
        here = and_(notes.c.owner == owner.id, notes.c.about == about)
        if not text.strip():
            await self._database.write(delete(notes).where(here))
            return
        values = {"text": text, "at": now_ms()}

        def put(connection: Connection) -> None:
            insert = insert_for(connection, notes).values(owner=owner.id, about=about, **values)
            connection.execute(insert.on_conflict_do_update(index_elements=["owner", "about"], set_=values))

        await self._database.write(put)

    async def block(self, owner: Person, blocked: str) -> None:
        """From now on `blocked` cannot challenge `owner`, chat with them or take their seeks."""

        def put(connection: Connection) -> None:
            insert = insert_for(connection, blocks).values(owner=owner.id, blocked=blocked, at=now_ms())
            connection.execute(insert.on_conflict_do_nothing())

        await self._database.write(put)

    async def unblock(self, owner: Person, blocked: str) -> None:
        """Remove a block, if there is one."""
        await self._database.write(
            delete(blocks).where(blocks.c.owner == owner.id, blocks.c.blocked == blocked)
        )

    async def blocked(self, owner: Person) -> list[dict[str, Any]]:
        """The users that `owner` has blocked, `id` and `name`, in the order of the blocks."""
        rows = await self._database.all(
            select(users.c.id, users.c.name)
            .join(blocks, blocks.c.blocked == users.c.id)
            .where(blocks.c.owner == owner.id)
            .order_by(blocks.c.at)
        )
        return [{"id": row.id, "name": row.name} for row in rows]

    async def are_apart(self, one: str, other: str) -> bool:
        """Return True if one of two has blocked the other."""
        either = or_(
            and_(blocks.c.owner == one, blocks.c.blocked == other),
            and_(blocks.c.owner == other, blocks.c.blocked == one),
        )
        return await self._database.first(select(blocks.c.at).where(either)) is not None

    async def unseen(self, person: str) -> frozenset[str]:
        """The ids of all users whom a person has blocked, or who have blocked them."""
        rows = await self._database.all(
            select(blocks.c.owner, blocks.c.blocked).where(
                or_(blocks.c.owner == person, blocks.c.blocked == person)
            )
        )
        return frozenset(other for row in rows for other in row) - {person}
