"""Random games of one variant under all laws of the kit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from sheshbesh.rules import Play, Position, Roll, Side, Variant, as_variant
from sheshbesh.testing import laws
from sheshbesh.testing.laws import ContractError
from sheshbesh.testing.positions import colours_swapped, random_position

_PLAYS_PER_THROW = 4
"""The number of plays of a throw that are looked at one by one; with many throws all kinds come up."""


@dataclass(frozen=True, slots=True)
class Report:
    """The counts of what was proved of a rule set.

    Parameters
    ----------
    games : int
        The games played.
    ended : int
        How many of them ended.
    decisions : int
        The throws played.
    examined : int
        The throws examined.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> from sheshbesh.testing import check_variant
    >>> check_variant("hypergammon", games=2).games
    2
    """

    games: int
    ended: int
    decisions: int
    examined: int


def check_variant(
    variant: Variant | str,
    *,
    games: int = 10,
    seed: int = 0,
    longest_game: int = 2000,
    examine: float = 0.1,
    constructed: int = 20,
) -> Report:
    """Play random games of a rule set and hold every law of the kit against them.

    Parameters
    ----------
    variant : Variant or str
        The game to prove, shipped or one's own, or its name.
    games : int
        Random games played from the start, White and Black starting in turn.
    seed : int
        The same seed plays the same games on every machine.
    longest_game : int
        Throws and elements after which a game is given up; some rule sets can lock.
    examine : float
        The share of positions, besides the first and the last of each game, put to every law.
    constructed : int
        Positions put together at random and examined besides those of the games.

    Returns
    -------
    Report
        What was proved.

    Raises
    ------
    ContractError
        A promise fails, with the law, the game, the position's id and the dice; or not one of the games came
        to an end.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> from sheshbesh.testing import check_variant
    >>> check_variant("hypergammon", games=2).ended
    2
    """
    variant = as_variant(variant)
    random = Random(seed)
    ended = decisions = examined = 0
    for number in range(games):
        position = variant.start(turn=Side.BLACK if number % 2 else Side.WHITE)
        _check_position(position)
        for _ in range(longest_game):
            if position.result is not None:
                break
            dice, plays = throw(position, random)
            if position == variant.start(turn=position.turn) or random.random() < examine:
                _check_throw(position, dice, plays, random)
                examined += 1
            position = _choose(position, dice, plays, random).result
            decisions += 1
        _check_position(position)
        ended += position.result is not None
    for _ in range(constructed):
        examined += _check_constructed(variant, random)
    if games and not ended:
        raise ContractError(
            "games end", variant.start(), None, f"none of {games} games ended within {longest_game} throws"
        )
    return Report(games, ended, decisions, examined)


def throw(position: Position, random: Random) -> tuple[Roll, Sequence[Play]]:
    """Random dice for a position, or what is owed there, and the plays of them."""
    owed = position.pending
    if owed is not None and owed.steps:
        return Roll(max(owed.steps), min(owed.steps)), position.legal_plays()
    first = random.randint(1, 6)
    dice = Roll.of((first, first if owed is not None else random.randint(1, 6)))
    return dice, position.legal_plays(dice)


def _choose(position: Position, dice: Roll, plays: Sequence[Play], random: Random) -> Play:
    if not plays:
        raise ContractError("plays are distinct", position, dice, "no play, not even a pass")
    return random.choice(plays)


def _check_position(position: Position) -> None:
    for law in laws.POSITION_LAWS:
        law(position)


def _check_throw(position: Position, dice: Roll, plays: Sequence[Play], random: Random) -> None:
    """Put one position and one throw in it to every law."""
    _check_position(position)
    laws.plays_are_distinct(position, dice, plays)
    laws.colours_play_alike(position, dice, plays)
    for play in _some(plays, random):
        laws.play_moves_what_it_says(play)
        laws.play_can_be_made_step_by_step(play)
        laws.play_can_be_read_again(play, plays)
        laws.checkers_are_conserved(play.result)
        laws.what_is_owed_is_coherent(play.result)
    laws.steps_lead_to_plays(position, dice, plays, random)
    laws.referee_has_a_reason(position, dice, random)


def _some(plays: Sequence[Play], random: Random) -> Iterator[Play]:
    count = min(len(plays), _PLAYS_PER_THROW)
    yield from (plays[index] for index in random.sample(range(len(plays)), count))


def _check_constructed(variant: Variant, random: Random) -> int:
    """Examine one constructed position; count the throws examined."""
    position = random_position(variant, random)
    _check_position(position)
    _check_position(colours_swapped(position))
    if position.result is not None:
        return 0
    dice, plays = throw(position, random)
    _check_throw(position, dice, plays, random)
    return 1
