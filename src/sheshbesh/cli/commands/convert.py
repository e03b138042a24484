"""`sheshbesh convert`: a match file of one program as that of another."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

import click

from sheshbesh.cli.game_arguments import language_option
from sheshbesh.cli.terminal.console import command_language
from sheshbesh.errors import SheshbeshError, system_reason
from sheshbesh.i18n import Text, translate
from sheshbesh.records import DIALECTS, FORMS, format_match, read_match
from sheshbesh.records.text import MOST_BYTES


@click.command(short_help="Turn a match file of one program into that of another.")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--to",
    "form",
    type=click.Choice(FORMS),
    required=True,
    help="What to write.",
)
@click.option("--dialect", type=click.Choice(DIALECTS), default="xg", help="The spelling of a .mat file.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write to a file, not the screen."
)
@language_option
def command(file: Path, form: str, dialect: str, output: Path | None, lang: str) -> None:  # noqa: ARG001 -- asked for by name
    """Read FILE, of any program, and write it as json, mat, sgf or our own record.

    Repairs made while reading are printed to standard error, one line each. Exits with 2 if FILE holds no
    match.
    """
    try:
        match = read_match(sys.stdin.buffer.read(MOST_BYTES + 1) if str(file) == "-" else file)
        data = format_match(match, form, dialect=dialect)
    except (SheshbeshError, OSError) as error:
        fail(file, error)
    for repair in match.repairs:
        click.echo(one_line(repair.text), err=True)
    if output is None:
        click.echo(data, nl=False)
        return
    try:
        output.write_bytes(data)
    except OSError as error:
        fail(output, error)


def fail(file: Path, error: Exception) -> NoReturn:
    """End the program with one line on standard error and exit code 2."""
    why: object = error
    if isinstance(error, OSError):
        why = Text("{file}: {why}", file=file, why=system_reason(error))
    if str(file) not in str(why):
        why = Text("{file}: {why}", file=file, why=why)
    click.echo(one_line(Text("Error: {what}", what=why)), err=True)
    raise SystemExit(2)


def one_line(text: str) -> str:
    """A message in the language of the command, without line breaks, whatever a file has put into it."""
    return translate(text.mapped(_plain), command_language()) if isinstance(text, Text) else str(_plain(text))


def _plain(value: object) -> object:
    if isinstance(value, Text):
        return value.mapped(_plain)
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    if not isinstance(value, str):
        return value
    return " ".join("".join(sign if sign.isprintable() else " " for sign in value).split())
