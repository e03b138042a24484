"""The form of a variant file: what may stand in it, read into one typed draft.

Only the form is judged here, every fault at once and each with its place. Whether the answers make a
game (base, missing answers, contradictions) is the loader's question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType

from sheshbesh.errors import shortened
from sheshbesh.rules.axes import AXES, Answers, AxisValue
from sheshbesh.rules.options import RESERVED, Level, OptionSpec, parse_values
from sheshbesh.rules.safe_text import escaped, unfit_character

Path = tuple[str, ...]
"""The place of something in a file: its tables and its key."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_NAMES = ("name", "title")
_TEXTS = ("region", "description", "base")
_LISTS = ("aliases", "keep_options")
_TOP = (*_NAMES, *_TEXTS, *_LISTS, "native", "options", *AXES)
_CITATION = ("source", "quote", "note")
_PROSE = ("description", "doc", *_CITATION)
"""Texts that may run over several lines."""
_OPTION = ("doc", "source", "level", "values")


@dataclass(frozen=True, slots=True)
class Flaw:
    """One fault and its place in the file."""

    path: Path
    message: str

    def __str__(self) -> str:
        return shortened(escaped(f"{'.'.join(self.path)}: {self.message}" if self.path else self.message))


@dataclass(frozen=True, slots=True)
class Citation:
    """The place where a rule is written: the source, at most one sentence of it, and a note on its
    reading."""

    source: str
    quote: str = ""
    note: str = ""


@dataclass
class Draft:
    """A variant file with everything in it that has the right form."""

    name: str = ""
    title: str = ""
    region: str = ""
    description: str = ""
    base: str = ""
    aliases: tuple[str, ...] = ()
    keep_options: tuple[str, ...] = ()
    native: Mapping[str, str] = field(default_factory=dict)
    answers: dict[str, dict[str, AxisValue]] = field(default_factory=dict)
    citations: dict[str, Citation] = field(default_factory=dict)
    options: dict[str, OptionSpec] = field(default_factory=dict)


class _Reader:
    """Reads one document into a draft and collects the flaws on the way."""

    def __init__(self) -> None:
        self.draft = Draft()
        self.flaws: list[Flaw] = []

    def flaw(self, path: Path, message: str) -> None:
        self.flaws.append(Flaw(path, message))

    def known(self, path: Path, keys: Iterable[str], allowed: Iterable[str]) -> None:
        """Report every key that has no business at `path`, with the nearest one that has."""
        names = tuple(allowed)
        for key in keys:
            if key not in names:
                close = get_close_matches(key, names, n=1)
                hint = f"did you mean {close[0]!r}? " if close else ""
                self.flaw((*path, key), f"unknown key; {hint}allowed: {', '.join(names)}")

    def text(self, path: Path, value: object) -> str:
        if not isinstance(value, str):
            self.flaw(path, f"must be a text in quotes, not {value!r}")
            return ""
        if not value.strip():
            self.flaw(path, "must not be empty")
        return value.strip()

    def required_text(self, path: Path, table: Mapping[str, object], key: str) -> str:
        if key not in table:
            self.flaw(path, f"{key} is missing")
            return ""
        return self.text((*path, key), table[key])

    def texts(self, path: Path, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.flaw(path, f'must be a list of texts such as ["a", "b"], not {value!r}')
            return ()
        return tuple(value)

    def table(self, path: Path, value: object) -> Mapping[str, object]:
        if not isinstance(value, dict):
            self.flaw(path, f"must be a table, not {value!r}")
            return {}
        return value

    def entry(self, path: Path, key: str, value: object) -> AxisValue | None:
        """Return one answer to an axis, None if it is not allowed."""
        axis = AXES[path[-1]][key]
        if not axis.accepts(value):
            self.flaw((*path, key), f"{value!r} is not allowed; allowed: {axis.allowed}")
            return None
        if not isinstance(value, Mapping):
            return value if isinstance(value, bool | int | str) else None
        points = {int(point): count for point, count in value.items()}
        if len(points) < len(value):
            self.flaw((*path, key), "a point is named twice")
        return MappingProxyType(dict(sorted(points.items(), reverse=True)))

    def answers(self, path: Path, table: Mapping[str, object]) -> dict[str, AxisValue]:
        """Return the accepted answers of one axis table; `path` ends with the table's name."""
        read = {}
        for key, value in table.items():
            if key in AXES[path[-1]]:
                answer = self.entry(path, key, value)
                if answer is not None:
                    read[key] = answer
        return read

    def axis_table(self, name: str, value: object) -> None:
        table = self.table((name,), value)
        if not table:
            return
        self.known((name,), table, (*AXES[name], *_CITATION))
        self.draft.answers[name] = self.answers((name,), table)
        source = self.required_text((name,), table, "source")
        quote, note = (self.text((name, key), table[key]) if key in table else "" for key in _CITATION[1:])
        self.draft.citations[name] = Citation(source, quote, note)

    def option(self, name: str, value: object) -> None:
        path = ("options", name)
        if not _NAME.fullmatch(name):
            self.flaw(path, "an option's name is small letters, digits and _")
        if name in RESERVED:
            self.flaw(path, "this option belongs to every table already; choose another name")
        table = self.table(path, value)
        self.known(path, table, _OPTION)
        doc = self.required_text(path, table, "doc")
        source = self.required_text(path, table, "source")
        answers = self.option_values((*path, "values"), table.get("values"))
        level = self.level(path, table.get("level"))
        if answers and name not in RESERVED:
            self.draft.options[name] = OptionSpec(
                doc, source, level, parse_values(answers), tuple(answers.values())
            )

    def level(self, path: Path, value: object) -> Level:
        if value == "card":
            return "card"
        if value != "rule":
            self.flaw((*path, "level") if value is not None else path, 'level must be "rule" or "card"')
        return "rule"

    def option_values(self, path: Path, value: object) -> dict[str, Answers]:
        """Return the answers of each value of an option, in order."""
        if not isinstance(value, dict) or not value:
            self.flaw(path[:-1], "values is missing: a table from each value to the axes it sets")
            return {}
        read: dict[str, Answers] = {}
        for word, tables in value.items():
            here = (*path, word)
            checked = self.table(here, tables)
            self.known(here, checked, AXES)
            read[word] = {
                name: self.option_answers((*here, name), table)
                for name, table in checked.items()
                if name in AXES
            }
        return read

    def option_answers(self, path: Path, value: object) -> Mapping[str, AxisValue]:
        table = self.table(path, value)
        self.known(path, table, AXES[path[-1]])
        return self.answers(path, table)

    def name(self, document: Mapping[str, object]) -> None:
        self.draft.name = self.required_text((), document, "name")
        self.draft.title = self.required_text((), document, "title")
        for path, name in [(("name",), self.draft.name)] + [
            (("aliases",), alias) for alias in self.draft.aliases
        ]:
            if name and not _NAME.fullmatch(name):
                self.flaw(path, f"{name!r}: a name is small letters, digits and _, a letter first")

    def native(self, value: object) -> None:
        table = self.table(("native",), value)
        self.draft.native = {lang: self.text(("native", lang), name) for lang, name in table.items()}

    def fit_to_show(self, path: Path, value: object) -> None:
        """Report every key and text with a character that could mislead a reader."""
        if isinstance(value, Mapping):
            for key, part in value.items():
                if found := unfit_character(key):
                    self.flaw((*path, key), f"the key has the character {found}, which must not be shown")
                self.fit_to_show((*path, key), part)
        elif isinstance(value, list):
            for part in value:
                self.fit_to_show(path, part)
        elif isinstance(value, str) and (found := unfit_character(value, lines=path[-1] in _PROSE)):
            self.flaw(path, f"the text has the character {found}, which must not be shown")

    def document(self, document: Mapping[str, object]) -> None:
        self.fit_to_show((), document)
        self.known((), document, _TOP)
        draft = self.draft
        for key, value in document.items():
            if key in AXES:
                self.axis_table(key, value)
            elif key in _TEXTS:
                setattr(draft, key, self.text((key,), value))
            elif key in _LISTS:
                setattr(draft, key, self.texts((key,), value))
            elif key == "native":
                self.native(value)
        for name, value in self.table(("options",), document.get("options", {})).items():
            self.option(name, value)
        self.name(document)


def read_document(document: Mapping[str, object]) -> tuple[Draft, list[Flaw]]:
    """Return the draft in a parsed variant file, and every fault of its form."""
    reader = _Reader()
    reader.document(document)
    return reader.draft, reader.flaws
