"""The catalogues say all that the program says: every text, in every language."""

from __future__ import annotations

import importlib
import re
import shutil
import sys
from collections.abc import Iterator
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.engines.strength.levels import LEVELS
from sheshbesh.fairdice import DICE_RULES
from sheshbesh.i18n import catalogue, dice_call, languages, translate
from sheshbesh.i18n.catalogue import DIGITS, messages
from sheshbesh.match import CUBE_RULES
from sheshbesh.rules import loader
from sheshbesh.rules.card import card_lines
from sheshbesh.rules.side import KINDS
from sheshbesh.server.refusals import SITE_RULES
from sheshbesh.session import SESSION_RULES
from sheshbesh.tournaments import TOURNAMENT_RULES

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "messages.py"
FOREIGN = [language.code for language in languages() if language.code != "en"]
LATIN = re.compile(r"[a-z]{3,}")
SEVERAL_LATIN = re.compile("[A-Za-z]+[ ,/.:=-]+[A-Za-z]")
NATIVE = {"fa": "۰۱۲۳۴۵۶۷۸۹", "ar": "٠١٢٣٤٥٦٧٨٩"}

foreign = pytest.mark.parametrize("lang", FOREIGN)


def test_the_five_languages_are_there() -> None:
    assert {language.code for language in languages()} >= {"en", "fa", "ar", "ru", "tr"}
    assert {language.code for language in languages() if language.direction == "rtl"} == {"fa", "ar"}


def test_the_page_has_words_for_whatever_a_game_can_end_in_and_for_every_house_rule() -> None:
    app = ROOT / "src" / "sheshbesh" / "web" / "app"
    results = (app / "table" / "wording.js").read_text(encoding="utf-8")
    for kind in KINDS:
        assert kind == "none" or f'{kind}: t("' in results, kind
    names = (app / "option-words.js").read_text(encoding="utf-8")
    for name in sb.variants():
        for option, spec in loader.load(name).options.items():
            assert f'{option}: t("' in names, option
            words = [spec.word(value) for value in spec.values]
            assert not [
                word for word in words if not word.isdecimal() and f"{word}: t(" not in names.replace('"', "")
            ]


@foreign
def test_every_refusal_of_every_game_can_be_said(lang: str) -> None:
    for name in sb.variants():
        game = sb.variant(name)
        for rule in sb.RULES:
            refusal = game.refusal(rule)
            said = refusal.say(lang)
            assert said != refusal.text and "{" not in said, (name, rule, said)


@foreign
def test_every_refusal_of_session_tournament_and_site_can_be_said(lang: str) -> None:
    of_session = {rule: text for rule, (text, _) in {**SESSION_RULES, **CUBE_RULES}.items()}
    for rule, text in {**of_session, **TOURNAMENT_RULES, **DICE_RULES, **SITE_RULES}.items():
        assert translate(text, lang) != text, rule


@foreign
def test_every_rule_sheet_is_whole(lang: str) -> None:
    for name in sb.variants():
        data = loader.load(name)
        for text in (data.region, data.description):
            assert translate(text, lang) != text, name
        for line in card_lines(data):
            if line.topic == "Options":
                continue
            said = translate(line.text, lang)
            assert said != line.text and "{" not in said, (name, said)
            if lang != "tr":
                assert not LATIN.search(said), (name, said)


@foreign
def test_every_game_every_level_and_every_throw_has_a_name(lang: str) -> None:
    for name in sb.variants():
        # A name may well be the same in another language.
        assert messages(lang).find(sb.variant(name).title)
    for level in LEVELS:
        assert translate(level.name, lang) != level.name
        assert translate(level.description, lang) != level.description
    throws = list(combinations_with_replacement(range(1, 7), 2))
    assert len({dice_call(throw, lang) for throw in throws}) == len(throws) == 21
    assert all(dice_call(throw, lang) != dice_call(throw, "en") for throw in throws)


@pytest.mark.parametrize(
    ("lang", "call"),
    [("en", "six-five"), ("fa", "شش و بش"), ("ar", "شيش بيش"), ("ru", "шеш-беш"), ("tr", "şeş beş")],
)
def test_six_five_has_the_call_of_the_glossary(lang: str, call: str) -> None:
    assert dice_call((5, 6), lang) == dice_call((6, 5), lang) == call


@pytest.mark.parametrize("dice", [(0, 1), (7, 1), (6,), (1, 2, 3)])
def test_only_two_dice_have_a_call(dice: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="two dice"):
        dice_call(dice, "fa")


@pytest.mark.parametrize("lang", NATIVE)
def test_prose_has_the_digits_of_the_language_and_notation_those_of_the_board(lang: str) -> None:
    def check(text: str) -> None:
        prose = re.sub("\u2066[^\u2069]*\u2069|\\{[^}]*\\}", "", text)
        assert not re.search("[0-9]", prose), text
        assert len(re.findall("[\u2066-\u2068]", text)) == text.count("\u2069"), text

    said = messages(lang)
    for (context, _), words in said.singles.items():
        if context != DIGITS:
            check(words)
    for forms in said.plurals.values():
        for form in forms:
            check(form)
    assert catalogue(lang)["digits"] == NATIVE[lang]


@pytest.mark.parametrize("lang", NATIVE)
def test_no_text_stays_english_begins_in_latin_letters_or_mixes_directions(lang: str) -> None:
    said = messages(lang)
    pairs = [(key, words) for (context, key), words in said.singles.items() if context != DIGITS]
    pairs += [(key, form) for key, forms in said.plurals.items() for form in forms]
    for key, words in pairs:
        # The direction of a line is that of its first letter; a value may be a name in any letters.
        plain = re.sub("[\u2066-\u2068][^\u2069]*\u2069", "", words)
        bare = re.sub(r"\{[^}]*\}", "", plain)
        assert words != key or not re.search("[A-Za-z]", bare), key
        assert not re.match("[^{\u0600-\u06ff]*[A-Za-z]", plain), words
        assert not SEVERAL_LATIN.search(bare), words


def test_the_catalogue_of_a_language_is_what_the_page_reads() -> None:
    russian = catalogue("ru")
    assert (russian["lang"], russian["name"], russian["dir"]) == ("ru", "Русский", "ltr")
    assert russian["dice"]["6-5"] == "шеш-беш"
    assert set(russian["messages"]["{n} point"]) == {"one", "few", "many", "other"}
    assert set(catalogue("ar")["messages"]["{n} point"]) == {"zero", "one", "two", "few", "many", "other"}
    assert catalogue("en")["messages"] == {}


@foreign
def test_the_page_is_not_sent_what_the_server_says_to_it(lang: str) -> None:
    sent = catalogue(lang)["messages"]
    assert "Confirm" in sent and "Tavla" in sent
    assert "the dice do not show these numbers" not in sent


def test_the_page_offers_the_languages_that_there_are() -> None:
    loader = (ROOT / "src" / "sheshbesh" / "web" / "i18n" / "i18n.js").read_text("utf-8")
    offered = re.findall(r'\{ code: "(\w+)", name: "([^"]+)", dir: "(\w+)"', loader)
    assert set(offered) == {(each.code, each.name, each.direction) for each in languages()}


# --- the tool finds what is wrong -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def tool() -> Iterator[Any]:
    """The tool as a module that reads the program only once."""
    sys.path.insert(0, str(TOOL.parent))
    module: Any = importlib.import_module("messages")
    sys.path.remove(str(TOOL.parent))
    found = module.collect([ROOT])
    module.collect = lambda roots: found
    yield module
    sys.modules.pop("messages")


def test_nothing_is_untranslated_and_no_placeholder_differs(
    tool: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tool.main(["--check"]) == 0, capsys.readouterr().out


@pytest.fixture
def workshop(tool: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The tool at work on a copy of one catalogue."""
    shutil.copy(tool.CATALOGUES / "fa.po", tmp_path)
    monkeypatch.setattr(tool, "CATALOGUES", tmp_path)
    return tool


def spoil(tool: Any, text: str, words: str) -> int:
    """The outcome of a check after a translation was replaced."""
    file = tool.CATALOGUES / "fa.po"
    read = tool.load(file)
    read.get(text).string = words
    tool.save(read, file)
    return int(tool.main(["--check"]))


def test_a_missing_translation_is_found(workshop: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert spoil(workshop, "the game is over", "") == 1
    assert "missing: 'the game is over'" in capsys.readouterr().out


def test_a_placeholder_that_differs_is_found(workshop: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert spoil(workshop, "This counts {value} points.", "این {valu} امتیاز دارد.") == 1
    assert "'valu'" in capsys.readouterr().out


def test_notation_without_isolates_is_found(workshop: Any, capsys: pytest.CaptureFixture[str]) -> None:
    text = "On your first turn one more may leave it with 3-3, 4-4 or 6-6."
    assert spoil(workshop, text, "در نخستین نوبت با 3-3، 4-4 یا 6-6 یک مهرهٔ دیگر هم.") == 1
    assert "notation without isolates" in capsys.readouterr().out


def test_writing_changes_nothing_that_is_up_to_date(workshop: Any) -> None:
    workshop.main([])
    file = workshop.CATALOGUES / "fa.po"
    before = file.read_bytes()
    workshop.main([])
    assert file.read_bytes() == before


def test_a_language_begins_with_every_text_missing(workshop: Any, capsys: pytest.CaptureFixture[str]) -> None:
    workshop.main(["--add", "eo"])
    assert (workshop.CATALOGUES / "eo.po").exists()
    texts, problems = re.findall(r"eo: (\d+) texts, (\d+) problems", capsys.readouterr().out)[0]
    assert texts == problems


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('x = t("Roll");', [("Roll", None)]),
        ("html`<b>${t('Roll it')}</b>`", [("Roll it", None)]),
        ('this.t("a " + "b", { n })', [("a b", None)]),
        ('tn("{n} point", "{n} points", n)', [("{n} point", "{n} points")]),
        ('t("say \\"so\\" \\u2026")', [('say "so" …', None)]),
        ('// t("a comment")\nset("no text"); fit("none")', []),
        ('fetch("http://a") /* t("x") */; t("after")', [("after", None)]),
    ],
)
def test_texts_are_found_in_scripts(workshop: Any, source: str, found: list[tuple[str, str | None]]) -> None:
    assert list(workshop.js_texts(source)) == found


def test_the_words_of_the_board_are_found_in_their_table(workshop: Any) -> None:
    source = 'export const WORDS = Object.freeze({\n  board: "Board",\n  hop: "{from} to {to}",\n});'
    assert [text for text, _ in workshop.js_texts(source, words=True)] == ["Board", "{from} to {to}"]


def test_texts_are_found_in_python(workshop: Any) -> None:
    source = 'a = Text("only {value}", value=2)\nntranslate("one", "many", 3, lang)\ntranslate(other, lang)'
    assert list(workshop.python_texts(source)) == [("only {value}", None), ("one", "many")]
