"""The credentials of people's programs: tokens with scopes, and accounts that are marked as bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, insert, select

from sheshbesh.i18n import Text
from sheshbesh.rules.safe_text import one_line
from sheshbesh.server.ids import fingerprint, new_id, new_secret, now_ms
from sheshbesh.server.people.directory import Directory
from sheshbesh.server.people.names import clean_claim, not_retired, taken
from sheshbesh.server.people.person import Person, name_values
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Conflict, Database
from sheshbesh.server.storage.tables import tokens, users

SCOPES = ("read", "challenge", "chat", "play", "tournament:enter", "tournament:direct")
"""The scopes of a token: to see what is mine, make and answer challenges, talk, act in matches, enter
tournaments, and direct them. To act in matches is for bots alone: people play with their own hands."""

_MOST_TOKENS = 20
_MOST_BOTS = 5


class Programs:
    """Tokens and bots."""

    def __init__(self, database: Database, people: Directory) -> None:
        self._database, self._people = database, people

    async def tokens(self, person: Person) -> list[dict[str, Any]]:
        """A person's tokens and those of their bots, without their secrets."""
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
        """Make a token for oneself or for a bot of one's own; return its secret, returned once."""
        if person.kind == "guest":
            raise Failure(409, "claim a name first", code="guest")
        wrong = [scope for scope in scopes if scope not in SCOPES]
        if wrong or not scopes:
            text = Text("scopes are some of {scopes}", scopes=", ".join(SCOPES))
            raise Failure(422, text, where="scopes")
        user = person.id
        if bot is not None:
            row = await self._people.by_name(bot)
            if row is None or row.owner != person.id:
                raise Failure(404, "you have no such bot", where="bot")
            user = row.id
        elif "play" in scopes and person.kind != "bot":
            raise Failure(422, "only a bot's token may play: POST /api/v1/bots makes a bot", where="scopes")
        if len(await self.tokens(person)) >= _MOST_TOKENS:
            raise Failure(
                409, Text("you can have at most {most} tokens", most=_MOST_TOKENS), code="too_many_tokens"
            )
        secret = "ssb_" + new_secret()
        row_of = insert(tokens).values(
            id=new_id(),
            hash=fingerprint(secret),
            user_id=user,
            name=one_line(name),
            scopes=sorted(set(scopes)),
            created=now_ms(),
        )
        await self._database.write(row_of)
        return secret

    async def end_token(self, person: Person, token: str) -> str:
        """End a token of one's own or of one's bot; the id of its user."""
        bots = select(users.c.id).where(users.c.owner == person.id)
        mine = (tokens.c.user_id == person.id) | tokens.c.user_id.in_(bots)
        ended = delete(tokens).where(tokens.c.id == token, mine).returning(tokens.c.user_id)
        (written,) = await self._database.write(ended)
        if not written.rows:
            raise Failure(404, "there is no such token")
        return str(written.rows[0].user_id)

    async def new_bot(self, person: Person, name: str) -> Person:
        """Make an account for a program, marked as a bot for ever."""
        if person.kind != "user":
            raise Failure(409, "claim a name first", code="guest")
        cleaned = clean_claim(name)
        if len(await self.bots(person)) >= _MOST_BOTS:
            raise Failure(
                409, Text("you can have at most {most} bots", most=_MOST_BOTS), code="too_many_bots"
            )
        bot = Person(new_id(), cleaned, "bot")
        try:
            await self._database.write(
                insert(users).values(
                    id=bot.id,
                    **name_values(cleaned),
                    kind="bot",
                    settings={},
                    owner=person.id,
                    created=now_ms(),
                    seen=now_ms(),
                ),
                not_retired(cleaned),
            )
        except Conflict as error:
            raise taken(cleaned) from error
        return bot

    async def bots(self, person: Person) -> list[Person]:
        """The bots of a person, the oldest first."""
        query = select(users.c.id, users.c.name).where(users.c.owner == person.id).order_by(users.c.created)
        return [Person(row.id, row.name, "bot") for row in await self._database.all(query)]
