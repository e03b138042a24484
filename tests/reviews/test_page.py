"""The page of a review: one file that needs nothing else, in every language."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from dataclasses import replace
from pathlib import Path

import pytest

from sheshbesh.records import read_match
from sheshbesh.reviews import Report, review
from sheshbesh.reviews.page import SMALLEST, page, score_of
from tests.records.test_write import played
from tests.reviews.test_review import short


def test_the_score_of_a_match_is_read_from_the_id() -> None:
    id = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:1:5:10"
    assert score_of(id) == {"white": 2, "black": 4, "length": 5, "crawford": True}
    assert score_of(id.replace(":5:10", ":0:10")) is None, "money play"
    assert score_of("4HPwATDgc/ABMA") is None


@pytest.fixture(scope="module")
def report() -> Report:
    return review(short(), plies=0, workers=1)


def test_the_page_has_all_that_it_needs(report: Report) -> None:
    text = page(report)
    told = re.search(r'<script type="importmap">(.*?)</script>', text)
    assert told is not None
    modules = {
        name: b64decode(address.split(",")[1]).decode()
        for name, address in json.loads(told[1])["imports"].items()
    }
    assert "board/board.js" in modules and "vendor/lit.js" in modules
    for source in modules.values():
        for name in re.findall(r'^(?:import|export)[^;]*? from "(.*?)"', source, re.MULTILINE | re.DOTALL):
            assert name in modules
    head = text.replace(told[0], "")
    assert not re.search(r'(src|href)="(?!#)', head) and "url(" not in head and "@import" not in head


def test_every_error_has_its_board_its_sentence_and_its_table(report: Report) -> None:
    text = page(report)
    errors = [each for each in report.errors() if each.loss >= SMALLEST]
    assert errors
    assert text.count("<article") == len(errors) == text.count('class="board"')
    data = re.search(r'id="data">(.*?)</script>', text)
    assert data is not None
    scenes = json.loads(data[1])["scenes"]
    assert list(scenes) == [f"d{index}" for index in range(len(errors))]
    for each, scene in zip(errors, scenes.values(), strict=True):
        white = sum(point["w"] for point in scene["board"]["points"])
        assert white + scene["board"]["bar"]["white"] + scene["board"]["off"]["white"] == 15
        assert len(scene["ways"]) == (2 if each.decision.kind == "play" else 0)
    assert text.count("<circle") == len(errors), "each error is a point of the graph, to jump from"


@pytest.mark.parametrize("lang", ["en", "fa", "ar", "ru", "tr"])
def test_the_page_is_written_in_the_direction_of_its_language(lang: str, report: Report) -> None:
    text = page(report, lang)
    assert f'<html lang="{lang}" dir="{"rtl" if lang in ("fa", "ar") else "ltr"}">' in text
    assert ("The costliest errors" in text) == (lang == "en")


def test_the_name_of_a_player_is_text_and_nothing_else(report: Report, tmp_path: Path) -> None:
    hostile = replace(report, players=("</script><script>alert(1)</script>", "<b>&"))
    hostile.to_html(tmp_path / "a.html")
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "<script>alert" not in text and "<b>&<" not in text
    assert text.count("<script") == page(report).count("<script")


@pytest.mark.parametrize("game", ["plakoto", "long_nardy", "acey_deucey"])
def test_other_games_have_a_page_too(game: str) -> None:
    match = read_match(played(f"{game}.p1", 16).to_text().encode())
    text = page(review(match, plies=0, workers=1))
    assert "<article" in text and "ube action" in text
    assert "Cube decisions" not in text
