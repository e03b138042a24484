"""A house-rule card in words: what was agreed on, and how, as texts that can be translated."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from sheshbesh.cli.terminal.score_text import minutes
from sheshbesh.i18n import JoinedText, PluralText, Text
from sheshbesh.match.card import Card, Contest, DiceSource
from sheshbesh.match.timing import DAY, MINUTE, ClockKind, ClockSettings

_LABELS: Mapping[str, Text] = MappingProxyType(
    {
        "game": Text("Game"),
        "contest": Text("Length"),
        "crawford": Text("Crawford game"),
        "jacoby": Text("Jacoby"),
        "beavers": Text("Beavers"),
        "raccoons": Text("Raccoons"),
        "automatic_doubles": Text("Automatic doubles"),
        "clock": Text("Clock"),
        "dice": Text("Dice"),
        "one_pair": Text("One pair of dice for both"),
    }
)

_DICE: Mapping[DiceSource, Text] = MappingProxyType(
    {
        DiceSource.CHAINS: Text("from three chains"),
        DiceSource.STRICT: Text("from three chains, the last link after the throw"),
        DiceSource.TYPED: Text("thrown at a real board and typed in"),
        DiceSource.SEEDED: Text("from a seed, for study"),
    }
)

_VALUES: Mapping[str, Text] = MappingProxyType(
    {
        "true": Text("yes"),
        "false": Text("no"),
        "none": Text("none"),
        "off": Text("no"),
        "alternate": Text("in turn"),
        "roll": Text("a new draw"),
        "winner": Text("the winner"),
        "per_checker": Text("for each checker left"),
        "per_checker_home": Text("for each checker left at home"),
        "points": Text("points"),
        "higher": Text("the higher die"),
        "lower": Text("the lower die"),
        "absolute": Text("never"),
        "dice_first": Text("the dice come first"),
        "after_duty": Text("after the duty of the dice"),
        "before_duty": Text("before the duty of the dice"),
        "blocking": Text("may block"),
        "voluntary": Text("by choice"),
        "any_blocked": Text("with any blocked double"),
        "any_double": Text("with any double"),
        "three_doubles": Text("with 3-3, 4-4 and 6-6"),
        "ahead_of_block": Text("only with an enemy ahead"),
        "in_home": Text("only at home"),
        "may_move": Text("only while an enemy can move"),
        "home": Text("home"),
        "past_opponent_start": Text("past the opponent's start"),
        "forbidden": Text("forbidden"),
        "win": Text("wins"),
        "no_result": Text("ends without a winner"),
        "count": Text("checkers left are counted"),
        "difference": Text("the difference is counted"),
        "plain": Text("plain"),
        "at_once": Text("at once"),
        "plays_on": Text("one plays on"),
        "both": Text("in both"),
        "four_of_opponents": Text("four of the opponent's"),
        "opponents": Text("the opponent's"),
        "own_start": Text("one's own start"),
        "own_until_passed": Text("one's own until passed"),
        "any_lock": Text("any lock"),
        "stack_behind": Text("with a pile behind"),
        "game": Text("over the game"),
        "own": Text("each side for themselves"),
        "played": Text("are played"),
        "reroll": Text("are thrown anew"),
    }
)
"""Values of options as the page names them too; others stand as they are."""

Row = tuple[str, str]
"""The name of a custom, and how it was agreed on."""


def card_rows(card: Card, *, options: bool = True) -> list[Row]:
    """Return what a card says, without what has no force in its game or at its length."""
    return [row for key, row in _rows(card).items() if options or not key.startswith("option ")]


def compared(here: Card, there: Card) -> list[Row]:
    """Return where two cards differ, both ways beside each other; "-" where one has nothing of the kind."""
    mine, theirs = _rows(here), _rows(there)
    found: list[Row] = []
    for key in dict.fromkeys((*mine, *theirs)):
        ways = [rows[key][1] if key in rows else "-" for rows in (mine, theirs)]
        if ways[0] != ways[1]:
            found.append(((mine.get(key) or theirs[key])[0], JoinedText(*ways, separator="  |  ")))
    return found


def _rows(card: Card) -> dict[str, Row]:
    """The rows by the keys of `Card.lines`."""
    specs = card.rules._data.options
    rows: dict[str, Row] = {}
    for key, value in card.lines():
        option = key.removeprefix("option ")
        if option != key:
            rows[key] = (Text(specs[option].doc), _value(value))
        elif key != "length":
            rows[key] = (_LABELS[key], _agreed(card, key, value))
    return rows


def _value(word: str) -> Text | str:
    return _VALUES.get(word) or (_number(int(word)) if word.isdecimal() else word.replace("_", " "))


def _number(value: int) -> Text:
    template = "{value}"
    return Text(template, value=value)


def _agreed(card: Card, key: str, value: str) -> Text | str:
    if key == "game":
        return Text(card.rules.title)
    if key == "contest":
        return _length(card)
    if key == "clock":
        return _clock(card.clock)
    if key == "dice":
        return _DICE[card.dice]
    return _value(value)


def _length(card: Card) -> Text:
    if card.contest is Contest.MONEY or card.length is None:
        return Text("money, game by game")
    if card.contest is Contest.GAMES:
        return PluralText("the most of {n} game", "the most of {n} games", card.length)
    return PluralText("a match to {n} point", "a match to {n} points", card.length)


def _clock(clock: ClockSettings) -> Text | str:
    if clock.kind is ClockKind.NONE:
        return Text("No clock")
    seconds = clock.delay // 1000
    if clock.is_correspondence:
        return PluralText("{n} day a turn", "{n} days a turn", clock.delay // DAY)
    if clock.kind is ClockKind.PER_TURN:
        return PluralText("{n} second a turn", "{n} seconds a turn", seconds)
    values: dict[str, object] = {"bank": minutes(clock.bank_per_point), "seconds": seconds}
    if clock.kind is ClockKind.FISCHER:
        told = Text("{bank} a point + {seconds} s a turn", **values)
    elif clock.kind is ClockKind.BRONSTEIN:
        told = Text("{bank} a point, up to {seconds} s a turn given back", **values)
    else:
        told = Text("{bank} a point, {seconds} s free a turn", **values)
    if clock.breaks is None:
        return told
    if not clock.breaks:
        return JoinedText(told, Text("no breaks"), separator=", ")
    length = clock.break_length // MINUTE
    rests = PluralText(
        "{n} break of {minutes} min", "{n} breaks of {minutes} min", clock.breaks, minutes=length
    )
    return JoinedText(told, rests, separator=", ")
