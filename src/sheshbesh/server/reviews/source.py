"""Matches played here as what reviews are made of: their records, without names, and who played."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import select

from sheshbesh.rules.side import name_or_none
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import seats
from sheshbesh.server.tables.seats import OVER, MatchAgreement
from sheshbesh.server.tables.store import MatchStore
from sheshbesh.session import Header, Record


class Finished(NamedTuple):
    """A finished match that somebody may have reviewed: its game, and what the review shows of it."""

    variant: str
    about: Mapping[str, Any]


class Seated(NamedTuple):
    """A player's name, and the level of the engine."""

    name: str
    level: str | None


class MatchSource:
    """Finds the matches of the site."""

    def __init__(self, database: Database, matches: MatchStore) -> None:
        self._database, self._matches = database, matches

    async def finished(self, person: str, match: str) -> Finished:
        """A finished match of this person's; Failure 404 where there is none, 409 while it goes on."""
        table = await self._matches.table(match)
        if table is None or not table.names_of(person):
            raise Failure(404, "you do not play in this match")
        if table.state != OVER:
            raise Failure(409, "this match is still going on: it is reviewed when it is over", code="playing")
        return Finished(table.card.game, _about(table, person))

    async def content(self, owner: str, match: str) -> bytes | None:
        """The record of a match of this person's, in which nobody has a name; None where it is gone."""
        stored = await self._matches.load(match)
        if stored is None or not stored.table.names_of(owner):
            return None
        table = stored.table
        header = Header(table.card, table.id, seed=table.seed)
        record = Record(header, tuple(stored.events))
        return (await asyncio.to_thread(record.to_text)).encode()

    async def players(self, match: str) -> dict[str, Seated]:
        """Return what the players of a match are called now: the account of one may be gone."""
        query = select(seats.c.side, seats.c.name, seats.c.level).where(seats.c.match_id == match)
        return {row.side: Seated(row.name, row.level) for row in await self._database.all(query)}


def _about(table: MatchAgreement, person: str) -> dict[str, Any]:
    sides = table.names_of(person)
    you = sides[0] if len(sides) == 1 else None
    opponent = table.seats[you.other] if you is not None else None
    return {
        "you": name_or_none(you),
        "card": table.card.code,
        "played": table.created,
        "opponent": None if opponent is None else {"kind": opponent.kind, "level": opponent.level},
    }
