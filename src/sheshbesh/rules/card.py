"""The rule card of a game, generated from its data: what a player must know, each line with its source.

Everything here follows from the axes; the sentences stand in `wording`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sheshbesh.i18n import Text
from sheshbesh.rules.axes import AxisValue, number_of, setup_of
from sheshbesh.rules.coherence import matters
from sheshbesh.rules.data import VariantData
from sheshbesh.rules.document import Citation
from sheshbesh.rules.options import OptionSpec, OptionValue
from sheshbesh.rules.wording import CARD, TOPIC_OPTIONS, TOPIC_SETUP, Rule


@dataclass(frozen=True, slots=True)
class CardLine:
    """One line of a rule card: the topic, the rule in words, and where it is written.

    `ids` say what it answers, one after the other, such as `hit_run.ban`, for an option `options.mother`.
    `quote` is at most one sentence of the source in its own language, to be shown in quotation
    marks; `note` says how the source was read. Both may be empty.
    """

    topic: str
    text: str
    source: str
    quote: str
    note: str = ""
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardRule:
    """One sentence of a rule card with the id of what it answers, such as `hit_run.ban`."""

    id: str
    topic: str
    text: Text
    citation: Citation


_TWO = "{first} {second}"
"""Two sentences, one after the other in every language."""


def card_lines(data: VariantData) -> list[CardLine]:
    """Return the rule card: one line for each topic and source, in the order a player learns a game.

    What the game does not have is left out. The options come last, one a line, the default marked, without
    those that change nothing beside the ones chosen.
    Topics and texts are English; `sheshbesh.i18n.translate` says them in other languages.
    """
    lines: list[CardLine] = []
    for rule in card_rules(data):
        parts = _parts(rule.citation)
        line = CardLine(rule.topic, rule.text, *parts, ids=(rule.id,))
        last = lines[-1] if lines else None
        if last and (last.topic, last.source, last.quote, last.note) == (rule.topic, *parts):
            both = Text(_TWO, first=last.text, second=rule.text)
            lines[-1] = CardLine(rule.topic, both, *parts, ids=tuple(dict.fromkeys((*last.ids, rule.id))))
        else:
            lines.append(line)
    lines += [_option_line(name, spec, data) for name, spec in data.bearing.items()]
    return lines


def card_rules(data: VariantData) -> list[CardRule]:
    """Return every sentence of the rule card by itself, without the options."""
    return [
        CardRule(f"{table}.{key}", topic, text, data.source_of(table, key))
        for topic, text, (table, key) in _sentences(data)
    ]


def _parts(citation: Citation) -> tuple[str, str, str]:
    return citation.source, citation.quote, citation.note


def _sentences(data: VariantData) -> Iterator[tuple[str, Text, tuple[str, str]]]:
    """Yield every sentence of the card with its topic and axis."""
    yield TOPIC_SETUP, _setup(data), ("board", "setup")
    for rule in CARD:
        table, key = rule.axis
        sentence = _sentence(rule, data.axes[table][key]) if matters(data.axes, rule.axis) else None
        if sentence:
            yield rule.topic, sentence, rule.axis


def _sentence(rule: Rule, value: AxisValue) -> Text:
    """Return the sentence for one answer, empty if there is nothing to say."""
    word = str(value).lower() if isinstance(value, bool) else str(value)
    return Text(rule.sentences.get(word, rule.sentences.get("*", "")), value=value)


def _setup(data: VariantData) -> Text:
    checkers, hand = (number_of(data.axes, "board", key) for key in ("checkers", "hand"))
    places = setup_of(data.axes)
    if not places:
        return Text("Each side has {checkers} checkers, all in hand.", checkers=checkers)
    if len(places) == 1 and not hand:
        return Text(
            "Each side has {checkers} checkers, all on your point {point}.",
            checkers=checkers,
            point=next(iter(places)),
        )
    groups = [
        Text("{count} on your point {point}", count=count, point=point) for point, count in places.items()
    ]
    if hand:
        groups.append(Text("{count} in hand", count=hand))
    return Text("Each side has {checkers} checkers: {places}.", checkers=checkers, places=tuple(groups))


def _option_line(name: str, spec: OptionSpec, data: VariantData) -> CardLine:
    chosen = data.chosen.get(name, spec.default)
    values = {f"value{i}": _marked(value, spec, chosen) for i, value in enumerate(spec.values)}
    # Made here and in no catalogue: nothing in it but values.
    template = "{option} = " + ", ".join(f"{{{place}}}" for place in values) + ": {doc}."
    text = Text(template, option=name, doc=Text(spec.doc), **values)
    return CardLine(TOPIC_OPTIONS, text, spec.source, "", ids=(f"options.{name}",))


def _marked(value: OptionValue, spec: OptionSpec, chosen: OptionValue) -> str:
    word = spec.word(value)
    if value is spec.default:
        return Text("{value} (default)", value=word)
    return Text("{value} (chosen)", value=word) if value is chosen else word
