"""Courses as plain data, for a page that draws them without any rule.

A play's stages are sent as in a match; answers go back and are judged here. What is not secret, a right play
and what is refused and why, is sent along.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from sheshbesh.engines.strength.levels import LEVELS
from sheshbesh.i18n import Text, translate
from sheshbesh.learn.course import Course, first_course
from sheshbesh.learn.lesson import Judgement, Lesson, without_marks
from sheshbesh.match import Card
from sheshbesh.match.card import Contest
from sheshbesh.rules import Refusal, Variant
from sheshbesh.rules.axes import number_of
from sheshbesh.rules.citing import cited
from sheshbesh.rules.refusal import rule_ids
from sheshbesh.rules.variant import compiled
from sheshbesh.session.board_data import board_data, layout_data, stages_data, step_data


def summary_data(course: Course, lang: str) -> dict[str, Any]:
    """A course in a list: its name, game and title, the ids of its lessons, and those of its first steps.

    `first` is None where nothing comes before the course.
    """
    first = None if course.is_first or course.name != course.game.name else first_course(course.name)
    return {
        "name": course.name,
        "game": course.game.name,
        "title": translate(_text(course.title), lang),
        "about": translate(_text(course.about), lang),
        "start": board_data(course.game.start()),
        "lessons": [each.id for each in course.lessons],
        "first": first and {"name": first.name, "lessons": [each.id for each in first.lessons]},
    }


def course_data(course: Course, lang: str) -> dict[str, Any]:
    """A course with its lessons, and the layouts of the boards of its games."""
    games = {each.rules.name: each.rules for each in course.lessons}
    return {
        **summary_data(course, lang),
        "ends_with": _first_game(course) if course.is_first else None,
        "layouts": {name: layout_data(rules) for name, rules in games.items()},
        "lessons": [lesson_data(each, lang) for each in course.lessons],
    }


def _first_game(course: Course) -> dict[str, str]:
    """The game at the end of the first steps: to one point against the weakest level."""
    card = Card(game=course.game.name, contest=Contest.POINTS, length=1)
    return {"card": card.code, "level": LEVELS[0].name}


def lesson_data(lesson: Lesson, lang: str) -> dict[str, Any]:
    """A lesson as it is shown; `choices` is the graph of the turn where a play is asked."""
    position, steps, match = lesson.position, lesson.shown_steps, lesson.match
    text, terms = without_marks(translate(Text(lesson.text), lang))
    return {
        "id": lesson.id,
        "asks": lesson.asks,
        "game": lesson.rules.name,
        "title": translate(Text(lesson.rules.title), lang),
        "text": text,
        "terms": terms,
        "task": translate(lesson.task, lang),
        "why": translate(Text(lesson.why), lang) if lesson.why else "",
        "source": _cited(lesson.source, lang),
        "side": lesson.side.value,
        "board": board_data(position),
        "dice": _dice(lesson),
        "dice_steps": _dice_steps(lesson),
        "arrow": lesson.has_arrow,
        "choices": _choices(lesson) if steps is not None else None,
        "options": [_shown(option.shown, lang) for option in lesson.options],
        "notation": lesson.asks == "refused",
        "solution": None
        if steps is None
        else {"play": lesson.shown_play, "steps": [step_data(step) for step in steps]},
        "refused": [{"play": play, **_refusal(lesson.refusal(play), lang)} for play in lesson.shown_refused],
        "elsewhere": [translate(each.text, lang) for each in lesson.elsewhere],
        "cube": {"value": match.cube if match else 1, "owner": _owner(lesson)},
        "score": [match.white, match.black, match.length] if match and match.length else None,
    }


def answers_data(course: Course, lang: str) -> dict[str, Any]:
    """A course with what the referee says to every answer, for a page without a server.

    `rules` are the rule sets of its lessons with the words of their refusals, by the numbers of the core.
    Each lesson has `judged`: the position, which of the rules it is played by, the dice, and what is right:
    `options` with a judgement each, `stages` at which a right play ends, or the `steps` of a single die.
    """
    known: dict[str, int] = {}
    rules: list[dict[str, Any]] = []
    data = course_data(course, lang)
    for lesson, shown in zip(course.lessons, data["lessons"], strict=True):
        place = known.setdefault(lesson.rules.fingerprint, len(rules))
        if place == len(rules):
            answers, setup = compiled(lesson.rules.axes)
            points = [setup.get(point, 0) for point in range(1, 25)]
            core = {"axes": dict(answers), "setup": points}
            rules.append({"core": core, "refusals": refusals_data(lesson.rules, lang)})
        shown["judged"] = {
            "rules": place,
            "row": b64encode(lesson.position._core.row()).decode(),
            "dice": None if lesson.dice is None else list(lesson.dice),
            "options": [
                judgement_data(lesson.judge_option(option), lang) for option in range(len(lesson.options))
            ],
            "stages": lesson.right_stages,
            "steps": [list(step[:2]) for step in lesson.right_steps],
        }
    return {**data, "rules": rules}


def refusals_data(rules: Variant, lang: str) -> dict[int, dict[str, Any]]:
    """What a referee says where a play is refused, by the numbers of `rule_ids`."""
    return {number: _refusal(rules.refusal(name), lang) for number, name in rule_ids(rules.axes).items()}


def judgement_data(judgement: Judgement, lang: str) -> dict[str, Any]:
    """Return what the referee says: a sentence, and the rule with its source if one forbids the answer."""
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
    if lesson.dice is None or lesson.is_one_die:
        return 0 if lesson.dice is None else 1
    return number_of(lesson.rules.axes, "throw", "double_steps") if lesson.dice.is_double else 2


def _dice(lesson: Lesson) -> list[int] | None:
    if lesson.dice is None:
        return None
    return [lesson.dice.first] if lesson.is_one_die else list(lesson.dice)


def _text(text: str) -> Text:
    return text if isinstance(text, Text) else Text(text)


def _choices(lesson: Lesson) -> list[dict[str, Any]]:
    """The stages of the turn. That nothing can be played is an answer too, so the board does not say it."""
    stages = stages_data(lesson.stages)
    if not stages[0]["next"]:
        stages[0]["whole"] = False
    return stages
