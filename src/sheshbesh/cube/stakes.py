"""What the ways to end a game are worth at each height of the cube: from a score to a cube model.

`Stakes` holds them for one moment of a match or of money play; with the probabilities of the ways
to end the game they make a `CubeModel`. Building them costs more than using them, so keep them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum

from sheshbesh.cube.model import CubeModel, Height
from sheshbesh.match.state import CUBE_LIMIT

Worth = Callable[[int], float]
"""What the first side has once it gained so many points; a loss is negative, 0 a game without winner."""


_NOTHING = 1e-3
"""The share of all that a game can change below which the present value is worth nothing."""


@dataclass(frozen=True, slots=True)
class Stake:
    """What can be won and lost at one value of the cube, in worths for the first side.

    `wins` and `losses` are the worths of its ways to win and to lose; the rest as in `Height`.
    """

    wins: tuple[float, ...]
    losses: tuple[float, ...]
    cash: float
    drop: float
    mine: bool
    theirs: bool
    mine_free: bool
    theirs_free: bool

    def height(self, win_shares: Sequence[float], lose_shares: Sequence[float]) -> Height:
        """The height of a model, given how the games that are won and lost divide into the ways."""
        return Height(
            win=fsum(share * worth for share, worth in zip(win_shares, self.wins, strict=True)),
            lose=fsum(share * worth for share, worth in zip(lose_shares, self.losses, strict=True)),
            cash=self.cash,
            drop=self.drop,
            mine=self.mine,
            theirs=self.theirs,
            mine_free=self.mine_free,
            theirs_free=self.theirs_free,
        )


@dataclass(frozen=True, slots=True)
class Stakes:
    """The stakes of a game at the present value of the cube and at each further one that matters.

    `tie` is the worth of a game without a winner.
    """

    levels: tuple[Stake, ...]
    tie: float

    @property
    def even(self) -> float:
        """The worth of equity 0: half way between what `unit` lies between."""
        best, worst = self._ends
        return (best + worst) / 2

    @property
    def unit(self) -> float:
        """What the present value of the cube is worth: half the distance between won and lost.

        A point or two may be worth nothing: where checkers left are counted, and every game decides a
        short match. Then it is half the distance between the best and the worst end of the game.
        """
        best, worst = self._ends
        return (best - worst) / 2

    @property
    def _ends(self) -> tuple[float, float]:
        now = self.levels[0]
        best, worst = max(now.cash, *now.wins), min(now.drop, *now.losses)
        if now.cash - now.drop > _NOTHING * (best - worst):
            return now.cash, now.drop
        return best, worst

    def normalised(self, worth: float) -> float:
        """A worth as equity: the present value won is +1, lost -1; see `unit`."""
        return (worth - self.even) / self.unit

    def model(self, wins: Sequence[float], losses: Sequence[float], efficiency: float) -> CubeModel:
        """The cube model, given the probabilities of the ways to win and to lose.

        They need not sum to 1: ties are left out, the model is about the games with a winner.
        """
        win_shares, lose_shares = _shares(wins), _shares(losses)
        return CubeModel([stake.height(win_shares, lose_shares) for stake in self.levels], efficiency)


def _shares(probabilities: Sequence[float]) -> Sequence[float]:
    """Probabilities as shares of their sum; all on the first way if there is nothing to share."""
    total = fsum(probabilities)
    if total <= 0:
        return [1.0, *[0.0] * (len(probabilities) - 1)]
    return [probability / total for probability in probabilities]


def stakes_of(
    win_points: Sequence[int],
    loss_points: Sequence[int],
    worth: Worth,
    *,
    cube: int = 1,
    away: int | None = None,
    opponent_away: int | None = None,
    turnable: bool = True,
    dead_double: bool = False,
    unturned_points: tuple[Sequence[int], Sequence[int]] | None = None,
) -> Stakes:
    """The stakes for a side that still needs `away` points against one that needs `opponent_away`.

    `win_points` and `loss_points` are the points of the ways to end the game before the cube, which
    stands at `cube`; None as `away` is money play. `turnable` is false where the cube rests, as in
    the Crawford game. `dead_double` adds a height above the last useful one, for tables that allow
    such doubles. `unturned_points` replaces the points at the present value (Jacoby's rule).
    """
    levels: list[Stake] = []
    value = cube
    while True:
        wins, losses = unturned_points if unturned_points and value == cube else (win_points, loss_points)
        mine_enough = away is not None and value >= away
        theirs_enough = opponent_away is not None and value >= opponent_away
        can_turn = turnable and value < CUBE_LIMIT
        useful = can_turn and not (mine_enough and theirs_enough)
        levels.append(
            Stake(
                wins=tuple(worth(points * value) for points in wins),
                losses=tuple(worth(-points * value) for points in losses),
                cash=worth(value),
                drop=worth(-value),
                mine=useful and not mine_enough,
                theirs=useful and not theirs_enough,
                mine_free=useful and not mine_enough and theirs_enough,
                theirs_free=useful and not theirs_enough and mine_enough,
            )
        )
        if not useful and not (dead_double and can_turn and value == cube):
            return Stakes(tuple(levels), worth(0))
        value *= 2
