"""What views show without a server: games, lessons and puzzles of a language, by the names of their files.

A copy on a host of files has them beside the page, an installed page keeps them; `web/app/without-server.js`
answers from them what the routes of the API answer elsewhere.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from sheshbesh.learn import Course, course, courses
from sheshbesh.learn.course import first_course
from sheshbesh.learn.data import answers_data, refusals_data, summary_data
from sheshbesh.practice import puzzles as shipped
from sheshbesh.rules import variant, variants
from sheshbesh.server.http.api.variants import game_data, summary
from sheshbesh.server.practice.view import solved_data
from sheshbesh.session.board_data import layout_data


@cache
def names() -> tuple[str, ...]:
    """The files of a language."""
    games = [f"{folder}/{name}" for folder in ("variants", "refusals", "puzzles") for name in variants()]
    return ("variants", "learn", "puzzles", *games, *(f"learn/{each.name}" for each in _courses()))


def address_of_copy(name: str, lang: str) -> str:
    """Return where the page finds a file."""
    return f"/copy/{lang}/{name}.json"


def copy_of(name: str, lang: str) -> bytes:
    """A file as it is sent; KeyError where there is none of this name."""
    if name not in names():
        raise KeyError(name)
    return json.dumps(_content(name, lang), ensure_ascii=False, separators=(",", ":"), default=str).encode()


def _content(name: str, lang: str) -> Any:
    folder, _, one = name.partition("/")
    match folder, one:
        case "variants", "":
            return [summary(each, lang) for each in variants()]
        case "variants", _:
            return game_data(one, None, lang)
        case "refusals", _:
            return refusals_data(variant(one), lang)
        case "learn", "":
            return [summary_data(course(each), lang) for each in courses()]
        case "learn", _:
            return answers_data(course(one), lang)
        case "puzzles", "":
            return {"levels": list(shipped.LEVELS), "games": shipped.counts()}
        case _:
            questions = [solved_data(each, lang) for each in shipped.puzzles(one)]
            return {"layout": layout_data(variant(one)), "questions": questions}


def _courses() -> tuple[Course, ...]:
    return (*map(course, courses()), *map(first_course, variants()))
