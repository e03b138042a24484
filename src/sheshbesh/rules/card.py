"""The rule card of a game, generated from its data: what a player must know, each line with its source.

Everything here follows from the axes; the sentences stand in `wording`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sheshbesh.rules.axes import AxisValue, number_of, setup_of
from sheshbesh.rules.data import VariantData
from sheshbesh.rules.document import Citation
from sheshbesh.rules.options import OptionSpec, OptionValue
from sheshbesh.rules.wording import CARD, Rule


@dataclass(frozen=True, slots=True)
class CardLine:
    """One line of a rule card: the topic, the rule in words, and where it is written.

    `quote` is at most one sentence of the source in its own language, to be shown in quotation
    marks; `note` says how the source was read. Both may be empty.
    """

    topic: str
    text: str
    source: str
    quote: str
    note: str = ""


def card_lines(data: VariantData) -> list[CardLine]:
    """Return the rule card: one line for each topic and source, in the order a player learns a game.

    What the game does not have is left out. The options come last, one a line, the default marked.
    """
    lines: list[CardLine] = []
    for topic, text, citation in _sentences(data):
        line = CardLine(topic, text, citation.source, citation.quote, citation.note)
        last = lines[-1] if lines else None
        if last and (last.topic, last.source, last.quote, last.note) == (topic, *_parts(citation)):
            lines[-1] = CardLine(topic, f"{last.text} {text}", *_parts(citation))
        else:
            lines.append(line)
    lines += [_option_line(name, spec, data) for name, spec in data.options.items()]
    return lines


def _parts(citation: Citation) -> tuple[str, str, str]:
    return citation.source, citation.quote, citation.note


def _sentences(data: VariantData) -> Iterator[tuple[str, str, Citation]]:
    """Yield every sentence of the card with its topic and source."""
    yield "Setup", _setup(data), data.source_of("board", "setup")
    for rule in CARD:
        table, key = rule.axis
        sentence = _sentence(rule, data.axes[table][key]) if rule.matters(data.axes) else ""
        if sentence:
            yield rule.topic, sentence, data.source_of(table, key)


def _sentence(rule: Rule, value: AxisValue) -> str:
    """Return the sentence for one answer, empty if there is nothing to say."""
    word = str(value).lower() if isinstance(value, bool) else str(value)
    return rule.sentences.get(word, rule.sentences.get("*", "")).format(value=value)


def _setup(data: VariantData) -> str:
    checkers, hand = (number_of(data.axes, "board", key) for key in ("checkers", "hand"))
    places = {f"on your point {point}": count for point, count in setup_of(data.axes).items()}
    if hand:
        places["in hand"] = hand
    if len(places) == 1:
        return f"Each side has {checkers} checkers, all {next(iter(places))}."
    return (
        f"Each side has {checkers} checkers: {_enumeration([f'{n} {place}' for place, n in places.items()])}."
    )


def _enumeration(parts: list[str]) -> str:
    """Join parts as a sentence does: 'a, b and c'."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _option_line(name: str, spec: OptionSpec, data: VariantData) -> CardLine:
    chosen = data.chosen.get(name, spec.default)
    values = ", ".join(_marked(value, spec, chosen) for value in spec.values)
    return CardLine("Options", f"{name} = {values}: {spec.doc}.", spec.source, "")


def _marked(value: OptionValue, spec: OptionSpec, chosen: OptionValue) -> str:
    default, now = value is spec.default, value is chosen and chosen is not spec.default
    marks = [mark for mark, applies in (("default", default), ("chosen", now)) if applies]
    return f"{spec.word(value)} ({', '.join(marks)})" if marks else spec.word(value)
