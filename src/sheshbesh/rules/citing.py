"""Citations in the reader's language: names of sources, pages and sections of what the variant files cite.

A citation is parts joined by "; ". Names of places on the web and of books stay what they are.
"""

from __future__ import annotations

import re
from types import MappingProxyType

from sheshbesh.i18n import JoinedText, Text

OWN_SHEET = re.compile(r"(?:rules\.md|kin\.md|rule sheet) ([^:;]+)(?:: (.*))?$")
_PAGE = re.compile(r"(?:p\. )?(\d+)")
_SECTION = re.compile(r'sections? "([^"]+)"(?: and "([^"]+)")?')
_LABEL = re.compile(r"(later games|larger die|the dice played): (.*)")
_AND_PAGE = re.compile(r"p\. (\d+) (?:\((dead cube)\) )?and p\. (\d+)(?: \((touched checkers)\))?")

_LABELS = MappingProxyType(
    {
        "later games": Text("later games: {source}", source=""),
        "larger die": Text("larger die: {source}", source=""),
        "the dice played": Text("the dice played: {source}", source=""),
    }
)

PHRASES: MappingProxyType[str, Text] = MappingProxyType(
    {
        "Backgammon rules (000)": Text("Backgammon rules (000)"),
        "Tapa (001)": Text("Tapa (001)"),
        "Masters of Nard rules (002)": Text("Masters of Nard rules (002)"),
        "Tawla 31 (003)": Text("Tawla 31 (003)"),
        "Khalili (004)": Text("Khalili (004)"),
        "family default": Text("as in all games of the family"),
        "short nardy": Text("short nardy"),
        "long nardy": Text("long nardy"),
        "Tavla": Text("Tavla"),
        "Old English": Text("Old English"),
        "Nackgammon": Text("Nackgammon"),
        "Nardegammon": Text("Nardegammon"),
        "general article on long nardy": Text("general article on long nardy"),
        "rule 1": Text("rule {number}", number=1),
        "rule 2": Text("rule {number}", number=2),
        "as plakoto": Text("as in plakoto"),
        "custom of some clubs": Text("custom of some clubs"),
        "European custom": Text("European custom"),
        "sport rules": Text("sport rules"),
        "the rest of the game is that of backgammon": Text("the rest of the game is that of backgammon"),
        "GNU Backgammon manual": Text("GNU Backgammon manual"),
    }
)
"""What citations are made of besides pages and sections, and how it is worded."""


def cited(source: str) -> Text:
    """A citation as a text that can be translated; a place on our own sheets comes last."""
    sheet = OWN_SHEET.match(source)
    if sheet is None:
        return _parts(source)
    place, further = sheet[1].strip(), sheet[2]
    own = Text("rule sheet {place}", place=place)
    return JoinedText(_parts(further), own, separator=" · ") if further else own


def _parts(source: str) -> Text:
    return JoinedText(*(_part(part) for part in source.split("; ")), separator="; ")


def _part(part: str) -> Text:
    label = _LABEL.match(part)
    if label:
        return Text(_LABELS[label[1]].template, source=_part(label[2]))
    return JoinedText(*map(_piece, _pieces(part)), separator=", ")


def _pieces(part: str) -> list[str]:
    """The pieces between commas, those in quotation marks or brackets kept together.

    The title of a book may have commas of its own, which no language changes.
    """
    found: list[str] = []
    for piece in re.findall(r'(?:"[^"]*"|\([^)]*\)|[^,"(]|[("])+', part):
        if found and _is_name(found[-1]) and _is_name(piece):
            found[-1] += f",{piece}"
        else:
            found.append(piece)
    return found


def _is_name(piece: str) -> bool:
    """Whether a piece is the same in every language."""
    text = piece.strip()
    readings = (_PAGE, _SECTION, _AND_PAGE)
    return text not in PHRASES and not any(reading.fullmatch(text) for reading in readings)


def _piece(piece: str) -> Text:
    piece = piece.strip()
    if piece in PHRASES:
        return PHRASES[piece]
    page, section, two = _PAGE.fullmatch(piece), _SECTION.fullmatch(piece), _AND_PAGE.fullmatch(piece)
    if page:
        number = int(page[1])
        return Text("p. {page}", page=number) if piece.startswith("p.") else _as_it_is(number)
    if section:
        names = [Text("section “{name}”", name=name) for name in section.groups() if name]
        return JoinedText(*names, separator=", ")
    if two:
        first, second = Text("p. {page}", page=int(two[1])), Text("p. {page}", page=int(two[3]))
        if two[2]:
            first = Text("{page} (dead cube)", page=first)
            second = Text("{page} (touched checkers)", page=second)
        return JoinedText(first, second, separator=", ")
    return _as_it_is(piece)


def _as_it_is(value: object) -> Text:
    """What no catalogue has: a number, or the name of a place."""
    template = "{value}"
    return Text(template, value=value)
