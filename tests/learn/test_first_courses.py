"""The first steps of every game: made from its axes, held against the rules, terms introduced before use."""

from __future__ import annotations

import re

import pytest

import sheshbesh as sb
from sheshbesh.errors import NotationError
from sheshbesh.i18n import language, languages, translate
from sheshbesh.learn import Lesson, course, first_course
from sheshbesh.learn.data import course_data
from sheshbesh.learn.lesson import without_marks
from sheshbesh.rules.citing import cited

GAMES = sb.variants()
SPOKEN = tuple(each.code for each in languages())

TERMS: dict[str, dict[str, str]] = {
    "en": {
        "checker": r"\bcheckers?\b",
        "point": r"\bpoints? \d|triangle is a point",
        "double": r"\bdoubles?\b",
        "closed": r"\bclosed?\b|\bcloses\b",
        "head": r"\bhead\b",
        "hit": r"\bhit(s|ting)?\b|\bHit",
        "hand": r"\bhand\b",
        "bar": r"\bbar\b",
        "pinned": r"\b[Pp]in(s|ned)?\b",
        "mother": r"\bmother\b",
        "home": r"\bhome\b",
        "bear off": r"\b[Bb]ears?\b|\bborne\b",
        "gammon": r"\bgammons?\b",
    },
    "fa": {
        "checker": "مهره",
        "point": "خان(?!ه)",
        "double": "جفت",
        "closed": "بسته|می‌بند",
        "head": r"(?<!پشت )(?<!آن )\bسر\b",
        "hit": r"\bزد\b|\bزدن|\bزده|خان [۰-۹]+ را بزنید|آن را بزنید|مهره‌ای را بزنید",
        "hand": r"\bدست\b",
        "bar": "روی بار",
        "pinned": "زندان",
        "mother": "مادر",
        "home": "خانه",
        "bear off": "بیرون (?:می‌|ن)?کش|بیرون بکش",
        "gammon": "مارس",
    },
    "ar": {
        "checker": "حجر|أحجار",
        "point": "خان[ةا]",
        "double": "دبل",
        "closed": "غلق",
        "head": "الرأس",
        "hit": r"يؤكل|\bكُل|مأكول|الأكل",
        "hand": r"\bيدك",
        "bar": "الحاجز",
        "pinned": "حبس|حبوس",
        "mother": r"\bالأم\b|\bأم\b",
        "home": r"\bربعك",
        "bear off": r"تُخرج|يُخرج|\bأخرج",
        "gammon": "مارس",
    },
    "ru": {
        "checker": "[Шш]аш[ке]",
        "point": "пункт",
        "double": "[Дд]убл",
        "closed": "закры",
        "head": "голов",
        "hit": r"\b[Пп]об(?:ит|ей)|\b[Бб]ить\b",
        "hand": r"\bрук",
        "bar": r"\bбар",
        "pinned": "[Зз]апер|[Зз]апр",
        "mother": r"\bмать\b",
        "home": r"\bдом(ой|а)?\b",
        "bear off": "[Вв]ыбро|выбрас",
        "gammon": r"\bмарс",
    },
    "tr": {
        "checker": r"\b[Pp]ul",
        "point": r"\bhane",
        "double": r"\b[Çç]ift",
        "closed": r"\bkapa[tl]",
        "head": r"\bbaş(ta|tan)?\b",
        "hit": r"\b[Kk]ır",
        "hand": r"\bel(inizde)?\b",
        "bar": r"\b[Bb]ar(da|dan)?\b",
        "pinned": r"\b[Hh]ap[si]",
        "mother": r"\bana pul",
        "home": r"\bev(e|de|iniz|inizdir)?\b",
        "bear off": r"\b[Tt]opla",
        "gammon": r"\bmars",
    },
}
"""How each term of the game shows in a text, by language."""


def marked(lesson: Lesson, lang: str) -> tuple[str, tuple[str, ...]]:
    """A lesson's text in a language without marks, and the terms that it introduces."""
    return without_marks(translate(lesson.text, lang))


@pytest.mark.parametrize("lang", SPOKEN)
@pytest.mark.parametrize("game", GAMES)
def test_no_term_is_used_before_it_is_introduced(game: str, lang: str) -> None:
    known: set[str] = set()
    for lesson in first_course(game).lessons:
        text, introduced = marked(lesson, lang)
        used = {term for term, stem in TERMS[lang].items() if re.search(stem, text)}
        new = used - known
        # Of what is new the lesson marks each word, and it marks nothing else.
        assert len(introduced) == len(new) <= 1, (lesson.id, new, introduced, text)
        known |= new
        why = translate(lesson.why, lang)
        assert {term for term, stem in TERMS[lang].items() if re.search(stem, why)} <= known, (lesson.id, why)
    assert {"checker", "point", "closed", "double", "home", "bear off"} <= known


@pytest.mark.parametrize("game", GAMES)
def test_every_language_introduces_the_same_terms_in_the_same_lessons(game: str) -> None:
    for lesson in first_course(game).lessons:
        counts = {lang: len(marked(lesson, lang)[1]) for lang in SPOKEN}
        assert len(set(counts.values())) == 1, (lesson.id, counts)
        assert all("_" not in marked(lesson, lang)[0] for lang in SPOKEN)


@pytest.mark.parametrize("game", GAMES)
def test_the_answers_of_the_first_steps_are_what_the_rules_say(game: str) -> None:
    for lesson in first_course(game).lessons:
        if lesson.asks != "play":
            assert lesson.truth == lesson.answer, lesson.id
            continue
        steps = lesson.shown_steps
        assert steps is not None and lesson.shown_play is not None
        assert lesson.judge(lesson.shown_play).is_right, lesson.id
        assert lesson.judge_steps([(step.origin, step.target) for step in steps], whole=True).is_right
        for answer in lesson.answers:
            assert lesson.judge(answer).is_right, (lesson.id, answer)
        for play, rule in lesson.refused.items():
            judgement = lesson.judge(play)
            assert judgement.refusal is not None and judgement.refusal.rule == rule, (lesson.id, play)


@pytest.mark.parametrize("game", GAMES)
def test_each_step_is_short_is_shown_before_it_is_asked_and_names_its_source(game: str) -> None:
    lessons = first_course(game).lessons
    assert 20 <= len(lessons) <= 30, "three to five minutes"
    shown = {lesson.id for lesson in lessons if lesson.has_arrow}
    for n, lesson in enumerate(lessons):
        assert len(lesson.text) <= 160 and lesson.source, lesson.id
        base = lesson.id.removesuffix("_asked")
        if base != lesson.id:
            earlier = [each.id for each in lessons[:n]]
            assert base in earlier and (base in shown or lesson.asks != "play"), lesson.id
        if lesson.has_arrow:
            assert lesson.shown_steps, lesson.id
    assert lessons[-1].id == "plan"


AXES: list[tuple[str, str, object, str]] = [
    ("contact", "kind", "hit", "bar"),
    ("contact", "kind", "pin", "captive"),
    ("head", "limit", 1, "head"),
    ("runner", "to", "home", "runner"),
    ("runner", "to", "past_opponent_start", "runner"),
    ("board", "hand", 15, "hand"),
    ("ending", "mother", "at_once", "mother"),
    ("duty", "dice", "voluntary", "part"),
    ("occupancy", "stack_cap", 5, "cap"),
    ("throw", "one_two_bonus", "needs_all", "bonus"),
    ("throw", "progression_from", 1, "chain"),
    ("throw", "progression_from", 4, "chain"),
]


@pytest.mark.parametrize(("table", "key", "value", "lesson"), AXES)
def test_a_rule_has_its_lesson_where_an_axis_asks_for_it(
    table: str, key: str, value: object, lesson: str
) -> None:
    other = {(t, k): v for t, k, v, each in AXES if each == lesson and v != value}
    for game in GAMES:
        axes = sb.variant(game).axes
        has = axes[table][key] == value or any(axes[t][k] == v for (t, k), v in other.items())
        assert (lesson in {each.id for each in first_course(game).lessons}) == has, game


def test_a_course_of_first_steps_has_a_name_like_any_other() -> None:
    assert course("first-tapa") is first_course("tapa")
    assert first_course("tapa").is_first and not course("tapa").is_first


def test_a_single_die_moves_one_checker_once() -> None:
    lesson = course("first-backgammon").lesson("point")
    assert lesson.stages == [(False, [((8, 5, 3, False), 1), ((4, 1, 3, False), 1)]), (True, ())]
    assert lesson.judge("8/5").is_right
    other = lesson.judge("4/1")
    assert not other.is_right and other.refusal is None
    twice = lesson.judge("8/5/2")
    assert not twice.is_right and twice.refusal is None and "one checker" in twice.said
    wrong = lesson.judge("8/4")
    assert not wrong.is_right and wrong.refusal is not None
    assert lesson.judge("pass").said == "There is a play."
    with pytest.raises(NotationError):
        lesson.judge("nonsense")
    assert course("first-backgammon").lesson("lost").judge_steps([], whole=True).is_right


def test_the_page_gets_the_die_the_arrow_the_terms_and_the_game_at_the_end() -> None:
    data = course_data(course("first-tapa"), "fa")
    point = next(each for each in data["lessons"] if each["id"] == "point")
    assert point["dice"] == [3] and point["dice_steps"] == 1 and point["arrow"]
    assert point["terms"] == ("خان",) and "خان" in point["text"]
    assert point["solution"] == {"play": "8/5", "steps": [[8, 5, 3, 0]]}
    assert data["ends_with"] == {"card": "tapa.p1", "level": "beginner"}
    assert data["first"] is None
    closed = next(each for each in data["lessons"] if each["id"] == "closed")
    assert closed["refused"] == [], "the rule's sentence speaks of pinning, which comes later"
    assert course_data(course("tapa"), "fa")["first"]["name"] == "first-tapa"
    assert course_data(course("khalili"), "fa")["first"] is None


@pytest.mark.parametrize("lang", SPOKEN)
def test_sources_of_the_first_steps_are_said_in_the_readers_script(lang: str) -> None:
    script = {"fa": "ARABIC", "ar": "ARABIC", "ru": "CYRILLIC"}.get(lang, "LATIN")
    assert language(lang).name
    for game in ("backgammon", "long_nardy", "tapa"):
        for lesson in first_course(game).lessons:
            said = translate(cited(lesson.source), lang)
            assert said, lesson.id
            if script == "LATIN":
                assert not re.search(r"[\u0400-\u04ff\u0600-\u06ff]", said), said
