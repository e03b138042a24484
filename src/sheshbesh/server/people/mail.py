"""Mail addresses of accounts, and links by which somebody sets a new password.

An address is somebody's when a link that was sent there was opened. Links are signed, good for an hour and
once: each names what it was made for, the account's password and address among it, and is worth nothing after
that has changed. The database keeps no links.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any, Final, NamedTuple

from itsdangerous import BadData, URLSafeTimedSerializer
from sqlalchemy import Connection, Row, delete, func, select, update

from sheshbesh.i18n import Text
from sheshbesh.server.ids import fingerprint, now_ms
from sheshbesh.server.people.accounts import Accounts
from sheshbesh.server.people.person import Person, folded
from sheshbesh.server.people.ratings import insert_for
from sheshbesh.server.people.recovery import set_password
from sheshbesh.server.people.sanctions import check_ban
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import mail_addresses, users

SECONDS: Final = 3600
"""For as long a link is good."""
LONGEST: Final = 254
"""Characters of an address."""

_FORM = re.compile(r"[^@\s<>()\[\]\\,;:\"\x00-\x1f\x7f]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?")
"""The form of an address; that mail arrives there is proved by the link that is sent."""
_MOST_ACCOUNTS: Final = 5
"""Accounts with one address that are written to at once."""

_OLD = Text("this link has expired: ask for a new one")


class Lost(NamedTuple):
    """An account whose owner asked for a new password: its id and name, where mail for it goes, the link's
    token."""

    id: str
    name: str
    address: str
    token: str


class MailAddresses:
    """The mail addresses of accounts; `secret` signs the links."""

    def __init__(self, database: Database, accounts: Accounts, secret: str) -> None:
        self._database, self._accounts = database, accounts
        self._confirms, self._resets = (
            URLSafeTimedSerializer(
                secret,
                salt=f"sheshbesh/mail/{purpose}/v1",
                signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256},
            )
            for purpose in ("confirm", "password")
        )

    async def of(self, person: Person) -> dict[str, str | None]:
        """The confirmed `address` of a person, and the one `wanted`, for which a link is under way."""
        query = select(mail_addresses).where(mail_addresses.c.user_id == person.id)
        row = await self._database.first(query)
        return {
            "address": None if row is None else row.address,
            "wanted": None if row is None else row.wanted,
        }

    async def want(self, person: Person, address: str) -> tuple[str, str]:
        """Store a person's address for mail: it as it is written to, and the token of its link.

        Failure 409 for a guest, 422 for what is no address.
        """
        if person.kind != "user":
            raise Failure(409, "claim a name first", code="guest")
        cleaned = address.strip()
        if len(cleaned) > LONGEST or not _FORM.fullmatch(cleaned):
            raise Failure(422, "this is no mail address", where="address")
        values = {"wanted": cleaned, "asked": now_ms()}

        def put(connection: Connection) -> None:
            row = insert_for(connection, mail_addresses).values(user_id=person.id, address=None, **values)
            connection.execute(row.on_conflict_do_update(index_elements=["user_id"], set_=values))

        await self._database.write(put)
        return cleaned, str(self._confirms.dumps([person.id, cleaned, values["asked"]]))

    async def confirm(self, token: str) -> tuple[str, str, str | None]:
        """The address of a link is its account's from now on: the account's id, it, and the one before.

        Failure 410 for a link that is too old, was used, or is not the last one.
        """
        user_id, address, asked = self._read(self._confirms, token, 3)

        def change(connection: Connection) -> str | None:
            mine = mail_addresses.c.user_id == user_id
            last = mine & (mail_addresses.c.wanted == address) & (mail_addresses.c.asked == asked)
            row = connection.execute(select(mail_addresses).where(last).with_for_update()).first()
            if row is None:
                raise Failure(410, _OLD, code="old_link")
            connection.execute(update(mail_addresses).where(mine).values(address=address, wanted=None))
            before: str | None = row.address
            return before

        (before,) = await self._database.write(change)
        return user_id, address, before

    async def remove(self, person: Person) -> None:
        """Forget a person's address."""
        await self._database.write(delete(mail_addresses).where(mail_addresses.c.user_id == person.id))

    async def lost(self, name_or_address: str) -> list[Lost]:
        """The accounts of a name, or of a mail address, that have one."""
        by_name = users.c.folded == folded(name_or_address)
        by_address = func.lower(mail_addresses.c.address) == name_or_address.strip().lower()
        query = (
            select(users.c.id, users.c.name, users.c.password, mail_addresses.c.address)
            .join(mail_addresses, mail_addresses.c.user_id == users.c.id)
            .where(mail_addresses.c.address.is_not(None), users.c.kind == "user", by_name | by_address)
            .order_by(users.c.seen.desc())
            .limit(_MOST_ACCOUNTS)
        )
        rows = await self._database.all(query)
        return [Lost(row.id, row.name, row.address, self._reset_token(row)) for row in rows]

    def _reset_token(self, row: Row[Any]) -> str:
        return str(self._resets.dumps([row.id, _mark(row.password, row.address)]))

    async def reset(self, token: str, password: str) -> tuple[str, str]:
        """Set a new password by a link, which is used up; the id and the name of the account.

        It ends all sign-ins, and the tokens of the person and their bots. Failure 410 for a link that is too
        old or was used, 403 for somebody who is banned.
        """
        user_id, mark = self._read(self._resets, token, 2)
        kept = await self._accounts.passwords.hash(password)
        await check_ban(self._database, user_id)
        query = (
            select(users.c.id, users.c.name, users.c.password, mail_addresses.c.address)
            .join(mail_addresses, mail_addresses.c.user_id == users.c.id)
            .where(users.c.id == user_id)
        )

        def change(connection: Connection) -> str:
            # Locked, so that of two requests with one link the second finds the password changed.
            row = connection.execute(query.with_for_update(of=users)).first()
            if row is None or row.address is None or _mark(row.password, row.address) != mark:
                raise Failure(410, _OLD, code="old_link")
            set_password(connection, user_id, kept)
            return str(row.name)

        (name,) = await self._database.write(change)
        return user_id, name

    @staticmethod
    def _read(of: URLSafeTimedSerializer, token: str, fields: int) -> Any:
        """Return what a link was made for; Failure 410 where it is not of this site, or too old."""
        try:
            found = of.loads(token, max_age=SECONDS)
        except BadData:
            found = None
        if not isinstance(found, list) or len(found) != fields:
            raise Failure(410, _OLD, code="old_link")
        return found


def _mark(password: str | None, address: str) -> str:
    """Return what must not have changed since a link was made: the password, and where mail goes."""
    return fingerprint(f"{password}|{address}")[:24]
