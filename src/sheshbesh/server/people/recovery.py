"""Recovery codes: how somebody who has lost the password sets a new one without any mail.

A code has twelve letters and digits, written as K7QF-2M9D-XW4H. Its first letter says which of the codes of
an account it is; the other eleven are 55 random bits. The database has argon2 hashes of them. Attempts count
with those of passwords.
"""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from sheshbesh.i18n import Text
from sheshbesh.server.ids import now_ms
from sheshbesh.server.people.accounts import CALENDAR_WITHDRAWN, Accounts
from sheshbesh.server.people.directory import Directory
from sheshbesh.server.people.person import Person
from sheshbesh.server.people.sanctions import check_ban
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import recovery_codes, sign_ins, tokens, users

NUMBER = 10
"""Codes that are made together."""

_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""32 of them: none looks like another, and typed in any case they are the same."""
_SECRET = 11
_PART = 4

_WRONG = Text("this name and code do not belong together, or the code was used before")


class Recovery:
    """The recovery codes of accounts."""

    def __init__(self, database: Database, people: Directory, accounts: Accounts) -> None:
        self._database, self._people, self._accounts = database, people, accounts

    async def left(self, person: Person) -> int:
        """Return the number of a person's unused codes."""
        query = select(func.count()).select_from(recovery_codes).where(recovery_codes.c.user_id == person.id)
        row = await self._database.first(query)
        return int(row[0]) if row is not None else 0

    async def make(self, person: Person) -> list[str]:
        """New codes, shown this once; those before are worth nothing from now on. Failure 409 for a guest."""
        if person.kind != "user":
            raise Failure(409, "claim a name first", code="guest")
        letters = secrets.SystemRandom().sample(_LETTERS, NUMBER)
        codes = [letter + "".join(secrets.choice(_LETTERS) for _ in range(_SECRET)) for letter in letters]
        hashes = await asyncio.gather(*(self._accounts.passwords.hash(code) for code in codes))
        rows: list[dict[str, Any]] = [
            {"user_id": person.id, "letter": code[0], "hash": kept, "created": now_ms()}
            for code, kept in zip(codes, hashes, strict=True)
        ]

        def put(connection: Connection) -> None:
            # Locked, so that of two sets made at the same moment one is left.
            connection.execute(select(users.c.id).where(users.c.id == person.id).with_for_update())
            connection.execute(delete(recovery_codes).where(recovery_codes.c.user_id == person.id))
            connection.execute(insert(recovery_codes), rows)

        await self._database.write(put)
        return [shown(code) for code in codes]

    async def use(self, name: str, code: str, password: str, browser: str | None = None) -> str:
        """Set a new password by a code, which is used up; the id of the account.

        It ends all sign-ins, and the tokens of the person and their bots. Failure 401 where name and code do
        not belong together, 429 after too many attempts, 403 for somebody who is banned.
        """
        typed = typed_code(code)
        kept = await self._accounts.passwords.hash(password)
        row = await self._people.by_name(name)
        async with self._accounts.attempt(name, browser):
            found = None
            if row is not None and typed:
                mine = recovery_codes.c.user_id == row.id, recovery_codes.c.letter == typed[0]
                found = await self._database.first(select(recovery_codes.c.hash).where(*mine))
            if not await self._accounts.passwords.verify(found and found.hash, typed) or row is None:
                raise Failure(401, _WRONG, code="wrong_code")
        assert found is not None
        await check_ban(self._database, row.id)
        used = delete(recovery_codes).where(
            recovery_codes.c.user_id == row.id, recovery_codes.c.hash == found.hash
        )

        def change(connection: Connection) -> None:
            if connection.execute(used).rowcount != 1:  # another request had it
                raise Failure(401, _WRONG, code="wrong_code")
            set_password(connection, row.id, kept)

        await self._database.write(change)
        return str(row.id)


def set_password(connection: Connection, user_id: str, kept: str) -> None:
    """Set the password of somebody who had lost it; all sign-ins end, and tokens, those of their bots too."""
    own = select(users.c.id).where((users.c.id == user_id) | (users.c.owner == user_id))
    changed = update(users).where(users.c.id == user_id).values(password=kept, **CALENDAR_WITHDRAWN)
    connection.execute(changed)
    connection.execute(delete(sign_ins).where(sign_ins.c.user_id == user_id))
    connection.execute(delete(tokens).where(tokens.c.user_id.in_(own)))


def shown(code: str) -> str:
    """A code as it is read and copied."""
    return "-".join(code[place : place + _PART] for place in range(0, len(code), _PART))


def typed_code(text: str) -> str:
    """A code as it was typed: in any case, with or without what stands between its parts."""
    return "".join(text.upper().split()).replace("-", "")
