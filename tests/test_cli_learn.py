"""`sheshbesh learn`: courses are listed, lessons asked and judged, and progress is kept."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner

from sheshbesh.cli.main import cli
from sheshbesh.learn import course, courses


@pytest.fixture(autouse=True)
def folder(archive: Path) -> Path:
    """The data folder of this test."""
    return archive.parent


def learn(*words: str, lines: Iterable[str] = ()) -> str:
    """All that the command shows, as running text."""
    typed = "".join(f"{line}\n" for line in lines)
    result = CliRunner().invoke(cli, ["learn", *words], input=typed, env={"COLUMNS": "80"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return " ".join(result.output.split())


def answers(name: str) -> list[str]:
    """What to type for a whole course."""
    typed = []
    for lesson in course(name).lessons:
        if lesson.asks == "play":
            assert lesson.shown_play is not None
            typed.append(lesson.shown_play)
        elif lesson.asks == "points":
            typed.append(str(lesson.answer))
        else:
            values = [option.value for option in lesson.options]
            typed.append(str(values.index(lesson.answer or False) + 1))
    return typed


def test_all_courses_are_listed_with_what_was_answered() -> None:
    said = learn()
    assert all(name in said for name in courses())
    assert "backgammon 0 of 18" in said


@pytest.mark.parametrize("name", ["takhte", "acey_deucey", "texts"])
def test_a_whole_course_is_answered_and_begun_anew(name: str) -> None:
    count = len(course(name).lessons)
    assert f"{count} of {count} answered." in learn(name, lines=answers(name))
    assert f"sheshbesh learn {name} --anew begins anew" in learn(name)
    assert f"0 of {count} answered." in learn(name, "--anew", lines=["q"])


@pytest.mark.parametrize("name", ["first-long_nardy", "first-acey_deucey"])
def test_the_first_steps_end_in_a_game_against_the_weakest_level_with_the_tutor(name: str) -> None:
    count = len(course(name).lessons)
    said = learn(name, lines=[*answers(name), "q"])
    assert f"{count} of {count} answered. Now a real game, against a gentle opponent" in said
    assert "(beginner)" not in said, "they left before it began"
    assert "Never played before? sheshbesh learn first-tapa begins" in learn("tapa", lines=["q"])


def test_the_game_after_the_first_steps_begins_at_once() -> None:
    name = "first-tapa"
    said = learn(name, lines=[*answers(name), "", "q", "y"])
    assert "beginner" in said.split("Now a real game")[1]


def test_first_steps_say_what_to_type_where_the_page_has_an_arrow() -> None:
    said = learn("first-tapa", "--lang", "tr", lines=["2/off", "15/10", "q"])
    assert "“pul”" in said and "2/off yazın." in said
    assert "Ders 2 / 25" in said and "Ders 3" not in said, "15/10 is no step of a 4"


def test_the_referee_says_why_not_and_the_lesson_goes_on() -> None:
    said = learn("khalili", lines=["4", "skip", "skip", "skip", "6/3*/1", "nonsense", "show", "6/4/1", "q"])
    assert "Type one of 1 2 3." in said
    assert "[hit_and_run; Khalili (004), p. 13, p. 16]" in said
    assert "Type a play such as" in said
    assert "Answer: 6/4/1" in said
    assert "Right. With the same checker" in said and "In Backgammon, 6/3*/1 is allowed." in said
    assert "1 of 38 answered." in said
    assert "khalili 1 of 38" in learn()


def test_it_speaks_the_language_that_is_asked_for() -> None:
    assert "Урок 1 из 9" in learn("irish", "--lang", "ru", lines=["q"])


def test_a_game_that_is_not_known_is_an_error_in_a_sentence() -> None:
    assert "no game is called 'nothing'" in learn("nothing")
    assert "--anew belongs to a course" in learn("--anew")


def test_progress_that_cannot_be_read_is_not_overwritten(folder: Path) -> None:
    folder.mkdir(parents=True)
    file = folder / "learned.json"
    for text in ("{", "[" * 100_000):
        file.write_text(text)
        assert "cannot be read" in learn("tapa", lines=["q"])
        assert file.read_text() == text


@pytest.mark.parametrize(("name", "said"), [("backgammon", "Type a play such as"), ("hypergammon", "Type")])
def test_an_empty_answer_is_no_answer(name: str, said: str) -> None:
    text = learn(name, lines=["", "q"])
    assert f"> {said}" in text
    assert "is allowed" not in text and "Not allowed" not in text
    assert f"0 of {len(course(name).lessons)} answered." in text
