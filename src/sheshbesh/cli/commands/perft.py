"""`sheshbesh perft`: how many positions lie some plays ahead, to compare generators."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sheshbesh.cli.game_arguments import complete_games, rule_options
from sheshbesh.formats import parse_any_id
from sheshbesh.rules.lookup import find_game

if TYPE_CHECKING:
    from sheshbesh.rules import Position, Variant

_MOST = 6


@click.command("perft")
@click.argument("game", shell_complete=complete_games)
@click.option(
    "--depth", type=click.IntRange(1, _MOST), default=1, show_default=True, help="Plays to look ahead."
)
@click.option("--position", "position_id", metavar="ID", help="Count from here instead of from the start.")
@click.option("--divide", is_flag=True, help="Count for each throw of the first play.")
@rule_options
def command(
    game: str, *, depth: int, position_id: str | None, divide: bool, options: tuple[str, ...]
) -> None:
    """Count the positions that are --depth plays away in GAME.

    The count is the sum over the 21 different throws of the distinct final positions, and so on from
    each of them. What is owed in a chain is played without a throw.
    """
    variant = find_game(game, options)
    position = parse_any_id(position_id, variant).position if position_id else variant.start()
    click.echo(f"{variant.name} {position.id}")
    if divide:
        _divide(variant, position, depth)
    click.echo(f"perft {depth} {variant.perft(depth, position)}")


def _divide(variant: Variant, position: Position, depth: int) -> None:
    from sheshbesh.rules import Roll

    if position.result is not None:
        return
    throws: list[tuple[str, Roll | None]] = [(str(roll), roll) for roll, _ in Roll.all()]
    if position.pending is not None:
        throws = [("owed", None)]
    for name, roll in throws:
        plays = position.legal_plays(roll)
        count = len(plays) if depth == 1 else sum(variant.perft(depth - 1, play.result) for play in plays)
        click.echo(f"{name} {count}")
