"""`sheshbesh rollout`: a position, or the best plays of a throw, played out many times."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from sheshbesh.cli.game_arguments import (
    DEFAULT,
    cluster_option,
    complete_games,
    language_option,
    rule_options,
)
from sheshbesh.cli.terminal.console import UserError, command_language, print_text, stopped
from sheshbesh.engines.rollout.rollout import LuckName
from sheshbesh.i18n import JoinedText, PluralText, Text, translate
from sheshbesh.rules.lookup import find_game
from sheshbesh.work import open_work

if TYPE_CHECKING:
    from sheshbesh.engines import ResultClass, RolledOutPlay, Rollout
    from sheshbesh.engines.rollout.run import Progress
    from sheshbesh.work import Work

_WIDTH = 22


@click.command("rollout")
@click.argument("game", default=DEFAULT, shell_complete=complete_games)
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
    help="Save every minute there, and go on from there.",
)
@click.option("--resume", is_flag=True, help="Go on where the same rollout was stopped, without a --file.")
@rule_options
@language_option
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
    resume: bool,
    options: tuple[str, ...],
    lang: str,  # noqa: ARG001 -- asked for by name
) -> None:
    """Play a position of GAME out many times and say what comes of it.

    The position may be an id of another program: its dice and the score of its match count, too. Each number
    is followed by its standard error. The same seed gives the same result on any number of threads, and on a
    cluster. Ctrl-C ends a rollout; the same command with --resume goes on from there, with --file the
    same command alone.
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
        raise click.UsageError(Text("the game is over, nothing can be played: {id}", id=position.id))
    engine = sb.engine(variant)
    if money and not variant.axes["cube"]["use"]:
        raise UserError(
            Text("--money brings the cube into play, and {title} is played without one.", title=variant.title)
        )
    if money and depth:
        raise UserError(Text("--money brings the cube into play, and then plays are chosen at --depth 0."))
    try:
        asked = sb.RolloutOptions(
            trials=trials, target=target, lead=lead, truncate=truncate, plies=depth, luck=luck, seed=seed
        )
    except ValueError as error:
        raise UserError(Text("{what}.", what=error)) from error
    match = sb.MatchState(jacoby=False) if money else None
    if match is None and found.match is not None and not found.match.is_money:
        if depth:
            raise UserError(
                Text("the score of this id brings the cube into play: plays are chosen at --depth 0.")
            )
        match = found.match
    progress = _progress if sys.stderr.isatty() else None
    place: AbstractContextManager[Work | None] = (
        nullcontext() if cluster is None else open_work(cluster=cluster)
    )
    said = [variant.fingerprint, position.id, dice, plays, str(match), truncate, depth, luck, seed]
    kept = file or _kept(said)
    if kept is not None and file is None and not resume:
        kept.unlink(missing_ok=True)
    try:
        best = () if dice is None else engine.rank(position, _throw(dice), match)[:plays]
        click.echo(f"{variant.name} {position.id}")
        if engine.approximate:
            print_text(Text("The net was made for other rules: the numbers are approximate."))
        with place as work:
            way = Way(threads=threads, file=kept, progress=progress, work=work)
            lines = (
                _table(engine.rollout(position, match, options=asked, **way))
                if dice is None
                else [_line(each) for each in engine.rollout_plays(best, match, options=asked, **way)]
            )
    except KeyboardInterrupt:
        _clear(progress)
        stopped(_GOES_ON if file is not None else _RESUMES if kept is not None else _STOPPED)
    _clear(progress)
    if kept is not None and file is None:
        kept.unlink(missing_ok=True)
    for line in lines:
        print_text(line)


_STOPPED = Text("Stopped.")
_GOES_ON = Text("Stopped. The same command goes on from here.")
_RESUMES = Text("Stopped. The same command with --resume goes on from here.")


def _kept(asked: Sequence[object]) -> Path | None:
    """Return where a rollout is kept until it is finished; None where nothing can be kept."""
    from sheshbesh.engines.bearoff_databases import cache_folder

    folder = cache_folder() / "rollouts"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder / f"{sha256(json.dumps(asked).encode()).hexdigest()[:24]}.json"


def _throw(text: str) -> tuple[int, ...]:
    numbers = [part for part in text.replace("-", " ").replace(",", " ").split() if part.isdecimal()]
    if len(numbers) == 1 and len(numbers[0]) == 2:
        numbers = list(numbers[0])
    if len(numbers) != 2:
        raise click.UsageError(Text("dice are written like 3-1, not {text}", text=repr(text)))
    return int(numbers[0]), int(numbers[1])


def _progress(found: tuple[Rollout, ...]) -> None:
    said = JoinedText("\r", _trials(found[0]), f"  {found[0].decisive}  ", separator="")
    click.echo(translate(said, command_language()), err=True, nl=False)


def _trials(found: Rollout) -> Text:
    return PluralText("{n} trial", "{n} trials", found.trials)


def _clear(progress: Progress | None) -> None:
    if progress is not None:
        click.echo(f"\r{'':60}\r", err=True, nl=False)


def _table(found: Rollout) -> list[str]:
    rows: list[tuple[str, object]] = [(_class(kind), each) for kind, each in found.classes.items()]
    rows.append((Text("Equity"), found.equity))
    if found.cubeful is not None:
        rows.append((Text("Equity with the cube"), found.cubeful))
    names = [translate(name, command_language()) for name, _ in rows]
    width = max(_WIDTH, *map(len, names))
    return [_trials(found), *(f"{name:{width}} {each}" for name, (_, each) in zip(names, rows, strict=True))]


def _class(kind: ResultClass) -> Text:
    if kind.ending == "tie":
        return Text("Tie")
    name: str = Text(kind.kind.replace("_", " "))
    if kind.kind in ("count", "difference"):
        name = JoinedText(name, str(kind.points))
    return Text("Win {kind}", kind=name) if kind.ending == "win" else Text("Lose {kind}", kind=name)


def _line(each: RolledOutPlay) -> str:
    behind = f"  {-each.behind.mean:+.4f} ± {each.behind.error:.4f}" if each.behind else ""
    return f"{each.play.notation:{_WIDTH}} {each.equity}{behind}"
