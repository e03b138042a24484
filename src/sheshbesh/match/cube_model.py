"""What a position is worth with a cube: one model for money and for every score of a match.

A position is described by the chance that its first side, here "mine", wins, and by what a win and
a loss are worth at each height of the cube. Worths may be points or chances to win the match: the
model only asks that more is better.

The model is Rick Janowski's ("Take-Points in Money Games", 1993) carried over to any worths. With a
*dead* cube nobody ever turns it again and the worth is a straight line in the winning chance. With a
fully *live* cube the chance moves in small steps, so that every double is made exactly where the
other side is indifferent between take and drop; the worth is straight between such points. What
happens lies between the two, the *efficiency* says where: 0 dead, 1 live.

A turn that costs nothing is no matter of efficiency: when the other side wins all there is to win
at the present height anyway, the cube is turned at once (in a match, the side that trails after the
Crawford game, and whoever owns a cube with which the other side has enough). Nor is that of
a centred cube that is dead for both once it was turned, as at 2-away 2-away: whoever turns it gives
nothing away, so it is worth as much as a live one, but never more than to its owner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Owner = Literal["mine", "theirs"] | None
"""Who alone may turn the cube; None: both."""


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
            here, above = self.heights[n], self.heights[n + 1]
            if here.theirs:
                corner = (self.cash_points[n + 1], above.cash) if above.mine else None
                self.take_points[n] = _chance_at(here.drop, above.lose, corner, above.win)
            if here.mine:
                corner = (self.take_points[n + 1], above.drop) if above.theirs else None
                self.cash_points[n] = _chance_at(here.cash, above.lose, corner, above.win)

    def dead(self, chance: float, height: int = 0) -> float:
        """The worth if nobody ever turns the cube again."""
        here = self.heights[height]
        return here.lose + chance * (here.win - here.lose)

    def live(self, chance: float, owner: Owner, height: int = 0) -> float:
        """The worth with a fully live cube."""
        here = self.heights[height]
        left, right = (0.0, here.lose), (1.0, here.win)
        if here.theirs and owner != "mine":
            take = (self.take_points[height], here.drop)
            if chance < take[0]:
                return _between(left, take, chance)
            left = take
        if here.mine and owner != "theirs":
            cash = (self.cash_points[height], here.cash)
            if chance > cash[0]:
                return _between(cash, right, chance)
            right = cash
        return _between(left, right, chance)

    def worth(self, chance: float, owner: Owner, height: int = 0) -> float:
        """The worth with this cube, between dead and live."""
        here = self.heights[height]
        live = self.live(chance, owner, height)
        if (here.mine_free and owner != "theirs") or (here.theirs_free and owner != "mine"):
            return live
        if owner is None and self._is_last_turn(height):
            least, most = self.worth(chance, "theirs", height), self.worth(chance, "mine", height)
            return min(max(live, least), most)
        dead = self.dead(chance, height)
        return dead + self.efficiency * (live - dead)

    def _is_last_turn(self, height: int) -> bool:
        """Whether either side may turn the cube and neither of them again."""
        here = self.heights[height]
        if not (here.mine and here.theirs):
            return False
        above = self.heights[height + 1]
        return not (above.mine or above.theirs)


def _between(left: tuple[float, float], right: tuple[float, float], x: float) -> float:
    """The straight line through two points, at `x`."""
    if right[0] <= left[0]:
        return right[1]
    return left[1] + (right[1] - left[1]) * (x - left[0]) / (right[0] - left[0])


def _chance_at(worth: float, lose: float, corner: tuple[float, float] | None, win: float) -> float:
    """Where the line from (0, lose), by the corner, to (1, win) reaches `worth`; at most 1."""
    left, right = (0.0, lose), (1.0, win)
    if corner is not None:
        if worth <= corner[1]:
            right = corner
        else:
            left = corner
    if right[1] <= left[1]:
        return right[0] if worth > right[1] else left[0]
    share = (worth - left[1]) / (right[1] - left[1])
    return min(max(left[0] + share * (right[0] - left[0]), 0.0), 1.0)
