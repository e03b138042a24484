"""Courses: lessons in the order in which they are learned, read from the files in `courses/`.

A file names its game and its lessons. A lesson that several games have in common stands in `shared.toml`
and is named by `use`. docs/dev/lessons.md describes the format. Which lessons
somebody has answered is kept in a file of theirs.

Beside its own course every game has one for who has never played, made from `first.toml` by the game's axes.
"""

from __future__ import annotations

import json
import os
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sheshbesh.bounded import read_text
from sheshbesh.errors import SheshbeshError, system_reason
from sheshbesh.i18n import Text
from sheshbesh.learn.lesson import ASKS, Elsewhere, Lesson, options_of
from sheshbesh.match import MatchState
from sheshbesh.rules import Position, Roll, Variant, variant, variants
from sheshbesh.rules.axes import number_of
from sheshbesh.rules.side import SIDE_NAMES

FOLDER = Path(__file__).with_name("courses")
_SHARED = "shared"
_FIRST = "first"
_POSITION = {*SIDE_NAMES, "pinned_white", "pinned_black", "turn", "history"}
_QUESTION = {"asks", "dice", "play", "match", "axis", "choices", "answer", "answers", "refused", "elsewhere"}
_KEYS = _POSITION | _QUESTION | {"id", "use", "game", "options", "text", "why", "source"}
_FIRST_KEYS = {"when", "cites", "arrow", "die", "plain"}
_REST = "rest"
"""In a position: all checkers of the side that stand nowhere else."""


class CourseError(SheshbeshError):
    """A course that does not exist, or a file of courses that cannot be read."""


@dataclass(frozen=True, slots=True)
class Course:
    """Some lessons. `title` and `about` are English texts; `game` is the one that most of them are about.

    `is_first` marks the course for who has never played: it ends in a game against the weakest level.
    """

    name: str
    title: str
    about: str
    game: Variant
    lessons: tuple[Lesson, ...]
    is_first: bool = False

    def lesson(self, name: str) -> Lesson:
        """The lesson with this id; CourseError if there is none."""
        for each in self.lessons:
            if each.id == name:
                return each
        raise CourseError(f"there is no lesson {name!r} in {self.name}")


@cache
def courses() -> tuple[str, ...]:
    """The names of all courses, in the order in which they are shown."""
    return tuple((FOLDER / "order.txt").read_text(encoding="utf-8").split())


@cache
def course(name: str) -> Course:
    """The course with this name, also one of `first_course`; CourseError if there is none."""
    prefix, dash, game = name.partition("-")
    if dash and prefix == _FIRST and game in variants():
        return first_course(game)
    if name not in courses():
        raise CourseError(f"there is no course {name!r}")
    found = _read(name)
    rules = variant(found["game"])
    lessons = _lessons(found["lesson"], rules, found, f"{name}.toml")
    return Course(
        name, found.get("title") or rules.title, found.get("about") or rules.description, rules, lessons
    )


@cache
def first_course(game: str) -> Course:
    """The course of a game for who has never played, called `first-GAME`: made by the answers of its axes."""
    found, rules = _read(_FIRST), variant(game)
    given = [_cited(each, rules) for each in found["lesson"] if _belongs(each, rules)]
    lessons = _lessons(given, rules, found, f"{_FIRST}.toml for {game}")
    # In first.toml the title has a place for the game's.
    title = Text(found["title"], game=Text(rules.title))
    return Course(f"{_FIRST}-{game}", title, Text(found["about"]), rules, lessons, is_first=True)


def _belongs(given: Mapping[str, Any], rules: Variant) -> bool:
    """Return True if the axes of a game have the answers of a lesson's `when`."""
    for name, wanted in given.get("when", {}).items():
        table, key = name.split(".")
        if rules.axes[table][key] not in (wanted if isinstance(wanted, list) else [wanted]):
            return False
    return True


def _cited(given: Mapping[str, Any], rules: Variant) -> Mapping[str, Any]:
    """A lesson of the first steps with the source of the game's answer on the axis that it cites."""
    if "cites" not in given:
        return {**given, "plain": True}
    return {**given, "plain": True, "source": rules._data.source_of(*given["cites"].split(".")).source}


def _lessons(
    given: Iterable[Mapping[str, Any]], rules: Variant, found: Mapping[str, Any], file: str
) -> tuple[Lesson, ...]:
    """The lessons of a file, each checked; CourseError that names what is wrong."""
    lessons = tuple(_checked(each, rules, found, file) for each in given)
    ids = [each.id for each in lessons]
    twice = {each for each in ids if ids.count(each) > 1}
    if twice:
        raise CourseError(f"{file}: more than one lesson is called {', '.join(sorted(twice))}")
    return lessons


@cache
def _read(name: str) -> dict[str, Any]:
    with (FOLDER / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


def texts() -> Iterator[tuple[str, str]]:
    """Every sentence of the files that is to be translated, with its file."""
    for name in (*courses(), _SHARED, _FIRST):
        found, file = _read(name), f"learn/courses/{name}.toml"
        yield from ((found[key], file) for key in ("title", "about") if key in found)
        for each in found["lesson"]:
            yield from ((each[key], file) for key in ("text", "why") if each.get(key))
            yield from ((one["text"], file) for one in each.get("choices", ()) if isinstance(one, dict))


# One lesson


def _checked(given: Mapping[str, Any], rules: Variant, found: Mapping[str, Any], file: str) -> Lesson:
    """A lesson; CourseError that names it if it is impossible."""
    try:
        return _lesson(given, rules, found, file)
    except (SheshbeshError, KeyError) as error:
        name = given.get("id") or given.get("use")
        raise CourseError(f"{file}: {name}: {error}") from error


def _lesson(given: Mapping[str, Any], rules: Variant, found: Mapping[str, Any], file: str) -> Lesson:
    if "use" in given:
        given = {**_shared(given["use"], file), **given}
    unknown = set(given) - _KEYS - _FIRST_KEYS
    if unknown:
        raise CourseError(f"{file}: {given.get('id')}: unknown {', '.join(sorted(unknown))}")
    asks = given.get("asks", "play")
    if asks not in ASKS:
        raise CourseError(f"{file}: {given['id']}: asks one of {', '.join(ASKS)}, not {asks!r}")
    if "game" in given:
        rules = variant(given["game"])
    if "options" in given:
        rules = variant(rules.name, **given["options"])
    dice, die, score, axis = (given.get(key) for key in ("dice", "die", "match", "axis"))
    return Lesson(
        id=given["id"],
        asks=asks,
        text=given["text"],
        why=given.get("why", ""),
        source=given.get("source") or found.get("source") or rules.source or "",
        position=_position(given, rules),
        dice=Roll.of(dice) if dice else Roll(die, die) if die else None,
        is_one_die=bool(die),
        has_arrow=bool(given.get("arrow")),
        is_plain=bool(given.get("plain")),
        answers=tuple(given.get("answers", ())),
        refused=MappingProxyType(dict(given.get("refused", {}))),
        elsewhere=tuple(
            Elsewhere(variant(game), play)
            for game, plays in given.get("elsewhere", {}).items()
            for play in plays
        ),
        play=given.get("play"),
        match=MatchState(**score) if score is not None else None,
        options=options_of(asks, given.get("choices", ())),
        answer=given.get("answer"),
        axis=(axis.split(".")[0], axis.split(".")[1]) if axis else None,
    )


def _shared(name: str, file: str) -> Mapping[str, Any]:
    for each in _read(_SHARED)["lesson"]:
        if each["id"] == name:
            found: Mapping[str, Any] = each
            return found
    raise CourseError(f"{file}: {name!r} is not in {_SHARED}.toml")


def _position(given: Mapping[str, Any], rules: Variant) -> Position:
    """The position of a lesson, the start where none is given; what is not on the board is off."""
    if not any(side in given for side in SIDE_NAMES):
        return rules.start(given.get("turn", "white"))
    board: dict[str, Any] = {}
    for side in SIDE_NAMES:
        points = dict(given.get(side, {}))
        left = number_of(rules.axes, "board", "checkers")
        left -= sum(count for count in points.values() if count != _REST)
        rest = [place for place, count in points.items() if count == _REST]
        for place in rest:
            points[place], left = left, 0
        places = {part: points.pop(part, 0) for part in ("bar", "hand")}
        board[side] = points
        board |= {f"{side}_{part}": count for part, count in places.items() if count}
        board[f"{side}_off"] = left
        if f"pinned_{side}" in given:
            board[f"pinned_{side}"] = given[f"pinned_{side}"]
    return rules.position(board, given.get("turn", "white"), **given.get("history", {}))


class Progress:
    """The lessons that were answered rightly, by course; CourseError for a file that holds something else."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._done: dict[str, list[str]] = {}
        if file.exists():
            try:
                found = json.loads(read_text(file))
                self._done = {str(name): [str(each) for each in ids] for name, ids in found.items()}
            except (OSError, ValueError, AttributeError, TypeError, RecursionError) as error:
                raise CourseError(Text("{file} cannot be read: {why}", file=file, why=error)) from error

    def done(self, course: Course) -> frozenset[str]:
        """The ids of a course's lessons that were answered; those it no longer has are left out."""
        return frozenset(self._done.get(course.name, ())) & {each.id for each in course.lessons}

    def add(self, course: Course, lesson: str) -> None:
        """Remember a lesson, at once; CourseError if the file cannot be written."""
        ids = self._done.setdefault(course.name, [])
        if lesson in ids:
            return
        ids.append(lesson)
        self._write()

    def forget(self, course: Course) -> None:
        """Begin a course anew; CourseError if the file cannot be written."""
        if self._done.pop(course.name, None) is not None:
            self._write()

    def _write(self) -> None:
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.file.parent, prefix=self.file.name)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(self._done, file, indent=1)
            Path(name).replace(self.file)
        except OSError as error:
            raise CourseError(
                Text("{file} cannot be written: {why}", file=self.file, why=system_reason(error))
            ) from error
