"""One term for a concept in each language, citations and figures in the reader's script and digits."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

import sheshbesh as sb
from sheshbesh import customs, learn
from sheshbesh.i18n import language, languages, translate
from sheshbesh.i18n.catalogue import DIGITS, messages
from sheshbesh.match import CUBE_RULES
from sheshbesh.rules import loader
from sheshbesh.rules.citing import cited
from sheshbesh.session import SESSION_RULES

ROOT = Path(__file__).parents[1]
TERMS = tomllib.loads((ROOT / "data/terms.toml").read_text("utf-8"))
SPOKEN = tuple(each.code for each in languages())


def texts(lang: str) -> Iterator[tuple[str, str]]:
    """Every English text with its translations, all forms of a plural."""
    said = messages(lang)
    yield from ((key, words) for (context, key), words in said.singles.items() if context != DIGITS)
    yield from ((key, form) for key, forms in said.plurals.items() for form in forms)


@pytest.mark.parametrize(
    ("lang", "term"),
    [(lang, term) for lang, terms in TERMS.items() for term in terms],
    ids=lambda value: value if isinstance(value, str) else value["concept"],
)
def test_a_concept_has_one_term(lang: str, term: dict[str, str]) -> None:
    about = [(key, said) for key, said in texts(lang) if re.search(term["en"], key)]
    assert any(re.search(term["term"], said) for _, said in about)
    wrong = [(key, said) for key, said in about for word in term["never"] if re.search(word, said)]
    assert not wrong


def sources() -> set[str]:
    """Every citation that a reader can meet."""
    found: set[str | None] = {source for _, source in (*CUBE_RULES.values(), *SESSION_RULES.values())}
    for name in sb.variants():
        data = loader.load(name)
        found |= {data.source_of(table, key).source for table, keys in data.axes.items() for key in keys}
        found |= {spec.source for spec in data.offered.values()}
    found |= {source for topic in customs.conduct() for source in topic.sources}
    found |= {line.source for line in customs.differences()}
    found |= {about.source for about in customs.games().values()}
    found |= {lesson.source for name in learn.courses() for lesson in learn.course(name).lessons}
    return {source for source in found if source}


def scripts(text: str) -> set[str]:
    return {unicodedata.name(char).partition(" ")[0] for char in text if char.isalpha()}


@pytest.mark.parametrize("lang", SPOKEN)
def test_no_citation_has_a_title_in_another_script_than_the_readers(lang: str) -> None:
    """Names of books and places on the web are Latin everywhere."""
    own = {next(iter(scripts(language(lang).name[:1]))), "LATIN"}
    for source in sorted(sources()):
        said = re.sub(r"bg\.wikipedia \([^)]*\)", "", translate(cited(source), lang))
        assert scripts(said) <= own, said
        assert "section" not in said or lang == "en"


@pytest.mark.parametrize("lang", [lang for lang in SPOKEN if lang != "en"])
def test_pages_and_remarks_of_a_citation_are_said_in_the_language(lang: str) -> None:
    english = re.compile(r"\bp\. \d|rule sheet|dead cube|touched|agreements|common|general|section|nardy")
    for source in sorted(sources()):
        assert not english.search(translate(cited(source), lang)), source


DIGIT_SETS = ("0123456789", "۰۱۲۳۴۵۶۷۸۹", "٠١٢٣٤٥٦٧٨٩")


@pytest.mark.parametrize(
    ("lang", "own"),
    [("fa", DIGIT_SETS[1]), ("ar", DIGIT_SETS[2]), ("ru", DIGIT_SETS[0]), ("tr", DIGIT_SETS[0])],
)
def test_no_text_mixes_digits_against_the_setting(lang: str, own: str) -> None:
    """Notation and commands between isolates keep 0 to 9; a reader who wants 0 to 9 sees no others."""
    others = "".join(digits for digits in DIGIT_SETS if digits != own)
    for key, said in texts(lang):
        plain = re.sub("[\u2066-\u2068][^\u2069]*\u2069|\\{[^}]*\\}|[A-Za-z][A-Za-z0-9.+:/_-]*", "", said)
        assert not set(plain) & set(others), (key, said)
        latin = translate(key, f"{lang}-u-nu-latn")
        assert not set(latin) & set(DIGIT_SETS[1] + DIGIT_SETS[2]), latin
