"""`sheshbesh card`: house-rule cards, to be read, sent and compared."""

from __future__ import annotations

import click

from sheshbesh.cli.game_arguments import language_option
from sheshbesh.cli.terminal.card_options import CardOptions, table_options
from sheshbesh.cli.terminal.card_words import card_rows, compared
from sheshbesh.cli.terminal.wording import wrapped
from sheshbesh.i18n import JoinedText, Text, translate
from sheshbesh.match.card import Card
from sheshbesh.rules.lookup import is_file


@click.command("card")
@click.argument("first", metavar="CODE|GAME")
@click.argument("second", metavar="[OTHER]", required=False)
@table_options
@language_option
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
    lang: str,
) -> None:
    """Show a house-rule card line by line, with its code and its hash.

    A card is named by its code, such as takhte.p5, or made from a GAME and the options below. The
    code goes to `sheshbesh play --card`. With a second card only the differences are shown.
    """
    card_options = CardOptions(match=match, games=games, money=money, clock=clock, cube=cube, options=options)
    cards = [_find(word, card_options) for word in (first, second) if word is not None]
    for card in cards:
        click.echo(f"{card.code}  ({card.hash})")
    rows = card_rows(cards[0]) if len(cards) == 1 else compared(*cards)
    texts: list[Text] = [JoinedText(what, how, separator=": ") for what, how in rows]
    click.echo("")
    for text in texts or [Text("The two cards say the same.")]:
        said = translate(text, lang)
        for line in wrapped(said[:1].upper() + said[1:], "    "):
            click.echo(line)


def _find(word: str, card_options: CardOptions) -> Card:
    if is_file(word):
        raise click.UsageError(Text("a card names a game that everybody has, not a file: {word}", word=word))
    if "." not in word:
        return card_options.card(word)
    if card_options != CardOptions():
        raise click.UsageError(
            Text("{word} is a whole card: leave the other options out, or name its game alone", word=word)
        )
    return Card.from_code(word)
