"""Accounts: a guest who keeps his name, signs in elsewhere, and writes programs that play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, func, insert, select, update

from sheshbesh.i18n import Text
from sheshbesh.server.failure import Failure
from sheshbesh.server.ids import fingerprint, new_id, new_secret, now_ms
from sheshbesh.server.people.directory import Directory
from sheshbesh.server.people.passwords import Passwords
from sheshbesh.server.people.person import Person, clean_name, folded
from sheshbesh.server.storage import Conflict, Database, Step
from sheshbesh.server.storage.tables import passkeys, sign_ins, tokens, users

SCOPES = ("read", "challenge", "chat", "play")
"""What a token may allow: to see what is mine, make and answer challenges, talk, and act in matches.
The last is for bots alone: people play with their own hands."""

_MOST_TOKENS = 20
_MOST_BOTS = 5
_WRONG = "this name and password do not belong together"


class Accounts:
    """What people do with their accounts."""

    def __init__(self, database: Database, people: Directory) -> None:
        self._database, self._people = database, people
        self.passwords = Passwords()

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
        try:
            await self._database.write(
                row.values(name=name, folded=folded(name), kind="user", **values), *steps
            )
        except Conflict as error:
            raise Failure(
                409, Text("the name {name} is taken", name=name), code="taken", where="name"
            ) from error

    async def log_in(self, name: str, password: str) -> str:
        """Whose name and password these are: his id. Failure 401 says no more than that they are not."""
        row = await self._people.by_name(name[:100])
        if not await self.passwords.verify(row and row.password, password) or row is None:
            raise Failure(401, _WRONG, code="wrong_password")
        return str(row.id)

    async def change_password(self, person: Person, old: str, new: str) -> None:
        """Change a password, or set the first one; ends all other sign-ins."""
        if person.kind == "guest":
            raise Failure(409, "claim a name first", code="guest")
        row = await self._database.first(select(users.c.password).where(users.c.id == person.id))
        if row is not None and row.password and not await self.passwords.verify(row.password, old):
            raise Failure(401, "this is not your password", code="wrong_password", where="old")
        kept = await self.passwords.hash(new)
        others = delete(sign_ins).where(sign_ins.c.user_id == person.id, sign_ins.c.id != person.sign_in)
        await self._database.write(update(users).where(users.c.id == person.id).values(password=kept), others)

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
        await self._one(mine, "there is no such sign-in")

    async def keys(self, person: Person) -> list[dict[str, Any]]:
        """The passkeys of a person."""
        rows = await self._database.all(select(passkeys).where(passkeys.c.user_id == person.id))
        return [{"id": row.id.hex(), "name": row.name, "created": row.created} for row in rows]

    async def remove_key(self, person: Person, key: str) -> None:
        """Remove a passkey, but not the only way to sign in."""
        row = await self._database.first(select(users.c.password).where(users.c.id == person.id))
        if (row is None or row.password is None) and len(await self.keys(person)) < 2:
            raise Failure(409, "set a password first: this is your only way to sign in", code="last_key")
        try:
            raw = bytes.fromhex(key)
        except ValueError:
            raise Failure(404, "there is no such passkey") from None
        mine = delete(passkeys).where(passkeys.c.id == raw, passkeys.c.user_id == person.id)
        await self._one(mine, "there is no such passkey")

    # Programs

    async def tokens(self, person: Person) -> list[dict[str, Any]]:
        """A person's tokens and those of his bots, without their secrets."""
        rows = await self._database.all(
            select(tokens, users.c.name.label("user"))
            .join(users, users.c.id == tokens.c.user_id)
            .where((users.c.id == person.id) | (users.c.owner == person.id))
            .order_by(tokens.c.created)
        )
        return [
            {
                "id": row.id,
                "user": row.user,
                "name": row.name,
                "scopes": row.scopes,
                "created": row.created,
                "used": row.used,
            }
            for row in rows
        ]

    async def new_token(self, person: Person, bot: str | None, name: str, scopes: Sequence[str]) -> str:
        """Make a token for oneself or for a bot of one's own; return its secret, told this once."""
        if person.kind == "guest":
            raise Failure(409, "claim a name first", code="guest")
        wrong = [scope for scope in scopes if scope not in SCOPES]
        if wrong or not scopes:
            raise Failure(422, f"scopes are some of {', '.join(SCOPES)}", where="scopes")
        user = person.id
        if bot is not None:
            row = await self._people.by_name(bot)
            if row is None or row.owner != person.id:
                raise Failure(404, f"you have no bot {bot!r}", where="bot")
            user = row.id
        elif "play" in scopes and person.kind != "bot":
            raise Failure(422, "only a bot's token may play: POST /api/v1/bots makes a bot", where="scopes")
        if len(await self.tokens(person)) >= _MOST_TOKENS:
            raise Failure(
                409, Text("nobody has more than {most} tokens", most=_MOST_TOKENS), code="too_many_tokens"
            )
        secret = "ssb_" + new_secret()
        row_of = insert(tokens).values(
            id=new_id(),
            hash=fingerprint(secret),
            user_id=user,
            name=name,
            scopes=sorted(set(scopes)),
            created=now_ms(),
        )
        await self._database.write(row_of)
        return secret

    async def end_token(self, person: Person, token: str) -> None:
        """End a token of one's own or of one's bot."""
        bots = select(users.c.id).where(users.c.owner == person.id)
        mine = (tokens.c.user_id == person.id) | tokens.c.user_id.in_(bots)
        await self._one(delete(tokens).where(tokens.c.id == token, mine), "there is no such token")

    async def new_bot(self, person: Person, name: str) -> Person:
        """Make an account for a program, marked as a bot for ever."""
        if person.kind != "user":
            raise Failure(409, "claim a name first", code="guest")
        cleaned = clean_claim(name)
        count = select(func.count()).select_from(users).where(users.c.owner == person.id)
        row = await self._database.first(count)
        if row is not None and row[0] >= _MOST_BOTS:
            raise Failure(
                409, Text("nobody has more than {most} bots", most=_MOST_BOTS), code="too_many_bots"
            )
        bot = Person(new_id(), cleaned, "bot")
        try:
            await self._database.write(
                insert(users).values(
                    id=bot.id,
                    name=cleaned,
                    folded=folded(cleaned),
                    kind="bot",
                    settings={},
                    owner=person.id,
                    created=now_ms(),
                    seen=now_ms(),
                )
            )
        except Conflict as error:
            raise Failure(
                409, Text("the name {name} is taken", name=cleaned), code="taken", where="name"
            ) from error
        return bot

    async def _one(self, statement: Step, missing: str) -> None:
        (written,) = await self._database.write(statement)
        if not written.count:
            raise Failure(404, missing)


_RESERVED = frozenset({"server", "white", "black", "engine", "admin", "moderator", "sheshbesh"})


def clean_claim(name: str) -> str:
    """A name that somebody may claim: none of a guest's or the site's own."""
    cleaned = clean_name(name)
    if folded(cleaned) in _RESERVED or folded(cleaned).startswith("guest "):
        raise Failure(422, "this name is the site's own", where="name")
    return cleaned
