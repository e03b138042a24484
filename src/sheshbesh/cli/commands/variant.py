"""`sheshbesh variant`: games of the user's own."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import click

from sheshbesh.cli.game_arguments import complete_games, language_option
from sheshbesh.cli.terminal.console import print_text
from sheshbesh.errors import system_reason
from sheshbesh.i18n import PluralText, Text

_GAMES = 20
_DECISIONS_PER_ROUND = 500


@click.group("variant")
def command() -> None:
    """Check a game of your own, or begin one."""


@command.command("check")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--seed", type=int, default=1, show_default=True, help="Of the random games.")
@language_option
def check(file: Path, seed: int, lang: str) -> None:
    """Find every problem of a variant FILE at once.

    Each is named with its line, key and what is allowed, and the exit code is 1. A good file gets
    its rule card printed and some games played at random.
    """
    import sheshbesh as sb
    from sheshbesh.cli.terminal.console import Console
    from sheshbesh.cli.terminal.wording import card_text
    from sheshbesh.rules.check import check_file
    from sheshbesh.rules.safe_text import escaped

    problems = check_file(file)
    for problem in problems:
        click.echo(f"{escaped(file)}: {problem}")
    if problems:
        count = PluralText("{n} problem in {file}.", "{n} problems in {file}.", len(problems), file=file)
        click.echo(Console(lang).worded(count), err=True)
        sys.exit(1)
    game = sb.variant_from_file(file)
    Console(lang).show(card_text(game, lang))
    click.echo("")
    games = decisions = 0
    while games < _GAMES and decisions < _GAMES * _DECISIONS_PER_ROUND:
        more, played, _, _ = game.play_at_random(_DECISIONS_PER_ROUND, seed)
        games, decisions, seed = games + more, decisions + played, seed + 1
    print_text(
        Text(
            "{file} is a game: {games} games of it were played at random, {throws} throws.",
            file=file,
            games=games,
            throws=decisions,
        )
    )
    if games < _GAMES:
        few = Text("Few of them came to an end: see whether both sides can always get home.")
        click.echo(Console(lang).worded(few), err=True)
    print_text(
        Text(
            "Fingerprint {fingerprint}. Play it with: {command}",
            fingerprint=game.fingerprint,
            command=f"sheshbesh play {file}",
        )
    )


def _shipped(name: str) -> str | None:
    """The shipped game that is called so, perhaps by an alias; None if there is none."""
    from sheshbesh.errors import VariantError
    from sheshbesh.rules.lookup import find_game

    try:
        return find_game(name).name
    except VariantError:
        return None


@command.command("new")
@click.argument("name")
@click.option(
    "--base",
    default="backgammon",
    show_default=True,
    shell_complete=complete_games,
    help="The game it differs from.",
)
@language_option
def new(name: str, base: str, lang: str) -> None:  # noqa: ARG001 -- asked for by name
    """Begin a game: write NAME.toml in this folder, which differs from its base in nothing yet."""
    import re

    from sheshbesh.rules.lookup import find_game

    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise click.UsageError(
            Text("a name is small letters, digits and _, a letter first, not {name}", name=repr(name))
        )
    if (taken := _shipped(name)) is not None:
        raise click.UsageError(
            Text("{name} is the name of a shipped game ({game}); choose another", name=repr(name), game=taken)
        )
    data = find_game(base)._data
    setup = data.axes["board"]["setup"]
    points = (
        ", ".join(f"{point} = {count}" for point, count in setup.items())
        if isinstance(setup, Mapping)
        else ""
    )
    path = Path(f"{name}.toml")
    text = (
        f'name = "{name}"\n'
        f'title = "{name.replace("_", " ").capitalize()}"\n'
        'region = "our table"\n'
        f'description = "As {data.title}, but different."\n'
        f'base = "{data.name}"\n'
        "\n# Answer below only what differs from the base; each table says where its rule comes from.\n"
        f"# `sheshbesh rules {data.name}` shows the base, `sheshbesh variant check {path}` this game.\n"
        f"[board]\nsetup = {{ {points} }}\n"
        'source = "our table"\n'
    )
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise click.UsageError(
            Text("{file} cannot be written: {why}", file=path, why=system_reason(error))
        ) from error
    command = f"sheshbesh variant check {path}"
    print_text(Text("Wrote {file}. Change it, then: {command}", file=path, command=command))
