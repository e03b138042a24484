"""Who starts a game, and with which dice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sheshbesh.rules.roll import Roll
from sheshbesh.rules.side import Side


@dataclass(frozen=True, slots=True)
class Opening:
    """The outcome of the opening draw.

    `starter` is None when the dice tie and must be thrown again. `dice` is the throw the starter
    plays (larger number first), "roll" when they throw both dice anew, or None with a tie.
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
