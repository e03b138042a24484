"""What a position is worth with a cube: one model for money and for every score of a match.

A position is described by the chance that its first side, here "mine", wins, and by what a win and
a loss are worth at each height of the cube. Worths may be points or chances to win the match: the
model only asks that more is better.

The model is Rick Janowski's ("Take-Points in Money Games", 1993) carried over to any worths. With a
*dead* cube nobody ever turns it again and the worth is a straight line in the winning chance. With a
fully *live* cube the chance moves in small steps, so that every double is made exactly where the
other side is indifferent between take and drop; the worth is straight between such points. What
happens lies between the two, the *efficiency* says where: 0 dead, 1 live.

No side has to double. Where a gammon is worth so much more than the cash that the other side would be
let off, which happens at some scores, a point of indifference is no reason to turn the cube, and the
line runs straight past it.

A turn that costs nothing is no matter of efficiency: when the other side wins all there is to win
at the present height anyway, the cube is turned at once (in a match, the side that trails after the
Crawford game, and whoever owns a cube with which the other side has enough). Up to the cash point
that is worth a live cube, beyond it the pass: who plays on there for a gammon may lose the pass again,
so that playing on, too, is worth what lies between dead and live. Nor is it a matter of efficiency
that a centred cube will be dead for both once it was turned, as at 2-away 2-away: whoever turns it
gives nothing away, so it is worth as much as a live one, but never more than to its owner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

Owner = Literal["mine", "theirs"] | None
"""Who alone may turn the cube; None: both."""

_Corner = tuple[float, float]
"""A chance of winning and a worth."""


@dataclass(frozen=True, slots=True)
class Height:
    """The cube at one value, in worths for my side.

    `win` and `lose` are the mean worth of the games I win and lose at this value, `cash` that of
    their dropping the double from here, `drop` that of my dropping it. `mine` and `theirs` say
    whether that side would ever turn the cube from here, `mine_free` and `theirs_free` whether doing
    so costs it nothing.
    """

    win: float
    lose: float
    cash: float
    drop: float
    mine: bool = True
    theirs: bool = True
    mine_free: bool = False
    theirs_free: bool = False


class CubeModel:
    """The heights of a cube from its present value up, with the live points of each.

    `heights[0]` is the present value, each further one the double of the one before; from the last
    nobody turns. `take_points[n]` is my chance of winning from which I take a double from height n,
    `cash_points[n]` that above which they drop mine, both with a live cube afterwards.
    """

    __slots__ = ("cash_points", "efficiency", "heights", "take_points")

    def __init__(self, heights: Sequence[Height], efficiency: float) -> None:
        self.heights = tuple(heights)
        self.efficiency = efficiency
        last = len(self.heights) - 1
        self.take_points, self.cash_points = [0.0] * (last + 1), [1.0] * (last + 1)
        for n in range(last - 1, -1, -1):
            here = self.heights[n]
            if here.theirs:
                self.take_points[n] = _chance_at(here.drop, self._corners("mine", n + 1))
            if here.mine:
                self.cash_points[n] = _chance_at(here.cash, self._corners("theirs", n + 1))

    def dead(self, chance: float, height: int = 0) -> float:
        """The worth if nobody ever turns the cube again."""
        here = self.heights[height]
        return here.lose + chance * (here.win - here.lose)

    def live(self, chance: float, owner: Owner, height: int = 0) -> float:
        """The worth with a fully live cube."""
        return _over(self._corners(owner, height), chance)

    def _corners(self, owner: Owner, height: int) -> list[_Corner]:
        """What the worth with a live cube runs straight between, from no chance to every chance.

        A side stops at its point of indifference only where that beats going past it.
        """
        here = self.heights[height]
        none, every = (0.0, here.lose), (1.0, here.win)
        take = (self.take_points[height], here.drop) if here.theirs and owner != "mine" else None
        cash = (self.cash_points[height], here.cash) if here.mine and owner != "theirs" else None
        they_stop = take is not None and take[1] < _between(none, every, take[0])
        i_stop = cash is not None and cash[1] > _between(none, every, cash[0])
        # Where one side stops, stopping can become right for the other.
        if take is not None and cash is not None:
            if i_stop and not they_stop:
                they_stop = take[1] < _between(none, cash, take[0])
            elif they_stop and not i_stop:
                i_stop = cash[1] > _between(take, every, cash[0])
        corners = [none]
        if take is not None and they_stop:
            corners.append(take)
        if cash is not None and i_stop:
            corners.append(cash)
        corners.append(every)
        return corners

    def worth(self, chance: float, owner: Owner, height: int = 0) -> float:
        """The worth with this cube, between dead and live."""
        here = self.heights[height]
        live, dead = self.live(chance, owner, height), self.dead(chance, height)
        blend = dead + self.efficiency * (live - dead)
        if here.mine_free and owner != "theirs":
            return min(live, max(here.cash, blend))
        if here.theirs_free and owner != "mine":
            return max(live, min(here.drop, blend))
        if owner is None and self._is_last_turn(height):
            least, most = self.worth(chance, "theirs", height), self.worth(chance, "mine", height)
            return min(max(live, least), most)
        return blend

    def _is_last_turn(self, height: int) -> bool:
        """Whether either side may turn the cube and neither of them again."""
        here = self.heights[height]
        if not (here.mine and here.theirs):
            return False
        above = self.heights[height + 1]
        return not (above.mine or above.theirs)


def _between(left: _Corner, right: _Corner, x: float) -> float:
    """The straight line through two points, at `x`."""
    if right[0] <= left[0]:
        return right[1]
    return left[1] + (right[1] - left[1]) * (x - left[0]) / (right[0] - left[0])


def _over(corners: Sequence[_Corner], x: float) -> float:
    """The broken line over the corners, at `x`."""
    for left, right in pairwise(corners):
        if x <= right[0]:
            return _between(left, right, x)
    return corners[-1][1]


def _chance_at(worth: float, corners: Sequence[_Corner]) -> float:
    """Where the broken line over the corners, which never falls, reaches `worth`; at most 1."""
    for left, right in pairwise(corners):
        if worth <= right[1]:
            if right[1] <= left[1]:
                return left[0]
            share = (worth - left[1]) / (right[1] - left[1])
            return min(max(left[0] + share * (right[0] - left[0]), 0.0), 1.0)
    return 1.0
