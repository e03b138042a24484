"""`sheshbesh rollout`: a position, or the best plays of a throw, played out many times."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from sheshbesh.cli.game_arguments import DEFAULT, cluster_option, rule_options
from sheshbesh.cli.terminal.console import UserError
from sheshbesh.engines.rollout.rollout import LuckName
from sheshbesh.rules.lookup import find_game
from sheshbesh.work import open_work

if TYPE_CHECKING:
    from sheshbesh.engines import RolledOutPlay, Rollout
    from sheshbesh.engines.rollout.run import Progress
    from sheshbesh.work import Work

_WIDTH = 22


@click.command("rollout")
@click.argument("game", default=DEFAULT)
@click.option(
    "--position", "position_id", metavar="ID", help="Roll out this one, of any id, instead of the start."
)
@click.option("--dice", metavar="3-1", help="Compare the best plays of this throw.")
@click.option(
    "--plays", type=click.IntRange(1, 20), default=3, show_default=True, help="How many plays to compare."
)
@click.option(
    "--trials",
    type=click.IntRange(1),
    default=1296,
    show_default=True,
    help="Most trials, rounded up to a multiple of 36.",
)
@click.option("--target", type=click.FloatRange(0), help="End at this standard error.")
@click.option("--lead", type=click.FloatRange(0), help="Stop at a lead of this many joint standard errors.")
@click.option("--money", is_flag=True, help="With the cube, as in money play without Jacoby's rule.")
@click.option(
    "--truncate", type=click.IntRange(0), default=0, help="Evaluate a game statically after this many throws."
)
@click.option("--depth", type=click.IntRange(0, 3), default=0, help="Plies that plays are chosen by.")
@click.option(
    "--luck",
    type=click.Choice(get_args(LuckName)),
    default="sifted",
    show_default=True,
    help="How the luck of the dice is measured and taken out.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Decides the dice.")
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="Work in parallel.")
@cluster_option
@click.option(
    "--file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Save every minute, and resume from there.",
)
@rule_options
def command(
    game: str,
    *,
    position_id: str | None,
    dice: str | None,
    plays: int,
    trials: int,
    target: float | None,
    lead: float | None,
    money: bool,
    truncate: int,
    depth: int,
    luck: LuckName,
    seed: int,
    threads: int,
    cluster: str | None,
    file: Path | None,
    options: tuple[str, ...],
) -> None:
    """Play a position of GAME out many times and say what comes of it.

    The position may be an id of another program: its dice and the score of its match count, too. Each number
    is followed by its standard error. The same seed gives the same result on any number of threads, and on a
    cluster. Ctrl-C ends a rollout; with --file the same words take it up again.
    """
    import sheshbesh as sb
    from sheshbesh.engines.rollout.subjects import Way
    from sheshbesh.formats import AnyPosition, parse_any_id

    variant = find_game(game, options)
    found = parse_any_id(position_id, variant) if position_id else AnyPosition("own", variant.start())
    position = found.position
    if dice is None and found.dice is not None:
        dice = f"{found.dice.first}-{found.dice.second}"
    if position.result is not None:
        raise click.UsageError(f"the game is over, nothing can be played: {position.id}")
    engine = sb.engine(variant)
    if money and not variant.axes["cube"]["use"]:
        raise UserError(f"--money brings the cube into play, and {variant.title} is played without one.")
    if money and depth:
        raise UserError("--money brings the cube into play, and then plays are chosen at --depth 0.")
    try:
        asked = sb.RolloutOptions(
            trials=trials, target=target, lead=lead, truncate=truncate, plies=depth, luck=luck, seed=seed
        )
    except ValueError as error:
        raise UserError(f"{error}.") from error
    match = sb.MatchState(jacoby=False) if money else None
    if match is None and found.match is not None and not found.match.is_money:
        if depth:
            raise UserError("the score of this id brings the cube into play: plays are chosen at --depth 0.")
        match = found.match
    progress = _progress if sys.stderr.isatty() else None
    place: AbstractContextManager[Work | None] = (
        nullcontext() if cluster is None else open_work(cluster=cluster)
    )
    best = () if dice is None else engine.rank(position, _throw(dice), match)[:plays]
    click.echo(f"{variant.name} {position.id}")
    if engine.approximate:
        click.echo("The net was made for other rules: the result is approximate.")
    with place as work:
        way = Way(threads=threads, file=file, progress=progress, work=work)
        lines = (
            [_table(engine.rollout(position, match, options=asked, **way))]
            if dice is None
            else [_line(each) for each in engine.rollout_plays(best, match, options=asked, **way)]
        )
    _clear(progress)
    for line in lines:
        click.echo(line)


def _throw(text: str) -> tuple[int, ...]:
    numbers = [part for part in text.replace("-", " ").replace(",", " ").split() if part.isdecimal()]
    if len(numbers) == 1 and len(numbers[0]) == 2:
        numbers = list(numbers[0])
    if len(numbers) != 2:
        raise click.UsageError(f"dice are written like 3-1, not {text!r}")
    return int(numbers[0]), int(numbers[1])


def _progress(found: tuple[Rollout, ...]) -> None:
    click.echo(f"\r{found[0].trials:,} trials  {found[0].decisive}  ", err=True, nl=False)


def _clear(progress: Progress | None) -> None:
    if progress is not None:
        click.echo(f"\r{'':60}\r", err=True, nl=False)


def _table(found: Rollout) -> str:
    rows = [(str(kind).capitalize(), each) for kind, each in found.classes.items()]
    rows.append(("Equity", found.equity))
    if found.cubeful is not None:
        rows.append(("Equity with the cube", found.cubeful))
    return "\n".join([f"{found.trials:,} trials", *(f"{name:{_WIDTH}} {each}" for name, each in rows)])


def _line(each: RolledOutPlay) -> str:
    behind = f"  {-each.behind.mean:+.4f} ± {each.behind.error:.4f}" if each.behind else ""
    return f"{each.play.notation:{_WIDTH}} {each.equity}{behind}"
