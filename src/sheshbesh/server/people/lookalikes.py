"""Names that look alike: characters nobody sees, letters of several scripts, and the skeleton of a name.

The skeleton is that of Unicode Technical Standard 39, section 4, upon the table of `confusable_homoglyphs`:
two names with one skeleton cannot be distinguished on a screen.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from confusable_homoglyphs.categories import alias
from confusable_homoglyphs.confusables import confusables_data

_IGNORABLE = (
    *((0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5)),
    *((0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164)),
    *((0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3)),
    *((0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)),
)
"""The code points with the property Default_Ignorable_Code_Point, first and last of each range, as in
DerivedCoreProperties.txt of Unicode 16. Python's own tables do not have the property."""

_TOGETHER = (
    frozenset({"HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"HAN", "HANGUL"}),
    frozenset({"HAN", "BOPOMOFO"}),
)
"""Scripts in which one language is written: Japanese, Korean, and Chinese with its phonetic letters."""

_ANY_SCRIPT = frozenset({"COMMON", "INHERITED"})
_MARK = "\u200e"
"""Stands around letters that are written from the right in the library's table."""


def is_ignorable(character: str) -> bool:
    """Return True if a character is, as a rule, not shown at all."""
    return any(first <= ord(character) <= last for first, last in _IGNORABLE)


def is_arabic_letter(character: str) -> bool:
    """Return True if a character is a letter of the Arabic script, in which Persian is written too."""
    return character.isalpha() and alias(character) == "ARABIC"


def scripts_of(name: str) -> frozenset[str]:
    """The scripts of a name's letters by their Unicode names; none for digits and marks of any script."""
    return frozenset(map(alias, name)) - _ANY_SCRIPT


def is_one_script(name: str) -> bool:
    """Return True if the letters of a name are of one script, or of several in which one language is
    written."""
    scripts = scripts_of(name)
    return len(scripts) < 2 or any(scripts <= together for together in _TOGETHER)


def skeleton(name: str) -> str:
    """Return what is left of a name when nothing is kept that the eye does not see: equal for names that look
    alike.

    Case counts for nothing either, after the shapes were compared: `l` is like `I`, and both like `i` in
    another case. The skeleton is for comparing, not for showing.
    """
    text = _skeleton(unicodedata.normalize("NFKC", name.replace("'", "’")))
    return _skeleton(text.casefold())


def _skeleton(text: str) -> str:
    seen = (c for c in unicodedata.normalize("NFD", text) if not is_ignorable(c))
    return unicodedata.normalize("NFD", "".join(map(_prototype, seen)))


def _prototype(character: str) -> str:
    """The characters that stand for all that look like this one."""
    found = _table().get(character, character)
    # The table gives a pair of characters without saying which of the two stands for both.
    return "".join(_table().get(part, part) for part in found)


@cache
def _table() -> Mapping[str, str]:
    """Each character with the prototype that stands for it.

    The library lists each character with its prototype, and each prototype with all its characters. A
    prototype of several letters is no character; between two single ones that know only each other the
    smaller code point is chosen.
    """
    listed = {
        key.replace(_MARK, ""): [str(entry["c"]).replace(_MARK, "") for entry in entries]
        for key, entries in confusables_data.items()
    }
    table = {}
    for character, others in listed.items():
        if len(character) > 1 or len(others) > 1:
            continue
        (other,) = others
        is_pair = len(other) == 1 and len(listed[other]) == 1
        table[character] = min(character, other) if is_pair else other
    return MappingProxyType(table)
