"""Practice cards in the database, each with its schedule, and the search for positions of reviews.

Both are made of finished reviews and are deleted with them.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, or_, select, true, update

from sheshbesh.errors import RecordError
from sheshbesh.practice import Answer, PracticeCard
from sheshbesh.practice.deck import scheduled
from sheshbesh.reviews.search import Bits, Span, Wanted
from sheshbesh.server.ids import new_id, now_ms
from sheshbesh.server.reviews.store import DONE
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.review_tables import positions, practice_cards, reviews

VERSION: Final = 1
"""Of what is made of a review: one that has less is gone through again."""

TODAY: Final = 5
"""Cards that are a day's work."""

State = Literal["active", "suspended", "removed"]

_DAY = 24 * 3600 * 1000
_MOST = 10_000
_UNREAD = (
    select(reviews)
    .where(reviews.c.state == DONE, reviews.c.indexed < VERSION)
    .order_by(reviews.c.id)
    .limit(1)
)


def card_of(row: Row[Any]) -> PracticeCard:
    """The card of a row; RecordError where it is damaged."""
    try:
        return PracticeCard.from_kept(json.loads(zlib.decompress(row.content)))
    except (ValueError, zlib.error) as error:
        raise RecordError(f"card {row.id}: {error}") from error


class PracticeStore:
    """Reads and writes cards. An owner is the id of a person; nobody else is shown what is theirs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # What is made of reviews

    async def unread(self) -> Row[Any] | None:
        """A finished review of which nothing has been made yet; None where there is none."""
        return await self._database.first(_UNREAD)

    async def keep(
        self, row: Row[Any], cards: Sequence[Mapping[str, Any]], found: Sequence[Mapping[str, Any]]
    ) -> None:
        """Keep what the worker has made of a review: the cards of its owner's side, and all positions.

        A card that asks what another one asks already is left out.
        """
        own = [each for each in cards if each["side"] == row.about.get("you")]

        def write(connection: Connection) -> None:
            # A request that deletes the review, or says which side was theirs, comes before this or after it.
            mine = select(reviews.c.about, reviews.c.public).where(reviews.c.id == row.id).with_for_update()
            now = connection.execute(mine).first()
            if now is None or now.about.get("you") != row.about.get("you"):
                return
            _replace_positions(connection, row, found, public=now.public)
            known = select(practice_cards.c.question).where(practice_cards.c.owner == row.owner)
            asked = set(connection.execute(known).scalars())
            fresh = {each["id"]: each for each in own if each["id"] not in asked}
            if fresh:
                connection.execute(insert(practice_cards), [_row(row, each) for each in fresh.values()])
            self._mark(connection, row.id)

        await self._database.write(write)

    async def give_up(self, review: str) -> None:
        """Nothing can be made of a review: it is not tried again."""
        await self._database.write(update(reviews).where(reviews.c.id == review).values(indexed=VERSION))

    @staticmethod
    def _mark(connection: Connection, review: str) -> None:
        connection.execute(update(reviews).where(reviews.c.id == review).values(indexed=VERSION))

    # Cards

    async def numbers(self, owner: str) -> dict[str, Any]:
        """Return the number of somebody's cards, how many are due, when the next one is, and how far the
        day is."""
        cards, now = practice_cards.c, now_ms()
        active = cards.state == "active"
        query = select(
            func.count().filter(active),
            func.count().filter(cards.state == "suspended"),
            func.count().filter(active, cards.due <= now),
            func.min(cards.due).filter(active, cards.due > now),
            func.count().filter(cards.last >= now - now % _DAY),
        ).where(cards.owner == owner)
        row = await self._database.first(query)
        count, suspended, due, later, today = tuple(row) if row is not None else (0, 0, 0, None, 0)
        done = min(today, TODAY)
        return {
            "cards": count,
            "suspended": suspended,
            "due": due,
            "next": later,
            "today": {"done": done, "of": min(TODAY, done + due)},
        }

    async def due(self, owner: str, most: int) -> Sequence[Row[Any]]:
        """The cards to be asked now: those due longest first, and of equal ones the largest loss."""
        cards = practice_cards.c
        query = select(practice_cards).where(
            cards.owner == owner, cards.state == "active", cards.due <= now_ms()
        )
        return await self._database.all(query.order_by(cards.due, cards.loss.desc(), cards.id).limit(most))

    async def all(self, owner: str) -> Sequence[Row[Any]]:
        """All cards that are not removed, those due first at the beginning."""
        cards = practice_cards.c
        query = select(practice_cards).where(cards.owner == owner, cards.state != "removed")
        return await self._database.all(query.order_by(cards.due, cards.id).limit(_MOST))

    async def one(self, owner: str, card: str) -> Row[Any] | None:
        """A card of this person's that is not removed."""
        cards = practice_cards.c
        query = select(practice_cards).where(cards.id == card, cards.owner == owner, cards.state != "removed")
        return await self._database.first(query)

    async def answered(self, row: Row[Any], answer: Answer) -> int:
        """Note an answer: when the card is due again.

        Of answers that come at once to one card the first counts.
        """
        memory = scheduled(row.memory or None, datetime.now(UTC), right=answer.right)
        due = round(1000 * datetime.fromisoformat(memory["due"]).timestamp())
        cards = practice_cards.c
        change = update(practice_cards).where(cards.id == row.id, cards.asked == row.asked)
        values = {
            "memory": memory,
            "due": due,
            "asked": row.asked + 1,
            "correct": row.correct + answer.right,
            "last": now_ms(),
        }
        await self._database.write(change.values(**values))
        return due

    async def set_state(self, owner: str, card: str, state: State) -> bool:
        """Suspend a card, ask it again, or remove it for good; whether there is such a card.

        A removed one stays known, so that the review does not bring it back.
        """
        cards = practice_cards.c
        change = update(practice_cards).where(
            cards.id == card, cards.owner == owner, cards.state != "removed"
        )
        values: dict[str, Any] = {"state": state}
        if state == "removed":
            values |= {"content": b"", "memory": {}}
        (done,) = await self._database.write(change.values(**values))
        return bool(done.count)


def _row(review: Row[Any], card: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": new_id(),
        "owner": review.owner,
        "review_id": review.id,
        "n": card["n"],
        "question": card["id"],
        "variant": review.variant,
        "loss": card["loss"],
        "content": zlib.compress(json.dumps(card["content"]).encode()),
        "state": "active",
        "due": now_ms(),
    }


def _replace_positions(
    connection: Connection, review: Row[Any], found: Sequence[Mapping[str, Any]], *, public: bool
) -> None:
    connection.execute(delete(positions).where(positions.c.review_id == review.id))
    review_columns = {
        "review_id": review.id,
        "owner": review.owner,
        "variant": review.variant,
        "public": public,
    }
    if found:
        connection.execute(insert(positions), [{**review_columns, **each} for each in found])


Whose = Literal["own", "public", "all"]

MOST_FOUND: Final = 60
"""The most positions in the answer to one search."""


class PositionSearch:
    """Answers from the indices of the table alone: `docs/dev/site.md` says how fast."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, person: str, variant: str, wanted: Wanted, whose: Whose) -> Sequence[Row[Any]]:
        """The first positions of a game, the largest loss first."""
        asked = []
        if whose in ("own", "all"):
            asked.append(self._first(positions.c.owner == person, variant, wanted))
        if whose in ("public", "all"):
            others = positions.c.public.is_(true()) if self._database.is_postgres else positions.c.public == 1
            asked.append(self._first(others, variant, wanted))
        answers = await asyncio.gather(*asked)
        # What is one's own may be public, too.
        found = {(row.review_id, row.n): row for rows in answers for row in rows}.values()
        return sorted(found, key=lambda row: (-row.loss, row.review_id, row.n))[:MOST_FOUND]

    async def _first(self, whose: ColumnElement[bool], variant: str, wanted: Wanted) -> Sequence[Row[Any]]:
        query = select(positions).where(whose, positions.c.variant == variant, *conditions(wanted))
        return await self._database.all(query.order_by(positions.c.loss.desc()).limit(MOST_FOUND))

    async def readable(self, person: str, review: str) -> Row[Any] | None:
        """A review whose positions this person may look at, with its content."""
        mine = or_(reviews.c.owner == person, reviews.c.public.is_(true()))
        return await self._database.first(select(reviews).where(reviews.c.id == review, mine))


def conditions(wanted: Wanted) -> list[ColumnElement[bool]]:
    """The question as conditions on columns."""
    return [each for condition in wanted.conditions() for each in _sql(condition)]


def _sql(condition: Bits | Span) -> list[ColumnElement[bool]]:
    column = positions.c[condition.name]
    if isinstance(condition, Bits):
        return [column.bitwise_and(condition.mask) == condition.value]
    limits: list[ColumnElement[bool]] = []
    if condition.low is not None:
        limits.append(column >= condition.low)
    if condition.high is not None:
        limits.append(column <= condition.high)
    return limits
