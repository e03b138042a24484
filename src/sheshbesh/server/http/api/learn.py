"""Lessons: the courses there are, the lessons of one, and the judgement on an answer."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from sheshbesh.errors import NotationError
from sheshbesh.i18n import Text, choose
from sheshbesh.learn import Course, CourseError, Judgement, Lesson, course, courses
from sheshbesh.learn.data import course_data, judgement_data, summary_data
from sheshbesh.server.http.api.bodies import Body
from sheshbesh.server.http.api.variants import Packed
from sheshbesh.server.refusals import Failure

router = APIRouter(tags=["learn"])

Lang = Annotated[str, Query(max_length=20)]
_MOST_STEPS = 32
"""More than any turn has."""


Step = Annotated[list[int], Field(min_length=2, max_length=2)]


class Answer(Body):
    """An answer: steps, (origin, target) in own numbers, as a `whole` play or its beginning; or an option."""

    steps: Annotated[list[Step], Field(max_length=_MOST_STEPS)] | None = None
    whole: bool = True
    option: Annotated[int, Field(ge=0, le=99)] | None = None


@router.get("/learn", response_model=list[dict[str, Any]])
async def all_courses(request: Request, lang: Lang = "en") -> Response:
    """Every course, in the order in which they are shown."""
    return _all(choose(lang)).answer(request)


@lru_cache(maxsize=16)
def _all(lang: str) -> Packed:
    return Packed.of([summary_data(course(name), lang) for name in courses()])


@router.get("/learn/{name}", response_model=dict[str, Any])
async def one_course(request: Request, name: str, lang: Lang = "en") -> Response:
    """One course: its lessons with their boards, the ways each turn may go on, texts and sources."""
    return _one(_course(name).name, choose(lang)).answer(request)


@lru_cache(maxsize=128)
def _one(name: str, lang: str) -> Packed:
    return Packed.of(course_data(course(name), lang))


@router.post("/learn/{name}/{lesson}")
async def answer(name: str, lesson: str, given: Answer, lang: Lang = "en") -> dict[str, Any]:
    """Return what the referee says to an answer: whether it is right, and if it is refused, by which rule."""
    try:
        found = _course(name).lesson(lesson)
        return judgement_data(_judge(found, given), choose(lang))
    except CourseError:
        raise Failure(404, Text("there is no such lesson")) from None
    except (NotationError, IndexError):
        raise Failure(422, Text("this is no answer to the lesson")) from None


def _course(name: str) -> Course:
    try:
        return course(name)
    except CourseError:
        raise Failure(404, Text("there is no such course")) from None


def _judge(lesson: Lesson, given: Answer) -> Judgement:
    if given.option is not None:
        return lesson.judge_option(given.option)
    if given.steps is None or lesson.asks != "play":
        raise NotationError("a play is asked")
    return lesson.judge_steps([(origin, target) for origin, target in given.steps], whole=given.whole)
