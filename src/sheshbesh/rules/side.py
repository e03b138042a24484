"""The two sides of the board, and the result of a game between them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from sheshbesh.errors import NotationError
from sheshbesh.i18n import Text


class Side(StrEnum):
    """White or Black; equal to its own name as text, so `pos.turn == "white"` holds.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> sb.Side.WHITE == "white", sb.Side.WHITE.other
    (True, <Side.BLACK: 'black'>)
    """

    WHITE = "white"
    BLACK = "black"

    @property
    def text(self) -> Text:
        """The name of the side, which can be translated."""
        return _TEXTS[self]

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side.BLACK if self is Side.WHITE else Side.WHITE

    @classmethod
    def of(cls, name: Side | str) -> Side:
        """Return the side with a name.

        Parameters
        ----------
        name : Side or str
            "white" or "black", or the side itself.

        Returns
        -------
        Side
            The side.

        Raises
        ------
        NotationError
            It is no side.
        """
        try:
            return _BY_NAME[name]
        except (KeyError, TypeError):
            raise NotationError(Text('a side is "white" or "black", not {name}', name=repr(name))) from None


_TEXTS = {Side.WHITE: Text("white"), Side.BLACK: Text("black")}
_BY_NAME: dict[str, Side] = {side.value: side for side in Side}

SIDES = (Side.WHITE, Side.BLACK)
SIDE_NAMES = tuple(side.value for side in SIDES)


def name_or_none(side: Side | None) -> Literal["white", "black"] | None:
    """A side's name, as JSON has it: null where there is none, as for the winner of a tie."""
    return side.value if side is not None else None


KINDS = (
    "none",
    "single",
    "gammon",
    "backgammon",
    "home_mars",
    "koks",
    "count",
    "difference",
    "closed_area",
    "mother",
    "tie",
)
"""The result classes, in the order of `Kind` in the core; "none" means that the game goes on."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """The end of a game.

    Parameters
    ----------
    winner : Side or None
        Who won; None for a tie.
    points : int
        The points, before any cube.
    kind : str
        The class, such as "single" or "gammon".

    Examples
    --------
    >>> import sheshbesh as sb
    >>> end = sb.variant("tavla").position({"white": {}, "white_off": 15, "black": {"24": 15}}, turn="black")
    >>> end.result
    GameResult(winner=<Side.WHITE: 'white'>, points=2, kind='gammon')
    """

    winner: Side | None
    points: int
    kind: str

    @classmethod
    def from_core(cls, outcome: tuple[int, int, int], turn: Side) -> GameResult | None:
        """Translate a result of the core.

        Parameters
        ----------
        outcome : tuple[int, int, int]
            The core's kind, winner and points.
        turn : Side
            The side on roll.

        Returns
        -------
        GameResult or None
            The result; None while the game goes on.
        """
        kind, winner, points = outcome
        if KINDS[kind] == "none":
            return None
        sides = (None, turn, turn.other)
        return cls(sides[winner], points, KINDS[kind])

    def __str__(self) -> str:
        if self.winner is None:
            return "tie"
        plural = "" if self.points == 1 else "s"
        return f"{self.winner.value} wins {self.points} point{plural} ({self.kind.replace('_', ' ')})"
