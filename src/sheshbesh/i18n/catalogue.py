"""The languages and what their .po files say."""

from __future__ import annotations

import gettext
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from babel import Locale


from collections.abc import Iterable
from types import MappingProxyType

CATALOGUES = Path(__file__).with_name("catalogues")
SOURCE = "en"
"""The language the program is written in: its sentences are the keys."""

DICE = "dice call"
"""The context of the calls of the dice in a catalogue."""

DIGITS = "digits"
"""The context of the ten digits of a language; a language without an entry has 0 to 9."""

_SAID_BY_THE_SERVER = (
    "cli/",
    "engines/explain/",
    "rules/card.py",
    "rules/options.py",
    "rules/refusal.py",
    "rules/wording.py",
    "server/",
    "session/",
)
"""Files whose texts reach the page translated already, so that their translations need not travel. The
names of the games do: a state is the same for all who see it."""

_LATIN = "-u-nu-latn"
"""The end of a tag of BCP 47 that asks for the digits 0 to 9."""

_TAGS = 256
"""Tags of languages whose meaning is remembered: people may ask for any text as their language."""

_SAMPLE = 200
"""Counts up to here show every plural form of a language."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language of the program: its code, its own name, and its direction, "ltr" or "rtl"."""

    code: str
    name: str
    direction: str


@dataclass(frozen=True, slots=True)
class Messages:
    """The content of one .po file. `plural` gives the form of `plurals` that belongs to a count.

    `page` are the texts that the page itself has to say, each with the files in which it stands.
    """

    language: Language
    singles: Mapping[tuple[str, str], str]
    plurals: Mapping[str, tuple[str, ...]]
    plural: Callable[[int], int]
    page: Mapping[str, frozenset[str]]

    def find(self, text: str, context: str = "") -> str | None:
        """Return what stands for a text, or None."""
        return self.singles.get((context, text))


@cache
def codes() -> tuple[str, ...]:
    """The codes of all languages, English first."""
    return (SOURCE, *sorted(file.stem for file in CATALOGUES.glob("*.po")))


def languages() -> tuple[Language, ...]:
    """All languages, English first."""
    return tuple(language(code) for code in codes())


@lru_cache(_TAGS)
def language(code: str) -> Language:
    """The language of a code such as `fa` or `fa-IR`; English for one that is not spoken here."""
    known = closest(code)
    if known == SOURCE:
        return Language(SOURCE, "English", "ltr")
    locale = locale_of(known)
    name = str(locale.get_display_name())
    return Language(known, name[:1].upper() + name[1:], locale.text_direction)


@cache
def locale_of(code: str) -> Locale:
    """The data of CLDR about a language."""
    # Imported here, so that English starts without it.
    from babel import Locale

    return Locale.parse(code)


@lru_cache(_TAGS)
def closest(code: str) -> str:
    """The language here that serves a tag such as `fa-IR` or `tr_TR.UTF-8`; English if there is none."""
    primary = code.replace("_", "-").partition(".")[0].partition("-")[0].lower()
    return primary if primary in codes() else SOURCE


def choose(accepted: str) -> str:
    """The language that serves an Accept-Language header best: its code, or a tag that asks for 0 to 9."""
    wishes = []
    for place, part in enumerate(accepted.split(",")):
        tag, _, parameters = part.strip().partition(";")
        weight = parameters.strip().removeprefix("q=")
        try:
            quality = float(weight) if weight else 1.0
        except ValueError:
            quality = 0.0
        primary = tag.strip().partition("-")[0].lower()
        if quality > 0 and primary in codes():
            wishes.append((-quality, place, primary + (_LATIN if wants_latin(tag.strip()) else "")))
    return min(wishes)[2] if wishes else SOURCE


def system_language() -> str:
    """The code of the language that LANGUAGE, LC_ALL, LC_MESSAGES or LANG ask for."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name, ""):
            return closest(value.partition(":")[0])
    return SOURCE


@cache
def messages(code: str) -> Messages:
    """The catalogue of a language other than English, read and compiled in memory."""
    from babel.messages.pofile import read_po

    with (CATALOGUES / f"{code}.po").open("rb") as file:
        read = read_po(file, locale=code, abort_invalid=True)
    singles: dict[tuple[str, str], str] = {}
    plurals: dict[str, tuple[str, ...]] = {}
    page: dict[str, frozenset[str]] = {}
    for message in read:
        if not message.id or message.fuzzy:
            continue
        if not message.locations or not all(
            file.startswith(_SAID_BY_THE_SERVER) for file, _ in message.locations
        ):
            single = message.id if isinstance(message.id, str) else message.id[0]
            page[single] = frozenset(file for file, _ in message.locations)
        text, translated = message.id, message.string
        if isinstance(text, str):
            if isinstance(translated, str) and translated:
                singles[message.context or "", text] = translated
        elif translated and not isinstance(translated, str) and all(translated):
            plurals[text[0]] = tuple(translated)
    return Messages(language(code), singles, plurals, gettext.c2py(read.plural_expr), page)


def catalogue(lang: str, files: frozenset[str] | None = None) -> dict[str, Any]:
    """A language for the page, as JSON data; with `files`, only the texts that stand in them.

    `messages` has a text for every English text of the page, or for one that depends on a count the
    forms by the names of Intl.PluralRules, under its singular. `dice` has the calls by `6-5`, larger number
    first. English has no messages: they are the keys.
    """
    from sheshbesh.i18n.catalogue import CALLS, dice_call

    own = language(lang)
    translated: dict[str, Any] = {}
    if own.code != SOURCE:
        found = messages(own.code)
        for text, there in found.page.items():
            if files is not None and not there & files:
                continue
            if forms := found.plurals.get(text):
                translated[text] = _by_category(own.code, forms, found.plural)
            elif words := found.singles.get(("", text)):
                translated[text] = words
    return {
        "lang": own.code,
        "name": own.name,
        "dir": own.direction,
        "digits": digits_of(own.code),
        "messages": translated,
        "dice": {f"{high}-{low}": dice_call((high, low), own.code) for high, low in CALLS},
    }


@lru_cache(_TAGS)
def digits_of(tag: str) -> str:
    """The ten digits of a language; of a tag such as `fa-u-nu-latn` those that it asks for."""
    ten, code = "0123456789", closest(tag)
    if code == SOURCE or wants_latin(tag):
        return ten
    return messages(code).find(ten, DIGITS) or ten


@lru_cache(_TAGS)
def wants_latin(tag: str) -> bool:
    """Return True if a tag of BCP 47 asks for the digits 0 to 9, whatever its language has."""
    _, _, extension = tag.lower().partition("-u-")
    words = extension.split("-")
    return ("nu", "latn") in pairwise(words)


def _by_category(code: str, forms: tuple[str, ...], plural: Callable[[int], int]) -> dict[str, str]:
    """The forms of a text by CLDR's names of counts: one, few, many ..."""
    named = {category: forms[plural(count)] for category, count in _first_counts(code).items()}
    # Fractions fall under `other`, which in Russian no whole number does.
    return {"other": forms[-1], **named}


@cache
def _first_counts(code: str) -> dict[str, int]:
    """The smallest number of each of CLDR's names of counts."""
    category = locale_of(code).plural_form
    return {category(count): count for count in reversed(range(_SAMPLE))}


_NUMBERS = ("one", "two", "three", "four", "five", "six")
_DOUBLES = ("aces", "deuces", "threes", "fours", "fives", "sixes")

CALLS: Mapping[tuple[int, int], str] = MappingProxyType(
    {
        (high, low): f"double {_DOUBLES[low - 1]}"
        if high == low
        else f"{_NUMBERS[high - 1]}-{_NUMBERS[low - 1]}"
        for high in range(6, 0, -1)
        for low in range(high, 0, -1)
    }
)
"""The name of each throw in English, the key in the catalogues."""


def dice_call(dice: Iterable[int], lang: str) -> str:
    """Return what players call a throw: `six-five`, `şeş beş`; ValueError unless it is two dice."""
    throw = tuple(sorted(dice, reverse=True))
    call = CALLS.get((throw[0], throw[1])) if len(throw) == 2 else None
    if call is None:
        raise ValueError(f"two dice from 1 to 6 have a call, not {throw}")
    code = closest(lang)
    return call if code == SOURCE else messages(code).find(call, DICE) or call
