"""`sheshbesh verify-tournament FILE`: was this tournament drawn, paired and scored by its rules?"""

from __future__ import annotations

from pathlib import Path

import click

from sheshbesh.bounded import read_text
from sheshbesh.cli.game_arguments import language_option
from sheshbesh.cli.terminal.console import MOST_SHOWN, UserError, print_list, print_rest, print_text
from sheshbesh.errors import RecordError
from sheshbesh.i18n import Text
from sheshbesh.rules.safe_text import escaped
from sheshbesh.tournaments import Status, Verdict, standings, verify


@click.command("verify-tournament")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--table", is_flag=True, help="Print the standings that the results lead to.")
@language_option
def command(file: Path, *, table: bool, lang: str) -> None:  # noqa: ARG001 -- asked for by name
    """Check the record of a tournament: its draw, every pairing, every standing.

    Says in plain words what is checked and what is not, and names the line of whatever is wrong. Exits with 0
    if the record holds, with 1 if something is wrong with it, and with 2 if the file cannot be read.
    """
    try:
        text = read_text(file)
    except UnicodeDecodeError as error:
        raise UserError(Text("{file} is not text in UTF-8: {why}", file=file, why=error)) from error
    try:
        verdict = verify(text)
    except RecordError as error:
        raise UserError(Text("{file}: {why}", file=file, why=error)) from error
    if table:
        _say_table(verdict)
    _say(verdict)
    if not verdict.ok:
        raise SystemExit(1)


_STATUS = {
    Status.DRAFT: Text("being prepared"),
    Status.ANNOUNCED: Text("announced"),
    Status.OPEN: Text("open"),
    Status.CHECK_IN: Text("check-in"),
    Status.RUNNING: Text("running"),
    Status.CONFIRMING: Text("results being confirmed"),
    Status.OVER: Text("over"),
    Status.CANCELLED: Text("cancelled"),
}


def _say_table(verdict: Verdict) -> None:
    state = verdict.state
    part = ""
    for row in standings(state):
        heading = row.bracket or (Text("group {group}", group=row.group) if row.group else "")
        if heading != part:
            part = heading
            print_text(heading)
        place = str(row.place) if row.place == row.last else f"{row.place}-{row.last}"
        score = f"{row.score:g}" if not row.bracket else ""
        click.echo(escaped(f"{place:>9}  {state.entrant(row.entrant).name:<24}{score:>6}".rstrip()))
    click.echo()


def _say(verdict: Verdict) -> None:
    title, status = verdict.state.settings.title, _STATUS[verdict.state.status]
    if verdict.ok:
        print_text(
            Text("Nothing is wrong with this record of “{title}” ({status}).", title=title, status=status)
        )
    else:
        print_text(
            Text("This record of “{title}” does NOT hold. Look at the first place first:", title=title)
        )
        print_list(verdict.problems[:MOST_SHOWN])
        print_rest(len(verdict.problems))
        click.echo()
        print_text(Text("So nothing is proved."))
        return
    click.echo()
    print_text(Text("What is checked:"))
    print_list(verdict.checked)
    click.echo()
    print_text(Text("What is not:"))
    print_list(verdict.unchecked)
