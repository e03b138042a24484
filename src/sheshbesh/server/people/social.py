"""Private notes about other users, blocks, whom one follows, and who sees that one is here."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Connection, and_, delete, func, or_, select, update

from sheshbesh.i18n import Text
from sheshbesh.server.ids import now_ms
from sheshbesh.server.people.person import Person
from sheshbesh.server.people.ratings import insert_for
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import blocks, follows, notes, users

MOST_FOLLOWED: Final = 200
"""People whom one person may follow."""


class Social:
    """Notes, blocks and follows, each its owner's alone."""

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
        """From now on `blocked` cannot challenge `owner`, chat with them, take their seeks or follow them.

        Neither sees that the other is here, or follows them any more.
        """

        def put(connection: Connection) -> None:
            _lock(connection, owner.id, blocked)
            insert = insert_for(connection, blocks).values(owner=owner.id, blocked=blocked, at=now_ms())
            connection.execute(insert.on_conflict_do_nothing())
            connection.execute(delete(follows).where(_either(follows.c.followed, owner.id, blocked)))

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
        found = select(blocks.c.at).where(_either(blocks.c.blocked, one, other))
        return await self._database.first(found) is not None

    async def unseen(self, person: str) -> frozenset[str]:
        """The ids of all users whom a person has blocked, or who have blocked them."""
        rows = await self._database.all(
            select(blocks.c.owner, blocks.c.blocked).where(
                or_(blocks.c.owner == person, blocks.c.blocked == person)
            )
        )
        return frozenset(other for row in rows for other in row) - {person}

    # Following

    async def follow(self, owner: Person, followed: str) -> None:
        """Follow somebody. Failure 403 between those who are apart, 409 for oneself or one too many."""
        if followed == owner.id:
            raise Failure(409, "you cannot follow yourself", code="self")

        def put(connection: Connection) -> None:
            # Within the transaction, so that a block that comes at the same time holds.
            _lock(connection, owner.id, followed)
            if connection.execute(
                select(blocks.c.at).where(_either(blocks.c.blocked, owner.id, followed))
            ).first():
                raise Failure(403, "you two do not play with each other", code="apart")
            others = follows.c.owner == owner.id, follows.c.followed != followed
            count = select(func.count()).select_from(follows).where(*others)
            if (connection.execute(count).scalar() or 0) >= MOST_FOLLOWED:
                text = Text("you can follow at most {most} people", most=MOST_FOLLOWED)
                raise Failure(409, text, code="too_many_followed")
            insert = insert_for(connection, follows).values(owner=owner.id, followed=followed, at=now_ms())
            connection.execute(insert.on_conflict_do_nothing())

        await self._database.write(put)

    async def unfollow(self, owner: Person, followed: str) -> None:
        """Follow somebody no longer, if one did."""
        await self._database.write(
            delete(follows).where(follows.c.owner == owner.id, follows.c.followed == followed)
        )

    async def followed(self, owner: str) -> list[dict[str, Any]]:
        """The people whom somebody follows, by name: `id`, `name`, `kind`."""
        rows = await self._database.all(
            select(users.c.id, users.c.name, users.c.kind)
            .join(follows, follows.c.followed == users.c.id)
            .where(follows.c.owner == owner)
            .order_by(users.c.folded)
        )
        return [{"id": row.id, "name": row.name, "kind": row.kind} for row in rows]

    # Presence

    async def hide(self, owner: Person, *, hidden: bool) -> None:
        """Let others no longer see that somebody is here, or let them again."""
        await self._database.write(update(users).where(users.c.id == owner.id).values(hidden=hidden))

    async def hides(self, user: str) -> bool:
        """Return True if somebody does not let others see that they are here."""
        row = await self._database.first(select(users.c.hidden).where(users.c.id == user))
        return row is not None and bool(row.hidden)

    async def visible(self, viewer: str | None, people: Collection[str]) -> frozenset[str]:
        """Of these people the ids of those of whom a viewer may see whether they are here; oneself always.

        Not of those who hide it, and not where one of the two has blocked the other.
        """
        shown = select(users.c.id).where(users.c.id.in_(people))
        if viewer is None:
            rows = await self._database.all(shown.where(users.c.hidden.is_(False)))
            return frozenset(row.id for row in rows)
        rows = await self._database.all(shown.where(or_(users.c.hidden.is_(False), users.c.id == viewer)))
        return frozenset(row.id for row in rows) - await self.unseen(viewer)


def _lock(connection: Connection, one: str, other: str) -> None:
    """Let no other transaction change what is between two people, until this one ends.

    In the order of their ids, so that two transactions never wait for each other.
    """
    both = select(users.c.id).where(users.c.id.in_((one, other))).order_by(users.c.id)
    connection.execute(both.with_for_update(key_share=True)).all()


def _either(column: Column[str], one: str, other: str) -> ColumnElement[bool]:
    """Return True for a row by which one of two has to do with the other, whichever of them."""
    owner = column.table.c.owner
    return or_(and_(owner == one, column == other), and_(owner == other, column == one))
