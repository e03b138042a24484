"""`sheshbesh verify-dice FILE`: are the dice of this record what they claim to be?"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from pathlib import Path

import click

from sheshbesh.bounded import read_bytes
from sheshbesh.cli.terminal.console import UserError
from sheshbesh.fairdice.envelope import Envelope, open_envelope
from sheshbesh.fairdice.verdict import Verdict
from sheshbesh.fairdice.verify import verify_transcript
from sheshbesh.rules import Refused
from sheshbesh.rules.safe_text import escaped


@click.command("verify-dice")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--envelope",
    type=click.Path(path_type=Path, allow_dash=True),
    help="The sealed envelope that was handed out before the game.",
)
@click.option("--password", help="What opens the envelope; asked for if left out.")
@click.option("--rolls", is_flag=True, help="List every throw.")
def command(file: Path, envelope: Path | None, password: str | None, *, rolls: bool) -> None:
    """Check the dice of a match record or of a dice transcript.

    Says in plain words what is proved and what is not. Exits with 0 if the dice hold, with 1 if
    something is wrong with them, and with 2 if a file cannot be read or opened.
    """
    if envelope is None and password is not None:
        raise click.UsageError("a password opens an envelope: name it with --envelope")
    envelopes = [] if envelope is None else [_opened(envelope, password)]
    try:
        text = _content(file).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"{file} is not text in UTF-8: {error}") from error
    verdict = verify_transcript(text, envelopes=envelopes)
    if rolls:
        _say_rolls(verdict)
    _say(verdict)
    if not verdict.ok:
        raise SystemExit(1)


def _content(file: Path) -> bytes:
    try:
        return read_bytes(file)
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror or error}") from error


def _opened(file: Path, password: str | None) -> Envelope:
    try:
        return open_envelope(_content(file), password or click.prompt("Password", hide_input=True))
    except Refused as refused:
        raise UserError(f"{file}: {refused.refusal.text}") from None


def _say_rolls(verdict: Verdict) -> None:
    for throw in verdict.throws:
        dice = "?" if throw.dice is None else f"{throw.dice[0]}-{throw.dice[1]}"
        marks = [f"{side}'s link missing" for side in throw.missing] + ["WRONG"] * (throw.problem is not None)
        roller = throw.roller or "both"
        line = f"{throw.game or '?'} {throw.number or '?':>4}  {roller:<6}{dice}  {', '.join(marks)}"
        click.echo(escaped(line.rstrip()))
    click.echo()


def _say(verdict: Verdict) -> None:
    count = len(verdict.throws)
    if verdict.ok:
        click.echo(f"Nothing is wrong with the dice of this file ({count} throw{'s' * (count != 1)}).")
    else:
        click.echo("The dice of this file do NOT hold. Look at the first place first:")
        _say_list(str(problem) for problem in verdict.problems[:10])
        if len(verdict.problems) > 10:
            click.echo(f"  and {len(verdict.problems) - 10} more, which may only follow from these")
    if verdict.cut_off:
        click.echo("The last line is only a part of an event, as after a crash; it was left out.")
    if verdict.proved:
        click.echo("\nWhat is proved:")
        _say_list(verdict.proved)
    if verdict.ok:
        click.echo("\nWhat is not proved:")
    else:
        click.echo("\nSo nothing is proved. Dice without a fault would still leave open:")
    _say_list(verdict.unproved)


def _say_list(sentences: Iterable[str]) -> None:
    for sentence in sentences:
        click.echo(textwrap.fill(sentence, 79, initial_indent="  - ", subsequent_indent="    "))
