"""Texts with values in them, and their translation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from string import Formatter
from types import MappingProxyType
from typing import Any

from sheshbesh.i18n.catalogue import (
    SOURCE,
    closest,
    dice_call,
    digits_of,
    language,
    locale_of,
    messages,
    wants_latin,
)

FIRST_STRONG, LEFT_TO_RIGHT, POP = "\u2068", "\u2066", "\u2069"
"""Unicode's isolates: what stands between does not mix with the direction of the text around it."""

_ARABIC_MARKS = str.maketrans(",;", "،؛")
"""The languages here that are written from right to left are all written in the Arabic script."""

_FRACTION = re.compile(r"\.(?P<digits>\d)(?P<kind>[f%])")


class Text(str):
    """An English sentence that can be translated.

    It is made from a template with named values: `Text("only {value} checkers", value=2)` is the
    str "only 2 checkers" and remembers how it came about. A value may be a text itself, a tuple
    of texts, which is listed: "a, b and c", or an error, which says its message.
    """

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, Any]

    def __new__(cls, template: str, /, **values: object) -> Text:
        """Fill the template in; KeyError if a value is missing."""
        values = {name: _plain(value) for name, value in values.items()}
        self = super().__new__(cls, _fill(template, SOURCE, values))
        self.template, self.values = template, MappingProxyType(values)
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _text, (self.template, dict(self.values))

    def translated(self, lang: str, values: Mapping[str, object] = MappingProxyType({})) -> str:
        """The sentence in a language; `values` replace those it was made with."""
        return _translated(self.template, lang, {**self.values, **values})

    def mapped(self, change: Callable[[object], object]) -> Text:
        """The same text with every value changed."""
        return Text(self.template, **{name: change(value) for name, value in self.values.items()})


def _plain(value: object) -> object:
    """A value without what cannot be copied to another process: errors and paths as what they say."""
    if isinstance(value, Exception):
        message = getattr(value, "message", None)
        return message if isinstance(message, str) else str(value)
    return str(value) if isinstance(value, PathLike) else value


def _text(template: str, values: Mapping[str, object]) -> Text:
    return Text(template, **values)


class PluralText(Text):
    """A text that depends on a count: `PluralText("{n} point", "{n} points", 3)`."""

    __slots__ = ("n", "one")

    one: str
    n: int

    def __new__(cls, one: str, many: str, n: int, /, **values: object) -> PluralText:
        """Fill in the form for `n`, which is the value of `{n}`; KeyError if a value is missing."""
        template = one if n == 1 else many
        values = {name: _plain(value) for name, value in values.items()}
        self = str.__new__(cls, _fill(template, SOURCE, {"n": n, **values}))
        self.one, self.template, self.n = one, many, n
        self.values = MappingProxyType(values)
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _plural_text, (self.one, self.template, self.n, dict(self.values))

    def translated(self, lang: str, values: Mapping[str, object] = MappingProxyType({})) -> str:
        """The form that belongs to the count in a language."""
        return ntranslate(self.one, self.template, self.n, lang, **{**self.values, **values})

    def mapped(self, change: Callable[[object], object]) -> Text:
        """The same text with every value but the count changed."""
        changed = {name: change(value) for name, value in self.values.items()}
        return PluralText(self.one, self.template, self.n, **changed)


def _plural_text(one: str, many: str, n: int, values: Mapping[str, object]) -> PluralText:
    return PluralText(one, many, n, **values)


class JoinedText(Text):
    """Several texts one after the other, such as the sentences of a paragraph."""

    __slots__ = ("parts",)

    parts: tuple[str, ...]

    def __new__(cls, *parts: str, separator: str = " ") -> JoinedText:
        """Join the parts that are not empty; a plain str among them stays what it is in every language."""
        # A text may be empty in English and not in another language.
        kept = tuple(part for part in parts if part or (isinstance(part, Text) and part.template))
        self = str.__new__(cls, separator.join(part for part in kept if part))
        self.template, self.values, self.parts = separator, MappingProxyType({}), kept
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _joined_text, (self.parts, self.template)

    def translated(self, lang: str, values: Mapping[str, object] = MappingProxyType({})) -> str:
        """The parts in a language, each with `values`."""
        translated = (
            part.translated(lang, values) if isinstance(part, Text) else part for part in self.parts
        )
        return _separator(self.template, lang).join(part for part in translated if part)

    def mapped(self, change: Callable[[object], object]) -> Text:
        """The same with every part changed."""
        changed = (change(part) for part in self.parts)
        return JoinedText(*(each for each in changed if isinstance(each, str)), separator=self.template)


class FigureText(Text):
    """A time or a score, such as 1:05 or 7-3, in the digits of the reader's language."""

    __slots__ = ()

    def __new__(cls, figure: str) -> FigureText:
        """The figure as it is written in English."""
        self = str.__new__(cls, figure)
        self.template, self.values = figure, MappingProxyType({})
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return FigureText, (str(self),)

    def translated(self, lang: str, values: Mapping[str, object] = MappingProxyType({})) -> str:  # noqa: ARG002 -- it has no places
        """The figure with the digits of a language."""
        return digits(str(self), lang)

    def mapped(self, change: Callable[[object], object]) -> Text:  # noqa: ARG002 -- it has no values of others
        """The same text."""
        return self


class DiceText(Text):
    """Two dice such as 6-5, with what players call them where a language has calls of its own."""

    __slots__ = ("dice",)

    dice: tuple[int, int]

    def __new__(cls, first: int, second: int) -> DiceText:
        """The dice, larger first; ValueError unless they are two from 1 to 6."""
        larger, smaller = max(first, second), min(first, second)
        dice_call((larger, smaller), SOURCE)
        self = str.__new__(cls, f"{larger}-{smaller}")
        self.template, self.values, self.dice = str(self), MappingProxyType({}), (larger, smaller)
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return DiceText, self.dice

    def translated(self, lang: str, values: Mapping[str, object] = MappingProxyType({})) -> str:  # noqa: ARG002
        """The dice with their call in a language; English has the numbers alone, as records do."""
        if closest(lang) == SOURCE:
            return str(self.template)
        written = isolate(self.template) if language(lang).direction == "rtl" else self.template
        return f"{written} ({dice_call(self.dice, lang)})"

    def mapped(self, change: Callable[[object], object]) -> Text:  # noqa: ARG002 -- dice hold no values
        """The same dice."""
        return self


def _separator(separator: str, lang: str) -> str:
    """Commas and semicolons between parts, as a language writes them."""
    return separator.translate(_ARABIC_MARKS) if language(lang).direction == "rtl" else separator


def _joined_text(parts: tuple[str, ...], separator: str) -> JoinedText:
    return JoinedText(*parts, separator=separator)


def translate(text: str, lang: str, /, **values: object) -> str:
    """Say an English text in a language, with its `values` filled in.

    `lang` is a code or a tag; one such as `fa-u-nu-latn` has the digits 0 to 9.

    A `Text` brings its values along. In languages written from right to left every text among the
    values is isolated, so that notation and names stay whole.
    """
    return text.translated(lang, values) if isinstance(text, Text) else _translated(text, lang, values)


def _translated(template: str, lang: str, values: Mapping[str, object]) -> str:
    code = closest(lang)
    words = template if code == SOURCE else messages(code).find(template) or template
    return _fill(_with_digits(words, lang), lang, values)


def ntranslate(one: str, many: str, n: int, lang: str, /, **values: object) -> str:
    """The form of a text that belongs to the count `n`, which is the value of `{n}` in it."""
    code = closest(lang)
    words = one if n == 1 else many
    if code != SOURCE:
        found = messages(code)
        forms = found.plurals.get(one)
        words = forms[found.plural(n)] if forms else words
    return _fill(_with_digits(words, lang), lang, {"n": n, **values})


def digits(text: object, lang: str) -> str:
    """The same with the digits of a language: for scores and clocks. Notation keeps 0 to 9."""
    return str(text).translate(str.maketrans("0123456789", digits_of(lang)))


def _with_digits(words: str, lang: str) -> str:
    """A translation whose own numbers are written as the tag asks, such as `fa-u-nu-latn`."""
    if not wants_latin(lang):
        return words
    return words.translate(str.maketrans(digits_of(closest(lang)) + "٫٬٪", "0123456789.,%"))


def isolate(text: str) -> str:
    """Notation, dice or a code such that a text from right to left does not turn it round."""
    return f"{LEFT_TO_RIGHT}{text}{POP}"


def listed(words: Iterable[str], lang: str = SOURCE) -> str:
    """Words as a sentence lists them: "a, b and c"."""
    all_words = list(words)
    code = closest(lang)
    if code == SOURCE:
        return " and ".join(filter(None, (", ".join(all_words[:-1]), *all_words[-1:])))
    from babel.lists import format_list

    return format_list(all_words, locale=locale_of(code))


def _fill(words: str, lang: str, values: Mapping[str, object]) -> str:
    return _Filler(lang).vformat(words, (), values) if values else words


class _Filler(Formatter):
    """str.format as a language writes it: its digits, its decimal point, its lists, isolated texts."""

    def __init__(self, lang: str) -> None:
        self._lang = lang

    def format_field(self, value: Any, format_spec: str) -> str:
        """One value as its place in the sentence shows it."""
        lang = self._lang
        if isinstance(value, tuple):
            return listed((self.format_field(each, format_spec) for each in value), lang)
        if isinstance(value, str):
            translated = format(translate(value, lang) if isinstance(value, Text) else value, format_spec)
            foreign = not isinstance(value, Text) and language(lang).direction == "rtl"
            # Within two isolates browsers may give a text no width.
            isolated = translated.startswith((FIRST_STRONG, LEFT_TO_RIGHT))
            return f"{FIRST_STRONG}{translated}{POP}" if foreign and not isolated else translated
        if closest(lang) == SOURCE or not isinstance(value, int | float) or isinstance(value, bool):
            return str(super().format_field(value, format_spec))
        return _number(value, format_spec, lang)


def _number(value: float, spec: str, lang: str) -> str:
    """A number with `spec` as the language writes it."""
    from babel.numbers import format_decimal, format_percent

    fraction = _FRACTION.fullmatch(spec)
    if fraction is None:
        return digits(format(value, spec), lang)
    places = "0" * int(fraction["digits"])
    locale = locale_of(closest(lang))
    if fraction["kind"] == "f":
        number = format_decimal(value, f"0.{places}", locale=locale)
    else:
        pattern = locale.percent_formats[None].pattern.replace("#,##0", f"0.{places}" if places else "0")
        number = format_percent(value, pattern, locale=locale)
    own = digits(number, lang)
    # Eastern digits have a decimal point and a percent sign of their own.
    return own if own.isascii() or own == number else own.translate({ord("."): "٫", ord("%"): "٪"})
