"""Accounts: a guest who claims a name with a password or a passkey can sign in on other browsers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, select, update

from sheshbesh.i18n import Text
from sheshbesh.server.people.directory import Directory
from sheshbesh.server.people.names import clean_claim, not_retired, taken
from sheshbesh.server.people.passwords import Attempts, Passwords
from sheshbesh.server.people.person import Person, name_values
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Conflict, Database, Step
from sheshbesh.server.storage.tables import passkeys, sign_ins, tokens, users

CALENDAR_WITHDRAWN = {"calendar": users.c.calendar + 1}
"""The values of `users` with which the address of somebody's calendar is another one: whoever knew it knows
nothing any more. It goes with sign-ins that are ended from elsewhere."""

_WRONG = Text("this name and password do not belong together")
_NO_KEY = Text("there is no such passkey")


class Accounts:
    """The actions of people on their accounts."""

    def __init__(self, database: Database, people: Directory, *, limits: bool = True) -> None:
        self._database, self._people = database, people
        self.passwords = Passwords()
        self._attempts = Attempts(database) if limits else None

    async def claim(self, person: Person, name: str, password: str) -> None:
        """Make a guest a user, with a password. Failure 409 where the name is taken."""
        cleaned = clean_claim(name)
        kept = await self.passwords.hash(password)
        await self.become(person, cleaned, {"password": kept})

    async def become(self, person: Person, name: str, values: dict[str, Any], *steps: Step) -> None:
        """Make a guest a user of this clean name, together with other steps."""
        if person.kind != "guest":
            raise Failure(409, "this is an account already", code="claimed")
        row = update(users).where(users.c.id == person.id, users.c.kind == "guest")
        named = row.values(**name_values(name), kind="user", **values)

        def rename(connection: Connection) -> None:
            if connection.execute(named).rowcount != 1:
                raise Failure(409, "this is an account already", code="claimed")

        try:
            await self._database.write(rename, not_retired(name), *steps)
        except Conflict as error:
            raise taken(name) from error

    async def log_in(self, name: str, password: str, browser: str | None = None) -> str:
        """The id of the account with this name and password. Failure 401 says no more than that they are not.

        Failure 429 after too many wrong passwords for the name; `browser` is the id of one that the account
        knows, with an allowance of its own.
        """
        row = await self._people.by_name(name)
        async with self.attempt(name, browser):
            if not await self.passwords.verify(row and row.password, password) or row is None:
                raise Failure(401, _WRONG, code="wrong_password")
        return str(row.id)

    @asynccontextmanager
    async def attempt(self, name: str, browser: str | None = None) -> AsyncIterator[None]:
        """An attempt to prove who one is: it counts, unless what is done meanwhile raises nothing.

        Failure 429 after too many for the name; `browser` is the id of one that has signed in before.
        """
        counted = await self._attempts.begin(name, browser) if self._attempts is not None else None
        yield
        if self._attempts is not None and counted is not None:
            await self._attempts.forgive(counted)

    async def change_password(self, person: Person, old: str, new: str) -> None:
        """Change a password, or set the first one.

        It ends all other sign-ins, and the tokens of the person and of their bots: another person who
        knew the old one may have made some.
        """
        if person.kind == "guest":
            raise Failure(409, "claim a name first", code="guest")
        if await self.has_password(person):
            await self.check_password(person, old, where="old")
        kept = await self.passwords.hash(new)
        change = update(users).where(users.c.id == person.id).values(password=kept, **CALENDAR_WITHDRAWN)
        own = select(users.c.id).where((users.c.id == person.id) | (users.c.owner == person.id))
        await self._database.write(
            change,
            delete(sign_ins).where(*_others(person)),
            delete(tokens).where(tokens.c.user_id.in_(own)),
        )

    async def has_password(self, person: Person) -> bool:
        """Return True if a person signs in by a password, too."""
        row = await self._database.first(select(users.c.password).where(users.c.id == person.id))
        return row is not None and row.password is not None

    async def check_password(self, person: Person, password: str, *, where: str = "password") -> None:
        """Failure 401 where this is not a person's password, or they have none."""
        row = await self._database.first(select(users.c.password).where(users.c.id == person.id))
        if not await self.passwords.verify(row and row.password, password):
            raise Failure(401, "this is not your password", code="wrong_password", where=where)

    # Where one is signed in

    async def sign_ins(self, person: Person) -> list[dict[str, Any]]:
        """The browsers of a person, the one that asks marked as `this`."""
        rows = await self._database.all(
            select(sign_ins).where(sign_ins.c.user_id == person.id).order_by(sign_ins.c.seen.desc())
        )
        return [
            {
                "id": row.id,
                "agent": row.agent,
                "created": row.created,
                "seen": row.seen,
                "this": row.id == person.sign_in,
            }
            for row in rows
        ]

    async def end_sign_in(self, person: Person, sign_in: str) -> None:
        """End one of a person's own sign-ins."""
        mine = delete(sign_ins).where(sign_ins.c.id == sign_in, sign_ins.c.user_id == person.id)
        await self._one(mine, Text("there is no such sign-in"), _withdrawal(person))

    async def end_other_sign_ins(self, person: Person) -> int:
        """End all of a person's sign-ins but the one that asks; how many there were."""
        others = delete(sign_ins).where(*_others(person))
        ended, _ = await self._database.write(others, _withdrawal(person))
        return int(ended.count)

    # Passkeys

    async def keys(self, person: Person) -> list[dict[str, Any]]:
        """The passkeys of a person."""
        query = select(passkeys).where(passkeys.c.user_id == person.id).order_by(passkeys.c.created)
        rows = await self._database.all(query)
        return [{"id": row.id.hex(), "name": row.name, "created": row.created} for row in rows]

    async def remove_key(self, person: Person, key: str) -> None:
        """Remove a passkey, but not the only way to sign in."""
        own, mine = _own_key(person, key), users.c.id == person.id

        def remove(connection: Connection) -> None:
            # Locked, so that of two requests at the same time the second sees what the first has left.
            found = connection.execute(select(users.c.password).where(mine).with_for_update(key_share=True))
            password = found.scalar()
            if not connection.execute(delete(passkeys).where(*own)).rowcount:
                raise Failure(404, _NO_KEY)
            left = connection.execute(select(passkeys.c.id).where(passkeys.c.user_id == person.id))
            if password is None and left.first() is None:
                raise Failure(409, "set a password first: this is your only way to sign in", code="last_key")

        await self._database.write(remove)

    async def rename_key(self, person: Person, key: str, name: str) -> None:
        """Rename a passkey, so that its owner can tell it from others."""
        cleaned = " ".join(name.split())
        if not cleaned or not cleaned.isprintable():
            raise Failure(422, "a passkey's name must be a single line", where="name")
        await self._one(update(passkeys).where(*_own_key(person, key)).values(name=cleaned), _NO_KEY)

    async def calendar(self, user_id: str) -> int | None:
        """Return how often the address of somebody's calendar was withdrawn; None if there is no account."""
        row = await self._database.first(select(users.c.calendar).where(users.c.id == user_id))
        return None if row is None else int(row.calendar)

    async def _one(self, statement: Step, missing: str, *further: Step) -> None:
        written, *_ = await self._database.write(statement, *further)
        if not written.count:
            raise Failure(404, missing)


def _others(person: Person) -> tuple[ColumnElement[bool], ...]:
    """The sign-ins of a person but the one that asks."""
    return sign_ins.c.user_id == person.id, sign_ins.c.id != person.sign_in


def _withdrawal(person: Person) -> Step:
    return update(users).where(users.c.id == person.id).values(CALENDAR_WITHDRAWN)


def _own_key(person: Person, key: str) -> tuple[ColumnElement[bool], ...]:
    try:
        return passkeys.c.id == bytes.fromhex(key), passkeys.c.user_id == person.id
    except ValueError:
        raise Failure(404, _NO_KEY) from None
