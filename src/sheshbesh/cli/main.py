"""The entry point: a group of commands, each loaded when it is called."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from io import TextIOWrapper
from types import MappingProxyType

import click

from sheshbesh.cli.game_arguments import LANGUAGE
from sheshbesh.cli.terminal.console import UserError, command_language, stopped
from sheshbesh.errors import SheshbeshError, system_reason
from sheshbesh.i18n import JoinedText, PluralText, Text
from sheshbesh.i18n.catalogue import codes

COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "play": ("play", "Play games and matches in the terminal."),
        "serve": ("serve", "Serve the site: play in the browser."),
        "static": ("static", "Write the page for a host of files: play, lessons, analysis."),
        "site": ("site", "Look after a site: backups, reports, bans."),
        "chouette": ("chouette", "Play a chouette: one board, 3 to 10 people."),
        "records": ("records", "List, show and delete the matches kept here."),
        "learn": ("learn", "Learn a game in five minutes of lessons."),
        "rules": ("rules", "List the games, or print the rule card of one."),
        "customs": ("customs", "Tell traditional from modern, and how to behave at a board."),
        "card": ("card", "Show a house-rule card, or compare two."),
        "convert": ("convert", "Turn a match file of one program into that of another."),
        "review": ("review", "Judge every decision of a match file."),
        "drill": ("drill", "Practise what you got wrong in your matches."),
        "search": ("search", "Find positions of your reviewed matches."),
        "statistics": ("statistics", "Add up the analysis that stands in match files."),
        "verify-dice": ("verify_dice", "Check the dice of a match record."),
        "verify-tournament": ("verify_tournament", "Check the record of a tournament."),
        "variant": ("variant", "Check a game of your own, or begin one."),
        "perft": ("perft", "Count the positions some plays deep."),
        "rollout": ("rollout", "Play a position out many times."),
        "bench": ("bench", "Measure the speed of rules and engine, and sign them."),
        "tables": ("tables", "Make the bear-off databases ahead, or list them."),
        "train": ("train", "Train a net for a game by self-play."),
        "completion": ("completion", "Print what a shell completes commands by."),
        "engine": ("engine", "Answer other programs by a line protocol."),
    }
)
"""Command -> its module in `cli.commands`, which has a click command `command`, and its short help."""


class _Commands(click.Group):
    """Loads a command when it is asked for, so that starting stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- the signature is click's
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"sheshbesh.cli.commands.{COMMANDS[cmd_name][0]}").command
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # Before a command reads its words, so that their faults are told in the language, too.
        for word, following in zip(args, [*args[1:], ""], strict=True):
            code = following if word == "--lang" else word.removeprefix("--lang=")
            if word.startswith("--lang") and code in codes():
                ctx.meta[LANGUAGE] = code
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, click.Abort):
            stopped(Text("Stopped."))
        except SheshbeshError as error:
            raise UserError(_said(error)) from error
        except BrokenPipeError:
            raise
        except OSError as error:
            if error.filename is None:
                raise
            why = system_reason(error)
            raise UserError(Text("{file}: {why}", file=str(error.filename), why=why)) from error
        except click.UsageError as error:
            if (said := _usage(error)) is None:
                raise
            raise UserError(said) from error


def _said(error: SheshbeshError) -> str:
    """Return the words of an error: every problem on a line of its own where there are several."""
    problems: tuple[str, ...] = getattr(error, "problems", ())
    if len(problems) > 1:
        count = PluralText("{n} problem:", "{n} problems:", len(problems))
        return JoinedText(count, *problems, separator="\n")
    return error.message


def _usage(error: click.UsageError) -> Text | None:
    """A frequent fault of the command line as a sentence of ours; None in English, which is click's."""
    if command_language() == "en":
        return None
    if isinstance(error.message, Text) and not isinstance(error, click.BadParameter):
        return error.message
    if isinstance(error, click.NoSuchOption):
        return Text("there is no option {option}", option=error.option_name)
    if not isinstance(error, click.BadParameter):
        return None
    param = error.param
    name = error.param_hint or (param.get_error_hint(error.ctx) if param is not None and error.ctx else "")
    hint = (name if isinstance(name, str) else " / ".join(name)).strip("'")
    if isinstance(error, click.MissingParameter):
        return Text("{argument} is missing", argument=hint)
    if param is not None and isinstance(param.type, click.Choice):
        return Text("{argument} is one of {choices}", argument=hint, choices=", ".join(param.type.choices))
    if isinstance(error.message, Text):
        return Text("{argument}: {why}", argument=hint, why=error.message) if hint else error.message
    return None


def _print_version(ctx: click.Context, _: click.Parameter, value: object) -> None:
    if value and not ctx.resilient_parsing:
        from sheshbesh import __version__

        click.echo(f"sheshbesh {__version__}")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version and exit.",
)
def cli() -> None:
    """Every game of the backgammon family by its exact rules."""


def main() -> None:
    """Run the command line of this process."""
    for stream in (sys.stdout, sys.stderr):
        # Native names of games must not end the program on a terminal that cannot show them.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    cli(prog_name="sheshbesh")
