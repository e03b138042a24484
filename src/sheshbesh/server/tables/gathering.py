"""The gathering of a chouette: the wish, the people, the throws for the seats, the beginning."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, or_, select, update

from sheshbesh.engines.strength import levels
from sheshbesh.i18n import Text
from sheshbesh.match import Card, DiceSource
from sheshbesh.server.ids import now_ms
from sheshbesh.server.people.lookalikes import skeleton
from sheshbesh.server.people.person import clean_name
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage.database import Database, Step
from sheshbesh.server.storage.tables import chouette_people, chouettes
from sheshbesh.server.tables.begin import MOST_MATCHES, seed_for
from sheshbesh.server.tables.seats import LIVE, OPEN, OVER, ChouetteAgreement, Sitter
from sheshbesh.session import Chouette, ChouetteHeader, Seats
from sheshbesh.session.chouette.seats import FEWEST, MOST

_PEOPLE = chouette_people.c

BOT_NAMES = ("Robin", "Deniz", "Noor", "Alexis", "Sasha", "Kim", "Jale", "Mika", "Toni", "Luca")
"""The names of bots: short names that every language reads."""


def level(given: str | None) -> str:
    """A level of the engine; Failure names those that there are."""
    name = levels.DEFAULT if given is None else given
    if not levels.is_level(name):
        text = Text("the levels are {levels}", levels=", ".join(levels.names()))
        raise Failure(422, text, where="level")
    return name


def bot(table: Sequence[Sitter], strength: str) -> Sitter:
    """One more bot, with a name that nobody here has."""
    taken = {skeleton(sitter.name) for sitter in table}
    free = (name for name in BOT_NAMES if skeleton(name) not in taken)
    name = next(free, None) or next(
        name for n in range(2, 99) if skeleton(name := f"{BOT_NAMES[0]} {n}") not in taken
    )
    return Sitter(name, level=strength)


def sitters(user: str, name: str, names: Sequence[str]) -> tuple[Sitter, ...]:
    """Return who sits down with the one who makes the table: they alone, or all `names` at one screen."""
    own = tuple(clean_name(each.strip()) for each in names) or (name,)
    if len({skeleton(each) for each in own}) < len(own):
        raise Failure(422, "everybody at the table needs a different name", where="names")
    if len(own) > MOST:
        raise Failure(422, Text("a chouette has at most {most} people", most=MOST), where="names")
    return tuple(Sitter(each, user) for each in own)


def fair(card: Card, people: Sequence[Sitter]) -> Card:
    """The card for a table with bots: the server must not know a person's share before the throw."""
    if card.dice is DiceSource.CHAINS and any(sitter.is_bot for sitter in people):
        return replace(card, dice=DiceSource.STRICT)
    return card


def begun(table: ChouetteAgreement) -> tuple[ChouetteHeader, dict[str, list[int]]]:
    """The beginning of a table that has gathered, and the throws for its seats; Failure with too few."""
    names = [sitter.name for sitter in table.people]
    if not FEWEST <= len(names) <= MOST:
        text = Text("a chouette has {least} to {most} people", least=FEWEST, most=MOST)
        raise Failure(409, text, code="seats")
    check_joins(table)  # two may have sat down at the same time
    throws = thrown(names)
    card = fair(table.card, table.people)
    header = ChouetteHeader(
        card,
        table.id,
        Seats.by_throws(throws),
        table.consultation,
        table.chosen_members,
        seed_for(card, None),
    )
    header.session()
    return header, throws


def check_joins(table: ChouetteAgreement, user: str | None = None) -> None:
    """Failure where somebody may not sit down beside others: a seed says all throws beforehand."""
    people = {user, *(sitter.user for sitter in table.people)} - {None}
    if len(people) > 1 and table.card.dice is DiceSource.SEEDED:
        text = Text("dice from a seed are for study, and not for matches between people")
        raise Failure(409, text, code="seeded")


def check(table: ChouetteAgreement) -> None:
    """MatchError for a table that could never begin."""
    card = table.card
    seed = "check" if card.dice is DiceSource.SEEDED else None
    Chouette.new(card, Seats("a", ("b", "c")), seed=seed)


def thrown(names: Sequence[str]) -> dict[str, list[int]]:
    """Everybody throws a die, and again where some have tied."""
    throws: dict[str, list[int]] = {name: [] for name in names}
    throwing = list(names)
    while throwing:
        for name in throwing:
            throws[name].append(secrets.randbelow(6) + 1)
        tied = Counter(tuple(dice) for dice in throws.values())
        throwing = [name for name in names if tied[tuple(throws[name])] > 1]
    return throws


# Its rows


async def create(database: Database, table: ChouetteAgreement) -> None:
    """Make a table at which people may sit down. Failure 429 where its owner has too many already."""

    def check(connection: Connection) -> None:
        mine = chouettes.c.owner == table.owner, chouettes.c.state != OVER
        count = connection.execute(select(func.count()).select_from(chouettes).where(*mine)).scalar()
        if (count or 0) >= MOST_MATCHES:
            text = Text("you can play at most {most} matches at once", most=MOST_MATCHES)
            raise Failure(429, text, wait=60)

    row = {
        "id": table.id,
        "header": {},
        "throws": {},
        "card": table.card.code,
        "game": table.card.game,
        "consultation": table.consultation.value,
        "chosen_members": table.chosen_members,
        "private": table.unlisted,
        "state": OPEN,
        "owner": table.owner,
        "created": table.created,
        "down": table.down,
    }
    people = [_person_row(table.id, sitter, place) for place, sitter in enumerate(table.people)]
    steps: list[Step] = [check, insert(chouettes).values(row)]
    await database.write(*steps, *(insert(chouette_people).values(each) for each in people))


async def seat(database: Database, chouette: str, sitter: Sitter) -> None:
    """Take a place in the list of people; somebody who was there before has theirs already.

    Failure 409 where the table is full, or somebody else has this name.
    """

    def sit(connection: Connection) -> None:
        state = _locked(connection, chouette)
        query = select(chouette_people).where(_PEOPLE.chouette_id == chouette)
        rows = connection.execute(query).all()
        like = [row for row in rows if skeleton(row.name) == skeleton(sitter.name)]
        if any(row.user_id != sitter.user or row.name != sitter.name for row in like):
            text = Text("somebody at this table is called {name} already", name=sitter.name)
            raise Failure(409, text, code="name_taken")
        if like:
            return
        if state == OVER:
            raise Failure(409, "The chouette is over", code="over")
        # In play names stay of those who have left.
        if len(rows) >= (MOST if state == OPEN else 5 * MOST):
            raise Failure(409, Text("a chouette has at most {most} people", most=MOST), code="full")
        place = max((row.place for row in rows), default=-1) + 1
        connection.execute(insert(chouette_people).values(_person_row(chouette, sitter, place)))

    await database.write(sit)


async def unseat(database: Database, chouette: str, name: str) -> bool:
    """Take somebody off the list of a table; False where it has begun."""

    def stand_up(connection: Connection) -> bool:
        if _locked(connection, chouette) not in (OPEN, None):
            return False
        theirs = _PEOPLE.chouette_id == chouette, _PEOPLE.name == name
        connection.execute(delete(chouette_people).where(*theirs))
        return True

    (done,) = await database.write(stand_up)
    return bool(done)


def _locked(connection: Connection, chouette: str) -> str | None:
    """The state of a chouette, whose people nobody else changes until the transaction ends."""
    query = select(chouettes.c.state).where(chouettes.c.id == chouette)
    state: str | None = connection.execute(query.with_for_update()).scalar()
    return state


async def stand_in(database: Database, chouette: str, name: str, level: str | None) -> None:
    """Let the program play for a person at this level; with None the person plays again."""
    changed = (
        update(chouette_people)
        .where(_PEOPLE.chouette_id == chouette, _PEOPLE.name == name, _PEOPLE.user_id.is_not(None))
        .values(level=level)
    )
    await database.write(changed)


async def begin(
    database: Database,
    table: ChouetteAgreement,
    header: ChouetteHeader,
    throws: Mapping[str, Sequence[int]],
) -> bool:
    """Begin with these seats; False where somebody else has begun it.

    Failure 409 where somebody has sat down or stood up since `table` was read.
    """

    def write(connection: Connection) -> bool:
        if _locked(connection, table.id) != OPEN:
            return False
        query = select(_PEOPLE.name, _PEOPLE.user_id, _PEOPLE.level).where(_PEOPLE.chouette_id == table.id)
        sitting = {tuple(row) for row in connection.execute(query)}
        if sitting != {(sitter.name, sitter.user, sitter.level) for sitter in table.people}:
            raise Failure(409, "somebody has just sat down or stood up: begin again", code="seats")
        values = {"state": LIVE, "started": now_ms(), "header": header.to_data()}
        begun = update(chouettes).where(chouettes.c.id == table.id)
        connection.execute(begun.values(throws={name: list(dice) for name, dice in throws.items()}, **values))
        return True

    (begun,) = await database.write(write)
    return bool(begun)


async def withdraw(database: Database, chouette: str) -> None:
    """Take away a table that has not begun."""
    await database.write(delete(chouettes).where(chouettes.c.id == chouette, chouettes.c.state == OPEN))


async def going_on(database: Database, user: str) -> Sequence[Row[Any]]:
    """The rows of the chouettes of a person that are not over, the newest first."""
    theirs = select(_PEOPLE.chouette_id).where(_PEOPLE.user_id == user)
    mine = or_(chouettes.c.id.in_(theirs), chouettes.c.owner == user)
    query = select(chouettes).where(chouettes.c.state != OVER, mine)
    return await database.all(query.order_by(chouettes.c.created.desc()).limit(MOST_MATCHES))


async def played(
    database: Database, user: str, *, with_unlisted: bool, before: int | None = None, most: int = 30
) -> Sequence[Row[Any]]:
    """The rows of the chouettes of a person that are over, those that ended last first.

    `before` is when the last one seen ended, in ms.
    """
    theirs = select(_PEOPLE.chouette_id).where(_PEOPLE.user_id == user)
    query = select(chouettes).where(chouettes.c.state == OVER, chouettes.c.id.in_(theirs))
    if not with_unlisted:
        query = query.where(~chouettes.c.private)
    if before is not None:
        query = query.where(chouettes.c.ended < before)
    return await database.all(query.order_by(chouettes.c.ended.desc()).limit(most))


async def public(database: Database, most: int = 40) -> Sequence[Row[Any]]:
    """The rows of the newest chouettes that everybody may see and that are not over."""
    query = select(chouettes).where(chouettes.c.state != OVER, ~chouettes.c.private)
    return await database.all(query.order_by(chouettes.c.created.desc()).limit(most))


def _person_row(chouette: str, sitter: Sitter, place: int) -> dict[str, Any]:
    return {
        "chouette_id": chouette,
        "name": sitter.name,
        "user_id": sitter.user,
        "level": sitter.level,
        "place": place,
    }
