"""The `sheshbesh` command outside of play: rules, variant, perft, bench, errors, start-up."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.shell_completion import get_completion_class
from click.testing import CliRunner, Result

import sheshbesh as sb
from sheshbesh.cli.main import COMMANDS, cli
from sheshbesh.rules import loader

GAMES = sb.variants()


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, words)


def widest(text: str) -> int:
    return max(map(len, text.splitlines()))


def ends_without_traceback(result: Result) -> bool:
    return result.exception is None or isinstance(result.exception, SystemExit)


def test_version() -> None:
    assert run("--version").output == f"sheshbesh {sb.__version__}\n"


def test_every_command_explains_itself_within_80_columns() -> None:
    for name in COMMANDS:
        result = run(name, "--help")
        assert result.exit_code == 0
        assert widest(result.output) <= 80
    assert all(name in run("--help").output for name in COMMANDS)


def test_starting_loads_neither_rich_nor_a_command_that_was_not_called() -> None:
    code = (
        "import sys\n"
        "from sheshbesh.cli.main import cli\n"
        "cli(['rules', 'tapa'], standalone_mode=False)\n"
        "loaded = (m for m in sys.modules if m.split('.')[0] == 'rich' or m.startswith('sheshbesh.cli.'))\n"
        "sys.exit(' '.join(sorted(loaded)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.split() == [
        "sheshbesh.cli.commands",
        "sheshbesh.cli.commands.rules",
        "sheshbesh.cli.game_arguments",
        "sheshbesh.cli.main",
        "sheshbesh.cli.terminal",
        "sheshbesh.cli.terminal.console",
        "sheshbesh.cli.terminal.wording",
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rules", "tpaa"], "did you mean tapa?"),
        (["play", "nonsense"], "no game is called 'nonsense'"),
        (["play", "tapa", "--option", "moter=true"], "did you mean mother?"),
        (["rules", "tapa", "--option", "mother=maybe"], "allowed: false (default), true"),
        (["rules", "tapa", "--option", "mother"], "key=value"),
        (["rules", "--option", "mother=true"], "--option belongs to a game"),
        (["perft", "tapa", "--position", "zz"], "position id 'zz'"),
        (["perft", "tapa", "--position", "O22n:w:x0.1"], "on the bar in a game without hitting"),
        (["play", "./nowhere.toml"], "cannot be read"),
        (["play", "tapa", "--roll", "6-5"], "--roll goes with --position"),
        (["play", "tapa", "--seed", "1", "--dice", "manual"], "choose one"),
        (["play", "tapa", "--position", "O22o:w", "--roll", "7-5"], "a die shows 1 to 6"),
        (["bench", "nonsense"], "no game is called"),
    ],
)
def test_a_wrong_word_gets_a_sentence_and_exit_code_2(words: Sequence[str], said: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert ends_without_traceback(result)
    assert said in " ".join(result.output.split())
    assert widest(result.output) <= 80


# --- rules ------------------------------------------------------------------------------------------


def test_rules_lists_every_game() -> None:
    text = run("rules").output
    assert all(f"\n{name} " in f"\n{text}" for name in GAMES)
    listed = json.loads(run("rules", "--format", "json").output)
    assert tuple(game["name"] for game in listed) == GAMES
    rows = run("rules", "--format", "markdown").output.splitlines()
    assert len(rows) == 2 + len(GAMES)
    assert len({row.count("|") for row in rows}) == 1


@pytest.mark.parametrize("name", GAMES)
def test_a_rule_card_has_every_line_with_its_source(name: str) -> None:
    text = run("rules", name).output
    assert widest(text) <= 80
    card = json.loads(run("rules", name, "--format", "json").output)
    assert all(line["text"] and line["source"] for line in card["lines"])
    assert text.count("      [") == len(card["lines"])
    assert all(option in text for option in loader.load(name).options)
    markdown = run("rules", name, "--format", "markdown").output
    assert markdown.startswith(f"# {sb.variant(name).title}\n")


def test_an_option_changes_the_card() -> None:
    plain, chosen = (
        json.loads(run("rules", "tapa", "--format", "json", *more).output)
        for more in ((), ("-o", "mother=true"))
    )
    assert chosen["chosen"] == {"mother": True}
    assert chosen["fingerprint"] != plain["fingerprint"]
    assert "mother" in run("rules", "tapa", "-o", "mother=true").output


# --- variant ----------------------------------------------------------------------------------------

GOOD = """
name = "mine"
title = "Mine"
region = "our table"
description = "Tapa with ten checkers."
base = "tapa"

[board]
checkers = 10
setup = { 24 = 10 }
source = "our table"
"""


def test_a_good_variant_file_is_shown_and_played(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(GOOD, encoding="utf-8")
    result = run("variant", "check", str(file))
    assert result.exit_code == 0
    assert "Each side has 10 checkers" in result.output
    played = int(result.output.split(" is a game: ")[1].split()[0])
    assert played >= 20
    assert run("rules", str(file)).output.startswith("Mine\n")
    assert run("perft", str(file)).output.startswith("mine J22j:w\n")


def test_a_bad_variant_file_gets_every_problem_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(GOOD.replace("checkers = 10", "checkers = 99\ncolour = 3"), encoding="utf-8")
    result = run("variant", "check", str(file))
    assert result.exit_code == 1
    assert "line 9: board.checkers: 99 is not allowed" in result.output
    assert "line 10: board.colour: unknown key" in result.output
    assert ends_without_traceback(run("play", str(file)))
    assert run("play", str(file)).exit_code == 2


def test_a_missing_variant_file_is_a_usage_error() -> None:
    assert run("variant", "check", "nowhere.toml").exit_code == 2


def test_a_new_variant_file_is_a_game_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for base in GAMES:
        assert run("variant", "new", f"our_{base}", "--base", base).exit_code == 0
        game = sb.variant_from_file(f"our_{base}.toml")
        with pytest.raises(
            sb.VariantError, match=f"a card names a game of the program, and our_{base} is not"
        ):
            sb.Game(game)
        assert game.fingerprint == sb.variant(base).fingerprint
    assert run("variant", "check", "our_tapa.toml").exit_code == 0
    assert run("variant", "new", "our_tapa").exit_code == 2
    assert run("variant", "new", "Our Tapa").exit_code == 2
    for taken in ("tavla", "short_nardy"):
        refused = run("variant", "new", taken)
        assert refused.exit_code == 2 and "name of a shipped game" in refused.output
        assert not Path(f"{taken}.toml").exists()


@pytest.mark.parametrize(
    "words",
    [
        "verify-dice /dev/zero",
        "play --resume /dev/zero",
        "search --add /dev/zero",
        "rules /dev/zero",
        "rollout --file /dev/zero",
        "convert /dev/zero --to mat",
    ],
)
def test_a_file_without_an_end_is_refused(words: str) -> None:
    refused = run(*words.split())
    assert refused.exit_code == 2
    assert "Error: /dev/zero" in refused.output and "than" in refused.output.replace("at most", "than")


# --- languages and completion -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("play nosuch --lang tr", "diye bir oyun yok"),
        ("play tavla -o nosuch=1 --lang tr", "seçenek"),
        ("play --nosuch --lang tr", "--nosuch"),
        ("play --level nosuch --lang=tr", "beginner"),
        ("records show nosuch --lang tr", "kayıt"),
    ],
)
def test_errors_are_told_in_the_language_that_was_asked_for(words: str, said: str) -> None:
    refused = run(*words.split())
    assert refused.exit_code == 2
    assert refused.stderr.replace("\n", " ").startswith("Hata: ")
    assert said in refused.stderr


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("play ta", {"takhte", "tavla", "tapa", "tawla31"}),
        ("play tavla -o later_start=", {"later_start=winner", "later_start=alternate", "later_start=roll"}),
        ("play tavla --level ex", {"expert"}),
        ("rules --lang t", {"tr"}),
        ("learn khal", {"khalili"}),
        ("variant new ours --base mou", {"moultezim"}),
        ("chouette --game hy", {"hypergammon"}),
    ],
)
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_games_options_and_levels(shell: str, words: str, found: set[str]) -> None:
    *before, begun = words.split()
    completes = get_completion_class(shell)
    assert completes is not None
    offered = completes(cli, {}, "sheshbesh", "_SHESHBESH_COMPLETE").get_completions(before, begun)
    assert {item.value for item in offered} == found


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_lines_for_a_shell_ask_the_program(shell: str) -> None:
    printed = run("completion", shell)
    assert printed.exit_code == 0 and f"_SHESHBESH_COMPLETE={shell}_complete" in printed.output


def test_bash_completes_by_the_printed_lines(tmp_path: Path) -> None:
    program = tmp_path / "sheshbesh"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m sheshbesh "$@"\n')
    program.chmod(0o755)
    lines = run("completion", "bash").output
    ask = f"""PATH="{tmp_path}:$PATH"
{lines}
COMP_WORDS=(sheshbesh play tav); COMP_CWORD=2; _sheshbesh_completion sheshbesh; echo "${{COMPREPLY[@]}}"
complete -p sheshbesh"""
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True)
    offered, registered = done.stdout.splitlines()
    assert offered == "tavla" and "_sheshbesh_completion" in registered


# --- perft ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_divide_of_perft_adds_up(name: str) -> None:
    lines = run("perft", name, "--depth", "2", "--divide").output.splitlines()
    parts = [int(line.split()[1]) for line in lines[1:-1]]
    assert len(parts) == 21
    assert lines[-1] == f"perft 2 {sum(parts)}"
    assert sum(parts) == sb.variant(name).perft(2)


def test_perft_from_a_position_that_owes_an_element() -> None:
    lines = run("perft", "gul_bara", "--position", "K2D8o11:w:t3.3:p4444+", "--divide").output.splitlines()
    plays = sb.variant("gul_bara").position_from_id("K2D8o11:w:t3.3:p4444+").legal_plays()
    assert lines[1:] == [f"owed {len(plays)}", f"perft 1 {len(plays)}"]
