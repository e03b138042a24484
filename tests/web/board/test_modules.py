"""What the board's files promise to others; their own tests run under Node (`make test-web`)."""

from __future__ import annotations

import re

import pytest

from sheshbesh.server.http.static import FOLDER


def test_words_are_all_in_one_place() -> None:
    """Whatever the board asks a catalogue for stands in words.js, where it is collected from."""
    for file in (FOLDER / "board").glob("*.js"):
        text = file.read_text(encoding="utf-8")
        assert ' t("' not in text, file.name
        assert '.t("' not in text, file.name


def test_the_ring_of_the_keyboard_follows_the_corners_of_the_board() -> None:
    style = (FOLDER / "styles/page.css").read_text(encoding="utf-8")
    found = re.search(r"ssb-board:focus-visible { border-radius: ([\d.]+)% / ([\d.]+)%; }", style)
    assert found is not None
    assert float(found[1]) == pytest.approx(100 * 26 / 1500, abs=0.01)
    assert float(found[2]) == pytest.approx(100 * 26 / 1204, abs=0.01)
