"""`sheshbesh statistics`: what the analysis in match files adds up to."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from sheshbesh.cli.commands.convert import fail, one_line
from sheshbesh.cli.game_arguments import language_option
from sheshbesh.cli.terminal.console import command_language, print_text
from sheshbesh.errors import SheshbeshError
from sheshbesh.i18n import JoinedText, Text, translate
from sheshbesh.records import RULES, match_statistics, read_match
from sheshbesh.records.text import MOST_BYTES

_INDENT = "  "

_WORDS = {
    "name": Text("name"),
    "moves": Text("plays"),
    "moves_of_both": Text("plays of both"),
    "decisions": Text("decisions"),
    "total": Text("all"),
    "unforced": Text("unforced"),
    "doubtful": Text("doubtful"),
    "bad": Text("bad"),
    "very_bad": Text("very bad"),
    "error": Text("error"),
    "error_emg": Text("error (EMG)"),
    "error_mwc": Text("error (MWC)"),
    "cube": Text("cube"),
    "close": Text("close or actual decisions"),
    "doubles": Text("actual doubles"),
    "takes": Text("actual takes"),
    "passes": Text("actual drops"),
    "missed_below_cash": Text("missed doubles below the cash point"),
    "missed_above_cash": Text("missed doubles above the cash point"),
    "wrong_below_double": Text("wrong doubles below the doubling point"),
    "wrong_above_too_good": Text("wrong doubles, too good"),
    "wrong_takes": Text("wrong takes"),
    "wrong_passes": Text("wrong drops"),
    "count": Text("number"),
    "luck": Text("luck"),
    "very_lucky": Text("very lucky"),
    "lucky": Text("lucky"),
    "unlucky": Text("unlucky"),
    "very_unlucky": Text("very unlucky"),
    "luck_emg": Text("luck (EMG)"),
    "luck_mwc": Text("luck (MWC)"),
    "actual_mwc": Text("result (MWC)"),
    "luck_adjusted_mwc": Text("result without luck (MWC)"),
    "rate": Text("error rate"),
    "rate_memg": Text("error rate (mEMG)"),
    "fibs": Text("FIBS rating"),
    "bars": Text("standard error"),
}
"""The names of numbers in other languages than English, which has the keys themselves, as JSON does."""


@click.command(short_help="Add up the analysis that stands in match files.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--rule", type=click.Choice(RULES), default="gnubg", help="Whose rules count.")
@click.option("--bars", is_flag=True, help="With standard errors.")
@click.option("--json", "as_json", is_flag=True, help="As JSON; several files give a list.")
@language_option
def command(files: tuple[Path, ...], *, rule: str, bars: bool, as_json: bool, lang: str) -> None:
    """Errors and luck of both players in each of FILES, by gnubg's, XG's or Snowie's rules.

    Nothing is analysed here: the numbers come from the analysis that GNU Backgammon or XG stored. Exits with
    2, and the reason, where there is none.
    """
    found, repairs = [], []
    for file in files:
        try:
            match = read_match(sys.stdin.buffer.read(MOST_BYTES + 1) if str(file) == "-" else file)
            found.append(match_statistics(match, rule=rule, bars=bars).to_data())
        except (SheshbeshError, OSError) as error:
            fail(file, error)
        repairs += [repair.text for repair in match.repairs]
    for repair in repairs:
        click.echo(one_line(repair), err=True)
    if as_json:
        click.echo(json.dumps(found[0] if len(found) == 1 else found, ensure_ascii=False, indent=1))
        return
    for file, data in zip(files, found, strict=True):
        print_text(Text("{file}, by the rules of {program}", file=file, program=rule))
        white, black = data["players"]
        rows = _rows(white, black)
        if any(data["left_out"]):
            mine, theirs = data["left_out"]
            rows.append((Text("decisions left out"), str(mine), str(theirs)))
        names = [translate(name, lang) for name, _, _ in rows]
        width = max(32, *map(len, names))
        for name, (_, left, right) in zip(names, rows, strict=True):
            click.echo(f"{_INDENT}{name:<{width}}{left:>18}{right:>18}")


def _rows(white: dict[str, Any], black: dict[str, Any], *groups: str) -> list[tuple[str, str, str]]:
    """The numbers of both players side by side."""
    rows: list[tuple[str, str, str]] = []
    for key, value in white.items():
        plain = key.replace("_", " ")
        names = *groups, plain if command_language() == "en" else _WORDS.get(key, plain.upper())
        if isinstance(value, dict):
            rows += _rows(value, black[key], *names)
        else:
            rows.append((JoinedText(*names, separator=", "), _shown(value), _shown(black[key])))
    return rows


def _shown(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4f}"
    return str(value)[:17]
