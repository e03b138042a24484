"""`sheshbesh statistics`: what the analysis in match files adds up to."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from sheshbesh.cli.commands.convert import fail, one_line
from sheshbesh.errors import SheshbeshError
from sheshbesh.records import RULES, match_statistics, read_match
from sheshbesh.records.text import MOST_BYTES

_INDENT = "  "


@click.command(short_help="Add up the analysis that stands in match files.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--rule", type=click.Choice(RULES), default="gnubg", help="Whose rules count.")
@click.option("--bars", is_flag=True, help="With standard errors.")
@click.option("--json", "as_json", is_flag=True, help="As JSON; several files give a list.")
def command(files: tuple[Path, ...], rule: str, bars: bool, as_json: bool) -> None:  # noqa: FBT001
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
        click.echo(f"{file}, by the rules of {rule}")
        white, black = data["players"]
        for name, left, right in _rows(white, black):
            click.echo(f"{_INDENT}{name:<32}{left:>18}{right:>18}")
        if any(data["left_out"]):
            mine, theirs = data["left_out"]
            click.echo(f"{_INDENT}{'decisions left out':<32}{mine:>18}{theirs:>18}")


def _rows(white: dict[str, Any], black: dict[str, Any], prefix: str = "") -> list[tuple[str, str, str]]:
    """The numbers of both players side by side."""
    rows = []
    for key, value in white.items():
        name = f"{prefix}{key}".replace("_", " ")
        if isinstance(value, dict):
            rows += _rows(value, black[key], f"{name}, ")
        else:
            rows.append((name, _shown(value), _shown(black[key])))
    return rows


def _shown(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4f}"
    return str(value)[:17]
