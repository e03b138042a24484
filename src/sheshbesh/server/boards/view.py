"""A situation as the page shows it: board, layout, possible questions, its notations and drawings of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from sheshbesh.i18n import Text, language, translate
from sheshbesh.i18n.text import LEFT_TO_RIGHT, POP, digits
from sheshbesh.match import Card
from sheshbesh.pictures import Look, scene_of, svg
from sheshbesh.players.situation import Situation
from sheshbesh.rules import Side, Step
from sheshbesh.session.board_data import board_data, layout_data


def address_of(here: Situation) -> str:
    """The query of a situation as an address has it."""
    return urlencode(here.query)


def scene_data(here: Situation, lang: str) -> dict[str, Any]:
    """All that the page shows before the engine answers.

    `can` says what may be asked: `play` a play, `cube` a cube decision, `over` how the game has ended.
    """
    position, match, rules = here.position, here.match, here.position.variant
    over = position.result
    dice = None if here.dice is None else [here.dice.first, here.dice.second]
    doubled = here.dice is not None and here.dice.is_double
    return {
        "query": here.query,
        "address": address_of(here),
        "game": rules.name,
        "title": translate(rules.title, lang),
        "card": here.card.code,
        "contest": here.card.contest.value,
        "length": here.card.length,
        "jacoby": here.card.jacoby,
        "beavers": here.card.beavers,
        "options": {name: str(value) for name, value in _options(here.card).items()},
        "layout": layout_data(rules, here.card),
        "board": board_data(position),
        "side": position.turn.value,
        "dice": dice,
        "dice_steps": int(str(rules.axes["throw"]["double_steps"])) if doubled else 2,
        "owed": None if position.pending is None else list(position.pending.steps),
        "pips": {side.value: position.pips(side) for side in Side},
        "cube": {
            "value": match.cube,
            "owner": None if match.owner is None else Side.of(match.owner).value,
            "in_play": here.card.has_cube,
        },
        "score": {side.value: match.score(side) for side in Side},
        "crawford": match.crawford,
        "ids": here.ids(),
        "can": {
            "play": here.in_turn,
            "cube": here.may_double,
            "over": None if over is None else translate(_ended(over.winner), lang),
        },
        "problems": [],
    }


def _options(card: Card) -> dict[str, str]:
    """The house rules of a card, each in its word."""
    specs = card.rules._data.options
    return {name: specs[name].word(value) for name, value in card.options.items()}


def _ended(winner: Side | None) -> Text:
    if winner is None:
        return Text("The game is over: nobody has won.")
    return (
        Text("The game is over: White has won.")
        if winner is Side.WHITE
        else Text("The game is over: Black has won.")
    )


def caption(here: Situation, lang: str) -> str:
    """A position in one line: the game, who is to do what, the score."""
    position, match = here.position, here.match
    parts = [translate(position.variant.title, lang)]
    if position.result is not None:
        parts.append(translate(_ended(position.result.winner), lang))
    elif here.dice is not None:
        high, low = max(here.dice.first, here.dice.second), min(here.dice.first, here.dice.second)
        dice = digits(f"{high}-{low}", lang)
        if language(lang).direction == "rtl":
            dice = LEFT_TO_RIGHT + dice + POP
        label = (
            Text("Light to play {dice}", dice=dice)
            if position.turn is Side.WHITE
            else Text("Dark to play {dice}", dice=dice)
        )
        parts.append(translate(label, lang))
    else:
        label = Text("White to roll") if position.turn is Side.WHITE else Text("Black to roll")
        parts.append(translate(label, lang))
    if match.length is not None and match.length > 1:
        parts.append(
            translate(
                Text(
                    "{white}–{black} to {length}", white=match.white, black=match.black, length=match.length
                ),
                lang,
            )
        )
    return " · ".join(parts)


def drawing(here: Situation, look: Look, steps: Sequence[Step] = ()) -> str:
    """A situation as SVG, with the steps of a play as arrows."""
    return svg(scene_of(here.position, here.card, here.match, here.dice, steps=steps), look)
