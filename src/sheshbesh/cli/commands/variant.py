"""`sheshbesh variant`: games of the user's own."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import click

from sheshbesh.cli.game_arguments import complete_games

_GAMES = 20
_DECISIONS_PER_ROUND = 500


@click.group("variant")
def command() -> None:
    """Check a game of your own, or begin one."""


@command.command("check")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--seed", type=int, default=1, show_default=True, help="Of the random games.")
def check(file: Path, seed: int) -> None:
    """Find every problem of a variant FILE at once.

    Each is named with its line, key and what is allowed, and the exit code is 1. A good file gets
    its rule card printed and some games played at random.
    """
    import sheshbesh as sb
    from sheshbesh.cli.terminal.wording import card_text
    from sheshbesh.rules.check import check_file
    from sheshbesh.rules.safe_text import escaped

    problems = check_file(file)
    for problem in problems:
        click.echo(f"{escaped(file)}: {problem}")
    if problems:
        click.echo(f"{len(problems)} problem{'s' if len(problems) > 1 else ''} in {escaped(file)}.", err=True)
        sys.exit(1)
    game = sb.variant_from_file(file)
    for line in card_text(game):
        click.echo(line)
    click.echo("")
    games = decisions = 0
    while games < _GAMES and decisions < _GAMES * _DECISIONS_PER_ROUND:
        more, played, _, _ = game.play_at_random(_DECISIONS_PER_ROUND, seed)
        games, decisions, seed = games + more, decisions + played, seed + 1
    click.echo(f"{escaped(file)} is a game: {games} games of it were played at random, {decisions} throws.")
    if games < _GAMES:
        click.echo("Few of them came to an end: see whether both sides can always get home.", err=True)
    click.echo(f"Fingerprint {game.fingerprint}. Play it with: sheshbesh play {escaped(file)}")


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
def new(name: str, base: str) -> None:
    """Begin a game: write NAME.toml in this folder, which differs from its base in nothing yet."""
    import re

    from sheshbesh.rules.lookup import find_game

    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise click.UsageError(f"a name is small letters, digits and _, a letter first, not {name!r}")
    if (taken := _shipped(name)) is not None:
        raise click.UsageError(f"{name!r} is the name of a shipped game ({taken}); choose another")
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
        raise click.UsageError(f"{path} cannot be written: {error.strerror}") from error
    click.echo(f"Wrote {path}. Change it, then: sheshbesh variant check {path}")
