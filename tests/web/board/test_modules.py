"""What the board's modules promise to the catalogues; their own tests run under Node (`make test-web`)."""

from __future__ import annotations

from tests.web.browser import CHECKOUT


def test_words_are_all_in_one_place() -> None:
    """Whatever the board asks a catalogue for stands in words.js, where it is collected from."""
    folder = CHECKOUT / "src" / "sheshbesh" / "web" / "board"
    for file in folder.glob("*.js"):
        text = file.read_text(encoding="utf-8")
        assert ' t("' not in text, file.name
        assert '.t("' not in text, file.name
