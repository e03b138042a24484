"""`sheshbesh tables`: the bear-off databases, which exist and making them ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sheshbesh.cli.game_arguments import complete_games, rule_options
from sheshbesh.cli.terminal.console import progress_bars
from sheshbesh.rules.lookup import find_game

if TYPE_CHECKING:
    from sheshbesh.engines.bearoff_databases import DatabaseInfo
    from sheshbesh.rules import Variant

_MEGABYTE = 1_000_000


@click.command("tables")
@click.argument("games", nargs=-1, shell_complete=complete_games)
@rule_options
def command(games: tuple[str, ...], *, options: tuple[str, ...]) -> None:
    """Make the bear-off databases of GAMES; without GAMES, say which there are.

    A database is made by itself when an engine first needs it, which takes a few seconds. Games whose
    bear-off is the same share their databases. They are kept in the cache folder of the system, or in the
    folder that the environment variable SHESHBESH_CACHE names; what is deleted there is made anew.
    """
    import sheshbesh as sb
    from sheshbesh.engines import bearoff_databases

    for name in games:
        variant = find_game(name, options)
        with progress_bars() as progress:
            bearoff_databases.for_variant(variant, progress)
        _print(variant)
    if not games:
        for name in sb.variants():
            _print(find_game(name, options))
    click.echo(f"folder: {bearoff_databases.cache_folder() / 'bearoff'}")


def _print(variant: Variant) -> None:
    from sheshbesh.engines import bearoff_databases

    found = bearoff_databases.info(variant)
    if len({one.obstacle for one in found}) == 1 and found[0].obstacle:
        click.echo(f"{variant.name:<14} none: {found[0].obstacle}")
        return
    for name, one in zip((variant.name, ""), found, strict=True):
        click.echo(f"{name:<14} {one.kind}  {_state(one)}")


def _state(found: DatabaseInfo) -> str:
    if found.path is None:
        return f"none: {found.obstacle}"
    if not found.exists:
        return "not made yet"
    return f"{found.path.stem.split('-')[2]}  {found.path.stat().st_size / _MEGABYTE:.1f} MB"
