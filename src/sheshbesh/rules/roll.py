"""The dice as thrown, and the opening draw: who starts a game, and with which dice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Self

from sheshbesh.errors import DiceError
from sheshbesh.i18n import Text
from sheshbesh.rules.side import Side


def _pair(dice: Any) -> tuple[Any, Any]:
    one, other = dice
    return one, other


class _Dice(NamedTuple):
    first: int
    second: int


class Roll(_Dice):
    """Two dice; every function that takes dice accepts a Roll or any pair of numbers 1 to 6.

    Parameters
    ----------
    first, second : int
        The numbers.

    Raises
    ------
    DiceError
        A number is not 1 to 6.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> sb.Roll(3, 3).is_double, str(sb.Roll(6, 1))
    (True, '6-1')
    """

    __slots__ = ()

    def __new__(cls, first: int, second: int) -> Self:
        """Two dice in the order given."""
        for die in (first, second):
            if type(die) is not int or not 1 <= die <= 6:
                raise DiceError(Text("a die shows 1 to 6: {dice}", dice=repr((first, second))))
        return super().__new__(cls, first, second)

    @classmethod
    def of(cls, dice: object) -> Roll:
        """Read a pair of numbers.

        Parameters
        ----------
        dice : object
            A Roll, or a pair of numbers 1 to 6.

        Returns
        -------
        Roll
            The dice, larger number first.

        Raises
        ------
        DiceError
            It is none.
        """
        try:
            first, second = _pair(dice)
        except (TypeError, ValueError):
            raise DiceError(Text("dice are a pair of numbers 1 to 6, not {dice}", dice=repr(dice))) from None
        roll = cls(first, second)
        return roll if first >= second else cls(second, first)

    @classmethod
    def parse(cls, text: str) -> Roll:
        """Read dice from a text.

        Parameters
        ----------
        text : str
            "6-5", "65", "6 5" or "6,5".

        Returns
        -------
        Roll
            The dice, larger number first.

        Raises
        ------
        DiceError
            It is anything else.
        """
        digits = [character for character in text if character not in " -,/:"]
        if len(digits) != 2 or not all(digit.isdecimal() for digit in digits):
            raise DiceError(Text("dice are written like 6-5, not {text}", text=repr(text)))
        return cls.of((int(digits[0]), int(digits[1])))

    @classmethod
    def all(cls) -> Iterator[tuple[Roll, int]]:
        """The 21 different throws with their weights out of 36, larger number first."""
        for high in range(1, 7):
            for low in range(1, high + 1):
                yield cls(high, low), 1 if high == low else 2

    @property
    def is_double(self) -> bool:
        """True if both dice show the same number."""
        return self.first == self.second

    def __str__(self) -> str:
        return f"{self.first}-{self.second}"


@dataclass(frozen=True, slots=True)
class Opening:
    """The outcome of the draw for the first move.

    Parameters
    ----------
    starter : Side or None
        Who begins; None when the dice tie and must be thrown again.
    dice : Roll or Literal[roll] or None
        The throw that the starter plays, larger number first; "roll" when they throw both dice anew; None
        with a tie.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> sb.variant("backgammon").opening(white_die=3, black_die=5)
    Opening(starter=<Side.BLACK: 'black'>, dice=Roll(first=5, second=3))
    """

    starter: Side | None
    dice: Roll | Literal["roll"] | None


@dataclass(frozen=True, slots=True)
class OpeningRule:
    """The opening procedure of a rule set: the axes of the table `opening`."""

    dice: str
    starter: str
    later: str

    def decide(
        self,
        white_die: int | None,
        black_die: int | None,
        *,
        game_no: int = 1,
        previous_winner: Side | None = None,
        previous_starter: Side | None = None,
    ) -> Opening:
        """Decide who starts game `game_no`; DiceError if a draw is needed and a die is missing.

        Where the previous winner starts, a drawn previous game is followed by a new draw. Where the
        sides alternate, `previous_starter` must be known, or the draw decides again.
        """
        if game_no > 1:
            if self.later == "winner" and previous_winner is not None:
                return Opening(previous_winner, "roll")
            if self.later == "alternate" and previous_starter is not None:
                return Opening(previous_starter.other, "roll")
        roll = Roll.of((white_die, black_die))
        if roll.is_double:
            return Opening(None, None)
        white_is_higher = white_die == roll.first
        white_starts = white_is_higher == (self.starter == "higher")
        starter = Side.WHITE if white_starts else Side.BLACK
        return Opening(starter, roll if self.dice == "played" else "roll")
