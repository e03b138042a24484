"""What a file says cannot trick the terminal."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner

from sheshbesh.cli.main import cli
from sheshbesh.cli.terminal.console import Console
from sheshbesh.match import Card
from sheshbesh.rules.safe_text import escaped, unfit_character
from sheshbesh.session.record_header import Header

EVIL = "Ev\u001b]0;owned\u0007il\u202e\u009b\u2066\r"

_BIDIRECTIONAL = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")


def is_safe(text: str) -> bool:
    return not any(character in text for character in EVIL if character not in "Evil]0;owned")


def test_every_control_and_bidirectional_character_is_written_out() -> None:
    for code in range(0x110000):
        character = chr(code)
        is_trick = unicodedata.category(character) in ("Cc", "Cs")
        is_trick |= unicodedata.bidirectional(character) in _BIDIRECTIONAL
        is_trick |= character in "\ufffe\uffff"
        if is_trick:
            assert unfit_character(character)
            assert escaped(character).isascii()
            assert escaped(character).isprintable()
    assert unfit_character("می\u200cروم, Nackgammon, гюлбара") is None
    assert escaped("a\tb\nc", lines=True) == "a\tb\nc"
    assert escaped("a\nb") == "a\\x0ab"


def test_names_in_records_are_safe() -> None:
    data = Header(Card(game="backgammon"), "m", {"white": EVIL, "black": "می\u200cروم"}).to_data()
    players = Header.from_data(data).people()["players"]
    assert is_safe(players["white"])
    assert players["black"] == "می\u200cروم"


def test_the_console_writes_out_what_it_must_not_show(capsys: pytest.CaptureFixture[str]) -> None:
    console = Console()
    console.say(EVIL)
    console.show([EVIL])
    console.page([EVIL])
    shown = capsys.readouterr().out
    assert is_safe(shown)
    assert "\\x1b" in shown


@pytest.mark.parametrize("command", [("variant", "check"), ("rules",), ("perft", "--depth", "1")])
def test_no_command_echoes_the_texts_of_a_variant_file(tmp_path: Path, command: tuple[str, ...]) -> None:
    file = tmp_path / "evil.toml"
    file.write_text(
        'name = "evil"\ntitle = "Evil \\u001b]0;owned\\u0007\\u202e"\nbase = "backgammon"\n"\\u0007" = 1\n',
        encoding="utf-8",
    )
    outcome = CliRunner().invoke(cli, [*command, str(file)])
    assert outcome.exit_code != 0
    assert is_safe(outcome.output)
