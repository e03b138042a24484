"""`sheshbesh card`: house-rule cards, to be read, sent and compared."""

from __future__ import annotations

import textwrap

import click

from sheshbesh.cli.terminal.card_options import Wishes, table_options
from sheshbesh.match.card import Card
from sheshbesh.rules.lookup import is_file


@click.command("card")
@click.argument("first", metavar="CODE|GAME")
@click.argument("second", metavar="[OTHER]", required=False)
@table_options
def command(
    *,
    first: str,
    second: str | None,
    match: int | None,
    games: int | None,
    money: bool,
    clock: str | None,
    cube: bool | None,
    options: tuple[str, ...],
) -> None:
    """Show a house-rule card line by line, with its code and its hash.

    A card is named by its code, such as takhte.p5, or made from a GAME and the options below. The
    code goes to `sheshbesh play --card`. With a second card only the differences are shown.
    """
    wishes = Wishes(match=match, games=games, money=money, clock=clock, cube=cube, options=options)
    cards = [_find(word, wishes) for word in (first, second) if word is not None]
    for card in cards:
        click.echo(f"{card.code}  ({card.hash})")
    if len(cards) == 1:
        rows = [f"{what:<26} {how}" for what, how in cards[0].lines()]
    else:
        rows = [f"{what:<26} {here}  |  {there}" for what, here, there in cards[0].compare(cards[1])]
        rows = rows or ["The two cards say the same."]
    click.echo("")
    for row in rows:
        click.echo(textwrap.fill(row, 79, subsequent_indent=" " * 27, break_on_hyphens=False))


def _find(word: str, wishes: Wishes) -> Card:
    if is_file(word):
        raise click.UsageError(f"a card names a game that everybody has, not a file: {word}")
    if "." not in word:
        return wishes.card(word)
    if wishes != Wishes():
        raise click.UsageError(f"{word} is a whole card: leave the other options out, or name its game alone")
    return Card.from_code(word)
