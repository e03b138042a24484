"""Every lesson of every course, held against the rules: plays, refusals, results, questions."""

from __future__ import annotations

from pathlib import Path

import pytest

import sheshbesh as sb
from sheshbesh.errors import NotationError
from sheshbesh.learn import Course, CourseError, Lesson, Progress, course, courses
from sheshbesh.learn.data import course_data
from sheshbesh.learn.lesson import ASKS

EXAMPLES = "khalili"


def lessons(name: str) -> tuple[Lesson, ...]:
    return course(name).lessons


@pytest.mark.parametrize("name", courses())
def test_the_plays_that_a_lesson_accepts_are_legal_and_judged_right(name: str) -> None:
    for lesson in lessons(name):
        if lesson.asks != "play":
            continue
        legal = lesson.position.legal_plays(lesson.dice)
        for answer in lesson.answers or [legal[0].notation]:
            assert lesson.judge(answer).is_right, (lesson.id, answer)
        for play in legal:
            steps = [(step.origin, step.target) for step in play.steps]
            by_steps = lesson.judge_steps(steps, whole=True)
            assert by_steps.refusal is None, (lesson.id, play)
            assert by_steps.is_right == lesson.judge(play.notation).is_right
        assert lesson.solution is not None and lesson.judge(lesson.solution.notation).is_right


@pytest.mark.parametrize("name", courses())
def test_what_a_lesson_says_is_refused_is_refused_by_the_rule_it_names(name: str) -> None:
    for lesson in lessons(name):
        for play, rule in lesson.refused.items():
            refusal = lesson.position.refusal(play, lesson.dice)
            assert refusal is not None and refusal.rule == rule, (lesson.id, play, refusal)
            if lesson.asks == "play":
                judgement = lesson.judge(play)
                assert not judgement.is_right and judgement.refusal == refusal


@pytest.mark.parametrize("name", courses())
def test_what_another_game_allows_is_allowed_there_and_refused_here(name: str) -> None:
    for lesson in lessons(name):
        for game, play in [(each.game, each.play) for each in lesson.elsewhere]:
            there = game.position(lesson.position.board(), lesson.side)
            assert there.refusal(play, lesson.dice) is None, (lesson.id, play)
            assert lesson.position.refusal(play, lesson.dice) is not None, (lesson.id, play)
            assert game.name != lesson.rules.name


@pytest.mark.parametrize("name", courses())
def test_right_options_are_what_the_rules_say(name: str) -> None:
    for lesson in lessons(name):
        if lesson.asks == "play":
            assert not lesson.options
            continue
        values = [option.value for option in lesson.options]
        assert lesson.truth == lesson.answer, lesson.id
        assert sum(value == lesson.answer for value in values) == 1 and len(values) >= 2, lesson.id
        judged = [lesson.judge_option(n).is_right for n in range(len(values))]
        assert judged == [value == lesson.answer for value in values]
        if lesson.asks == "refused":
            assert list(lesson.refused) == [lesson.answer]


@pytest.mark.parametrize("name", sb.variants())
def test_each_game_has_a_course_of_moves_a_rule_and_the_counting(name: str) -> None:
    found = course(name)
    asked = [lesson.asks for lesson in found.lessons]
    assert found.game.name == name and all(lesson.rules.name == name for lesson in found.lessons)
    assert 8 <= len(asked) <= 20, "about five minutes"
    assert asked.count("play") >= 3
    assert "points" in asked
    assert any(lesson.refused for lesson in found.lessons)


def test_all_kinds_of_tasks_occur() -> None:
    every = [lesson for name in courses() for lesson in lessons(name)]
    assert {lesson.asks for lesson in every} == set(ASKS)
    assert any(lesson.answers == ("pass",) for lesson in every)


def test_the_38_examples_have_an_explanation_and_a_page_each() -> None:
    examples = lessons(EXAMPLES)
    assert len(examples) == 38
    assert len({lesson.why for lesson in examples}) == 38 and all(lesson.why for lesson in examples)
    pages = [int(lesson.id.split("-")[0]) for lesson in examples]
    assert [lesson.source for lesson in examples] == [f"Khalili (004), p. {page}" for page in pages]
    counted = {page: pages.count(page) for page in pages}
    assert counted == {10: 3, 14: 3, 15: 6, 17: 3, 18: 3, 19: 4, 20: 4, 21: 4, 22: 4, 23: 4}


def test_the_examples_agree_with_the_vectors_of_the_rule_sheets() -> None:
    from tests.test_vectors import VECTORS, position_of

    known = {vector["id"].rsplit("-", 1)[0]: vector for vector in VECTORS if vector["source"] == "004"}
    found = 0
    for lesson in lessons(EXAMPLES):
        vector = known.get(f"p{lesson.id}")
        if vector is None or lesson.asks != "play":
            continue
        found += 1
        assert tuple(vector["dice"]) == tuple(lesson.dice or ())
        position = position_of(vector)
        for answer in lesson.answers:
            assert position.refusal(answer, lesson.dice) is None, lesson.id
    assert found >= 20


@pytest.mark.parametrize("name", courses())
def test_each_lesson_says_something_and_names_its_source(name: str) -> None:
    for lesson in lessons(name):
        assert lesson.text.strip() and lesson.source, lesson.id
        assert len(lesson.text) <= 160, (lesson.id, "a sentence or two")


def test_a_beginning_that_is_allowed_is_neither_right_nor_refused() -> None:
    lesson = course(EXAMPLES).lesson("14-1")
    begun = lesson.judge_steps([(6, 4)], whole=False)
    assert not begun.is_right and begun.refusal is None
    hit_and_run = lesson.judge_steps([(6, 3), (3, 1)], whole=False)
    assert hit_and_run.refusal is not None and hit_and_run.refusal.rule == "hit_and_run"


def test_no_play_is_an_answer_that_is_refused_where_one_can_be_made() -> None:
    dance, other = course("backgammon").lesson("dance"), course("backgammon").lesson("larger")
    assert dance.judge_steps([], whole=True).is_right
    refused = other.judge_steps([], whole=True)
    assert not refused.is_right and refused.refusal is not None


def test_what_is_no_answer_raises() -> None:
    lesson = course("backgammon").lesson("gammon")
    for index in (-1, 99):
        with pytest.raises(IndexError):
            lesson.judge_option(index)
    with pytest.raises(NotationError):
        course("backgammon").lesson("larger").judge("nonsense")
    with pytest.raises(NotationError):
        course("backgammon").lesson("larger").judge_steps([(99, -3)], whole=False)


@pytest.mark.parametrize("name", ["nothing", "../khalili", "shared"])
def test_a_course_that_does_not_exist_is_an_error(name: str) -> None:
    with pytest.raises(CourseError, match="no course"):
        course(name)
    with pytest.raises(CourseError, match="no lesson"):
        course("tapa").lesson(name)


def test_a_page_gets_no_play_for_a_dance_to_be_made_by_itself() -> None:
    data = course_data(course("backgammon"), "en")
    dance = next(each for each in data["lessons"] if each["id"] == "dance")
    assert dance["choices"] == [{"whole": False, "next": []}]
    assert dance["solution"] == {"play": "pass", "steps": []}


# Progress


def test_what_was_answered_is_remembered_until_the_course_is_begun_anew(tmp_path: Path) -> None:
    file, tapa = tmp_path / "deep" / "learned.json", course("tapa")
    Progress(file).add(tapa, "pin")
    Progress(file).add(tapa, "pin")
    assert Progress(file).done(tapa) == {"pin"}
    assert Progress(file).done(course("plakoto")) == frozenset()
    Progress(file).forget(tapa)
    assert Progress(file).done(tapa) == frozenset()


def test_lessons_that_a_course_no_longer_has_are_not_counted(tmp_path: Path) -> None:
    file = tmp_path / "learned.json"
    file.write_text('{"tapa": ["pin", "of another version"]}')
    assert Progress(file).done(course("tapa")) == {"pin"}


@pytest.mark.parametrize("text", ["[]", "{", '{"tapa": 3}', "null"])
def test_a_file_of_something_else_is_an_error_and_stays_as_it_is(tmp_path: Path, text: str) -> None:
    file = tmp_path / "learned.json"
    file.write_text(text)
    with pytest.raises(CourseError, match="cannot be read"):
        Progress(file)
    assert file.read_text() == text


def test_every_course_is_listed_once() -> None:
    found: list[Course] = [course(name) for name in courses()]
    assert len({each.name for each in found}) == len(found)
    assert set(sb.variants()) < set(courses())
