"""`sheshbesh search`: positions of one's own reviews, by what kind they are and what was lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from sheshbesh.cli.game_arguments import DEFAULT, complete_games, language_option
from sheshbesh.i18n import JoinedText, PluralText, Text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sheshbesh.cli.terminal.console import Console
    from sheshbesh.engines.explain.themes import Theme
    from sheshbesh.reviews import Report
    from sheshbesh.reviews.search import Wanted
    from sheshbesh.reviews.shelf import Found, Shelf
    from sheshbesh.rules import Variant

_THEMES = {
    "race": Text("Race"),
    "bear_off": Text("Bear-off"),
    "holding": Text("Holding game"),
    "backgame": Text("Back game"),
    "prime_v_prime": Text("Prime against prime"),
    "prime": Text("Prime"),
    "blitz": Text("Blitz"),
    "pin": Text("Pinned checkers"),
}
_SIDES = {"white": Text("White"), "black": Text("Black")}
_CUBE = {
    "double": Text("double"),
    "no_double": Text("no double"),
    "take": Text("take"),
    "drop": Text("drop"),
    "beaver": Text("beaver"),
}
_COUNTS = ("back", "their_back", "pins", "pinned", "head")
_THOUSAND = 1000
_Function = TypeVar("_Function", bound="Callable[..., object]")


def _least(name: str, text: str) -> Callable[[_Function], _Function]:
    """An option that bounds a number of checkers from below."""
    return click.option(f"--{name}", type=click.IntRange(0, 30), metavar="N", help=text)


@click.command("search", short_help="Find positions of your reviewed matches.")
@click.argument("game", default=DEFAULT, shell_complete=complete_games)
@click.option("--kind", type=click.Choice(("play", "double", "take")), help="What was decided.")
@click.option(
    "--theme",
    "themes",
    multiple=True,
    type=click.Choice(tuple(_THEMES)),
    help="What kind of position; may be repeated: all must hold.",
)
@click.option(
    "--points",
    default="",
    metavar="PATTERN",
    help="What stands where, as 6=made,20=their_blot: own, made, blot, their, their_made, their_blot, empty.",
)
@click.option("--loss", type=click.FloatRange(0), default=0.0, metavar="EMG", help="What was lost at least.")
@_least("back", "Own checkers in the other side's home or on the bar, at least.")
@_least("their-back", "The same of the other side.")
@_least("pins", "Checkers that the side holds, at least.")
@_least("pinned", "Own checkers that are held, at least.")
@_least("head", "Checkers on the head, at least, in games that have one.")
@click.option("--player", metavar="NAME", help="Only decisions of this player.")
@click.option(
    "--limit", type=click.IntRange(1), default=20, metavar="N", show_default=True, help="Show at most N."
)
@click.option("--boards", is_flag=True, help="Draw every position, and say why the best was better.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option(
    "--add",
    "added",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Keep a saved review (.review.json) first.",
)
@click.option("--list", "listing", is_flag=True, help="List the reviews that are kept.")
@click.option("--delete", "deleted", metavar="ID", help="Forget the review whose id begins so.")
@language_option
def command(
    *,
    game: str,
    kind: str | None,
    themes: tuple[str, ...],
    points: str,
    loss: float,
    player: str | None,
    limit: int,
    boards: bool,
    as_json: bool,
    added: tuple[Path, ...],
    listing: bool,
    deleted: str | None,
    lang: str,
    **least: int | None,
) -> None:
    """Find decisions of the matches that `sheshbesh review` has judged, the largest loss first.

    Points are counted by the side that decides. The reviews lie among your records; --list shows them.
    """
    from sheshbesh.cli.terminal.console import Console
    from sheshbesh.cli.terminal.record_files import reviews_folder
    from sheshbesh.reviews import read_review
    from sheshbesh.reviews.shelf import Shelf
    from sheshbesh.rules import variant

    console, shelf = Console(lang), Shelf(reviews_folder())
    for file in added:
        shelf.keep(read_review(file))
    if deleted is not None:
        console.say(Text("The review of {file} is forgotten.", file=shelf.remove(deleted).file))
    if listing:
        _list(console, shelf)
    if listing or deleted is not None:
        return
    rules = variant(game)
    found = shelf.find(rules.name, _wanted(rules, kind, themes, points, loss, least), player)
    if as_json:
        click.echo(json.dumps([_data(each) for each in found[:limit]], ensure_ascii=False, indent=1))
        return
    _show(console, shelf, rules, found, limit=limit, boards=boards)


def _wanted(
    rules: Variant,
    kind: str | None,
    themes: Sequence[str],
    points: str,
    loss: float,
    least: dict[str, int | None],
) -> Wanted:
    """The question; UsageError where the game has no such positions or the pattern cannot be read."""
    from sheshbesh.engines.explain.themes import possible
    from sheshbesh.errors import SheshbeshError
    from sheshbesh.reviews.search import Wanted, read_points

    has = possible(rules.start())
    if unknown := [each for each in themes if each not in has]:
        raise click.UsageError(
            Text(
                "{title} has no positions of the kind {unknown}: {choices}",
                title=rules.title,
                unknown=unknown[0],
                choices=", ".join(has),
            )
        )
    try:
        pattern = read_points(points)
    except SheshbeshError as error:
        raise click.UsageError(str(error)) from None
    spans = {name: (least[name], None) for name in _COUNTS}
    dear = round(_THOUSAND * loss) or None
    return Wanted(
        kind, frozenset(cast("tuple[Theme, ...]", tuple(themes))), pattern, {"loss": (dear, None), **spans}
    )


def _list(console: Console, shelf: Shelf) -> None:
    kept = shelf.reviews()
    if not kept:
        console.say(_NOTHING)
    for each in kept:
        depth = (
            Text("thorough")
            if each.plies == "rollout"
            else PluralText("{n} ply", "{n} plies", int(each.plies))
        )
        console.show([JoinedText(each.id, _names(each.players), depth, each.file, separator="  ")])


_NOTHING = Text("No reviews are kept yet: sheshbesh review FILE makes one.")


def _names(players: tuple[str, str]) -> Text:
    white, black = players
    return Text("{white} against {black}", white=white or _SIDES["white"], black=black or _SIDES["black"])


def _show(
    console: Console, shelf: Shelf, rules: Variant, found: Sequence[Found], *, limit: int, boards: bool
) -> None:
    if not found:
        console.say(Text("There are no such positions.") if shelf.reviews() else _NOTHING)
        return
    console.say(
        PluralText(
            "{n} position, the largest loss first", "{n} positions, the largest loss first", len(found)
        )
    )
    reports: dict[str, Report] = {}
    for each in found[:limit]:
        console.say()
        console.show(_lines(each))
        if boards:
            kept = each.review
            report = reports[kept.id] = reports.get(kept.id) or shelf.report(kept)
            judged = report.decisions[each.n]
            console.show(_board(each, rules))
            if reason := judged.say(console.lang):
                console.say(reason, indent="  ")


def _lines(each: Found) -> list[str]:
    """Return what was decided, and where."""
    side = _SIDES[each.side.value]
    asked = JoinedText(side, f"{each.dice[0]}-{each.dice[1]}", separator=" ") if each.dice else side
    played, best = (_CUBE.get(action, action) for action in (each.played, each.best))
    lost = f"{-each.outline.loss / _THOUSAND:.3f}" if each.outline.loss else " 0.000"
    done = Text(
        "{side}: {played}, best {best}", side=asked, played=played or Text("no play"), best=best or ""
    )
    if each.played == each.best:
        done = Text("{side}: {played}", side=asked, played=played or Text("no play"))
    where = Text("game {n}", n=each.game)
    number = Text("decision {n}", n=each.number)
    kinds = [_THEMES[name] for name in _themes(each)]
    return [
        JoinedText(lost, done, separator="  "),
        JoinedText(
            "  ", JoinedText(_names(each.review.players), where, number, *kinds, separator=", "), separator=""
        ),
    ]


def _themes(each: Found) -> list[str]:
    from sheshbesh.reviews.search import themes_of

    return list(themes_of(each.outline.themes))


def _board(each: Found, rules: Variant) -> list[str]:
    """The board from the side that decides, with both trays."""
    from sheshbesh.rules.drawing import Picture

    picture = Picture.of(rules.position_from_id(each.board))
    return [picture.tray(each.side.other), *picture.lines(each.side), picture.tray(each.side)]


def _data(each: Found) -> dict[str, Any]:
    from sheshbesh.reviews.search import KINDS

    return {
        "review": each.review.id,
        "file": each.review.file,
        "n": each.n,
        "game": each.game,
        "number": each.number,
        "player": each.player,
        "side": each.side.value,
        "kind": KINDS[each.outline.kind],
        "dice": list(each.dice) if each.dice else None,
        "board": each.board,
        "played": each.played,
        "best": each.best,
        "loss": each.outline.loss / _THOUSAND,
        "themes": _themes(each),
    }
