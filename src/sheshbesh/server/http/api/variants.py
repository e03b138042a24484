"""The games: what there is, how each is set up, its options, and its rule sheet with sources."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from fastapi import APIRouter, Query, Request, Response

from sheshbesh.engines.strength import levels
from sheshbesh.errors import VariantError
from sheshbesh.i18n import choose, translate
from sheshbesh.match import Card
from sheshbesh.rules import Variant, variant, variants
from sheshbesh.rules.card import card_lines
from sheshbesh.server.http.failure import Failure
from sheshbesh.server.matches.offers import proposable
from sheshbesh.server.matches.scene import board_data, layout_data
from sheshbesh.server.packing import Packed

router = APIRouter(tags=["variants"])

_LENGTHS = (3, 1, 5, 7, 11)
_LENGTHS_BY_CHECKER = (31, 15, 61)
"""Lengths of a match that are offered, the usual one first. Where each checker left is a point, one game
may bring fifteen; to 31 is how the Levant plays."""


@router.get("/variants", response_model=list[dict[str, Any]])
async def games(request: Request, lang: str = Query("en", max_length=20)) -> Response:
    """Every game with its options, in the order in which they are shown."""
    return _games(choose(lang)).answer(request)


@lru_cache(maxsize=16)
def _games(lang: str) -> Packed:
    return Packed.of([_summary(name, lang) for name in variants()])


@router.get("/variants/{name}", response_model=dict[str, Any])
async def game(
    request: Request,
    name: str,
    card: str | None = Query(None, max_length=400),
    lang: str = Query("en", max_length=20),
) -> Response:
    """One game, by a card's options if there is one: the board's layout, the start, the rule sheet.

    `proposals` is what two players may propose to each other in a match by this card.
    """
    table, spoken = Card.from_code(card) if card is not None else None, choose(lang)
    try:
        rules = table.rules if table is not None else variant(name)
    except VariantError:
        raise Failure(404, "there is no such game") from None
    about = {
        **_summary(rules.name, spoken),
        "layout": layout_data(rules, table),
        "start": board_data(rules.start()),
        "rules": rule_sheet(rules, spoken),
        "source": rules.source,
        "card": table.code if table is not None else None,
        "proposals": proposable(table) if table is not None else (),
        "fingerprint": rules.fingerprint,
    }
    return Packed.of(about).answer(request)


def rule_sheet(rules: Variant, lang: str) -> list[dict[str, Any]]:
    """The rule card of a game, line by line, with the ids of what each answers; `option` is a house rule, for
    pages with words of their own."""
    lines = card_lines(rules.data)
    options = rules.data.options
    # Those of the options come last, one of each.
    names = (*(None for _ in lines[len(options) :]), *options)
    return [
        {
            "ids": line.ids,
            "topic": translate(line.topic, lang),
            "text": translate(line.text, lang),
            "source": line.source,
            "quote": line.quote,
            "note": line.note,
            "option": _option(name, rules, lang) if name is not None else None,
        }
        for line, name in zip(lines, names, strict=True)
    ]


def _option(name: str, rules: Variant, lang: str) -> dict[str, Any]:
    spec = rules.data.options[name]
    return {
        "name": name,
        "doc": translate(spec.doc, lang),
        "values": [spec.word(value) for value in spec.values],
        "value": spec.word(rules.data.chosen.get(name, spec.default)),
    }


@lru_cache(maxsize=256)
def _summary(name: str, lang: str) -> dict[str, Any]:
    """`lang` is one that is spoken here: what people ask for would fill the cache."""
    rules = variant(name)
    data = rules.data
    return {
        "name": rules.name,
        "title": translate(rules.title, lang),
        "native": dict(data.native),
        "region": translate(data.region, lang),
        "description": translate(data.description, lang),
        "family": rules.axes["contact"]["kind"],
        "movement": rules.axes["board"]["movement"],
        "has_cube": bool(rules.axes["cube"]["use"]),
        "lengths": _LENGTHS if rules.axes["score"]["left"] == "off" else _LENGTHS_BY_CHECKER,
        "options": [
            {
                "name": option,
                "doc": translate(spec.doc, lang),
                "values": [spec.word(value) for value in spec.values],
                "default": spec.word(spec.default),
                "source": spec.source,
                "level": spec.level,
            }
            for option, spec in data.options.items()
        ],
        "levels": [_level(level, rules, lang) for level in levels.LEVELS],
    }


def _level(level: levels.Level, rules: Variant, lang: str) -> dict[str, Any]:
    measured = level.error_rate(rules)
    return {
        "name": level.name,
        "description": translate(level.description, lang),
        "error_rate": str(measured) if measured is not None else None,
    }
