"""The table of what the source texts say names only what exists, and leaves out no text, section or page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

import sheshbesh as sb
from sheshbesh import customs, learn
from sheshbesh.rules import loader
from sheshbesh.rules.axes import AXES

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "docs/rules/coverage.md"
VECTORS = {
    json.loads(line)["id"]
    for name in ("vectors.jsonl", "kin_vectors.jsonl")
    for line in (ROOT / "tests/data" / name).read_text("utf-8").splitlines()
}
PLACES = {
    "conduct": {topic.id for topic in customs.conduct()},
    "difference": {line.id for line in customs.differences()},
    "game": set(customs.games()),
    "lesson": {
        f"{name}/{lesson.id}" for name in ("khalili", "texts") for lesson in learn.course(name).lessons
    },
    "axis": {f"{table}.{key}" for table, keys in AXES.items() for key in keys},
    "option": {f"{name}.{option}" for name in sb.variants() for option in loader.load(name).offered},
}
ABSENT = "not in the program: "


class Row(NamedTuple):
    """One statement: the source, its place there, the words, where it lives and what holds it."""

    source: str
    at: str
    statement: str
    place: str
    held: str


def rows() -> list[Row]:
    found, source = [], ""
    for line in TABLE.read_text("utf-8").splitlines():
        if line.startswith("## "):
            source = line[3:6]
        elif line.startswith("| ") and "statement | where" not in line:
            found.append(Row(source, *(cell.strip() for cell in line.strip("|").split(" | "))))
    return found


ROWS = rows()


def test_every_source_is_there_and_of_the_booklet_every_page() -> None:
    assert {row.source for row in ROWS} == {"000", "001", "002", "003", "004"}
    assert {int(row.at) for row in ROWS if row.source == "004"} == set(range(2, 25))


def test_every_difference_every_topic_of_conduct_and_every_worked_example_is_used() -> None:
    named = {row.place for row in ROWS}
    for kind in ("difference", "conduct", "lesson"):
        assert {f"{kind} `{name}`" for name in PLACES[kind]} <= named


@pytest.mark.parametrize("source", sorted({row.source for row in ROWS}))
def test_every_statement_lives_somewhere_or_says_why_not(source: str) -> None:
    for row in ROWS:
        if row.source != source:
            continue
        assert row.statement
        assert row.at
        if row.place.startswith(ABSENT):
            assert len(row.place) > len(ABSENT)
            assert not row.held, row
            continue
        kind, name = re.fullmatch(r"(\w+) `([^`]+)`", row.place).groups()  # type: ignore[union-attr]
        assert (ROOT / "docs" / name).is_file() if kind == "page" else name in PLACES[kind], row


@pytest.mark.parametrize("source", sorted({row.source for row in ROWS}))
def test_what_holds_a_statement_exists(source: str) -> None:
    for row in ROWS:
        if row.source != source or row.place.startswith(ABSENT):
            continue
        assert row.held, row
        for kind, name in re.findall(r"(\w+) `([^`]+)`", row.held):
            if kind == "vector":
                assert name in VECTORS, row
            else:
                path, _, function = name.partition("::")
                start = f'\ntest("{function}"' if path.endswith(".js") else f"\ndef {function}("
                assert start in (ROOT / path).read_text("utf-8"), row
