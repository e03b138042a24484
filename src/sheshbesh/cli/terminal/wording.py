"""Sentences about sides, dice, plays and refusals, and the rule card of a game as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sheshbesh.errors import IllegalPlayError
from sheshbesh.rules import Pending, Play, Position, Refusal, Side, Step
from sheshbesh.rules.notation import format_steps

if TYPE_CHECKING:
    from sheshbesh.rules import Variant
    from sheshbesh.rules.data import VariantData


DICE_TEXT = "two numbers 1 to 6, such as 6-5"

Namer = Callable[[Side], str]
"""How a side is called: by its colour, or by who acts for it."""


def name(side: Side) -> str:
    """White or Black."""
    return side.value.capitalize()


def refusal_text(refusal: Refusal | IllegalPlayError) -> str:
    """The sentence of a refusal with the rule's id and its source."""
    source = f"; {refusal.source}" if refusal.source else ""
    return f"Not allowed: {refusal.text}. [{refusal.rule}{source}]"


def loss_text(kind: str) -> str:
    """A result class as something to resign: "a single game", "a gammon"."""
    word = kind.replace("_", " ")
    article = "an" if word[0] in "aeio" else "a"
    return f"{article} {word} game" if kind == "single" else f"{article} {word}"


def mirrored_text(play: Play) -> str:
    """A play in the numbers of the other side."""
    mirrored = play.position.variant._geometry.mirrored

    def seen(point: int) -> int:
        return mirrored(point) if 1 <= point <= 24 else point

    return format_steps([Step(seen(s.origin), seen(s.target), s.die, s.takes) for s in play.steps])


def numbers(steps: Sequence[int]) -> str:
    """The numbers of an element: `6-5` for a throw, `4 4 4` for steps of a chain."""
    return "-".join(map(str, steps)) if len(set(steps)) > 1 else " ".join(map(str, steps))


def play_text(play: Play, *, viewer: Side, who: Namer = name) -> str:
    """What a side threw and played, in their own numbers and, to the other side, in the viewer's."""
    side = play.position.turn
    owed = play.position.pending
    if owed is not None and owed.choose:
        opening = f"{who(side)} named {play.dice}"
    elif owed is not None:
        opening = f"{who(side)}, owing {numbers(owed.steps)},"
    else:
        opening = f"{who(side)} threw {play.dice}"
    if play.is_pass:
        return f"{opening.removesuffix(',')} and cannot move."
    joint = " " if opening.endswith(",") else " and "
    own = f"{opening}{joint}played {play.notation}"
    return own + "." if side is viewer else f"{own} (in your numbers {mirrored_text(play)})."


def pending_text(owed: Pending, *, who: Namer = name) -> str:
    """What is owed before the next throw, and what follows."""
    by = who(owed.by)
    if owed.choose:
        return f"{by} has played the 1 and the 2, and now names a double."
    later = ", then " + ", ".join(numbers((number,) * 4) for number in owed.rest) if owed.rest else ""
    then = f"; after that {by} throws" if owed.then else ""
    return f"{by} is to play {numbers(owed.steps)}{later}{then}."


def next_text(before: Position, after: Position, *, who: Namer = name) -> str:
    """What is special about whose turn it is after a play; empty where the turn simply passes."""
    if after.result is not None:
        return ""
    if after.pending is not None:
        return pending_text(after.pending, who=who)
    return f"{who(after.turn)} throws again." if after.turn is before.turn else ""


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
        lines += wrapped(f"      [{line.source}]", "       ")
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
