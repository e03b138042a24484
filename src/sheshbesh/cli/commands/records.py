"""`sheshbesh records`: the matches kept here, listed, shown and deleted."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sheshbesh.cli.game_arguments import language_option
from sheshbesh.i18n import JoinedText, Text

if TYPE_CHECKING:
    from sheshbesh.cli.terminal.record_folder import Entry
    from sheshbesh.session import Chouette, Event, Session

_LISTED = 20
"""The most records listed without --all: each is checked by replaying it."""


@click.group("records", invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List, show and delete the matches kept here.

    A record is named by its name in the list or a part of it that no other has; the match played last
    is called newest. `sheshbesh play --resume` resumes the newest that can be resumed.
    """
    if ctx.invoked_subcommand is None:
        _list(everything=False)


@command.command("list")
@click.option("--all", "everything", is_flag=True, help="The old ones, too.")
def list_command(*, everything: bool) -> None:
    """List the records, those played last first."""
    _list(everything=everything)


@command.command("show")
@click.argument("name", metavar="NAME|FILE")
@language_option
def show_command(name: str, *, lang: str) -> None:
    """Show what a record says: the table, the score and every play."""
    from sheshbesh.cli.terminal.console import Console, LeaveError, UserError
    from sheshbesh.cli.terminal.record_folder import find_record, read_entry

    path = Path(name)
    entry = read_entry(path if path.is_file() else find_record(name))
    if entry.record is None:
        raise UserError(entry.problem)
    try:
        Console(lang).page([*_head(entry), "", *_sheet(entry), "", *_story(entry)])
    except LeaveError:
        return


@command.command("delete")
@click.argument("names", metavar="NAME [...]", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete_command(names: tuple[str, ...], *, yes: bool) -> None:
    """Delete records of the folder, with the secrets of their dice; asks about each."""
    from sheshbesh.cli.terminal.console import UserError
    from sheshbesh.cli.terminal.record_files import LockedRecord
    from sheshbesh.cli.terminal.record_folder import Status, find_record, read_entry

    # All names are looked up before anything is deleted.
    for entry in [read_entry(path) for path in dict.fromkeys(find_record(name) for name in names)]:
        if entry.status is Status.BUSY:
            raise UserError(
                Text("{name} is being played in another terminal: end that first", name=entry.name)
            )
        if not yes:
            _say(_about(entry))
            if not click.confirm(f"Delete {entry.name}?"):
                click.echo("It is kept.")
                continue
        LockedRecord(entry.path).delete()
        click.echo(f"{entry.name} is deleted.")


def _list(*, everything: bool) -> None:
    from itertools import islice

    from sheshbesh.cli.terminal.record_files import folder
    from sheshbesh.cli.terminal.record_folder import entries, paths

    shown = list(entries() if everything else islice(entries(), _LISTED))
    if not shown:
        _say(f"There are no records in {folder()}.")
        return
    for entry in shown:
        click.echo(entry.name)
        _say(f"    {_about(entry)}")
    if not everything and len(shown) == _LISTED and len(paths()) > _LISTED:
        _say(f"Only the newest {_LISTED} are listed; `sheshbesh records list --all` lists the others, too.")


def _say(text: str) -> None:
    indent = " " * (len(text) - len(text.lstrip()))
    click.echo(textwrap.fill(text, 79, subsequent_indent=indent + "  ", break_on_hyphens=False))


def _about(entry: Entry) -> str:
    """One line: when, what, how it stands and what can be done with it."""
    when = f"{entry.played_at:%Y-%m-%d %H:%M}"
    if entry.record is None or entry.state is None:
        return f"{when}, {entry.status.value}"
    return f"{when}, {entry.record.header.card.rules.title}, {_standing(entry.state)}; {entry.status.value}"


def _standing(state: Session | Chouette) -> str:
    from sheshbesh.cli.terminal import score_text
    from sheshbesh.session import Chouette

    if isinstance(state, Chouette):
        points = {name: f"{total:+d}" if total else "0" for name, total in state.sheet.items()}
        return ", ".join(f"{name} {total}" for name, total in points.items())
    contest = score_text.contest(state)
    return f"{contest}: {score_text.score(state)}" if contest else score_text.score(state)


def _head(entry: Entry) -> Iterator[str]:
    assert entry.record is not None
    header = entry.record.header
    yield entry.name
    yield f"    {_about(entry)}"
    yield Text("    Table: {code} ({hash})", code=header.card.code, hash=header.card.hash)
    players = header.people().get("players", {})
    if any(players.values()):
        named = (
            Text("{side}: {player}", side=Text(side.capitalize()), player=who)
            for side, who in players.items()
            if who
        )
        yield JoinedText("   ", JoinedText(*named, separator=", "))
    if entry.record.damage is not None:
        yield Text("    The record is damaged: {damage}.", damage=entry.record.damage)


def _sheet(entry: Entry) -> Iterator[str]:
    from sheshbesh.cli.terminal import chouette_narration, score_text
    from sheshbesh.session import Chouette

    state = entry.state
    assert state is not None
    yield from (
        chouette_narration.sheet_lines(state, {})
        if isinstance(state, Chouette)
        else score_text.score_sheet(state)
    )


def _story(entry: Entry) -> Iterator[str]:
    """Everything that happened, in the sentences that were printed."""
    assert entry.record is not None
    header = entry.record.header
    state = header.session()
    for event in entry.record.events:
        before = state
        state = header.follow(state, event).state
        yield from _sentences(before, event, state)


def _sentences(before: Session | Chouette, event: Event, after: Session | Chouette) -> Iterator[str]:
    from sheshbesh.cli.terminal import chouette_narration, narration, score_text
    from sheshbesh.rules import Side
    from sheshbesh.session import SERVER, Chouette, Phase

    if isinstance(before, Chouette) and isinstance(after, Chouette):
        yield from chouette_narration.sentences_of(
            before, event, after, viewer=before.side_of(event.actor) or Side.WHITE
        )
        if len(after.board.games) > len(before.board.games):
            yield from (*chouette_narration.ending(before, after), "")
        return
    assert not isinstance(before, Chouette) and not isinstance(after, Chouette)
    mover = Side.WHITE if event.actor == SERVER else Side.of(event.actor)
    yield from narration.sentences_of(before, event, after, viewer=mover)
    if ended := narration.ending(before, after):
        yield from (*ended, "")
    if after.phase is Phase.OVER:
        yield score_text.verdict(after)
