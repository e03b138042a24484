"""Texts with values: filled in, listed, counted and isolated as a language wants it."""

from __future__ import annotations

import copy
import json
import pickle
import re

import pytest

import sheshbesh as sb
from sheshbesh.engines.explain.reasons import Reason
from sheshbesh.engines.explain.wording import because, phrase
from sheshbesh.errors import IllegalPlayError
from sheshbesh.i18n import (
    Text,
    choose,
    digits,
    isolate,
    language,
    listed,
    ntranslate,
    system_language,
    translate,
)
from sheshbesh.rules.citing import cited


def test_a_text_is_its_english_sentence() -> None:
    text = Text("no more than {value} checkers may stand on a point", value=5)
    assert text == "no more than 5 checkers may stand on a point"
    assert json.dumps([text]) == f'["{text}"]'
    assert translate(text, "ru") == "на пункте может стоять не больше 5 шашек"
    assert translate(text, "fa") == "در یک خان بیش از ۵ مهره جا نمی‌گیرد"


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda text: pickle.loads(pickle.dumps(text))])
def test_a_copy_can_still_be_said(again: object) -> None:
    text = Text("The cube is turned to {cube}.", cube=64)
    assert callable(again)
    assert translate(again(text), "tr") == "Küp 64 yapıldı."


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="cube"):
        Text("The cube is turned to {cube}.", value=64)


def test_braces_without_values_stay() -> None:
    assert translate("a {brace}", "fa") == Text("a {brace}") == "a {brace}"


def test_what_a_language_does_not_have_stays_english() -> None:
    assert translate("nobody says this", "fa") == "nobody says this"
    assert translate("the game is over", "xx") == "the game is over"


def test_a_text_in_a_text_is_said_too() -> None:
    places = tuple(Text("{count} on your point {point}", count=2, point=point) for point in (24, 13))
    text = Text("Each side has {checkers} checkers: {places}.", checkers=4, places=places)
    assert text == "Each side has 4 checkers: 2 on your point 24 and 2 on your point 13."
    assert translate(text, "tr") == "Her tarafın 4 pulu vardır: 24. hanede 2 ve 13. hanede 2."


def test_a_sentence_from_right_to_left_isolates_what_it_carries() -> None:
    assert translate("{colour} played {play}", "fa", colour="Nava", play="24/18*").count("\u2068") == 2
    assert "\u206824/18*\u2069" in translate("{colour} played {play}", "ar", colour="Nava", play="24/18*")
    isolated = translate("{colour} played {play}", "ar", colour="Nava", play=isolate("24/18*"))
    assert "\u2066" in isolated and isolated.count("\u2069") == 2
    assert "\u2068" not in translate("{colour} played {play}", "ru", colour="Nava", play="24/18*")
    assert isolate("bar/20") == "\u2066bar/20\u2069"


@pytest.mark.parametrize(
    ("n", "lang", "said"),
    [
        (1, "en", "1 point"),
        (2, "en", "2 points"),
        (1, "ru", "1 очко"),
        (3, "ru", "3 очка"),
        (11, "ru", "11 очков"),
        (21, "ru", "21 очко"),
        (2, "ar", "نقطتان"),
        (5, "ar", "٥ نقاط"),
        (15, "ar", "١٥ نقطة"),
        (7, "fa", "۷ امتیاز"),
        (7, "tr", "7 puan"),
    ],
)
def test_counts_have_their_forms(n: int, lang: str, said: str) -> None:
    assert ntranslate("{n} point", "{n} points", n, lang) == said


@pytest.mark.parametrize(
    ("n", "said"), [(0, "لا أحد هنا"), (11, "١١ شخصًا هنا"), (100, "١٠٠ شخص هنا"), (103, "١٠٣ أشخاص هنا")]
)
def test_arabic_has_six_forms(n: int, said: str) -> None:
    assert ntranslate("{n} person is here", "{n} people are here", n, "ar") == said


@pytest.mark.parametrize(("lang", "score"), [("en", "7-5"), ("fa", "۷-۵"), ("ar", "٧-٥"), ("ru", "7-5")])
def test_digits(lang: str, score: str) -> None:
    assert digits("7-5", lang) == score


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "a, b and c"), ("ru", "a, b и c"), ("tr", "a, b ve c"), ("ar", "a وb وc")]
)
def test_lists(lang: str, said: str) -> None:
    assert listed(["a", "b", "c"], lang) == said


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Khalili (004), p. 4, 5; WIL Willughby, Plaies"),
        ("fa", "خلیلی (۰۰۴)، ص. ۴، ۵؛ \u2068WIL Willughby, Plaies\u2069"),
    ],
)
def test_the_parts_of_a_citation_have_the_marks_of_the_language_and_titles_keep_theirs(
    lang: str, said: str
) -> None:
    assert translate(cited("Khalili (004), p. 4, 5; WIL Willughby, Plaies"), lang) == said


@pytest.mark.parametrize(
    ("lang", "numbers"),
    [
        ("en", ("52.3%", "50.0%")),
        ("tr", ("%52,3", "%50,0")),
        ("fa", ("۵۲٫۳٪", "۵۰٫۰٪")),
        ("ar", ("٥٢٫٣", "٥٠٫٠")),
    ],
)
def test_reasons_are_said_with_the_numbers_of_the_language(lang: str, numbers: tuple[str, str]) -> None:
    said = phrase(Reason("wins", 0.5234, 0.5, 0.1), lang)
    assert all(number in said for number in numbers), said


def test_points_gained_are_named_in_the_language() -> None:
    reasons = [Reason("home_points", 2, 1, 0.1, gained=(5, 4)), Reason("wins", 0.5, 0.4, 0.2)]
    assert (
        because(reasons, 0.3)
        == "holds your 5 and 4 points at home and wins 50.0% instead of 40.0% of the games"
    )
    russian = because(reasons, 0.3, "ru").replace("\xa0", " ")
    assert russian == "держит в доме ваши пункты 5 и 4 и выигрывает 50,0 % партий вместо 40,0 %"
    assert "خان‌های ۵ و ۴ خود" in because(reasons, 0.3, "fa")


def test_the_reason_of_an_illegal_play_can_be_said() -> None:
    start = sb.variant("long_nardy").start()
    with pytest.raises(IllegalPlayError) as caught:
        start.parse_play("24/23 24/22", (2, 1))
    assert translate(caught.value.text, "ru") == (
        "с головы за ход снимают не больше 1, кроме исключений первого хода"
    )


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("fa-IR,fa;q=0.9,en;q=0.8", "fa"),
        ("de-DE,de;q=0.9,tr;q=0.8,en;q=0.7", "tr"),
        ("en;q=0.5, ru;q=0.9", "ru"),
        ("ru;q=0, ar", "ar"),
        ("de", "en"),
        ("", "en"),
        ("tr;q=nonsense", "en"),
    ],
)
def test_the_browser_gets_the_language_it_likes_best(header: str, code: str) -> None:
    assert choose(header) == code


def test_the_system_names_its_language(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "tr_TR.UTF-8")
    assert system_language() == "tr"
    monkeypatch.setenv("LC_ALL", "C")
    assert system_language() == "en"


def test_a_language_knows_its_name_and_direction() -> None:
    assert (language("fa-IR").name, language("fa").direction) == ("فارسی", "rtl")
    assert (language("tr").name, language("de").code) == ("Türkçe", "en")


def test_a_tag_may_ask_for_the_digits_0_to_9() -> None:
    cost = Text("wins {mine:.1%} instead of {other:.1%} of the games", mine=0.5, other=0.25)
    assert re.search("[۰-۹]", translate(cost, "fa"))
    said = translate(cost, "fa-u-nu-latn")
    assert "50.0%" in said
    assert not re.search("[۰-۹٫٪]", said)
    own = translate("match to 5 points: 5 x 2", "fa-u-nu-latn")
    assert own == "match to 5 points: 5 x 2", "what has no translation stays as it is"
    assert ntranslate("{n} point", "{n} points", 12, "ar-u-nu-latn") == "12 نقطة"
    assert digits("7-5", "ar-u-nu-latn") == "7-5"
    assert choose("fa-u-nu-latn,en;q=0.5") == "fa-u-nu-latn"
    assert translate("Home", "fa-IR-u-ca-persian-nu-latn") == translate("Home", "fa")
