"""`sheshbesh bench`: how fast the rules and the engine are here, and a signature of what they do."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from sheshbesh.cli.game_arguments import complete_games

_LARGEST_CACHE = 1 << 24


@click.command("bench")
@click.argument("games", nargs=-1, shell_complete=complete_games)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 60),
    default=0.4,
    show_default=True,
    help="Of processor time, for each measurement of each game.",
)
@click.option("--isa", metavar="NAME", help="The instruction set to use instead of the fastest.")
@click.option(
    "--threads",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="For the signature, which does not depend on it.",
)
@click.option(
    "--cache",
    type=click.IntRange(0, _LARGEST_CACHE),
    metavar="N",
    help="Positions that a search remembers; the signature does not depend on it.",
)
@click.option(
    "--nets",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder with nets of your own; may be repeated.",
)
def command(
    games: tuple[str, ...],
    *,
    as_json: bool,
    seconds: float,
    isa: str | None,
    threads: int,
    cache: int | None,
    nets: tuple[Path, ...],
) -> None:
    """Measure GAMES, or all of them, on one core and in its time.

    positions_per_s: distinct final positions generated in random games inside the core, a second.

    evals_per_s: positions that the net values a second; where a game has no net of its own, that of the
    nearest rules, marked ~.

    decisions_per_s: throws a second through Python, each with its legal plays, a choice and its result.

    signature: a hash of random play and of equities to the bit and node counts, of every shipped game.
    It changes with rules, nets and code, never with the instruction set, the threads or the cache.
    """
    from sheshbesh.cli.commands import bench_report
    from sheshbesh.engines.measure import bench_work, speed

    if isa is not None and isa not in speed.isas():
        raise click.BadParameter(
            f"this machine has no instruction set {isa!r}; it has {', '.join(speed.isas())}",
            param_hint="--isa",
        )
    with nullcontext() if isa is None else speed.running_on(isa):
        found = bench_work.measure(games, seconds=seconds, threads=threads, cache=cache, folders=nets)
    click.echo(bench_report.as_json(found) if as_json else bench_report.as_text(found))
