"""Sentences about sides, dice, plays and refusals, and the rule card of a game as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sheshbesh.errors import IllegalPlayError
from sheshbesh.i18n import DiceText, JoinedText, PluralText, Text
from sheshbesh.players.opponent import SIMPLE, is_opponent
from sheshbesh.rules import Pending, Play, Position, Refusal, Roll, Side, Step
from sheshbesh.rules.citing import cited
from sheshbesh.rules.notation import format_steps

if TYPE_CHECKING:
    from sheshbesh.rules import Variant
    from sheshbesh.rules.data import VariantData


DICE_TEXT = Text("two numbers 1 to 6, such as 6-5")

Namer = Callable[[Side], str]
"""The name of a side: by its colour, or by the name of its player."""

_NAMES = {Side.WHITE: Text("White"), Side.BLACK: Text("Black")}


def name(side: Side) -> Text:
    """White or Black."""
    return _NAMES[side]


def player_text(name: str) -> str:
    """Return how a player of a record is called: you, an opponent of the program, or a name as it stands."""
    if name == "you":
        return Text("you")
    if is_opponent(name) and name != SIMPLE:
        return Text("{level} bot", level=Text(name.removesuffix(f" {SIMPLE}")))
    return name


def dice_text(dice: Roll) -> str:
    """A throw, with what it is called in the reader's language."""
    return DiceText(*dice)


def refusal_text(refusal: Refusal | IllegalPlayError) -> Text:
    """The sentence of a refusal with the rule's id and its source."""
    rule = JoinedText(refusal.rule, cited(refusal.source) if refusal.source else "", separator="; ")
    return Text("Not allowed: {why}. [{rule}]", why=refusal.text, rule=rule)


def loss_text(kind: str) -> Text:
    """A result class as something to resign: "a single game", "a gammon"."""
    word = Text(kind.replace("_", " "))
    if kind == "single":
        return Text("a single game")
    return Text("an {kind}", kind=word) if word[0] in "aeio" else Text("a {kind}", kind=word)


def points_text(points: int) -> Text:
    """A number of points: "1 point", "4 points"."""
    return PluralText("{n} point", "{n} points", points)


def mirrored_text(play: Play) -> str:
    """A play in the numbers of the other side."""
    mirrored = play.position.variant._geometry.mirrored

    def seen(point: int) -> int:
        return mirrored(point) if 1 <= point <= 24 else point

    return format_steps([Step(seen(s.origin), seen(s.target), s.die, s.takes) for s in play.steps])


def numbers(steps: Sequence[int]) -> str:
    """The numbers of an element: `6-5` for a throw, `4 4 4` for steps of a chain."""
    return "-".join(map(str, steps)) if len(set(steps)) > 1 else " ".join(map(str, steps))


def play_text(play: Play, *, viewer: Side, who: Namer = name) -> Text:
    """Return what a side threw and played, in their own numbers and, to the other side, in the viewer's."""
    side, owed = play.position.turn, play.position.pending
    values: dict[str, object] = {"who": who(side), "dice": dice_text(play.dice), "play": play.notation}
    if owed is not None and not owed.choose:
        values["dice"] = numbers(owed.steps)
        if play.is_pass:
            return Text("{who}, owing {dice}, cannot move.", **values)
        if side is viewer:
            return Text("{who}, owing {dice}, played {play}.", **values)
        return Text(
            "{who}, owing {dice}, played {play} (in your numbers {mirrored}).",
            mirrored=mirrored_text(play),
            **values,
        )
    if owed is not None:
        if play.is_pass:
            return Text("{who} named {dice} and cannot move.", **values)
        if side is viewer:
            return Text("{who} named {dice} and played {play}.", **values)
        return Text(
            "{who} named {dice} and played {play} (in your numbers {mirrored}).",
            mirrored=mirrored_text(play),
            **values,
        )
    if play.is_pass:
        return Text("{who} threw {dice} and cannot move.", **values)
    if side is viewer:
        return Text("{who} threw {dice} and played {play}.", **values)
    return Text(
        "{who} threw {dice} and played {play} (in your numbers {mirrored}).",
        mirrored=mirrored_text(play),
        **values,
    )


def closed_out_text(side: Side, *, who: Namer = name) -> Text:
    """That a side passes without a throw, since no throw lets it move."""
    return Text("{who} cannot move with any throw, and passes without one.", who=who(side))


def pending_text(owed: Pending, *, who: Namer = name) -> Text:
    """Return what is owed before the next throw, and what follows."""
    by = who(owed.by)
    if owed.choose:
        return Text("{by} has played the 1 and the 2, and now names a double.", by=by)
    steps = numbers(owed.steps)
    later = ", ".join(numbers((number,) * 4) for number in owed.rest)
    if later and owed.then:
        return Text(
            "{by} is to play {steps}, then {later}; after that {by} throws.", by=by, steps=steps, later=later
        )
    if later:
        return Text("{by} is to play {steps}, then {later}.", by=by, steps=steps, later=later)
    if owed.then:
        return Text("{by} is to play {steps}; after that {by} throws.", by=by, steps=steps)
    return Text("{by} is to play {steps}.", by=by, steps=steps)


def next_text(before: Position, after: Position, *, who: Namer = name) -> str:
    """Return what is special about whose turn it is after a play; empty where the turn simply passes."""
    if after.result is not None:
        return ""
    if after.pending is not None:
        return pending_text(after.pending, who=who)
    return Text("{who} throws again.", who=who(after.turn)) if after.turn is before.turn else ""


WIDTH = 79


def card_text(variant: Variant, lang: str = "en") -> list[str]:
    """The rule card as lines of at most 80 columns, each rule followed by its source."""
    from sheshbesh.i18n import translate
    from sheshbesh.rules.card import card_lines

    data = variant._data
    lines = [translate(variant.title, lang), *wrapped(summary(data, lang))]
    topic = ""
    for line in card_lines(data):
        if line.topic != topic:
            topic = line.topic
            lines += ["", translate(topic, lang)]
        lines += wrapped(f"  {translate(line.text, lang)}", "    ")
        lines += wrapped(f"      [{translate(cited(line.source), lang)}]", "       ")
    return lines


def summary(data: VariantData, lang: str) -> str:
    """Region and description of a game in one line."""
    from sheshbesh.i18n import translate

    region = translate(data.region, lang)
    return f"{region[:1].upper()}{region[1:]}. {translate(data.description, lang)}"


def wrapped(text: str, indent: str = "") -> list[str]:
    """A text as lines of at most 80 columns, all but the first indented."""
    import textwrap

    return textwrap.wrap(text.rstrip(), WIDTH, subsequent_indent=indent, break_on_hyphens=False)
