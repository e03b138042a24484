"""The project's words: what it is written in, and what it is no longer written in.

`docs/glossary.md` gives each term one meaning. Here are the words and names that it replaced, with what
to write instead; nothing in the repository may use them again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "sheshbesh"

CODE = {".py", ".pyi", ".h", ".cpp", ".js"}
TEXT = {".md", ".toml", ".yml", ".html", ".css", ".po", ".sh"}
PASSED_OVER = {"vendor", "packed", "node_modules", "__pycache__", ".ruff_cache", ".mypy_cache", "build"}

GAP = r"""(?:[ \t]+|[ \t"']*\n[ \t]*(?://+|\#+|\*|>)?[ \t]*f?["']?)"""
"""Between two words: blanks, or the end of a line of text, of a comment, or of a string."""

WORDS = {
    "he|him|his|himself": "they, them, their",
    "whoever|whomever": "anyone who, the player who, a noun",
    "so many": "at most N, a number of",
    "what is so": "the state",
    "it was called": "previously reported as",
    "what it is worth": "its value, its equity",
    "of the house(?!-)": "of the project",
    "rules? of thumb": "heuristic",
    "errs|human errors?": "makes mistakes; mistakes",
    "unless told": "by default",
    "tells? (?:the )?others?": "notify, send, announce",
    "taught": "sample, label, training target; trained",
    "(?<![\"'])sift(?:s|ed|er|ers|ing)?": "filter, MoveFilter; filtered variance reduction",
    "bear-?off tables?": "bear-off database",
}
"""Regular expressions, a blank standing for any gap, and what to write instead."""

SPELLINGS = {
    "colors?|colored|coloring": "colour",
    "center|centers|centered": "centre",
    "behaviors?": "behaviour",
    "neighbors?|neighboring": "neighbour",
    "favors?|favorites?|favored": "favour",
    "gray": "grey",
    "analyz(?:e|es|ed|ing|er)": "analyse",
    "organiz(?:e|es|ed|ing|ation)": "organise",
    "recogniz(?:e|es|ed|ing)": "recognise",
    "normaliz(?:e|es|ed|ing|ation)": "normalise",
    "initializ(?:e|es|ed|ing|ation)": "initialise",
    "optimiz(?:e|es|ed|ing|ation|er|ers)": "optimise",
    "quantiz(?:e|es|ed|ing|ation)": "quantise",
    "serializ(?:e|es|ed|ing|ation)": "serialise",
    "catalogs?": "catalogue",
    "canceled|canceling": "cancelled",
    "labeled|labeling": "labelled",
    "modeled|modeling": "modelled",
    "defense": "defence",
}
"""American spellings of common words; names of code, keys and CSS are another matter."""

CLASSES = {
    "Judge": "StaticEvaluator",
    "Sifter": "MoveFilter",
    "Hall": "MatchTables",
    "Gallery": "Viewers",
    "Clockwork": "Table",
    "Boards": "SeatPresence",
    "Talk": "Chat",
    "Talker": "Speaker",
    "Moment": "Snapshot",
    "Trip": "Latency",
    "Hands": "TurnController",
    "Spots": "HitTargets",
    "Herald": "Announcer",
    "Desk": "a name with match, session or commands",
    "Sitting": "a name with match or session",
    "Tabletop": "a name with match or session",
    "Watch": "a name with clock or viewer",
    "Study": "a name with position",
    "Telling": "a name with narration",
    "Duties": "a name with actions",
    "BearoffTable": "BearoffDatabase",
}
"""Names that no class may have, and the one that it has or might have."""

FILES = {
    *("desk", "sitting", "tabletop", "telling", "duties", "gallery", "clockwork", "hall", "trip"),
    *("lean", "thumb", "finish", "moment", "lying", "herald", "going", "ends", "spots", "judge", "sifter"),
}
"""Words that no name of a file has, alone or between underscores."""

FILES_OF_CLI = {"setting", "study", "watch", "sheet"}
"""The same for the terminal alone."""


class Quotation(NamedTuple):
    """A place where a word may stand, and why."""

    path: str
    text: str
    reason: str


QUOTATIONS = (
    Quotation("docs/glossary.md", "", "says what things were called"),
    Quotation("tests/test_words.py", "", "lists the words"),
    Quotation("CHANGELOG.md", "`sift_to`", "the name that an option had"),
    Quotation("docs/reference/index.md", "luck", "the value of the public option"),
    Quotation("src/sheshbesh/training", '"taught"', "a field of the files of earlier runs"),
)
"""Path or its beginning, what the line has to contain, and why the word stands there."""


class Violation(NamedTuple):
    """A word that is not ours any more, and where it stands."""

    path: str
    line: int
    word: str
    instead: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: '{self.word}': write {self.instead}"


def areas() -> dict[str, list[Path]]:
    """The parts of the repository, by the names that the work on it goes by."""
    packages = sorted(folder for folder in PACKAGE.iterdir() if (folder / "__init__.py").exists())
    named = {folder.name: [folder] for folder in packages}
    named["web"] = [PACKAGE / "web"]
    named["package"] = sorted(path for path in PACKAGE.iterdir() if path.suffix in CODE)
    named["docs"] = [ROOT / "docs", *sorted(ROOT.glob("*.md"))]
    named["tools"] = [ROOT / "tools", ROOT / "Makefile", ROOT / "pyproject.toml", ROOT / "mkdocs.yml"]
    for name in ("cpp", "tests", "benchmarks"):
        named[name] = [ROOT / name]
    return named


AREAS = areas()


def files_of(area: str) -> Iterator[Path]:
    """The texts of an area: code, documents, and the English of the catalogues; no data."""
    for place in AREAS[area]:
        found = [place] if place.is_file() else sorted(place.rglob("*"))
        for file in found:
            relative = file.relative_to(ROOT)
            if PASSED_OVER & set(relative.parts) or relative.parts[:2] == ("tests", "data"):
                continue
            if file.suffix in CODE | TEXT or file.name in ("Makefile", "CMakeLists.txt"):
                yield file


def blank(text: str) -> str:
    """The same lines with nothing on them."""
    return re.sub(r"[^\n]", " ", text)


def only(pattern: str, text: str) -> str:
    """What the pattern finds; everything else is blank."""
    kept, end = [], 0
    for found in re.finditer(pattern, text, re.MULTILINE):
        kept += [blank(text[end : found.start()]), found[0]]
        end = found.end()
    return "".join((*kept, blank(text[end:])))


def english(suffix: str, text: str) -> str:
    """The text without what is in other languages: of a catalogue, the keys alone."""
    if suffix == ".po":
        return only(r'^(?:#\. .*|msgid(?:_plural)? ".*"(?:\n".*")*)$', text)
    return text


def prose(suffix: str, text: str) -> str:
    """The sentences of a file: comments, docstrings, pages and catalogues, names of code left out."""
    if suffix in (".py", ".pyi"):
        text = only(r'"""[\s\S]*?"""|(?:(?<=\s)|^)# [^\n]*', text)
    elif suffix in (".h", ".cpp", ".js"):
        text = only(r"(?<!:)//[^\n]*|/\*[\s\S]*?\*/", text)
    elif suffix not in (".md", ".po"):
        return ""
    text = re.sub(r"^```[\s\S]*?^```", lambda found: blank(found[0]), text, flags=re.MULTILINE)
    return re.sub(r"`[^`\n]*`|\]\([^)]*\)", lambda found: blank(found[0]), english(suffix, text))


def expression(table: dict[str, str]) -> re.Pattern[str]:
    """One expression for all entries of a table; the group that matched says which."""
    choices = "|".join(f"({entry.replace(' ', GAP)})" for entry in table)
    return re.compile(rf"(?<![A-Za-z])(?:{choices})(?![A-Za-z])", re.IGNORECASE)


EXPRESSIONS = {"words": expression(WORDS), "spellings": expression(SPELLINGS)}
CLASS = re.compile(r"^[ \t]*(?:export )?(?:default )?(?:class|struct) (?:\w+::)?(\w+)\b", re.MULTILINE)


def found_in(path: str, text: str) -> Iterator[Violation]:
    """Every violation in a file's text."""
    suffix = Path(path).suffix

    def at(place: int) -> int:
        return text.count("\n", 0, place) + 1

    for kind, source, table in (
        ("words", english(suffix, text), WORDS),
        ("spellings", prose(suffix, text), SPELLINGS),
    ):
        instead = list(table.values())
        for hit in EXPRESSIONS[kind].finditer(source):
            assert hit.lastindex is not None
            yield Violation(path, at(hit.start()), " ".join(hit[0].split()), instead[hit.lastindex - 1])
    if suffix in CODE:
        for hit in CLASS.finditer(text):
            if hit[1] in CLASSES:
                yield Violation(path, at(hit.start(1)), f"class {hit[1]}", CLASSES[hit[1]])
        words = set(Path(path).stem.lower().split("_"))
        for word in sorted(words & (FILES | FILES_OF_CLI if "/cli/" in path else FILES)):
            yield Violation(path, 1, f"file {word}", "a name from the glossary")


def quoted(violation: Violation, text: str) -> bool:
    line = text.splitlines()[violation.line - 1]
    return any(violation.path.startswith(where) and part in line for where, part, _ in QUOTATIONS)


def violations(area: str) -> list[Violation]:
    found: list[Violation] = []
    for file in files_of(area):
        text, path = file.read_text("utf-8"), file.relative_to(ROOT).as_posix()
        found += (violation for violation in found_in(path, text) if not quoted(violation, text))
    return found


@pytest.mark.parametrize("area", AREAS)
def test_only_words_of_the_glossary_are_used(area: str) -> None:
    assert any(files_of(area)), "nothing was looked at"
    found = violations(area)
    if found:
        pytest.fail("\n".join((f"{len(found)} in {area}:", *map(str, found))), pytrace=False)


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.py", "# The player moves when he likes, and\n# his_turn is over", [(1, "he"), (2, "his")]),
        ("a.py", '"""At most so\nmany."""', [(1, "so many")]),
        ("a.cpp", "// the bear-off\n// tables of a game", [(1, "bear-off // tables")]),
        ("a.js", 'say("There are so " +\n    "few");\nexport class Herald {', [(3, "class Herald")]),
        ("a/cli/watch.py", "", [(1, "file watch")]),
        ("a/web/watch.js", "", []),
        ("a/match_desk.py", "", [(1, "file desk")]),
        ("a.po", 'msgid "his"\nmsgstr "his"\n\nmsgid ""\n"so "\n"many"\nmsgstr ""', [(1, "his"), (5, "so")]),
        ("a.py", "# The color of\ncolor = 'white'  # behavior", [(1, "color"), (2, "behavior")]),
        ("a.py", '"""A `color`, colour and favour: this, the, whether."""', []),
        ("a.md", "```py\ncolor\n```\n`color` [a](color.md) color", [(4, "color")]),
        ("a.css", "color: gray; /* his */", [(1, "his")]),
        ("a.h", "struct Judge {\n  Judgement a;\n};", [(1, "class Judge")]),
    ],
)
def test_the_search_for_words_itself(path: str, text: str, expected: list[tuple[int, str]]) -> None:
    found = [(violation.line, violation.word.split('"')[0].strip()) for violation in found_in(path, text)]
    assert found == expected


def test_each_allowed_quotation_is_in_use() -> None:
    everything = [
        (violation, file.read_text("utf-8"))
        for area in AREAS
        for file in files_of(area)
        for violation in found_in(file.relative_to(ROOT).as_posix(), file.read_text("utf-8"))
    ]
    for quotation in QUOTATIONS:
        assert any(
            violation.path.startswith(quotation.path)
            and quotation.text in text.splitlines()[violation.line - 1]
            for violation, text in everything
        ), quotation


def test_the_glossary_names_what_each_word_and_class_is_called_now() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    for name in CLASSES:
        assert f"`{name}`" in glossary, name


def names_in_code() -> list[str]:
    """What the last column of the glossary's tables names, by the last part of each name."""
    glossary = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    found = (
        name
        for row in re.findall(r"^\|.*\|.*\| (.*) \|$", glossary, re.MULTILINE)
        for name in row.split(", ")
    )
    names = [match[1] for name in found if (match := re.fullmatch(r"`([\w./-]+)`", name))]
    return sorted({name.rstrip("/").split("/")[-1].split(".")[-1] for name in names})


def test_the_names_that_the_glossary_gives_exist() -> None:
    files = [file for area in AREAS if area not in ("docs", "tests") for file in files_of(area)]
    known = {part for file in files for part in (*file.relative_to(ROOT).parts, file.stem)}
    known |= {word for file in files for word in re.findall(r"\w+", file.read_text("utf-8"))}
    known |= {path.name for path in (ROOT / "tests").iterdir()} | {"rules"}
    assert len(names_in_code()) > 50
    assert not [name for name in names_in_code() if name not in known]
