"""Citations in the reader's language: names of sources, pages and sections of what the variant files cite.

A citation is parts joined by "; ". Names of places on the web and of books stay what they are. The title of a
section is said to readers of its own script alone; it stands in the variant file and on the game's page.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from types import MappingProxyType

from sheshbesh.i18n import JoinedText, Text, language

OWN_SHEET = re.compile(r"(?:rules\.md|kin\.md|rule sheet) ([^:;]+)(?:: (.*))?$")
_PAGE = re.compile(r"(?P<before>p\. )?(?P<page>\d+)(?: \((?P<remark>[^)]*)\))?")
_SECTION = re.compile(r'sections? "([^"]+)"(?: and "([^"]+)")?')
_LABEL = re.compile(r"(later games|larger die|the dice played): (.*)")
_AFTER = re.compile(r"after (.+)")
_NOTE = re.compile(r"note (\d+)")

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
        "doubling cube": Text("doubling cube"),
        "agreements": Text("agreements"),
        "dead cube": Text("dead cube"),
        "touched checkers": Text("touched checkers"),
        "common at a traditional board but not at a modern one": Text(
            "common at a traditional board but not at a modern one"
        ),
        "Backgammon, a reader of Greek schools": Text("Backgammon, a reader of Greek schools"),
        "game rules": Text("game rules"),
        "Uzbek custom": Text("Uzbek custom"),
        "Greek tavli": Text("Greek tavli"),
        "US tournament rules (2008)": Text("US tournament rules (2008)"),
        "WBGT rules (2010)": Text("WBGT rules (2010)"),
        "UK Open rules": Text("UK Open rules"),
    }
)
"""The parts of citations besides pages and sections, and their wording."""


class SectionText(Text):
    """The title of a section, said to readers of its script alone: others get nothing."""

    __slots__ = ("heading",)

    heading: str

    def __new__(cls, title: str) -> SectionText:
        """The section with this title."""
        template = "section “{name}”"
        self = str.__new__(cls, template.format(name=title) if _script(title) == "LATIN" else "")
        self.template, self.values, self.heading = template, MappingProxyType({"name": title}), title
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return SectionText, (self.heading,)

    def translated(self, lang: str, values: Mapping[str, object] = MappingProxyType({})) -> str:
        """The section in a language of its script, else the empty string."""
        if _script(self.heading) != _script(language(lang).name):
            return ""
        return Text("section “{name}”", name=self.heading).translated(lang, values)

    def mapped(self, change: Callable[[object], object]) -> Text:  # noqa: ARG002 -- it has no values of others
        """The same text."""
        return self


def _script(text: str) -> str:
    """The script of the first letter: LATIN, ARABIC, CYRILLIC."""
    letter = next((char for char in text if char.isalpha()), "a")
    return unicodedata.name(letter).partition(" ")[0]


def cited(source: str) -> Text:
    """A citation as a text that can be translated; a place on our own sheets comes last."""
    sheet = OWN_SHEET.match(source)
    if sheet is None:
        return _parts(source)
    place, further = sheet[1].strip(), sheet[2]
    own = Text("rule sheet {place}", place=place)
    return JoinedText(_parts(further), own, separator=" · ") if further else own


def _parts(source: str) -> Text:
    return JoinedText(*(_sheet(part) or _part(part) for part in source.split("; ")), separator="; ")


def _sheet(part: str) -> Text | None:
    """A place on our own sheets beside another source."""
    sheet = OWN_SHEET.match(part)
    return Text("rule sheet {place}", place=sheet[1].strip()) if sheet and not sheet[2] else None


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
    """Return True if a piece is the same in every language."""
    text = piece.strip()
    if text in PHRASES or all(_PAGE.fullmatch(page) for page in text.split(" and ")):
        return False
    return not any(reading.fullmatch(text) for reading in (_SECTION, _AFTER, _NOTE))


def _piece(piece: str) -> Text:
    piece = piece.strip()
    if piece in PHRASES:
        return PHRASES[piece]
    pages = [_PAGE.fullmatch(page) for page in piece.split(" and ")]
    if all(pages):
        return JoinedText(*(_page(page) for page in pages if page), separator=", ")
    if section := _SECTION.fullmatch(piece):
        return JoinedText(*(SectionText(name) for name in section.groups() if name), separator=", ")
    if after := _AFTER.fullmatch(piece):
        return Text("after {name}", name=after[1])
    if note := _NOTE.fullmatch(piece):
        return Text("note {number}", number=int(note[1]))
    place, bracket, remark = piece.partition(" (")
    if bracket and remark.removesuffix(")") in PHRASES:
        return JoinedText(_as_it_is(place), _bracketed(PHRASES[remark.removesuffix(")")]))
    return _as_it_is(piece)


def _page(page: re.Match[str]) -> Text:
    number = int(page["page"])
    text = Text("p. {page}", page=number) if page["before"] else _as_it_is(number)
    if page["remark"] is None:
        return text
    return JoinedText(text, _bracketed(PHRASES.get(page["remark"]) or _as_it_is(page["remark"])))


def _bracketed(text: Text) -> Text:
    template = "({remark})"
    return Text(template, remark=text)


def _as_it_is(value: object) -> Text:
    """Return what no catalogue has: a number, or the name of a place."""
    template = "{value}"
    return Text(template, value=value)
