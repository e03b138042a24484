"""`sheshbesh train`: make a net for a game from nothing."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sheshbesh.cli.game_arguments import cluster_option, complete_games, rule_options
from sheshbesh.cli.terminal.console import UserError
from sheshbesh.rules.lookup import find_game
from sheshbesh.training import files
from sheshbesh.training.recipe import CONTINUE, FURTHER, LARGEST_SEED, MOST, Recipe, load

if TYPE_CHECKING:
    from sheshbesh.rules import Variant
    from sheshbesh.training.run import TrainingRun

_RUNS = Path("runs")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """The answers of the command's options about a training."""

    recipe: Path | None
    total: int | None
    minutes: float | None
    seed: int | None
    workers: int
    cluster: str | None
    runs: Path
    init: Path | None
    keep: Path | None
    piece: float | None
    device: str
    fresh: bool
    options: tuple[str, ...]

    def folder(self, game: Variant) -> Path:
        """Return where a game's run is."""
        return self.runs / game.name

    def kept(self, game: Variant) -> Path | None:
        """A game's float checkpoint, if there is one."""
        if self.keep is None:
            return None
        from sheshbesh.training import weights

        file = weights.file_of(self.keep, game.name)
        return file if file.is_file() else None

    def plan(self, game: Variant) -> Recipe:
        """The recipe: what was named; with --keep else that of the run that goes on."""
        plan = None if self.recipe or self.total or self.seed is not None else self._begun(game)
        if plan is None:
            plan = load(self.recipe or self._usual(game))
            if self.total is not None:
                plan = plan.scaled(self.total)
        return plan if self.seed is None else replace(plan, seed=self.seed)

    def _begun(self, game: Variant) -> Recipe | None:
        """The recipe of the run that goes on, if --keep was given and there is one."""
        if self.keep is None or self.init is not None:
            return None
        from sheshbesh.training import weights

        own = self.folder(game) / files.CHECKPOINT
        if not self.fresh and own.is_file():
            return weights.recipe_of(own, finished=True)
        kept = self.kept(game)
        return None if kept is None else weights.recipe_of(kept)

    def _usual(self, game: Variant) -> Path | None:
        """The shipped recipe that fits how the run begins; None for the default."""
        if self.init is not None:
            return Path(FURTHER)
        return Path(CONTINUE) if self.kept(game) is not None else None

    def command(self, word: str) -> str:
        """The command that goes on with the run of the game called `word`."""
        settings = {
            "--recipe": self.recipe,
            "--games": self.total,
            "--minutes": self.minutes,
            "--seed": self.seed,
            "--workers": self.workers if self.workers != 1 else None,
            "--cluster": self.cluster,
            "--runs": self.runs if self.runs != _RUNS else None,
            "--keep": self.keep,
            "--stop-after": self.piece,
            "--device": self.device if self.device != "cpu" else None,
        }
        words = [text for key, value in settings.items() if value is not None for text in (key, str(value))]
        options = [text for option in self.options for text in ("--option", option)]
        return shlex.join(["sheshbesh", "train", word, *words, *options])


def _minutes(_context: click.Context, _parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and isnan(value):
        raise click.BadParameter("nan is no number of minutes.")
    return value


@click.command("train")
@click.argument("games", nargs=-1, shell_complete=complete_games)
@click.option("--all", "every", is_flag=True, help="Every shipped game, one after the other.")
@click.option(
    "--recipe",
    type=click.Path(path_type=Path),
    help="A recipe file instead of the shipped one. Shipped are also `further`, for nets that play already "
    "(--init takes it by itself), and `continue`, for what --keep has kept.",
)
@click.option(
    "--games", "total", type=click.IntRange(1, MOST), help="Self-play games in all, instead of the recipe's."
)
@click.option(
    "--minutes",
    type=click.FloatRange(0.05, 1e7),
    callback=_minutes,
    help="As many games as fit into this time, for each game.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, LARGEST_SEED),
    help="Chance begins here, instead of at the recipe's seed.",
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Processes that play; with more than one, learning goes on beside them.",
)
@cluster_option
@click.option(
    "--runs",
    type=click.Path(path_type=Path, file_okay=False),
    default=_RUNS,
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
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Also write the weights there every ten minutes, small enough to commit (GAME.bin). Where there "
    "is no run yet, or --fresh removes it, a new one goes on from that file.",
)
@click.option(
    "--stop-after",
    "piece",
    type=click.FloatRange(0.05, 1e7),
    callback=_minutes,
    metavar="MINUTES",
    help="Stop then, as after Ctrl-C; the same command goes on.",
)
@click.option(
    "--device",
    default="cpu",
    show_default=True,
    help="Where the net learns, as PyTorch names it: `cuda` is a GPU. Games are played by the processor.",
)
@click.option(
    "--gate",
    "gate_pairs",
    type=click.IntRange(2, MOST),
    metavar="PAIRS",
    help="Play the last net of a finished run once more against the one promoted before, and train nothing.",
)
@click.option(
    "--fresh",
    is_flag=True,
    help="Begin anew, and remove the files of the run that is there, if there is one.",
)
@click.option(
    "--plot",
    is_flag=True,
    help="Draw the strength over time, also of a run that is not finished, and train nothing.",
)
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
    keep: Path | None,
    piece: float | None,
    device: str,
    gate_pairs: int | None,
    fresh: bool,
    plot: bool,
    options: tuple[str, ...],
) -> None:
    """Train a net for each of GAMES by self-play, or go on with a run that was stopped.

    A run's folder gets its checkpoint, its log, and in the end GAME.net with GAME.json. Ctrl-C stops at
    once, keeps what was learned up to the last round, and says how to go on.
    """
    import sheshbesh as sb

    names = tuple(sb.variants()) if every else games
    if not names:
        raise UserError("Which game? `sheshbesh train backgammon`, or --all.")
    if total is not None and minutes is not None:
        raise UserError("--games and --minutes exclude each other.")
    if sum((gate_pairs is not None, plot, fresh or init is not None)) > 1:
        raise UserError("--gate, --plot and a new run (--fresh, --init) exclude each other.")
    order = _Order(
        recipe=recipe,
        total=total,
        minutes=minutes,
        seed=seed,
        workers=workers,
        cluster=cluster,
        runs=runs,
        init=init,
        keep=keep,
        piece=piece,
        device=device,
        fresh=fresh,
        options=options,
    )
    chosen: dict[str, tuple[str, Variant]] = {}
    for name in names:
        game = find_game(name, options)
        chosen[game.name] = (name, game)
    _need_torch()
    if plot:
        _draw([order.folder(game) for _, game in chosen.values()], leave_out=every)
        return
    _check(chosen, order)
    for word, game in chosen.values():
        _train(word, game, order, gate_pairs)


def _need_torch() -> None:
    try:
        import torch  # noqa: F401
    except ImportError as error:
        raise UserError("Training needs PyTorch: pip install 'sheshbesh[train]'.") from error


def _draw(runs: list[Path], *, leave_out: bool) -> None:
    """Draw these runs; those that were not begun may be left out if there are others."""
    from sheshbesh.training.plot import draw

    begun = [run for run in runs if (run / files.LOG).is_file()]
    if not begun or (len(begun) < len(runs) and not leave_out):
        missing = ", ".join(str(run) for run in runs if run not in begun)
        raise UserError(f"There is no run to draw: {missing}.")
    for run in begun:
        for drawn in draw(run):
            click.echo(f"{drawn}")


def _check(chosen: Mapping[str, tuple[str, Variant]], order: _Order) -> None:
    """Refuse what cannot be, before anything is removed or trained."""
    from sheshbesh.training.coverage import cover

    for _, game in chosen.values():
        plan, folder = order.plan(game), order.folder(game)
        cover(game, plan.options, plan.option_share)
        if order.init is None:
            begins = order.fresh or not (folder / files.CHECKPOINT).is_file()
            if begins and order.kept(game) is None:
                plan.check_begins_from_nothing()
            continue
        if not order.fresh and (folder / files.CHECKPOINT).is_file():
            raise UserError(
                f"{folder} holds a run already, which --init would not change: leave --init out to go on, "
                "or begin anew with --fresh."
            )
        if order.fresh and order.init.resolve() in [f.resolve() for f in files.of_run(folder, game.name)]:
            raise UserError(f"--fresh would remove {order.init}, with which --init begins: copy it first.")


def _train(word: str, game: Variant, order: _Order, gate_pairs: int | None) -> None:
    from rich.console import Console

    from sheshbesh.training.progress import Screen
    from sheshbesh.training.run import PieceDone, Stopped, TrainingRun
    from sheshbesh.work import open_work

    folder = order.folder(game)
    work = open_work(order.workers, order.cluster)
    try:
        with Screen(Console(), game.name) as screen:
            run = TrainingRun(
                game,
                order.plan(game),
                folder,
                work=work,
                watcher=screen,
                minutes=order.minutes,
                piece=order.piece,
                keep=order.keep,
                device=order.device,
            )
            if gate_pairs is not None:
                _gate(run, gate_pairs)
            elif _begin(run, order):
                run.train()
                click.echo(f"{folder / game.name}.net")
    except Stopped as stopped:
        click.echo(f"Stopped; this goes on from {folder}:\n  {order.command(word)}")
        if not isinstance(stopped, PieceDone):
            raise SystemExit(130) from None
    finally:
        work.close()


def _begin(run: TrainingRun, order: _Order) -> bool:
    """Take a run up or make it ready to begin; False if there is nothing left to do."""
    name = run.coverage.main.name
    if not order.fresh and run.resume():
        if run.delivered:
            click.echo(f"{name} is trained: {run.folder}. --fresh begins anew.")
            return False
        click.echo(f"Going on with {run.folder} at {run.progress.games:,} games.")
        return True
    if (begun := order.init or order.kept(run.coverage.main)) is not None:
        run.begin_from(begun)
    if order.fresh:
        files.make_folder(run.folder)
        files.clear(run.folder, name)
    return True


def _gate(run: TrainingRun, pairs: int) -> None:
    if not run.resume():
        raise UserError(f"There is no run to gate: {run.folder}.")
    if not run.delivered:
        raise UserError(f"The run in {run.folder} is not finished: go on with it first, without --gate.")
    run.gate_again(pairs)
