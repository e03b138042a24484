"""`sheshbesh verify-tournament FILE`: was this tournament drawn, paired and scored by its rules?"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import BinaryIO

import click

from sheshbesh.cli.terminal.console import UserError
from sheshbesh.errors import RecordError
from sheshbesh.rules.safe_text import escaped
from sheshbesh.tournaments import Verdict, standings, verify

MOST_SHOWN = 10


@click.command("verify-tournament")
@click.argument("file", type=click.File("rb"))
@click.option("--table", is_flag=True, help="Print the standings that the results lead to.")
def command(file: BinaryIO, *, table: bool) -> None:
    """Check the record of a tournament: its draw, every pairing, every standing.

    Says in plain words what is checked and what is not, and names the line of whatever is wrong. Exits with 0
    if the record holds, with 1 if something is wrong with it, and with 2 if the file cannot be read.
    """
    try:
        text = file.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"{file.name} is not text in UTF-8: {error}") from error
    try:
        verdict = verify(text)
    except RecordError as error:
        raise UserError(f"{file.name}: {escaped(error)}") from error
    if table:
        _say_table(verdict)
    _say(verdict)
    if not verdict.ok:
        raise SystemExit(1)


def _say_table(verdict: Verdict) -> None:
    state = verdict.state
    part = ""
    for row in standings(state):
        heading = row.bracket or (f"group {row.group}" if row.group else "")
        if heading != part:
            part = heading
            click.echo(heading)
        place = str(row.place) if row.place == row.last else f"{row.place}-{row.last}"
        score = f"{row.score:g}" if not row.bracket else ""
        click.echo(escaped(f"{place:>9}  {state.entrant(row.entrant).name:<24}{score:>6}".rstrip()))
    click.echo()


def _say(verdict: Verdict) -> None:
    title = escaped(verdict.state.settings.title)
    if verdict.ok:
        click.echo(f"Nothing is wrong with this record of “{title}” ({verdict.state.status.value}).")
    else:
        click.echo(f"This record of “{title}” does NOT hold. Look at the first place first:")
        _say_list(escaped(problem) for problem in verdict.problems[:MOST_SHOWN])
        if len(verdict.problems) > MOST_SHOWN:
            click.echo(f"  and {len(verdict.problems) - MOST_SHOWN} more, which may only follow from these")
        click.echo("\nSo nothing is proved.")
        return
    click.echo("\nWhat is checked:")
    _say_list(verdict.checked)
    click.echo("\nWhat is not:")
    _say_list(verdict.unchecked)


def _say_list(sentences: Iterable[str]) -> None:
    for sentence in sentences:
        click.echo(textwrap.fill(sentence, 79, initial_indent="  - ", subsequent_indent="    "))
