"""`sheshbesh verify-dice FILE`: are the dice of this record what they claim to be?"""

from __future__ import annotations

from pathlib import Path

import click

from sheshbesh.bounded import read_bytes
from sheshbesh.cli.game_arguments import language_option
from sheshbesh.cli.terminal.console import MOST_SHOWN, UserError, print_list, print_rest, print_text
from sheshbesh.errors import system_reason
from sheshbesh.fairdice.envelope import Envelope, open_envelope
from sheshbesh.fairdice.verdict import Verdict
from sheshbesh.fairdice.verify import verify_transcript
from sheshbesh.i18n import JoinedText, PluralText, Text, translate
from sheshbesh.rules import Refused


@click.command("verify-dice")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--envelope",
    type=click.Path(path_type=Path, allow_dash=True),
    help="The sealed envelope that was handed out before the game.",
)
@click.option("--password", help="What opens the envelope; asked for if left out.")
@click.option("--rolls", is_flag=True, help="List every throw.")
@language_option
def command(file: Path, envelope: Path | None, password: str | None, *, rolls: bool, lang: str) -> None:
    """Check the dice of a match record or of a dice transcript.

    Says in plain words what is proved and what is not. Exits with 0 if the dice hold, with 1 if
    something is wrong with them, and with 2 if a file cannot be read or opened, or is no record.
    """
    if envelope is None and password is not None:
        raise click.UsageError(Text("a password opens an envelope: name it with --envelope"))
    envelopes = [] if envelope is None else [_opened(envelope, password, lang)]
    try:
        text = _content(file).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError(Text("{file} is not text in UTF-8: {why}", file=file, why=error)) from error
    verdict = verify_transcript(text, envelopes=envelopes)
    if not verdict.is_record:
        why = verdict.problems[0].said
        raise UserError(
            Text("{file} is neither a match record nor a record of dice: {why}", file=file, why=why)
        )
    if rolls:
        _say_rolls(verdict)
    _say(verdict)
    if not verdict.ok:
        raise SystemExit(1)


def _content(file: Path) -> bytes:
    try:
        return read_bytes(file)
    except OSError as error:
        raise UserError(Text("{file} cannot be read: {why}", file=file, why=system_reason(error))) from error


def _opened(file: Path, password: str | None, lang: str) -> Envelope:
    content = _content(file)  # before anybody is asked for anything
    try:
        asked = password or click.prompt(translate("Password", lang), hide_input=True)
        return open_envelope(content, asked)
    except Refused as refused:
        raise UserError(Text("{file}: {why}", file=file, why=refused.refusal.text)) from None


_NAMES = {"white": Text("White"), "black": Text("Black")}


def _say_rolls(verdict: Verdict) -> None:
    for throw in verdict.throws:
        dice = "?" if throw.dice is None else f"{throw.dice[0]}-{throw.dice[1]}"
        marks: list[str] = [Text("{who}'s link is missing", who=_NAMES[side]) for side in throw.missing]
        if throw.problem is not None:
            marks.append(Text("WRONG"))
        roller = Text("both") if throw.roller is None else _NAMES.get(throw.roller, throw.roller)
        place = f"{throw.game or '?'} {throw.number or '?':>4} "
        # Fixed columns, that programs read, come first.
        print_text(JoinedText(place, roller, f" {dice} ", JoinedText(*marks, separator=", ")))
    click.echo()


def _say(verdict: Verdict) -> None:
    count = len(verdict.throws)
    if verdict.ok:
        print_text(
            PluralText(
                "Nothing is wrong with the dice of this file ({n} throw).",
                "Nothing is wrong with the dice of this file ({n} throws).",
                count,
            )
        )
    else:
        print_text(Text("The dice of this file do NOT hold. Look at the first place first:"))
        print_list(problem.said for problem in verdict.problems[:MOST_SHOWN])
        print_rest(len(verdict.problems))
    if verdict.cut_off:
        print_text(Text("The last line is only a part of an event, as after a crash; it was left out."))
    if verdict.proved:
        click.echo()
        print_text(Text("What is proved:"))
        print_list(verdict.proved)
    click.echo()
    if verdict.ok:
        print_text(Text("What is not proved:"))
    else:
        print_text(Text("So nothing is proved. Dice without a fault would still leave open:"))
    print_list(verdict.unproved)
