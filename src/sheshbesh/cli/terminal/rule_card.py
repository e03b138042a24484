"""The rule card of a game as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sheshbesh.rules import Variant
    from sheshbesh.rules.data import VariantData

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
