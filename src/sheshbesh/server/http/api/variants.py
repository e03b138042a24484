"""The games: what there is, how each is set up, its options, and its rule sheet with sources."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query, Request, Response

from sheshbesh import customs
from sheshbesh.engines.strength import levels
from sheshbesh.engines.strength.styles import STYLES
from sheshbesh.errors import VariantError
from sheshbesh.i18n import choose, languages, translate
from sheshbesh.match import Card
from sheshbesh.rules import Position, Roll, Variant, notation, variant, variants
from sheshbesh.rules.card import card_lines
from sheshbesh.rules.citing import cited
from sheshbesh.server.lobby.daily import daily_position
from sheshbesh.server.refusals import Failure
from sheshbesh.server.tables.offers import proposable
from sheshbesh.session.board_data import board_data, layout_data

router = APIRouter(tags=["variants"])

_MODERN_LENGTHS = (3, 1, 5, 7, 9, 11, 13)
_TRADITIONAL_LENGTHS = (5, 3, 1, 7)
_LENGTHS_BY_CHECKER = (31, 15, 61)
"""Lengths of a match that are offered, the usual one first: with the cube those of modern tournaments,
without it those of the old boards, five or three (Khalili (004), p. 9). Where each checker left is a point,
one game may bring fifteen; to 31 is how the Levant plays."""

_OF_A_SET_UP = frozenset({"options", "levels", "styles", "names"})
"""The fields of a game that are needed only to set up a match of it, or to find it by a name."""


@router.get("/variants", response_model=list[dict[str, Any]])
async def games(
    request: Request, lang: str = Query("en", max_length=20), *, brief: Annotated[bool, Query()] = False
) -> Response:
    """Every game with its options, in the order in which they are shown.

    `brief`: without `options`, `levels` and `styles`, which are three quarters of it and needed only to set
    up a match.
    """
    return _games(choose(lang), brief=brief).answer(request)


@lru_cache(maxsize=32)
def _games(lang: str, *, brief: bool) -> Packed:
    left_out = _OF_A_SET_UP if brief else ()
    games = (summary(name, lang) for name in variants())
    return Packed.of([{name: game[name] for name in game if name not in left_out} for game in games])


@router.get("/variants/{name}", response_model=dict[str, Any])
async def game(
    request: Request,
    name: str,
    card: str | None = Query(None, max_length=400),
    lang: str = Query("en", max_length=20),
) -> Response:
    """One game, by a card's options if there is one: the board's layout, the start, the rule sheet.

    `about` is the game besides its rules, null for one of the host's own.
    `proposals` is what two players may propose to each other in a match by this card, for which there are
    no `styles`: whoever plays it is chosen.
    """
    table = Card.from_code(card) if card is not None else None
    return Packed.of(game_data(name, table, choose(lang))).answer(request)


def game_data(name: str, table: Card | None, spoken: str) -> dict[str, Any]:
    """One game as `game` answers; Failure where there is none."""
    try:
        rules = table.rules if table is not None else variant(name)
    except VariantError:
        raise Failure(404, "there is no such game") from None
    return {
        **{
            key: value
            for key, value in summary(rules.name, spoken).items()
            if table is None or key != "styles"
        },
        "layout": layout_data(rules, table),
        "rules": rule_sheet(rules, spoken),
        "about": _about_data(rules, spoken),
        "source": rules.source,
        "card": table.code if table is not None else None,
        "proposals": proposable(table) if table is not None else (),
        "fingerprint": rules.fingerprint,
    }


@router.get("/variants/{name}/daily", response_model=dict[str, Any])
def daily(request: Request, name: str) -> Response:
    """The position of the day of a game: a decision with its dice and, best first, what each play loses."""
    try:
        return _daily(variant(name).name, datetime.now(UTC).date()).answer(request)
    except VariantError:
        raise Failure(404, "there is no such game") from None


@lru_cache(maxsize=64)
def _daily(name: str, day: date) -> Packed:
    return Packed.of(daily_position(name, day))


def rule_sheet(rules: Variant, lang: str) -> list[dict[str, Any]]:
    """The rule card of a game, line by line, with the ids of what each answers; `option` is a house rule, for
    pages with words of their own."""
    lines = card_lines(rules._data)
    return [
        {
            "ids": line.ids,
            "topic": translate(line.topic, lang),
            "text": translate(line.text, lang),
            "source": translate(cited(line.source), lang) if line.source else None,
            "quote": line.quote,
            "note": line.note,
            "option": _option(line.ids[0], rules, lang),
        }
        for line in lines
    ]


def _option(line: str, rules: Variant, lang: str) -> dict[str, Any] | None:
    """The option that a line of the card is about, by its id."""
    table, _, name = line.partition(".")
    if table != "options":
        return None
    spec = rules._data.options[name]
    return {
        "name": name,
        "doc": translate(spec.doc, lang),
        "values": [spec.word(value) for value in spec.values],
        "value": spec.word(rules._data.chosen.get(name, spec.default)),
    }


@lru_cache(maxsize=256)
def summary(name: str, lang: str) -> dict[str, Any]:
    """Return what lists say of a game; `lang` is one that is spoken here: others would fill the cache."""
    rules = variant(name)
    data = rules._data
    return {
        "name": rules.name,
        "title": translate(rules.title, lang),
        "native": dict(data.native),
        "names": sorted({translate(rules.title, spoken.code) for spoken in languages()}),
        "region": translate(data.region, lang),
        "description": translate(data.description, lang),
        "family": rules.axes["contact"]["kind"],
        "movement": rules.axes["board"]["movement"],
        "start": board_data(rules.start()),
        "has_cube": bool(rules.axes["cube"]["use"]),
        "lengths": _lengths(rules),
        "options": [
            {
                "name": option,
                "doc": translate(spec.doc, lang),
                "values": [spec.word(value) for value in spec.values],
                "default": spec.word(spec.default),
                "source": translate(cited(spec.source), lang),
                "level": spec.level,
                "needs": {
                    other: [data.offered[other].word(value) for value in values]
                    for other, values in data.needs[option].items()
                },
            }
            for option, spec in data.offered.items()
        ],
        "levels": [_level(level, rules, lang) for level in levels.LEVELS],
        "styles": [
            {"name": style.name, "description": translate(style.description, lang)} for style in STYLES
        ],
    }


def first_game(lang: str) -> str:
    """The game to begin with in a language: the first whose own name is in it, else the first of all."""
    spoken = choose(lang).partition("-")[0]
    at_home = (name for name in variants() if next(iter(summary(name, spoken)["native"]), "") == spoken)
    return next(at_home, variants()[0])


def _lengths(rules: Variant) -> tuple[int, ...]:
    if rules.axes["score"]["left"] != "off":
        return _LENGTHS_BY_CHECKER
    return _MODERN_LENGTHS if rules.axes["cube"]["use"] else _TRADITIONAL_LENGTHS


def _level(level: levels.Level, rules: Variant, lang: str) -> dict[str, Any]:
    measured = level.error_rate(rules)
    return {
        "name": level.name,
        "description": translate(level.description, lang),
        "error_rate": str(measured) if measured is not None else None,
    }


_WORTH = 1024
"""Bytes from which on compressing saves something."""


class Packed(NamedTuple):
    """JSON as bytes, plain and, where that is shorter, compressed."""

    plain: bytes
    gzipped: bytes | None

    @classmethod
    def of(cls, data: Any) -> Packed:
        """Encode `data`, which must be JSON."""
        plain = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
        return cls(plain, gzip.compress(plain, 6, mtime=0) if len(plain) >= _WORTH else None)

    def answer(self, request: Request) -> Response:
        """The form that `request` accepts."""
        # The same for everybody, and fetched ahead by a link in the page of a match.
        headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if self.gzipped is None or "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(self.plain, headers=headers, media_type="application/json")
        headers["Content-Encoding"] = "gzip"
        return Response(self.gzipped, headers=headers, media_type="application/json")


def _about_data(rules: Variant, lang: str) -> dict[str, Any] | None:
    """A game besides its rules, in a language; None for one that did not come with the program.

    `minutes` and `difficulty` are null where no source gives them. The picture is that of the game without
    options; `refused` says why its play is not legal, null where it is.
    """
    about = customs.games().get(rules.name)
    if about is None:
        return None
    return {
        "history": translate(about.history, lang),
        "source": translate(cited(about.source), lang),
        "words": [[translate(term, lang), translate(means, lang)] for term, means in about.words],
        "minutes": about.minutes,
        "difficulty": translate(about.difficulty, lang) if about.difficulty else None,
        "picture": _picture(about.picture, variant(rules.name), lang),
    }


def _picture(picture: customs.Picture, game: Variant, lang: str) -> dict[str, Any]:
    position = picture.board.position(game)
    refusal = position.refusal(picture.play, picture.dice)
    return {
        "side": position.turn.value,
        "board": board_data(position),
        "dice": list(picture.dice),
        "play": picture.play,
        "steps": _arrows(position, picture),
        "says": translate(picture.says, lang),
        "refused": refusal.say(lang) if refusal else None,
    }


def _arrows(position: Position, picture: customs.Picture) -> list[list[int]]:
    """The steps as arrows, whether or not they are legal: origin, target, die, and 1 on an enemy."""
    dice = Roll(*picture.dice)
    numbers = tuple(dice) * (2 if dice.is_double else 1)
    steps = notation.readings(notation.parse_moves(picture.play), numbers)[0]
    mirrored = position.variant._geometry.mirrored
    theirs = position.counts(position.turn.other)
    return [
        [origin, target, die, int(target >= 1 and theirs[mirrored(target)] > 0)]
        for origin, die in steps
        for target in (max(min(origin, notation.HAND) - die, notation.OFF),)
    ]
