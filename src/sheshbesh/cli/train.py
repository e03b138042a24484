"""`sheshbesh train`: make a net for a game from nothing."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sheshbesh.cli.games import find_game, rule_options
from sheshbesh.cli.main import UserError

if TYPE_CHECKING:
    from sheshbesh.rules import Variant


@click.command("train")
@click.argument("games", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Every shipped game, one after the other.")
@click.option("--recipe", type=click.Path(path_type=Path), help="A recipe file instead of the shipped one.")
@click.option(
    "--games", "total", type=click.IntRange(1), help="Self-play games in all, instead of the recipe's."
)
@click.option(
    "--minutes", type=click.FloatRange(0.05), help="As many games as fit into this time, for each game."
)
@click.option("--seed", type=int, help="Chance begins here, instead of at the recipe's seed.")
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Processes that play; with more than one, learning goes on beside them.",
)
@click.option("--cluster", metavar="ADDRESS", help="Let a Dask cluster play (needs the extra `cluster`).")
@click.option(
    "--runs",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("runs"),
    show_default=True,
    help="Where each game has its folder.",
)
@click.option(
    "--init",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Begin a new run with the weights of another run's checkpoint, or of a .net with its manifest "
    "beside it; also of a related game.",
)
@click.option(
    "--gate",
    "gate_pairs",
    type=click.IntRange(2),
    metavar="PAIRS",
    help="Play the last net of a finished run once more against the one promoted before.",
)
@click.option("--fresh", is_flag=True, help="Begin anew, even if there is a run to go on with.")
@click.option("--plot", is_flag=True, help="Draw the strength over time, also of a run that is not finished.")
@rule_options
def command(
    games: tuple[str, ...],
    *,
    every: bool,
    recipe: Path | None,
    total: int | None,
    minutes: float | None,
    seed: int | None,
    workers: int,
    cluster: str | None,
    runs: Path,
    init: Path | None,
    gate_pairs: int | None,
    fresh: bool,
    plot: bool,
    options: tuple[str, ...],
) -> None:
    """Train a net for each of GAMES by self-play, or go on with a run that was stopped.

    A run's folder gets its checkpoint, its log, and in the end GAME.net with GAME.json. Ctrl-C stops after
    the round that is being played and keeps everything.
    """
    import sheshbesh as sb

    names = tuple(sb.variants()) if every else games
    if not names:
        raise UserError("Which game? `sheshbesh train backgammon`, or --all.")
    if total is not None and minutes is not None:
        raise UserError("--games and --minutes exclude each other.")
    variants = [find_game(name, options) for name in names]
    _need_torch()
    for variant in variants:
        folder = runs / variant.name
        if fresh and folder.is_dir():
            shutil.rmtree(folder)
        if plot and not fresh and (folder / "log.jsonl").is_file():
            _draw(folder)
            continue
        _train(variant, folder, recipe, total, minutes, seed, workers, cluster, init, gate_pairs)
        if plot:
            _draw(folder)


def _need_torch() -> None:
    try:
        import torch  # noqa: F401
    except ImportError as error:
        raise UserError("Training needs PyTorch: pip install 'sheshbesh[train]'.") from error


def _draw(folder: Path) -> None:
    from sheshbesh.training.plot import draw

    for file in draw(folder):
        click.echo(f"{file}")


def _train(
    variant: Variant,
    folder: Path,
    recipe_file: Path | None,
    total: int | None,
    minutes: float | None,
    seed: int | None,
    workers: int,
    cluster: str | None,
    init: Path | None,
    gate_pairs: int | None,
) -> None:
    from dataclasses import replace

    from rich.console import Console

    from sheshbesh.training import recipe as recipes
    from sheshbesh.training.play import Crew
    from sheshbesh.training.run import Run, Stopped
    from sheshbesh.training.screen import Screen

    recipe = recipes.load(variant.name, recipe_file)
    if total is not None:
        recipe = recipe.scaled(total)
    if seed is not None:
        recipe = replace(recipe, seed=seed)
    crew = Crew(workers, cluster)
    try:
        with Screen(Console(), variant.name) as screen:
            run = Run(variant, recipe, folder, crew=crew, watcher=screen, minutes=minutes)
            if run.resume():
                if run.delivered and gate_pairs is not None:
                    run.gate_again(gate_pairs)
                    return
                if run.delivered:
                    click.echo(f"{variant.name} is trained: {folder}. --fresh begins anew.")
                    return
                click.echo(f"Going on with {folder} at {run.progress.games:,} games.")
            elif init is not None:
                run.begin_from(init)
            run.train()
            click.echo(f"{folder / variant.name}.net")
    except Stopped:
        click.echo(f"Stopped; `sheshbesh train {variant.name}` goes on from {folder}.")
        raise SystemExit(130) from None
    finally:
        crew.close()
