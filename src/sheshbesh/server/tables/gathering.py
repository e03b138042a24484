"""How a chouette comes about: what is asked for, who sits down, the throws for the seats, the beginning."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from sheshbesh.engines.strength import levels
from sheshbesh.i18n import Text
from sheshbesh.match import Card, DiceSource
from sheshbesh.server.people.lookalikes import skeleton
from sheshbesh.server.people.person import clean_name
from sheshbesh.server.refusals import Failure
from sheshbesh.server.tables.chouette_seats import ChouetteAgreement, Sitter
from sheshbesh.server.tables.creation import seed_for
from sheshbesh.session import Chouette, ChouetteHeader, Seats
from sheshbesh.session.chouette.seats import FEWEST, MOST

BOT_NAMES = ("Robin", "Deniz", "Noor", "Alexis", "Sasha", "Kim", "Jale", "Mika", "Toni", "Luca")
"""What bots are called: short names that every language reads."""


def level(given: str | None) -> str:
    """A level of the engine; Failure names those that there are."""
    name = levels.DEFAULT if given is None else given
    if name not in levels.names():
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
    """Who sits down with the one who makes the table: they alone, or all `names` at one screen."""
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


def check_joins(table: ChouetteAgreement, user: str) -> None:
    """Failure where somebody may not sit down beside others: a seed says all throws beforehand."""
    others = {sitter.user for sitter in table.people} - {None, user}
    if others and table.card.dice is DiceSource.SEEDED:
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
