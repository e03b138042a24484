"""The users: guests made at the first visit, and finding a user by cookie, token or name."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row, bindparam, delete, exists, insert, select, update

from sheshbesh.rules.safe_text import one_line
from sheshbesh.server.ids import CLOCK, Clock, fingerprint, new_id, new_secret, now_ms
from sheshbesh.server.people.person import Person, folded, name_values
from sheshbesh.server.people.sanctions import is_banned, not_banned
from sheshbesh.server.storage import Conflict, Database, Together
from sheshbesh.server.storage.review_tables import solver_ratings
from sheshbesh.server.storage.tables import matches, seats, sign_ins, tokens, users

_TRIES = 8
_SEEN_EVERY = 60_000
"""Milliseconds: no request writes oftener when somebody was last seen."""
_LONGEST_AGENT = 200
_DAY = 24 * 3600 * 1000
_GUEST_KEPT, _SIGN_IN_KEPT = 30 * _DAY, 366 * _DAY
_FORGETS_EVERY = 3600.0
"""Seconds."""
_PERSON = (users.c.id, users.c.name, users.c.kind, users.c.settings, users.c.moderator)
_SIGNED_IN = (
    select(*_PERSON, sign_ins.c.id.label("sign_in"), sign_ins.c.seen, sign_ins.c.hash)
    .join(sign_ins, sign_ins.c.user_id == users.c.id)
    .where(sign_ins.c.hash.in_(bindparam("hashes", expanding=True)), ~is_banned(bindparam("now")))
)


_log = logging.getLogger(__name__)


class Directory:
    """The people of the site."""

    def __init__(self, database: Database, clock: Clock = CLOCK) -> None:
        self._database, self._clock = database, clock
        self._signed_in = Together(self._with_hashes)

    async def new_guest(self, agent: str) -> tuple[Person, str]:
        """Make a guest; return them and the secret of their sign-in, which is returned once."""
        for _ in range(_TRIES):
            name = f"Guest {secrets.randbelow(90_000) + 10_000}"
            person = Person(new_id(), name, "guest", {}, new_id())
            row = insert(users).values(
                id=person.id,
                **name_values(name),
                kind="guest",
                settings={},
                created=now_ms(),
                seen=now_ms(),
            )
            secret = new_secret()
            try:
                await self._database.write(row, self._sign_in(person, secret, agent))
            except Conflict:  # the name is taken
                continue
            return person, secret
        raise RuntimeError("no free name for a guest was found")

    async def sign_in(self, user_id: str, agent: str) -> str:
        """Sign somebody in on one more browser; return the secret of the sign-in.

        Failure 403 for somebody who is banned.
        """
        secret = new_secret()
        person = Person(user_id, "", "", {}, new_id())
        await self._database.write(self._sign_in(person, secret, agent), not_banned(user_id))
        return secret

    def _sign_in(self, person: Person, secret: str, agent: str) -> Any:
        return insert(sign_ins).values(
            id=person.sign_in,
            hash=fingerprint(secret),
            user_id=person.id,
            created=now_ms(),
            seen=now_ms(),
            agent=one_line(agent)[:_LONGEST_AGENT],
        )

    async def by_sign_in(self, secret: str) -> Person | None:
        """Return who came with a browser's cookie; None for somebody who is banned."""
        row = await self._signed_in.get(fingerprint(secret))
        if row is None:
            return None
        if now_ms() - row.seen > _SEEN_EVERY:
            await self._database.write(
                update(sign_ins).where(sign_ins.c.id == row.sign_in).values(seen=now_ms()),
                update(users).where(users.c.id == row.id).values(seen=now_ms()),
            )
        return Person(row.id, row.name, row.kind, row.settings, row.sign_in, moderator=bool(row.moderator))

    async def _with_hashes(self, hashes: Sequence[str]) -> Mapping[str, Row[Any]]:
        found = await self._database.all(_SIGNED_IN, {"hashes": hashes, "now": now_ms()})
        return {row.hash: row for row in found}

    async def by_token(self, secret: str) -> Person | None:
        """Whose program came with a personal token; they have its scopes only. None where they are banned."""
        row = await self._database.first(
            select(*_PERSON, tokens.c.id.label("token"), tokens.c.scopes, tokens.c.used)
            .join(tokens, tokens.c.user_id == users.c.id)
            .where(tokens.c.hash == fingerprint(secret), ~is_banned())
        )
        if row is None:
            return None
        if now_ms() - (row.used or 0) > _SEEN_EVERY:
            await self._database.write(
                update(tokens).where(tokens.c.id == row.token).values(used=now_ms()),
                update(users).where(users.c.id == row.id).values(seen=now_ms()),
            )
        return Person(row.id, row.name, row.kind, row.settings, None, frozenset(row.scopes), row.token)

    async def sign_out(self, sign_in: str) -> None:
        """End one sign-in: its cookie is worth nothing from now on."""
        await self._database.write(delete(sign_ins).where(sign_ins.c.id == sign_in))

    async def by_name(self, name: str) -> Row[Any] | None:
        """The row of the user of this name, whatever its case and width."""
        return await self._database.first(select(users).where(users.c.folded == folded(name)))

    async def by_id(self, user_id: str) -> Person | None:
        """Return who has this id."""
        row = await self._database.first(select(*_PERSON).where(users.c.id == user_id))
        if row is None:
            return None
        return Person(row.id, row.name, row.kind, row.settings, moderator=bool(row.moderator))

    async def forget(self) -> int:
        """Forget guests who have played and solved nothing and did not come back, and sign-ins long unused.

        Returns the number of guests.
        """
        idle = (users.c.kind == "guest") & (users.c.seen < now_ms() - _GUEST_KEPT)
        played = exists().where(seats.c.user_id == users.c.id)
        owns = exists().where(matches.c.owner == users.c.id)
        solved = exists().where(solver_ratings.c.owner == users.c.id)
        forgotten, _ = await self._database.write(
            delete(users).where(idle, ~played, ~owns, ~solved),
            delete(sign_ins).where(sign_ins.c.seen < now_ms() - _SIGN_IN_KEPT),
        )
        return int(forgotten.count)

    async def run(self) -> None:
        """Forget now and then, until cancelled."""
        while True:
            await self._clock.sleep(_FORGETS_EVERY)
            try:
                await self.forget()
            except Exception:
                _log.exception("guests could not be forgotten")
