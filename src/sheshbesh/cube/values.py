"""The value of each way to end a game at each height of the cube: from a score to a cube model.

Values are points in money play and match-winning chances (MWC) in a match. `GameValues` holds them for
one moment of a match or of money play; with the probabilities of the ways to end the game they make a
`CubeModel` of the core (`cube_model.h` describes the model). Building them costs more than using them,
so keep them. The efficiency of the cube, which places a real cube between a dead and a live one, is
data by phase of the game: `efficiency.toml`, with its source.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import fsum
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from sheshbesh import _core
from sheshbesh.rules import Position

Value = Callable[[int], float]
"""The value for the first side after it gained that many points; a loss is negative, 0 a game without a
winner."""

Owner = Literal["mine", "theirs"] | None
"""The side that alone may turn the cube; None: both."""

OWNERS = MappingProxyType(
    {None: _core.CubeOwner.nobody, "mine": _core.CubeOwner.mine, "theirs": _core.CubeOwner.theirs}
)
"""The owner of a cube as the core names it."""

MOST_DOUBLES = 6
"""The number of further doubles that a model looks ahead where no score ends them: what comes later changes
nothing."""

NOTHING = 1e-3
"""The share of all that a game can change below which the present cube decides nothing."""


@dataclass(frozen=True, slots=True)
class HeightValues:
    """The values at one height of the cube, for the first side.

    `wins` and `losses` are those of its ways to win and to lose; `cash` is the value of the other side's
    drop of a double from here, `drop` that of the first side's own. `mine` and `theirs` say whether that
    side would ever turn the cube from here, `mine_free` and `theirs_free` whether doing so costs it nothing.
    """

    wins: tuple[float, ...]
    losses: tuple[float, ...]
    cash: float
    drop: float
    mine: bool
    theirs: bool
    mine_free: bool
    theirs_free: bool

    def height(self, win_shares: Sequence[float], lose_shares: Sequence[float]) -> _core.CubeHeight:
        """The height of a model, given how the games that are won and lost divide into the ways."""
        return _core.CubeHeight(
            fsum(share * value for share, value in zip(win_shares, self.wins, strict=True)),
            fsum(share * value for share, value in zip(lose_shares, self.losses, strict=True)),
            self.cash,
            self.drop,
            mine=self.mine,
            theirs=self.theirs,
            mine_free=self.mine_free,
            theirs_free=self.theirs_free,
        )


@dataclass(frozen=True, slots=True)
class GameValues:
    """The values of a game at the present height of the cube and at each further one that matters.

    `tie` is the value of a game without a winner.
    """

    heights: tuple[HeightValues, ...]
    tie: float

    @property
    def even(self) -> float:
        """The value of equity 0: half way between the ends that `unit` is measured by."""
        best, worst = self._ends
        return (best + worst) / 2

    @property
    def unit(self) -> float:
        """The value of one point of equity: half the distance between the present cube won and lost.

        A point or two may change nothing: where checkers left are counted, and every game decides a
        short match. Then it is half the distance between the best and the worst end of the game.
        """
        best, worst = self._ends
        return (best - worst) / 2

    @property
    def _ends(self) -> tuple[float, float]:
        now = self.heights[0]
        best, worst = max(now.cash, *now.wins), min(now.drop, *now.losses)
        if now.cash - now.drop > NOTHING * (best - worst):
            return now.cash, now.drop
        return best, worst

    def normalised(self, value: float) -> float:
        """A value as equity: the present cube won is +1, lost -1; see `unit`."""
        return (value - self.even) / self.unit

    def core_height(
        self, height: int, *, ties: bool
    ) -> tuple[list[float], float, float, bool, bool, bool, bool]:
        """A height as the core takes it, in equity: the value of each class, of their drop and of mine,
        then whether each side would ever turn the cube and does so at no cost.

        `ties` says whether the classes end with the game without a winner.
        """
        at = self.heights[height]
        by_class = [*at.wins, *at.losses, *([self.tie] if ties else ())]
        return (
            [self.normalised(value) for value in by_class],
            self.normalised(at.cash),
            self.normalised(at.drop),
            at.mine,
            at.theirs,
            at.mine_free,
            at.theirs_free,
        )

    def model(self, wins: Sequence[float], losses: Sequence[float], efficiency: float) -> _core.CubeModel:
        """The cube model, given the probabilities of the ways to win and to lose.

        They need not sum to 1: ties are left out, the model is about the games with a winner.
        """
        win_shares, lose_shares = _shares(wins), _shares(losses)
        return _core.CubeModel([at.height(win_shares, lose_shares) for at in self.heights], efficiency)


def _shares(probabilities: Sequence[float]) -> Sequence[float]:
    """Probabilities as shares of their sum; all on the first way if there is nothing to share."""
    total = fsum(probabilities)
    if total <= 0:
        return [1.0, *[0.0] * (len(probabilities) - 1)]
    return [probability / total for probability in probabilities]


def game_values(
    win_points: Sequence[int],
    loss_points: Sequence[int],
    value: Value,
    *,
    cube: int = 1,
    away: int | None = None,
    opponent_away: int | None = None,
    turnable: bool = True,
    dead_double: bool = False,
    unturned_points: tuple[Sequence[int], Sequence[int]] | None = None,
    limit: int | None = None,
) -> GameValues:
    """The values for a side that still needs `away` points against one that needs `opponent_away`.

    `win_points` and `loss_points` are the points of the ways to end the game before the cube, which
    stands at `cube`; None as `away` is money play. `turnable` is false where the cube is not in use, as
    in the Crawford game. `dead_double` adds a height above the last useful one, for matches that allow
    such doubles. `unturned_points` replaces the points at the present height (Jacoby's rule). `limit` is the
    highest value of the cube, None for no limit.
    """
    highest = cube << MOST_DOUBLES if limit is None else min(limit, cube << MOST_DOUBLES)
    heights: list[HeightValues] = []
    height = cube
    while True:
        wins, losses = unturned_points if unturned_points and height == cube else (win_points, loss_points)
        mine_enough = away is not None and height >= away
        theirs_enough = opponent_away is not None and height >= opponent_away
        can_turn = turnable and height < highest
        useful = can_turn and not (mine_enough and theirs_enough)
        heights.append(
            HeightValues(
                wins=tuple(value(points * height) for points in wins),
                losses=tuple(value(-points * height) for points in losses),
                cash=value(height),
                drop=value(-height),
                mine=useful and not mine_enough,
                theirs=useful and not theirs_enough,
                mine_free=useful and not mine_enough and theirs_enough,
                theirs_free=useful and not theirs_enough and mine_enough,
            )
        )
        if not useful and not (dead_double and can_turn and height == cube):
            return GameValues(tuple(heights), value(0))
        height *= 2


_EFFICIENCY_FILE = Path(__file__).with_name("efficiency.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeEfficiency:
    """The efficiency of the cube, between 0 (dead) and 1 (live)."""

    contact: float
    race_base: float
    race_per_pip: float
    race_least: float
    race_most: float

    def race(self, pips: int) -> float:
        """The efficiency in a race for the pip count of the side on roll."""
        return min(max(self.race_base + self.race_per_pip * pips, self.race_least), self.race_most)

    def at(self, position: Position) -> float:
        """The efficiency in a position, by its phase."""
        return self.contact if position.has_contact else self.race(position.pips(position.turn))


@cache
def shipped_efficiency() -> CubeEfficiency:
    """The efficiency that the engine uses."""
    numbers = tomllib.loads(_EFFICIENCY_FILE.read_text(encoding="utf-8"))
    numbers.pop("source")
    return CubeEfficiency(**numbers)
