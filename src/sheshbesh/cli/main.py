"""The entry point: a group of commands, each loaded when it is called."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from io import TextIOWrapper
from types import MappingProxyType

import click

from sheshbesh.cli.terminal.console import UserError

COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "play": ("play", "Play games and matches in the terminal."),
        "serve": ("serve", "Serve the site: play in the browser."),
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

    def invoke(self, ctx: click.Context) -> object:
        from sheshbesh.errors import SheshbeshError

        try:
            return super().invoke(ctx)
        except SheshbeshError as error:
            problems: tuple[str, ...] = getattr(error, "problems", ())
            listed = [f"{len(problems)} problems:", *problems] if len(problems) > 1 else [str(error)]
            raise UserError("\n".join(listed)) from error


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
