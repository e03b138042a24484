"""How a match comes about: what is asked for, checked, and who sits where."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sheshbesh.engines.strength import levels
from sheshbesh.i18n import Text
from sheshbesh.match import Card, Contest, DiceSource
from sheshbesh.match.timing import ClockSettings
from sheshbesh.rules import Side
from sheshbesh.server.people.person import Person, clean_name
from sheshbesh.server.refusals import Failure, refuse
from sheshbesh.server.tables.seats import ENGINE, Arrangement, Seat

_LONGEST_CODE = 400


def read_card(given: object) -> Card:
    """A card from its code or its fields; MatchError and VariantError list what is wrong with it."""
    if isinstance(given, str):
        if len(given) > _LONGEST_CODE:
            raise Failure(422, "this card is too long", where="card")
        return Card.from_code(given)
    if not isinstance(given, Mapping) or not isinstance(given.get("game"), str):
        raise Failure(422, "a card is a code such as tavla.p5, or an object that names a game", where="card")
    fields: dict[str, Any] = dict(given)
    unknown = sorted(set(fields) - set(Card.__dataclass_fields__))
    if unknown:
        text = Text("a card has no {fields}", fields=", ".join(map(repr, unknown)))
        raise Failure(422, text, where="card")
    if "clock" in fields:
        if not isinstance(fields["clock"], str):
            raise Failure(422, "a clock is written as d12-120", where="card.clock")
        fields["clock"] = ClockSettings.from_code(fields["clock"])
    if not isinstance(fields.get("options", {}), Mapping):
        raise Failure(422, "options is an object", where="card.options")
    for name in ("crawford", "jacoby", "beavers", "raccoons", "one_pair"):
        if not isinstance(fields.get(name, True), bool):
            raise Failure(422, refuse("field.flag", field=name).text, where=f"card.{name}")
    return Card(**fields)


def against_engine(card: Card) -> Card:
    """The card for a match against the engine: it must not know a player's share before the throw."""
    return replace(card, dice=DiceSource.STRICT) if card.dice is DiceSource.CHAINS else card


def seed_for(card: Card, given: str | None) -> str | None:
    """The seed of seeded dice: the one asked for, else a new one."""
    if card.dice is not DiceSource.SEEDED:
        return None
    return secrets.token_hex(16) if given is None else given


def own_side(wish: str | None) -> Side:
    """The side somebody asked for."""
    if wish in (None, "random"):
        return secrets.choice(tuple(Side))
    if wish not in ("white", "black"):
        raise Failure(422, "a side is white, black or random", where="side")
    return Side.of(wish)


def seat_of(person: Person) -> Seat:
    """The seat of a person or a program."""
    return Seat(person.kind, person.name, person.id)


def engine_seat(level: str | None) -> Seat:
    """The seat of the engine at a level."""
    name = levels.DEFAULT if level is None else level
    if name not in levels.names():
        text = Text("the levels are {levels}", levels=", ".join(levels.names()))
        raise Failure(422, text, where="opponent.level")
    return Seat(ENGINE, name, level=name)


def hot_seats(person: Person, names: Sequence[str] | None) -> dict[Side, Seat]:
    """Both seats of one person, under two names."""
    if names is None:
        names = ["", ""]
    if len(names) != 2:
        raise Failure(422, "names is a list of two names, White's first", where="opponent.names")
    own = (clean_name(name) if name else person.name for name in names)
    return {side: Seat(person.kind, name, person.id) for side, name in zip(Side, own, strict=True)}


def check_dice(table: Arrangement) -> None:
    """Failure if two people cannot play with these dice, or a match of this kind cannot be rated."""
    if table.is_between_people and table.card.dice is DiceSource.SEEDED:
        # A seed says all throws beforehand, and one of the two may have it.
        raise Failure(422, "dice from a seed are for study, and not for matches between people", where="card")
    fair = table.card.dice in (DiceSource.CHAINS, DiceSource.STRICT)
    if table.rated and (not fair or table.card.contest is Contest.MONEY):
        raise Failure(422, "rated are matches with fair dice, to points or games", where="rated")
