"""From the words of a command line to a house-rule card: what is played, for what, and with which dice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import click

from sheshbesh.cli.game_arguments import rule_options
from sheshbesh.engines.strength import levels
from sheshbesh.i18n import Text
from sheshbesh.match.card import Card, Contest, DiceSource
from sheshbesh.match.timing import ClockSettings
from sheshbesh.rules import Variant
from sheshbesh.rules.lookup import find_game, is_file

_Function = TypeVar("_Function", bound="Callable[..., object]")


@dataclass(frozen=True, kw_only=True, eq=False)
class OwnCard(Card):
    """The card of a table that plays a game from a file, which no code can name."""

    own: Variant

    @cached_property
    def rules(self) -> Variant:
        """The game of the file."""
        return self.own


@dataclass(frozen=True, slots=True, kw_only=True)
class CardOptions:
    """The answers of a command's options about the table; None where they say nothing."""

    match: int | None = None
    games: int | None = None
    money: bool = False
    clock: str | None = None
    cube: bool | None = None
    options: tuple[str, ...] = ()

    def card(self, game: str, *, dice: DiceSource = DiceSource.CHAINS) -> Card:
        """The card for `game`: a shipped one, or a file. MatchError and VariantError as these say.

        Without a length the score is simply kept, game after game, and the cube stays in its box.
        """
        if sum((self.match is not None, self.games is not None, self.money)) > 1:
            raise click.UsageError(Text("--match, --games and --money are three ways to play: choose one"))
        named = [option.partition("=")[0].strip().replace("-", "_") for option in self.options]
        options = self.options
        plain = find_game(game, options)
        cube = self.cube
        if cube is None and not self._has_length and "cube" not in named and plain.axes["cube"]["use"]:
            cube = False
        if cube is not None:
            plain = find_game(game, (*options, f"cube={str(cube).lower()}"))
        contest, length = Contest.MONEY, None
        if self.match is not None:
            contest, length = Contest.POINTS, self.match
        elif self.games is not None:
            contest, length = Contest.GAMES, self.games
        clock = ClockSettings() if self.clock is None else ClockSettings.from_code(self.clock)
        if is_file(game):
            # The card needs a name that can be looked up, until the game of the file takes its place.
            return OwnCard(
                game="backgammon", own=plain, contest=contest, length=length, clock=clock, dice=dice
            )
        return Card(
            game=plain.name, options=plain.options, contest=contest, length=length, clock=clock, dice=dice
        )

    @property
    def _has_length(self) -> bool:
        return self.match is not None or self.games is not None or self.money


def level_option(function: _Function) -> _Function:
    """Add the option that says how well the program plays."""
    return click.option(
        "--level",
        type=click.Choice(levels.names()),
        help=f"How well the program plays.  [default: {levels.DEFAULT}]",
    )(function)


def clock_option(function: _Function) -> _Function:
    """Add the clock of the table to a command, as `clock`."""
    return click.option(
        "--clock",
        metavar="CODE",
        help="d12-120: 12 s a turn free, 120 s a point in the bank; b and f: Bronstein, Fischer; "
        "t30: 30 s a turn.",
    )(function)


def table_options(function: _Function) -> _Function:
    """Add the options of `Wishes` to a command, in the order in which they are explained."""
    options = (
        click.option("--match", type=int, metavar="N", help="A match to N points."),
        click.option("--games", type=int, metavar="N", help="Best of N games; N is odd."),
        click.option("--money", is_flag=True, help="Game by game for points, with the cube if there is one."),
        clock_option,
        click.option("--cube/--no-cube", default=None, help="With or without the doubling cube."),
    )
    for option in reversed(options):
        function = option(function)
    return rule_options(function)


def find_dice(word: str | None, *, seeded: bool) -> DiceSource:
    """The source of the dice by its word; `seeded` says that a seed was given."""
    word = {"manual": "typed", "auto": "chains"}.get(word or "", word)
    if word is None:
        return DiceSource.SEEDED if seeded else DiceSource.CHAINS
    source = DiceSource(word)
    if seeded and source is not DiceSource.SEEDED:
        raise click.UsageError(Text("--seed makes dice, --dice {word} has others: choose one", word=word))
    return source


def with_dice(card: Card, source: DiceSource) -> Card:
    """The same card with other dice."""
    return card if card.dice is source else replace(card, dice=source)
