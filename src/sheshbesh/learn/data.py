"""Courses as plain data, for a page that draws them without any rule.

A play's stages are sent as in a match; answers go back and are judged here. What is not secret, a right play
and what is refused and why, is sent along.
"""

from __future__ import annotations

from typing import Any

from sheshbesh.i18n import Text, translate
from sheshbesh.learn.course import Course
from sheshbesh.learn.lesson import Judgement, Lesson
from sheshbesh.rules import Refusal
from sheshbesh.rules.axes import number_of
from sheshbesh.rules.citing import cited
from sheshbesh.session.board_data import board_data, layout_data, stages_data, step_data


def summary_data(course: Course, lang: str) -> dict[str, Any]:
    """A course in a list: its name, game and title, and the ids of its lessons."""
    return {
        "name": course.name,
        "game": course.game.name,
        "title": translate(Text(course.title), lang),
        "about": translate(Text(course.about), lang),
        "start": board_data(course.game.start()),
        "lessons": [each.id for each in course.lessons],
    }


def course_data(course: Course, lang: str) -> dict[str, Any]:
    """A course with its lessons, and the layouts of the boards of its games."""
    games = {each.rules.name: each.rules for each in course.lessons}
    return {
        **summary_data(course, lang),
        "layouts": {name: layout_data(rules) for name, rules in games.items()},
        "lessons": [lesson_data(each, lang) for each in course.lessons],
    }


def lesson_data(lesson: Lesson, lang: str) -> dict[str, Any]:
    """A lesson as it is shown; `choices` is the graph of the turn where a play is asked."""
    position, solution, match = lesson.position, lesson.solution, lesson.match
    plays = lesson.asks == "play"
    return {
        "id": lesson.id,
        "asks": lesson.asks,
        "game": lesson.rules.name,
        "title": translate(Text(lesson.rules.title), lang),
        "text": translate(Text(lesson.text), lang),
        "task": translate(lesson.task, lang),
        "why": translate(Text(lesson.why), lang) if lesson.why else "",
        "source": _cited(lesson.source, lang),
        "side": lesson.side.value,
        "board": board_data(position),
        "dice": list(lesson.dice) if lesson.dice else None,
        "dice_steps": _dice_steps(lesson),
        "choices": _choices(lesson) if plays else None,
        "options": [_shown(option.shown, lang) for option in lesson.options],
        "notation": lesson.asks == "refused",
        "solution": None
        if solution is None
        else {
            "play": lesson.answers[0] if lesson.answers else solution.notation,
            "steps": [step_data(step) for step in solution.steps],
        },
        "refused": [
            {"play": play, **_refusal(lesson.position.refusal(play, lesson.dice), lang)}
            for play in lesson.refused
        ],
        "elsewhere": [translate(each.text, lang) for each in lesson.elsewhere],
        "cube": {"value": match.cube if match else 1, "owner": _owner(lesson)},
        "score": [match.white, match.black, match.length] if match and match.length else None,
    }


def judgement_data(judgement: Judgement, lang: str) -> dict[str, Any]:
    """What the referee says: a sentence, and the rule with its source if one forbids the answer."""
    refusal = judgement.refusal
    return {
        "right": judgement.is_right,
        "said": translate(judgement.said, lang),
        "refusal": _refusal(refusal, lang) if refusal is not None else None,
    }


def _refusal(refusal: Refusal | None, lang: str) -> dict[str, Any]:
    if refusal is None:
        return {"rule": "", "text": "", "source": ""}
    return {"rule": refusal.rule, "text": refusal.say(lang), "source": _cited(refusal.source or "", lang)}


def _cited(source: str, lang: str) -> str:
    return translate(cited(source), lang) if source else ""


def _shown(shown: str, lang: str) -> str:
    return translate(shown, lang) if isinstance(shown, Text) else shown


def _owner(lesson: Lesson) -> str | None:
    owner = lesson.match.owner if lesson.match else None
    return None if owner is None else str(getattr(owner, "value", owner))


def _dice_steps(lesson: Lesson) -> int:
    if lesson.dice is None:
        return 0
    return number_of(lesson.rules.axes, "throw", "double_steps") if lesson.dice.is_double else 2


def _choices(lesson: Lesson) -> list[dict[str, Any]]:
    """The stages of the turn. That nothing can be played is an answer too, so the board does not say it."""
    stages = stages_data(list(lesson.position.bare_stages(lesson.dice)))
    if not stages[0]["next"]:
        stages[0]["whole"] = False
    return stages
